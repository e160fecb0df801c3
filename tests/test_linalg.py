"""Linear algebra: the reduction loses nothing, the eigenvectors are the leading ones, lengths keep their digits."""

import numpy as np
import pandas as pd
import pytest

from epca import EPCA, METHODS, linalg
from epca.linalg import (
    fix_signs,
    reduce_to_span,
    residual_lengths,
    scatter_matrix,
    solve_dense,
    solve_lanczos,
    weighted_pca_by_samples,
)

SHAPES = [(7, 30), (30, 30), (31, 30), (100, 30), (2, 5), (5, 1)]


def orthogonal(size, generator):
    return np.linalg.qr(generator.standard_normal((size, size)))[0]


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


def test_reduction_keeps_small_directions(generator):
    """A Gram matrix would lose a direction a billion times smaller than the largest; QR keeps it."""
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
    assert reduce_to_span(X + 1e9).smoothing == pytest.approx(
        1e-6 * spread, rel=1e-6, abs=0
    )  # whatever the distance from 0
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
    points, weights = generator.standard_normal((50, 12)), generator.random(50)
    mean = weights @ points / weights.sum()
    expected = (points - mean).T @ np.diag(weights) @ (points - mean)
    np.testing.assert_allclose(
        np.tril(scatter_matrix(points, mean, weights)), np.tril(expected), atol=1e-12
    )


@pytest.mark.parametrize("shape", [(40, 8), (12, 30), (300, 250), (250, 400)])
def test_weighted_pca_beats_perturbed_solutions(shape, generator):
    """(m, W) is the joint minimum of Σ η‖(I − WWᵀ)(x − m)‖² (Eqs. 34, 38, 39)."""
    reduction, weights = (
        reduce_to_span(generator.standard_normal(shape)),
        generator.random(shape[0]) + 0.1,
    )
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
    """Lanczos on inner products, Lanczos on the scatter, and the dense solver, whichever the data call for."""
    X = generator.standard_normal(shape) * np.geomspace(10, 0.1, shape[1])
    reduction, weights = reduce_to_span(X), unevenness ** generator.random(shape[0])
    subspace, lengths = reduction.weighted_pca(weights, 10)
    mean = weights @ reduction.coordinates / weights.sum()
    _, expected = solve_dense(scatter_matrix(reduction.coordinates, mean, weights), 10)
    np.testing.assert_allclose(subspace.mean, mean, atol=1e-12)
    np.testing.assert_allclose(np.abs(subspace.components), np.abs(expected), atol=1e-7)
    np.testing.assert_allclose(
        lengths, residual_lengths(reduction.coordinates, mean, expected), rtol=1e-6, atol=1e-9
    )


def test_well_fitted_samples_keep_their_digits(generator):
    """By inner products, too, the residual itself is formed where subtraction would leave only rounding."""
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
    """Inner products square the span: beyond 1e5 the components would lose their orthogonality and the objective rise."""
    left, right = (np.linalg.qr(generator.standard_normal((size, 10)))[0] for size in (250, 400))
    X = (left * np.geomspace(9e4, 1, 10)) @ right.T + 1e-3 * generator.standard_normal((250, 400))
    model = EPCA(10).fit(X)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(10), atol=1e-12)
    assert np.all(np.diff(model.objective_history_) <= 1e-9 * model.objective_history_[0])
    assert model.n_iter_ < 10


def test_whitened_data():
    """All variances equal: LAPACK's choice of some eigenvectors comes back short for one of these seeds."""
    for seed in range(20):
        X = np.random.default_rng(seed).standard_normal((600, 190))
        X -= X.mean(axis=0)
        X = X @ np.linalg.inv(np.linalg.cholesky(X.T @ X)).T * 10
        weights = np.full(600, 1 / 600)
        values, vectors = solve_dense(scatter_matrix(X, weights @ X, weights), 20)
        assert (len(values), vectors.shape) == (20, (190, 20))
        assert METHODS["PCA"](20).fit(X).components_.shape == (20, 190)


def test_theorem_4_the_mean_is_free_within_the_subspace(generator):
    reduction, weights = reduce_to_span(generator.standard_normal((40, 8))), generator.random(40)
    (mean, components), lengths = reduction.weighted_pca(weights, 3)
    moved = mean + components @ generator.standard_normal(3)
    np.testing.assert_allclose(
        residual_lengths(reduction.coordinates, moved, components), lengths, rtol=1e-12
    )


SPECTRA = {
    "decaying": 1 / (1 + np.arange(300.0)) ** 1.2,
    "pairs": np.repeat(np.arange(150.0, 0, -1), 2),
    "triples": np.repeat(np.exp(-np.arange(100.0) / 50), 3),
    "thirty equal": np.r_[np.full(30, 3.0), np.linspace(1.27, 1, 270)],
    "rank 20": np.r_[np.full(20, 5.0), np.zeros(280)],
    "all equal": np.ones(300),
    "zero": np.zeros(300),
    "wide": np.geomspace(1e12, 1e-12, 300),
}


@pytest.mark.parametrize("n_components", [1, 7, 30, 37])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_dense_and_lanczos_eigenvectors(spectrum, n_components, generator):
    values, basis = SPECTRA[spectrum], orthogonal(300, generator)
    full = (basis * values) @ basis.T
    matrix = np.asfortranarray(np.tril(full))
    for solve in (
        (solve_dense, solve_lanczos) if spectrum in ("decaying", "wide") else (solve_dense,)
    ):
        eigenvalues, vectors = solve(matrix, n_components)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_components), atol=1e-12)
        np.testing.assert_allclose(eigenvalues, values[:n_components], atol=1e-8 * values[0])
        np.testing.assert_allclose(
            full @ vectors, vectors * eigenvalues, atol=1e-8 * max(values[0], 1e-300)
        )


def test_lanczos_alone_misses_repeated_eigenvalues():
    """Why symmetric data get the dense solver."""
    values = np.r_[np.full(30, 3.0), np.linspace(1.27, 1, 270)]
    found = solve_lanczos(np.asfortranarray(np.diag(values)), 30)
    assert found is None or found[0].sum() < 80


def symmetric_data(kind, seed):
    generator = np.random.default_rng(seed)
    n, d = [(400, 250), (250, 400), (300, 300)][seed % 3]
    one_hot = np.eye(d)[generator.integers(0, d, n)]
    if kind == "one-hot":
        return one_hot
    if kind == "two one-hot":
        return np.hstack([one_hot, np.eye(d)[generator.integers(0, d, n)]])
    if kind == "counts":
        return generator.multinomial(3, np.full(d, 1 / d), n).astype(float)
    spread = np.sqrt(
        np.r_[np.full(30, 3.0), np.linspace(1.27, 1, 270)]
    )  # thirty equal, which Lanczos' method gets wrong
    return np.vstack([np.eye(300), -np.eye(300)]) * spread


@pytest.mark.parametrize("kind", ["one-hot", "two one-hot", "cross", "counts"])
@pytest.mark.parametrize("seed", range(6))
def test_fits_of_symmetric_data_are_exact(kind, seed, monkeypatch):
    """Equal counts of categories give equal variances, weighted or not; every step must still find the leading axes."""
    X = symmetric_data(kind, seed)
    for c in (5, 20, 30):
        history = EPCA(c).fit(X).objective_history_
        assert np.all(np.diff(history) <= 1e-9 * history[0])
        with monkeypatch.context() as patch:
            patch.setattr(linalg, "solve_lanczos", lambda *args: None)
            np.testing.assert_allclose(history, EPCA(c).fit(X).objective_history_, rtol=1e-8)


def test_symmetry_is_noticed(faces):
    assert not reduce_to_span(faces.X).has_symmetry
    assert reduce_to_span(symmetric_data("one-hot", 0)).has_symmetry
    assert reduce_to_span(symmetric_data("cross", 0)).has_symmetry


def test_variances(generator):
    for shape in [(30, 8), (8, 30), (20, 20)]:
        X = generator.standard_normal(shape)
        expected = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2 / shape[0]
        np.testing.assert_allclose(reduce_to_span(X).variances[: min(shape)], expected, atol=1e-12)


def test_residual_lengths_do_not_cancel():
    """A sample a million times nearer to the subspace than to the mean: √(‖x‖² − ‖Wᵀx‖²) keeps four digits, not nine."""
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
        ([[1.0, np.nan], [2.0, 3.0]], "contains NaN"),
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
