"""Weighted PCA is the minimum, from coordinates and from inner products, from any start."""

import numpy as np
import pytest

from epca import EPCA
from epca.eigen import solve_dense
from epca.linalg import reduce_to_span, residual_lengths, weighted_learner
from epca.rows import project, scatter_matrix
from epca.weighted import Search, by_samples


@pytest.mark.parametrize("shape", [(40, 8), (12, 30), (300, 250), (250, 400)])
def test_weighted_pca_beats_perturbed_solutions(shape, generator):
    """(m, W) is the joint minimum of Σ η‖(I − WWᵀ)(x − m)‖² (Eqs. 34, 38, 39)."""
    reduction = reduce_to_span(generator.standard_normal(shape))
    weights = generator.random(shape[0]) + 0.1
    points = reduction.coordinates
    subspace, lengths = reduction.weighted_pca(weights, 3)
    np.testing.assert_allclose(lengths, residual_lengths(points, *subspace), rtol=1e-10)
    best = weights @ lengths**2
    for _ in range(50):
        other = np.linalg.qr(
            subspace.components + 0.1 * generator.standard_normal(subspace.components.shape)
        )[0]
        moved = subspace.mean + 0.1 * generator.standard_normal(len(subspace.mean))
        assert weights @ residual_lengths(points, moved, other) ** 2 > best


def dense(points, mean, weights, n_components):
    """W by the dense solver."""
    return solve_dense(scatter_matrix(points, mean, weights), n_components).vectors


@pytest.mark.parametrize("unevenness", [1.0, 1e3, 1e6, 1e12])
@pytest.mark.parametrize("shape", [(300, 250), (300, 300), (250, 400)])
def test_every_way_to_weighted_pca_gives_the_dense_answer(shape, unevenness, generator):
    """Lanczos on inner products or on the scatter, or the dense solver, as the data call for."""
    X = generator.standard_normal(shape) * np.geomspace(10, 0.1, shape[1])
    reduction = reduce_to_span(X)
    weights = unevenness ** generator.random(shape[0])
    subspace, lengths = reduction.weighted_pca(weights, 10)
    mean = weights @ reduction.coordinates / weights.sum()
    expected = dense(reduction.coordinates, mean, weights, 10)
    np.testing.assert_allclose(subspace.mean, mean, atol=1e-12)
    np.testing.assert_allclose(np.abs(subspace.components), np.abs(expected), atol=1e-7)
    np.testing.assert_allclose(
        lengths, residual_lengths(reduction.coordinates, mean, expected), rtol=1e-6, atol=1e-9
    )


def test_well_fitted_samples_do_not_lose_digits(generator):
    """By inner products, too, the residual is formed where subtraction leaves only rounding."""
    X = 10 * generator.standard_normal((250, 5)) @ generator.standard_normal((5, 400))
    X += 1e-5 * generator.standard_normal(X.shape)
    reduction = reduce_to_span(X)
    subspace = by_samples(reduction, np.full(250, 1 / 250), 5, Search())
    lengths = subspace.residuals
    np.testing.assert_allclose(
        lengths, residual_lengths(reduction.coordinates, *subspace), rtol=1e-9
    )
    tail = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[5:]
    np.testing.assert_allclose(np.square(lengths).sum(), np.square(tail).sum(), rtol=1e-6)


def test_weights_of_zero(generator):
    """As PCA-AN gives them; by inner products they would be divided by."""
    reduction = reduce_to_span(generator.standard_normal((250, 300)))
    weights = np.r_[np.zeros(50), generator.random(200)]
    subspace, lengths = reduction.weighted_pca(weights, 10)
    assert np.all(np.isfinite(lengths))
    np.testing.assert_allclose(
        lengths, residual_lengths(reduction.coordinates, *subspace), rtol=1e-10
    )


def test_variances_over_many_orders(generator):
    """Inner products square the span of variances, here to 1e10.

    The components would lose their orthogonality, and the objective would rise.
    """
    left, right = (np.linalg.qr(generator.standard_normal((size, 10)))[0] for size in (250, 400))
    X = (left * np.geomspace(9e4, 1, 10)) @ right.T + 1e-3 * generator.standard_normal((250, 400))
    model = EPCA(10).fit(X)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(10), atol=1e-12)
    assert np.all(np.diff(model.objective_history_) <= 1e-9 * model.objective_history_[0])
    assert model.n_iter_ < 10


@pytest.mark.parametrize("decades", [2, 4, 6, 8])
@pytest.mark.parametrize("shape", [(250, 400), (250, 250)])
def test_uneven_variances_by_samples(shape, decades, generator):
    """Scores are those of the orthonormal W, whether they come from eigenvectors or from G."""
    X = generator.standard_normal(shape) @ np.diag(10.0 ** (-np.arange(shape[1]) * decades / 40))
    reduction = reduce_to_span(X)
    weights = generator.random(shape[0]) + 0.1
    weights /= weights.sum()
    subspace = by_samples(reduction, weights, 20, Search())
    points = reduction.coordinates
    np.testing.assert_allclose(subspace.components.T @ subspace.components, np.eye(20), atol=1e-13)
    expected = (points - subspace.mean) @ subspace.components
    np.testing.assert_allclose(subspace.scores, expected, atol=1e-8)
    np.testing.assert_allclose(subspace.residuals, residual_lengths(points, *subspace), rtol=1e-8)
    expected = dense(points, subspace.mean, weights, 20)
    overlap = np.linalg.svd(expected.T @ subspace.components, compute_uv=False)
    np.testing.assert_allclose(overlap, 1, atol=1e-9)


def test_variances_that_inner_products_lose(generator):
    """Coordinates serve where the smallest wanted variance is rounding of the largest."""
    X = generator.standard_normal((250, 400)) @ np.diag(np.r_[1e6, np.ones(399)])
    reduction = reduce_to_span(X)
    uniform = np.full(250, 1 / 250)
    assert by_samples(reduction, uniform, 3, Search()) is None
    _, lengths = reduction.weighted_pca(uniform, 3)
    tail = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[3:]
    assert np.square(lengths).sum() == pytest.approx(np.square(tail).sum(), rel=1e-9)


@pytest.mark.parametrize("shape", [(300, 250), (250, 400)])
def test_a_learner_that_goes_on_from_the_last_weights_gives_the_same(shape, generator):
    X = generator.standard_normal(shape) * np.geomspace(10, 0.1, shape[1])
    reduction = reduce_to_span(X)
    learn = weighted_learner(reduction, 10)
    weights = generator.random(shape[0]) + 0.1
    for _ in range(4):
        weights = weights * (1 + 0.2 * generator.random(shape[0]))
        subspace, lengths = learn(weights)
        fresh, expected = reduction.weighted_pca(weights, 10)
        np.testing.assert_allclose(lengths, expected, rtol=1e-7)
        overlap = np.linalg.svd(subspace.components.T @ fresh.components, compute_uv=False)
        np.testing.assert_allclose(overlap, 1, atol=1e-12)


@pytest.mark.parametrize("shape", [(300, 250), (250, 400)])
def test_a_fit_does_not_depend_on_fits_before_it(shape, generator):
    """To the last bit, on the same reduction."""
    X = generator.standard_normal(shape) * np.geomspace(10, 0.1, shape[1])
    alone = EPCA(10, sigma=0.5).fit_reduced(reduce_to_span(X))
    reduction = reduce_to_span(X)
    EPCA(10, sigma=100.0).fit_reduced(reduction)
    EPCA(20, sigma=0.5).fit_reduced(reduction)
    again = EPCA(10, sigma=0.5).fit_reduced(reduction)
    np.testing.assert_array_equal(again.components_, alone.components_)
    np.testing.assert_array_equal(again.alpha_, alone.alpha_)


@pytest.mark.parametrize("decades", [0, 6])
def test_subspace_iteration_by_samples_is_that_by_coordinates(decades, generator):
    X = generator.standard_normal((120, 150)) * np.geomspace(1, 10.0**-decades, 150)
    reduction = reduce_to_span(X)
    subspace = reduction.classical(30)[0]
    W = subspace.components
    for _ in range(3):
        weights = generator.uniform(0.01, 1, len(X))
        moved = reduction.coordinates.T @ (weights[:, None] * (reduction.coordinates @ W))
        W = np.linalg.qr(moved)[0]
        subspace = reduction.iterate(subspace, weights)
    scores, residuals = project(reduction.coordinates, np.zeros(len(W)), W)
    np.testing.assert_allclose(subspace.residuals, residuals, rtol=1e-9)
    np.testing.assert_allclose(np.abs(subspace.scores), np.abs(scores), atol=1e-9)
    axes = np.linalg.qr(generator.standard_normal((30, 30)))[0]
    turned = subspace.turned(axes)
    np.testing.assert_allclose(turned.components, subspace.components @ axes, atol=1e-12)
    np.testing.assert_allclose(turned.scores, subspace.scores @ axes, atol=1e-12)
    np.testing.assert_allclose(turned.residuals, residuals, rtol=1e-9)


def test_subspace_iteration_leaves_to_coordinates_what_inner_products_lose(generator):
    """One sample rules: after it, little is left of the others."""
    X = generator.standard_normal((120, 150))
    reduction = reduce_to_span(X)
    subspace = reduction.classical(5)[0]
    weights = np.full(120, 1e-9)
    weights[0] = 1
    assert subspace.iterated(weights) is None
    found = reduction.iterate(subspace, weights)
    np.testing.assert_allclose(found.components.T @ found.components, np.eye(5), atol=1e-12)


def test_theorem_4_the_mean_is_free_within_the_subspace(generator):
    reduction = reduce_to_span(generator.standard_normal((40, 8)))
    weights = generator.random(40)
    (mean, components), lengths = reduction.weighted_pca(weights, 3)
    moved = mean + components @ generator.standard_normal(3)
    np.testing.assert_allclose(
        residual_lengths(reduction.coordinates, moved, components), lengths, rtol=1e-12
    )
