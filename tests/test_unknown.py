"""An experiment on images with unknown pixels: what is fitted, what is measured."""

import numpy as np
import pytest

from epca import metrics
from epca.corruption import KINDS
from epca.data import read_bytes
from epca.distances import robust_distances
from epca.experiment import Occlusion, Scenario, prepare, run
from epca.registry import METHODS
from tests.driven import finish
from tests.files import faces_of, npz

HIDDEN = np.random.default_rng(2).random((40, 12, 12)) < 0.1
CONTENT = npz(images=np.where(HIDDEN, np.nan, faces_of(1)), labels=np.arange(40) % 4)
IMAGES = read_bytes("mine.npz", CONTENT, unknown="nan")
FLAT = HIDDEN.reshape(40, 144)


def scenario(kind="own-pixels", samples=0.5):
    return Scenario(occlusion=Occlusion(kind, samples=samples, pixels=0.3), n_components=4)


@pytest.mark.parametrize("kind", KINDS)
def test_no_occlusion_makes_an_unknown_pixel_known(kind):
    prepared = prepare(scenario(kind), IMAGES)
    occluded = prepared.occluded
    np.testing.assert_array_equal(np.isnan(occluded.X), FLAT)
    np.testing.assert_array_equal(np.isnan(prepared.clean), FLAT)
    np.testing.assert_array_equal(prepared.reduction.unknown, FLAT)
    assert not occluded.mask[FLAT].any()
    np.testing.assert_array_equal(occluded.samples, np.flatnonzero(occluded.mask.any(axis=1)))


def test_one_method_takes_them_and_the_others_say_what_to_use():
    table, models = run(scenario(), list(METHODS), prepare=lambda it: prepare(it, IMAGES))
    rows = table.set_index("method")
    for label, model in zip(METHODS, models, strict=True):
        assert (model is not None) == (label == "Cauchy PCA")
        if model is None:
            assert f"NaN, which {label} does not take" in rows.loc[label, "failure"]
            assert "use one of METHODS" in rows.loc[label, "failure"]


def test_errors_count_the_known_pixels_alone():
    prepared = prepare(scenario(), IMAGES)
    table, (model,) = run(scenario(), ["Cauchy PCA"], prepare=lambda _: prepared)
    squares = np.square(faces_of(1).reshape(40, 144) - model.reconstruct(prepared.occluded.X))
    lengths = np.sqrt(np.where(FLAT, 0, squares).sum(axis=1))
    is_occluded = np.isin(np.arange(40), prepared.occluded.samples)
    row = table.iloc[0]
    assert row["error"] == pytest.approx(np.square(lengths).sum())
    assert row["error_clean"] == pytest.approx(np.square(lengths[~is_occluded]).sum())
    assert row["error_occluded"] == pytest.approx(np.square(lengths[is_occluded]).sum())
    back = model.reconstruct(prepared.occluded.X)
    np.testing.assert_allclose(metrics.distances(prepared.clean, back), lengths)
    np.testing.assert_allclose(finish(robust_distances(prepared, model)), lengths)
