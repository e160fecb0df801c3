"""How far reconstructions are from images, whatever the method, and without reconstructing all."""

from dataclasses import replace

import numpy as np
import pytest

from epca import METHODS, metrics
from epca.distances import distances
from epca.experiment import Scenario, fit, prepare

SCENARIO = Scenario(n_components=5)


@pytest.fixture(scope="module")
def few(faces):
    return replace(faces, images=faces.images[:40, ::2, ::2], labels=faces.labels[:40])


@pytest.mark.parametrize("samples", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("label", METHODS)
def test_they_are_those_of_the_reconstructions(label, samples, few):
    prepared = prepare(SCENARIO.at(samples=samples), few)
    model = fit(prepared, SCENARIO, label).model
    expected = metrics.distances(prepared.clean, model.reconstruct(prepared.occluded.X))
    np.testing.assert_allclose(distances(prepared, model), expected, rtol=1e-6)


@pytest.mark.parametrize("label", ["EPCA", "PCP"])
def test_without_a_truth_they_are_from_the_images_as_they_come(label, few):
    prepared = prepare(SCENARIO, replace(few, is_occluded=True))
    model = fit(prepared, SCENARIO, label).model
    X = prepared.occluded.X
    expected = metrics.distances(X, model.reconstruct(X))
    np.testing.assert_allclose(distances(prepared, model), expected, rtol=1e-6)


def test_unknown_pixels_do_not_count(few):
    unknown = np.zeros(few.images.shape, bool)
    unknown[:, :3] = True
    prepared = prepare(SCENARIO, replace(few, unknown=unknown))
    model = fit(prepared, SCENARIO, "Cauchy PCA").model
    expected = metrics.distances(prepared.clean, model.reconstruct(prepared.occluded.X))
    np.testing.assert_allclose(distances(prepared, model), expected)


def test_only_occluded_images_are_reconstructed(few, monkeypatch):
    prepared = prepare(SCENARIO, few)
    model = fit(prepared, SCENARIO, "EPCA").model
    seen = []
    lift = type(model).inverse_transform
    monkeypatch.setattr(
        type(model), "inverse_transform", lambda self, V: seen.append(len(V)) or lift(self, V)
    )
    distances(prepared, model)
    assert seen == [len(prepared.occluded.samples)] == [8]
