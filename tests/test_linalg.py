"""Linear algebra: the reduction loses nothing, the eigenvectors are the leading ones, lengths keep their digits."""

import numpy as np
import pytest

from epca import linalg
from epca.linalg import (
    are_leading,
    dense,
    fix_signs,
    lanczos,
    reduce_to_span,
    residual_lengths,
    scatter_matrix,
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
        np.testing.assert_array_equal(subspace.mean, 0)
        variances = np.square(reduction.coordinates @ subspace.components).sum(axis=0)
        np.testing.assert_allclose(variances, singular[:c] ** 2, atol=1e-12 * singular[0] ** 2)
        np.testing.assert_allclose(np.square(lengths).sum(), np.square(singular[c:]).sum(), atol=1e-12 * singular[0] ** 2)
        assert reduction.classical(c)[1] is lengths  # found once


def test_reduction_keeps_small_directions(generator):
    """A Gram matrix would lose a direction a billion times smaller than the largest; QR keeps it."""
    X = generator.standard_normal((20, 50)) @ np.diag(np.r_[1e9, np.ones(49)])
    reduction = reduce_to_span(X)
    Y = X - X.mean(axis=0)
    large = np.linalg.svd(Y, full_matrices=False)[2][:1].T
    inside = np.linalg.svd(reduction.coordinates)[2][:1].T
    expected = residual_lengths(Y, np.zeros(50), large)
    np.testing.assert_allclose(residual_lengths(reduction.coordinates, np.zeros(20), inside), expected, rtol=1e-6)


def test_smoothing(generator):
    X = generator.standard_normal((9, 40)) + 5
    spread = np.sqrt(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=1)))
    assert reduce_to_span(X).smoothing == pytest.approx(1e-6 * spread)
    assert reduce_to_span(np.full((9, 4), 0.1)).smoothing == pytest.approx(0.2e-12)
    assert reduce_to_span(np.zeros((9, 4))).smoothing == pytest.approx(1e-150)


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
    np.testing.assert_allclose(np.tril(scatter_matrix(points, mean, weights)), np.tril(expected), atol=1e-12)


@pytest.mark.parametrize("shape", [(40, 8), (12, 30), (300, 250), (250, 400)])
def test_weighted_pca_beats_perturbed_solutions(shape, generator):
    """(m, W) is the joint minimum of Σ η‖(I − WWᵀ)(x − m)‖² (Eqs. 34, 38, 39)."""
    reduction, weights = reduce_to_span(generator.standard_normal(shape)), generator.random(shape[0]) + 0.1
    points = reduction.coordinates
    subspace, lengths = reduction.weighted_pca(weights, 3)
    np.testing.assert_allclose(lengths, residual_lengths(points, *subspace), rtol=1e-10)
    best = weights @ lengths**2
    for _ in range(50):
        other = np.linalg.qr(subspace.components + 0.1 * generator.standard_normal(subspace.components.shape))[0]
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
    _, expected = dense(scatter_matrix(reduction.coordinates, mean, weights), 10)
    np.testing.assert_allclose(subspace.mean, mean, atol=1e-12)
    np.testing.assert_allclose(np.abs(subspace.components), np.abs(expected), atol=1e-7)
    np.testing.assert_allclose(lengths, residual_lengths(reduction.coordinates, mean, expected), rtol=1e-6, atol=1e-9)


def test_well_fitted_samples_keep_their_digits(generator):
    """By inner products, too, the residual itself is formed where subtraction would leave only rounding."""
    X = 10 * generator.standard_normal((250, 5)) @ generator.standard_normal((5, 400))
    X += 1e-5 * generator.standard_normal(X.shape)
    reduction = reduce_to_span(X)
    subspace, lengths = weighted_pca_by_samples(reduction.coordinates, reduction.gram, np.full(250, 1 / 250), 5)
    np.testing.assert_allclose(lengths, residual_lengths(reduction.coordinates, *subspace), rtol=1e-9)
    tail = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[5:]
    np.testing.assert_allclose(np.square(lengths).sum(), np.square(tail).sum(), rtol=1e-6)


def test_theorem_4_the_mean_is_free_within_the_subspace(generator):
    reduction, weights = reduce_to_span(generator.standard_normal((40, 8))), generator.random(40)
    (mean, components), lengths = reduction.weighted_pca(weights, 3)
    moved = mean + components @ generator.standard_normal(3)
    np.testing.assert_allclose(residual_lengths(reduction.coordinates, moved, components), lengths, rtol=1e-12)


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
@pytest.mark.parametrize("rotated", [True, False], ids=["rotated", "diagonal"])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_eigenvectors_are_the_leading_ones_or_refused(spectrum, rotated, n_components, generator):
    """Also where eigenvalues repeat, which Lanczos' method alone gets wrong (see the next test)."""
    values = SPECTRA[spectrum]
    basis = orthogonal(300, generator) if rotated else np.eye(300)
    full = (basis * values) @ basis.T
    matrix = np.asfortranarray(np.tril(full))
    found = lanczos(matrix, n_components)
    solutions = [dense(matrix, n_components)]
    if found is not None and are_leading(*found, matrix):
        solutions.append(found)
    for eigenvalues, vectors in solutions:
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_components), atol=1e-12)
        np.testing.assert_allclose(eigenvalues, values[:n_components], atol=1e-8 * values[0])
        np.testing.assert_allclose(full @ vectors, vectors * eigenvalues, atol=1e-8 * max(values[0], 1e-300))
    if spectrum == "decaying":
        assert len(solutions) == 2


def test_without_its_proof_lanczos_misses_repeated_eigenvalues():
    """Why the proof is there: Lanczos' method alone returns eigenvectors of smaller eigenvalues."""
    values = np.r_[np.full(30, 3.0), np.linspace(1.27, 1, 270)]
    matrix = np.asfortranarray(np.diag(values))
    found = lanczos(matrix, 30)
    assert found is None or found[0].sum() < 80
    assert found is None or not are_leading(*found, matrix)


def test_symmetric_data_get_the_dense_solver(generator):
    """A hundred directions of equal variance: the reduction notices and every fit on it is exact."""
    n_features = 250
    X = np.vstack([np.eye(n_features), -np.eye(n_features)]) * np.r_[np.full(100, 3.0), np.ones(150)]
    reduction = reduce_to_span(X)
    subspace, lengths = reduction.classical(20)
    np.testing.assert_allclose(np.square(X @ subspace.components).sum(), 2 * 9 * 20)
    np.testing.assert_allclose(np.square(lengths).sum(), 2 * (9 * 80 + 150))
    np.testing.assert_allclose(reduction.weighted_pca(np.ones(500), 20)[1] ** 2 @ np.ones(500), 2 * (9 * 80 + 150))


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
