"""What methods take for occlusion, as pictures beside the mask of what is occluded."""

from dataclasses import replace

import numpy as np
import pytest

from epca.experiment import Fit, Scenario, prepare, run
from epca.views import compare, measures, shows, texts
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
    found = view.matrix(LABELS, IDS, shows.IGNORED, {})
    assert list(found) == ["Clean", "Occluded", "Mask", *LABELS]
    assert found["EPCA"] == texts.UNKNOWN
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
        f"PCP's numbers are of its subspace of rank c. Its low-rank part L has rank {model.rank_} "
        f"and an error (10⁶) of {error / 1e6:.3f}, so it does not compare with methods of rank c."
    )
    without = result._replace(fits={"EPCA": result.fits["EPCA"]})
    assert not any("PCP" in text for text in compare.remarks(without, rows))


def test_robust_reconstructions_ignore_pixels_for_any_method(result):
    robust = compare.View(result, distances={})
    shown = levels(robust.stages(IDS, shows.IGNORED)["EPCA"])
    X = result.prepared.occluded.X[IDS]
    np.testing.assert_allclose(shown, 255 * (1 - result.models["EPCA"].pixel_weights(X)))
    assert robust.scale_text(robust.heads(IDS, shows.IGNORED)).startswith("robust, white")


def test_without_a_truth_there_is_no_mask(result):
    images = replace(result.prepared.images, is_occluded=True)
    view = compare.View(result._replace(prepared=result.prepared._replace(images=images)))
    assert list(view.heads(IDS, shows.IGNORED)) == ["As they come", "Occluded"]
    assert view.scale_text(view.heads(IDS, shows.IGNORED)) == ""


def test_other_pictures_have_two_heads(result):
    view = compare.View(result)
    for show in ("reconstructions", "residuals", "errors"):
        assert list(view.stages(IDS, show)) == ["Clean", "Occluded", *LABELS]


def test_the_parts_of_pcp_add_up_to_the_occluded_images(result):
    view = compare.View(result)
    found = view.matrix(LABELS, IDS, shows.SPLIT, {})
    assert list(found) == ["Clean", "Occluded", "EPCA", "PCP: L", "PCP: S", "Cauchy PCA"]
    assert found["EPCA"] == found["Cauchy PCA"] == texts.UNKNOWN
    values, limit = found["PCP: S"]
    np.testing.assert_allclose(levels(found["PCP: L"] + values), levels(found["Occluded"]))
    np.testing.assert_array_equal(levels(values), result.models["PCP"].sparse_[IDS])
    assert limit == np.abs(values).max()


def test_what_a_dash_means_is_said_where_there_is_one(result):
    cellwise = {label: result.models[label] for label in LABELS[1:]}
    told = shows.missing_text(result.models, shows.IGNORED, is_robust=False)
    assert told.startswith("“–” in place of pictures: the method judges no pixels")
    assert shows.missing_text(cellwise, shows.IGNORED, is_robust=False) == ""
    assert shows.missing_text(result.models, shows.IGNORED, is_robust=True) == ""
    parts = shows.missing_text(cellwise, shows.SPLIT, is_robust=True)
    assert parts.endswith("the method has a subspace of rank c, and no parts L and S.")
    assert shows.missing_text({"PCP": result.models["PCP"]}, shows.SPLIT, is_robust=False) == ""
    assert shows.missing_text(result.models, shows.ERRORS, is_robust=False) == ""


def test_a_method_that_could_not_be_fitted_says_so_in_place_of_its_parts(result):
    broken = result._replace(fits=result.fits | {"PCP": Fit({"failure": "no."}, None)})
    found = compare.View(broken).matrix(LABELS, IDS, shows.SPLIT, {"PCP": "no."})
    assert found["PCP"] == "no."


def test_the_parts_are_offered_where_a_method_has_them(result):
    images = result.prepared.images
    assert shows.SPLIT in shows.shows_for(images, ["PCA", "PCP"])
    assert shows.SPLIT not in shows.shows_for(images, ["PCA", "Cauchy PCA"])
