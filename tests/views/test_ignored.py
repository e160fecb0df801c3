"""What methods take for occlusion, as pictures beside the mask of what is occluded."""

from dataclasses import replace

import numpy as np
import pytest

from epca.experiment import Fit, Scenario, prepare, run
from epca.views import compare, measures
from epca.views.comparison import Comparison
from epca.views.pictures import ignored

LABELS = ["EPCA", "PCP", "Cauchy PCA"]
IDS = [3, 12]


@pytest.fixture(scope="module")
def result(forty_faces):
    scenario = Scenario(forty_faces, n_components=3).at(kind="own-pixels", samples=1.0, pixels=0.1)
    prepared = prepare(scenario)
    table, models = run(scenario, LABELS, prepare=lambda _: prepared)
    rows = table.to_dict("records")
    fits = {row["method"]: Fit(row, model) for row, model in zip(rows, models, strict=True)}
    return Comparison(scenario, prepared, fits)


def levels(pictures):
    return pictures.reshape(len(IDS), -1)


def test_cellwise_methods_show_the_pixels_that_their_fit_ignores(result):
    view = compare.View(result)
    found = view.matrix(LABELS, IDS, compare.IGNORED, {})
    assert list(found) == ["Clean", "Occluded", "Mask", *LABELS]
    assert found["EPCA"] == compare.NONE_IGNORED
    mask = result.prepared.occluded.mask[IDS]
    np.testing.assert_array_equal(levels(found["Mask"]), 255 * mask)
    for label in LABELS[1:]:
        weights = result.models[label].cell_weight_[IDS]
        np.testing.assert_allclose(levels(found[label]), 255 * (1 - weights))
        assert levels(found[label])[mask].mean() > 4 * levels(found[label])[~mask].mean()
    assert view.scale_text(found) == "white: occluded, or taken for it"


def test_pcp_ignores_where_its_sparse_part_is_large(result):
    model = result.models["PCP"]
    shown = ignored(model, result.prepared.occluded.X, IDS)
    sparse = np.abs(model.sparse_[IDS])
    assert np.all(shown[sparse == 0] == 0)
    assert np.array_equal(np.argsort(shown, axis=None)[-5:], np.argsort(sparse, axis=None)[-5:])


def test_the_low_rank_part_of_pcp_is_told_apart_from_its_subspace(result):
    rows = measures.measures(LABELS, result.fits | {"PCA": result.fits["EPCA"]}, result.prepared)
    model = result.models["PCP"]
    error = np.square(result.prepared.clean - model.low_rank_).sum()
    assert 1e6 <= rows["error"].max() < 1e7  # so that errors are in millions, to three decimals
    assert compare.remarks(result, rows)[-1] == (
        "PCP's row shows its subspace of rank c. Its low-rank part itself has rank "
        f"{model.rank_} and an error (10⁶) of {error / 1e6:.3f}: no rival of methods of rank c."
    )
    without = result._replace(fits={"EPCA": result.fits["EPCA"]})
    assert not any("PCP" in text for text in compare.remarks(without, rows))


def test_robust_reconstructions_ignore_pixels_for_any_method(result):
    robust = compare.View(result, distances={})
    shown = levels(robust.stages(IDS, compare.IGNORED)["EPCA"])
    X = result.prepared.occluded.X[IDS]
    np.testing.assert_allclose(shown, 255 * (1 - result.models["EPCA"].pixel_weights(X)))
    assert robust.scale_text(robust.heads(IDS, compare.IGNORED)).startswith("robust, white")


def test_without_a_truth_there_is_no_mask(result):
    images = replace(result.prepared.images, is_occluded=True)
    view = compare.View(result._replace(prepared=result.prepared._replace(images=images)))
    assert list(view.heads(IDS, compare.IGNORED)) == ["As they come", "Occluded"]
    assert view.scale_text(view.heads(IDS, compare.IGNORED)) == ""


def test_other_pictures_have_two_heads(result):
    view = compare.View(result)
    for show in compare.SHOWS[:-1]:
        assert list(view.stages(IDS, show)) == ["Clean", "Occluded", *LABELS]
