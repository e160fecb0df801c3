"""Spherical PCA: the spatial median, and directions without lengths."""

import numpy as np
import pytest
from scipy.optimize import minimize

from epca import METHODS
from tests.drawn import angle, cloud, planted_samples

SphericalPCA = METHODS["Spherical PCA"]


def test_symmetric_samples_of_equal_length_give_pca(generator):
    half = generator.standard_normal((40, 12)) * np.geomspace(5, 0.5, 12)
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    X = np.vstack([half, -half]) + 7
    model = SphericalPCA(4).fit(X)
    assert angle(model, METHODS["PCA"](4).fit(X)) < 1e-10
    np.testing.assert_allclose(model.mean_, 7, atol=1e-12)
    np.testing.assert_allclose(model.sample_weight_, 1 / 80, rtol=1e-9)


def test_the_centre_is_the_spatial_median():
    X = cloud(n=30, d=3)
    found = minimize(lambda m: np.linalg.norm(X - m, axis=1).sum(), X.mean(axis=0), tol=1e-12)
    np.testing.assert_allclose(SphericalPCA(1).fit(X).mean_, found.x, atol=1e-4)


def test_the_centre_may_lie_on_a_sample():
    """In the middle of a cross, where two samples are; one far off cannot carry it away."""
    X = np.array([[0.0, 0], [0, 0], [1, 0], [-1, 0], [0, 2], [0, -2], [90, 90]])
    np.testing.assert_allclose(SphericalPCA(1).fit(X).mean_, 0, atol=1e-5)


def test_directions_by_hand():
    """Σuuᵀ of the directions (1, 0), (1, 0), (0, 1) about their median; lengths do not matter."""
    X = np.array([[1.0, 0], [-1, 0], [5, 0], [-5, 0], [0, 100], [0, -100]])
    model = SphericalPCA(1).fit(X)
    np.testing.assert_allclose(model.components_, [[1, 0]], atol=1e-9)
    np.testing.assert_allclose(METHODS["PCA"](1).fit(X).components_, [[0, 1]], atol=1e-9)
    r = np.array([1, 1, 5, 5, 100, 100])
    np.testing.assert_allclose(model.sample_weight_, r**-2.0 / np.sum(r**-2.0), rtol=1e-6)


def test_one_sample_moves_the_subspace_by_a_bounded_amount(generator):
    X = cloud()
    far = generator.standard_normal(12)
    clean, moved, moved_farther = (
        SphericalPCA(3).fit(np.vstack([X, length * far])) for length in (1, 1e4, 1e8)
    )
    assert angle(moved, clean) < 15
    assert angle(moved_farther, moved) < 0.1
    assert np.linalg.norm(moved_farther.mean_ - clean.mean_) < 1


def test_wrong_samples_hardly_matter():
    X, basis = planted_samples()
    assert angle(METHODS["PCA"](4).fit(X), basis) > 80
    assert angle(SphericalPCA(4).fit(X), basis) < 8


def test_ranks_are_nested():
    X = cloud()
    small, large = (SphericalPCA(c).fit(X).components_ for c in (3, 7))
    np.testing.assert_allclose(small @ large.T @ large, small, atol=1e-9)


def test_shift_scale_and_order(generator):
    X = cloud()
    order = generator.permutation(60)
    plain = SphericalPCA(3).fit(X)
    changed = SphericalPCA(3).fit(20 * X[order] + 5)
    np.testing.assert_allclose(changed.components_, plain.components_, atol=1e-7)
    np.testing.assert_allclose(changed.mean_, 20 * plain.mean_ + 5, atol=1e-5)
    np.testing.assert_allclose(changed.sample_weight_, plain.sample_weight_[order], rtol=1e-4)
    assert changed.objective_history_[-1] == pytest.approx(20 * plain.objective_history_[-1])
