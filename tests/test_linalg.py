"""The reduction loses nothing, weighted PCA is the minimum, lengths do not lose their digits."""

import numpy as np
import pandas as pd
import pytest

from epca import EPCA, linalg
from epca.linalg import (
    fix_signs,
    reduce_to_span,
    residual_lengths,
    scatter_matrix,
    solve_dense,
    weighted_pca_by_samples,
)

SHAPES = [(7, 30), (30, 30), (31, 30), (100, 30), (2, 5), (5, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_reduction_is_lossless(shape, generator):
    X = generator.standard_normal(shape) * np.geomspace(1e6, 1e-6, shape[1]) + 100
    reduction = reduce_to_span(X)
    assert reduction.coordinates.shape == (shape[0], min(shape))
    restored = reduction.mean + reduction.lift(reduction.coordinates.T).T
    np.testing.assert_allclose(restored, X, atol=1e-14 * np.abs(X).max())


@pytest.mark.parametrize("shape", SHAPES)
def test_lift_is_an_isometry(shape, generator):
    reduction = reduce_to_span(generator.standard_normal(shape))
    lifted = reduction.lift(np.eye(min(shape)))
    np.testing.assert_allclose(lifted.T @ lifted, np.eye(min(shape)), atol=1e-13)


@pytest.mark.parametrize("shape", [*SHAPES, (300, 250), (250, 400)])
def test_classical_is_pca(shape, generator):
    X = generator.standard_normal(shape) * np.geomspace(3, 1, shape[1])
    reduction = reduce_to_span(X)
    singular = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    for c in {1, min(shape[0] - 1, shape[1])}:
        subspace, lengths = reduction.classical(c)
        np.testing.assert_allclose(subspace.mean, 0, atol=1e-12)
        variances = np.square(reduction.coordinates @ subspace.components).sum(axis=0)
        np.testing.assert_allclose(variances, singular[:c] ** 2, atol=1e-12 * singular[0] ** 2)
        np.testing.assert_allclose(
            np.square(lengths).sum(), np.square(singular[c:]).sum(), atol=1e-12 * singular[0] ** 2
        )
        assert reduction.classical(c)[1] is lengths  # found once


def test_reduction_does_not_lose_small_directions(generator):
    """A Gram matrix would lose directions a billion times smaller than the largest."""
    X = generator.standard_normal((20, 50)) @ np.diag(np.r_[1e9, np.ones(49)])
    reduction = reduce_to_span(X)
    Y = X - X.mean(axis=0)
    large = np.linalg.svd(Y, full_matrices=False)[2][:1].T
    inside = np.linalg.svd(reduction.coordinates)[2][:1].T
    expected = residual_lengths(Y, np.zeros(50), large)
    np.testing.assert_allclose(
        residual_lengths(reduction.coordinates, np.zeros(20), inside), expected, rtol=1e-6
    )


def test_smoothing(generator):
    X = generator.standard_normal((9, 40)) + 5
    spread = np.sqrt(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=1)))
    assert reduce_to_span(X).smoothing == pytest.approx(1e-6 * spread, rel=1e-9, abs=0)
    far_off = reduce_to_span(X + 1e9).smoothing
    assert far_off == pytest.approx(1e-6 * spread, rel=1e-6, abs=0)
    assert reduce_to_span(np.full((9, 4), 0.1)).smoothing == pytest.approx(0.2e-12, rel=1e-6, abs=0)
    assert reduce_to_span(np.zeros((9, 4))).smoothing == pytest.approx(1e-150, rel=1e-6, abs=0)


def test_input_is_not_changed(generator):
    for shape in SHAPES:
        X = generator.standard_normal(shape)
        before = X.copy()
        reduce_to_span(X)
        np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("chunk", [1, 64, 2**18])
def test_scatter_in_chunks(chunk, generator, monkeypatch):
    monkeypatch.setattr(linalg, "CHUNK", chunk)
    points = generator.standard_normal((50, 12))
    weights = generator.random(50)
    mean = weights @ points / weights.sum()
    expected = (points - mean).T @ np.diag(weights) @ (points - mean)
    np.testing.assert_allclose(
        np.tril(scatter_matrix(points, mean, weights)), np.tril(expected), atol=1e-12
    )


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


@pytest.mark.parametrize("unevenness", [1.0, 1e3, 1e6, 1e12])
@pytest.mark.parametrize("shape", [(300, 250), (300, 300), (250, 400)])
def test_every_way_to_weighted_pca_gives_the_dense_answer(shape, unevenness, generator):
    """Lanczos on inner products or on the scatter, or the dense solver, as the data call for."""
    X = generator.standard_normal(shape) * np.geomspace(10, 0.1, shape[1])
    reduction = reduce_to_span(X)
    weights = unevenness ** generator.random(shape[0])
    subspace, lengths = reduction.weighted_pca(weights, 10)
    mean = weights @ reduction.coordinates / weights.sum()
    _, expected = solve_dense(scatter_matrix(reduction.coordinates, mean, weights), 10)
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
    subspace, lengths = weighted_pca_by_samples(
        reduction.coordinates, reduction.gram, np.full(250, 1 / 250), 5
    )
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
    """Inner products square the span of variances.

    Beyond 1e5 the components would lose their orthogonality, and the objective would rise.
    """
    left, right = (np.linalg.qr(generator.standard_normal((size, 10)))[0] for size in (250, 400))
    X = (left * np.geomspace(9e4, 1, 10)) @ right.T + 1e-3 * generator.standard_normal((250, 400))
    model = EPCA(10).fit(X)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(10), atol=1e-12)
    assert np.all(np.diff(model.objective_history_) <= 1e-9 * model.objective_history_[0])
    assert model.n_iter_ < 10


def test_theorem_4_the_mean_is_free_within_the_subspace(generator):
    reduction = reduce_to_span(generator.standard_normal((40, 8)))
    weights = generator.random(40)
    (mean, components), lengths = reduction.weighted_pca(weights, 3)
    moved = mean + components @ generator.standard_normal(3)
    np.testing.assert_allclose(
        residual_lengths(reduction.coordinates, moved, components), lengths, rtol=1e-12
    )


def test_variances(generator):
    for shape in [(30, 8), (8, 30), (20, 20)]:
        X = generator.standard_normal(shape)
        expected = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2 / shape[0]
        np.testing.assert_allclose(reduce_to_span(X).variances[: min(shape)], expected, atol=1e-12)


def test_residual_lengths_do_not_cancel():
    """Of a sample a million times nearer to the subspace than to the mean.

    √(‖x‖² − ‖Wᵀx‖²) would have four correct digits, not nine.
    """
    tiny = 1.2345678901234567e-6
    points = np.array([[0.6, 0.8, tiny]])
    components = np.array([[0.6, 0.8, 0.0]]).T
    length = residual_lengths(points, np.zeros(3), components)[0]
    assert length == pytest.approx(tiny, rel=1e-9)


def test_signs(generator):
    components = generator.standard_normal((6, 9))
    fixed = fix_signs(components)
    np.testing.assert_array_equal(fixed, fix_signs(-components))
    np.testing.assert_array_equal(np.abs(fixed), np.abs(components))
    assert np.all(fixed[np.arange(6), np.abs(fixed).argmax(axis=1)] > 0)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[np.nan, np.nan], [2.0, 3.0]], "Sample 0 contains NaN only; leave such samples out"),
        ([[1.0, np.inf], [2.0, 3.0]], "contains infinity"),
        ([1.0, 2.0], "Expected 2D array"),
        (np.array([[1e-200, 0], [0, 1e-200]]), r"X varies by 5.0e-201; multiply it by a number"),
        (np.array([[1e200, 0], [0, 1e200]]), "X varies by 5.0e\\+199; multiply it"),
    ],
)
def test_bad_data(X, message):
    with pytest.raises(ValueError, match=message):
        reduce_to_span(X)


def test_lists_and_frames_are_welcome():
    X = np.random.default_rng(0).standard_normal((5, 9))
    for data in (X.tolist(), pd.DataFrame(X), X.astype(np.float32)):
        reduction = reduce_to_span(data)
        assert type(reduction.mean) is np.ndarray
        assert reduction.coordinates.dtype == float
