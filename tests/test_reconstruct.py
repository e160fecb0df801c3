"""Reconstruction that ignores bad pixels, for every method, and which pixels are trusted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca import EPCA, METHODS
from epca.linalg import reduce_to_span
from epca.solver import robust_scores
from tests.drawn import cloud

every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


def loss(X, model, scores, scale):
    residuals = X - model.inverse_transform(scores)
    return np.log1p(np.square(residuals / scale)).sum(axis=1)


@every_method
def test_projection_is_the_default_and_robust_that_of_cellwise_methods(method):
    X = cloud()
    X[0, 3] += 100
    model = method(3).fit(X)
    projected = model.inverse_transform(model.transform(X))
    robust = model.reconstruct(X, robust=True)
    np.testing.assert_array_equal(model.reconstruct(X, robust=False), projected)
    np.testing.assert_array_equal(model.reconstruct(X), robust if method.is_cellwise else projected)
    assert not np.allclose(robust, projected)


@every_method
def test_a_cellwise_method_reconstructs_robustly(method):
    cellwise = type("Cellwise", (method,), {"is_cellwise": True})
    X = cloud()
    model = cellwise(3).fit(X)
    robust = model.reconstruct(X, robust=True)
    np.testing.assert_array_equal(model.reconstruct(X), robust)
    projected = model.inverse_transform(model.transform(X))
    np.testing.assert_array_equal(model.reconstruct(X, robust=False), projected)
    distances = np.linalg.norm(X - projected, axis=1)
    np.testing.assert_allclose(model.residuals(X), distances, rtol=1e-9, atol=1e-9)


@every_method
def test_robust_points_lie_in_the_subspace(method):
    model = method(3).fit(cloud())
    robust = model.reconstruct(cloud(seed=1), robust=True)
    np.testing.assert_allclose(model.reconstruct(robust), robust, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, 30.0]))
def test_the_loss_never_rises(seed, scale):
    X = cloud(seed, n=12)
    model = METHODS["PCA"](3).fit(X)
    before = loss(X, model, model.transform(X), scale)
    for n_steps in (1, 2, 3, 10, 100):
        scores = robust_scores(
            X, model.mean_, model.components_.T, scale, max_iter=n_steps, tol=0.0
        )
        after = loss(X, model, scores, scale)
        assert np.all(after <= before + 1e-9)
        before = after


def test_a_huge_scale_gives_the_projection(occluded):
    model = EPCA(10).fit_reduced(reduce_to_span(occluded.X))
    scores = robust_scores(occluded.X, model.mean_, model.components_.T, 1e8)
    np.testing.assert_allclose(scores, model.transform(occluded.X), atol=1e-6)


def test_a_gross_pixel_hardly_moves_the_point(generator):
    """By about κ²/size of the error and not by its size."""
    X = generator.standard_normal((80, 3)) @ generator.standard_normal((3, 200)) * 10
    model = METHODS["PCA"](3).fit(X + generator.standard_normal(X.shape))
    inside = model.reconstruct(X[:5])
    spoilt = inside.copy()
    spoilt[:, 7] += 1000
    smeared = np.abs(model.reconstruct(spoilt) - inside).max()
    moved = np.abs(model.reconstruct(spoilt, robust=True) - inside).max()
    assert smeared > 10
    assert moved < model.cell_scale_**2 / 1000
    weights = model.pixel_weights(spoilt)
    assert weights[:, 7].max() < 1e-3
    assert np.delete(weights, 7, axis=1).min() > 0.9


def test_pixel_weights_are_those_of_the_residuals(occluded):
    model = EPCA(10).fit_reduced(reduce_to_span(occluded.X))
    X = occluded.X[:20]
    residuals = X - model.reconstruct(X, robust=True)
    expected = 1 / (1 + (residuals / model.cell_scale_) ** 2)
    weights = model.pixel_weights(X)
    np.testing.assert_allclose(weights, expected, rtol=1e-9)
    assert weights.max() <= 1
    np.testing.assert_allclose(model.pixel_weights(model.reconstruct(X)), 1)
    np.testing.assert_array_equal(np.abs(residuals) > model.cell_scale_, weights < 0.5)


def test_occluded_pixels_are_trusted_less(occluded):
    model = METHODS["PCA-AN"](30).fit_reduced(reduce_to_span(occluded.X))
    rows = occluded.samples
    weights = model.pixel_weights(occluded.X[rows])
    hit = occluded.mask[rows]
    assert np.median(weights[hit]) < 0.5 < np.median(weights[~hit])


def test_occluded_faces_come_out_better(faces, occluded):
    model = METHODS["PCA-AN"](30).fit_reduced(reduce_to_span(occluded.X))
    plain, robust = (
        np.sum((faces.X - model.reconstruct(occluded.X, robust=robust)) ** 2)
        for robust in (False, True)
    )
    assert robust < 0.97 * plain


def test_samples_are_reconstructed_one_by_one(occluded):
    """No sample's points depend on those it is reconstructed with."""
    model = METHODS["PCA"](10).fit_reduced(reduce_to_span(occluded.X))
    together = model.reconstruct(occluded.X[:300], robust=True)
    alone = np.vstack([model.reconstruct(occluded.X[[i]], robust=True) for i in (0, 150, 299)])
    np.testing.assert_allclose(together[[0, 150, 299]], alone, atol=1e-8)


def test_the_order_of_pixels_does_not_matter(generator):
    X = cloud()
    order = generator.permutation(12)
    plain = METHODS["PCA"](3).fit(X).reconstruct(X, robust=True)
    permuted = METHODS["PCA"](3).fit(X[:, order]).reconstruct(X[:, order], robust=True)
    np.testing.assert_allclose(permuted, plain[:, order], atol=1e-7)


def test_the_scale_is_three_typical_residuals():
    X = cloud(n=30)
    model = METHODS["PCA"](3).fit(X)
    typical = 1.4826 * np.median(np.abs(X - model.reconstruct(X)))
    assert model.cell_scale_ == pytest.approx(3 * typical, rel=1e-9)
    scaled = METHODS["PCA"](3).fit(1e4 * X)
    assert scaled.cell_scale_ == pytest.approx(1e4 * model.cell_scale_, rel=1e-9)


def test_the_scale_of_many_samples_is_nearly_that_of_all(occluded):
    model = EPCA(30).fit_reduced(reduce_to_span(occluded.X))
    typical = 1.4826 * np.median(np.abs(occluded.X - model.reconstruct(occluded.X)))
    assert model.cell_scale_ == pytest.approx(3 * typical, rel=0.05)


def test_an_exact_fit_has_a_scale():
    model = METHODS["PCA"](1).fit(np.outer(np.arange(10.0), [1.0, 2.0, 3.0]))
    assert model.cell_scale_ > 0
    assert np.isfinite(model.reconstruct([[1.0, 2.0, 9.0]], robust=True)).all()
