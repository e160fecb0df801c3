"""PCA-AN: its weights are a projection on the simplex, by hand and by a solver."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from epca import METHODS
from epca.linalg import reduce_to_span
from epca.solver import adaptive_weights
from tests.drawn import cloud

losses = st.lists(st.floats(0.01, 100), min_size=3, max_size=20, unique=True).map(np.array)


@given(losses, st.data())
def test_adaptive_weights_are_the_projection_on_the_simplex(f, data):
    k = data.draw(st.integers(1, len(f) - 1))
    weights, penalty = adaptive_weights(f, k)
    edge = np.sort(f)[k]
    assert weights.sum() == pytest.approx(1)
    assert np.count_nonzero(weights) == k
    assert weights @ f + penalty * weights @ weights == pytest.approx(
        edge - penalty * weights @ weights
    )
    np.testing.assert_allclose(weights, simplex_projection(-f / (2 * penalty)), atol=1e-7)


def simplex_projection(v):
    """Euclidean projection on the simplex by sorting."""
    u = np.sort(v)[::-1]
    k = np.flatnonzero(u - (np.cumsum(u) - 1) / np.arange(1, len(v) + 1) > 0)[-1] + 1
    return np.maximum(v - (u[:k].sum() - 1) / k, 0)


def test_adaptive_weights_by_hand():
    weights, penalty = adaptive_weights(np.array([1.0, 2, 3, 10]), 2)
    np.testing.assert_allclose(weights, [2 / 3, 1 / 3, 0, 0])
    assert (penalty, weights @ [1, 2, 3, 10] + penalty * weights @ weights) == pytest.approx(
        (1.5, 13 / 6)
    )
    np.testing.assert_allclose(adaptive_weights(np.ones(4), 3)[0], [1 / 3, 1 / 3, 1 / 3, 0])


def test_adaptive_weights_minimise():
    f = np.array([1.0, 2, 3, 10])
    weights, penalty = adaptive_weights(f, 2)
    constraint = {"type": "eq", "fun": lambda q: q.sum() - 1}
    found = minimize(
        lambda q: q @ f + penalty * q @ q,
        np.full(4, 0.25),
        bounds=[(0, 1)] * 4,
        constraints=constraint,
    )
    np.testing.assert_allclose(found.x, weights, atol=1e-4)


def test_pca_an_learns_from_exactly_its_active_samples():
    X = cloud()
    for n_active, expected in [(0.8, 48), (0.5, 30), (25, 25)]:
        model = METHODS["PCA-AN"](4, n_active=n_active, max_iter=1000).fit(X)
        assert np.count_nonzero(model.sample_weight_) == expected
    weights_of_outliers = METHODS["PCA-AN"](4, max_iter=1000).fit(X).sample_weight_[:6]
    assert np.all(weights_of_outliers == 0)


def test_pca_an_model_step_never_increases_the_weighted_loss():
    reduction = reduce_to_span(cloud())
    _, residuals = reduction.classical(4)
    for _ in range(10):
        weights, _ = adaptive_weights(residuals**2, 48)
        _, moved = reduction.weighted_pca(weights, 4)
        assert weights @ moved**2 <= weights @ residuals**2 * (1 + 1e-12)
        residuals = moved


@pytest.mark.parametrize(("share", "count"), [(1e-9, 1), (0.5, 5), (0.999999, 9)])
def test_a_share_of_the_samples_is_at_least_one_and_not_all(share, count, generator):
    X = generator.standard_normal((10, 4))
    assert np.count_nonzero(METHODS["PCA-AN"](2, n_active=share).fit(X).sample_weight_) == count
