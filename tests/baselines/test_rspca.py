"""RSPCA: its thresholds, the sparsity of every loading, its span."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca import METHODS
from epca.baselines.rspca import k_hard, k_soft, l1_ball
from tests.drawn import cloud


@given(st.integers(0, 2**32 - 1), st.sampled_from([k_hard, l1_ball]), st.integers(1, 12))
def test_two_thresholds_never_decrease_the_dispersion(seed, threshold, k):
    """k-hard and ℓ1-ball maximise vᵀw under their constraint, so Σ|wᵀx| cannot fall; k-soft can."""
    X = cloud(seed)
    w = np.random.default_rng(seed).standard_normal(12)
    w = threshold(w, k) / np.linalg.norm(threshold(w, k))
    for _ in range(10):
        moved = threshold(np.where(X @ w >= 0, 1.0, -1.0) @ X, k)
        moved /= np.linalg.norm(moved)
        assert np.abs(X @ moved).sum() >= np.abs(X @ w).sum() * (1 - 1e-9)
        w = moved


def test_k_soft_can_decrease_the_dispersion():
    falls = 0
    for seed in range(50):
        X = cloud(seed)
        w = np.eye(12)[seed % 12]
        for _ in range(10):
            moved = k_soft(np.where(X @ w >= 0, 1.0, -1.0) @ X, 4)
            moved /= np.linalg.norm(moved)
            falls += np.abs(X @ moved).sum() < np.abs(X @ w).sum() * (1 - 1e-9)
            w = moved
    assert falls > 0


@pytest.mark.parametrize("threshold", ["k-soft", "k-hard"])
@pytest.mark.parametrize("shape", [(60, 12), (10, 30)])
def test_exactly_k_non_zeros(threshold, shape):
    X = cloud(n=shape[0], d=shape[1])
    model = METHODS["RSPCA"](4, n_nonzero=5, threshold=threshold).fit(X)
    assert np.count_nonzero(model.loadings_, axis=1).tolist() == [5] * 4
    np.testing.assert_allclose(np.linalg.norm(model.loadings_, axis=1), 1)
    outside = model.loadings_ - model.loadings_ @ model.components_.T @ model.components_
    assert np.abs(outside).max() < 1e-9  # components_ span the loadings
    assert np.count_nonzero(METHODS["RSPCA"](1).fit(X).loadings_) == shape[1] // 2


@given(
    st.integers(0, 2**32 - 1), st.sampled_from(["k-soft", "k-hard", "l1-ball"]), st.integers(1, 10)
)
def test_every_loading_is_sparse(seed, threshold, k):
    """The start of a direction has k entries, too: it is returned where no step improves on it."""
    X = np.random.default_rng(seed).standard_normal((40, 10))
    loadings = METHODS["RSPCA"](6, n_nonzero=k, threshold=threshold).fit(X).loadings_
    if threshold == "l1-ball":
        assert np.all(np.abs(loadings).sum(axis=1) <= np.sqrt(k) * (1 + 1e-9))
    else:
        assert np.count_nonzero(loadings, axis=1).tolist() == [k] * 6


def test_every_loading_is_sparse_on_faces(faces):
    assert (
        np.count_nonzero(METHODS["RSPCA"](10).fit(faces.X).loadings_, axis=1).tolist() == [512] * 10
    )


def test_rspca_passes_a_constant_column():
    A = np.random.default_rng(0).integers(-3, 4, (6, 3)).astype(float)
    X = np.hstack([np.zeros((12, 1)), np.vstack([A, -A])])
    model = METHODS["RSPCA"](2, n_nonzero=1).fit(X)
    assert np.all(model.loadings_[:, 0] == 0)
    assert np.count_nonzero(model.loadings_, axis=1).tolist() == [1, 1]
    np.testing.assert_allclose(l1_ball(np.ones(6), 3), [1, 0, 0, 0, 0, 0])


def test_thresholds_by_hand():
    v = np.array([4.0, -1.0, 3.0, -5.0])
    np.testing.assert_allclose(k_hard(v, 2), [4, 0, 0, -5])
    np.testing.assert_allclose(k_soft(v, 2), [1, 0, 0, -2])
    np.testing.assert_allclose(k_soft(np.array([1.0, 1, 1]), 2), [1, 1, 0])  # ties go by index
    np.testing.assert_allclose(k_soft(v, 4), v)
    np.testing.assert_allclose(l1_ball(v, 4), v)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_l1_ball_is_met(seed, k):
    w = l1_ball(np.random.default_rng(seed).standard_normal(9), k)
    assert np.abs(w).sum() <= np.sqrt(k) * np.linalg.norm(w) * (1 + 1e-9)
