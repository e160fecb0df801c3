"""Eigenvectors are the leading ones, also of symmetric data, whose eigenvalues are equal."""

import numpy as np
import pytest

from epca import EPCA, METHODS, linalg
from epca.linalg import reduce_to_span, scatter_matrix, solve_dense, solve_lanczos

THIRTY_EQUAL = np.r_[np.full(30, 3.0), np.linspace(1.27, 1, 270)]  # Lanczos' method gets it wrong
SPECTRA = {
    "decaying": 1 / (1 + np.arange(300.0)) ** 1.2,
    "pairs": np.repeat(np.arange(150.0, 0, -1), 2),
    "triples": np.repeat(np.exp(-np.arange(100.0) / 50), 3),
    "thirty equal": THIRTY_EQUAL,
    "rank 20": np.r_[np.full(20, 5.0), np.zeros(280)],
    "all equal": np.ones(300),
    "zero": np.zeros(300),
    "wide": np.geomspace(1e12, 1e-12, 300),
}


@pytest.mark.parametrize("n_components", [1, 7, 30, 37])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_dense_and_lanczos_eigenvectors(spectrum, n_components, generator):
    values = SPECTRA[spectrum]
    basis = orthogonal(300, generator)
    full = (basis * values) @ basis.T
    matrix = np.asfortranarray(np.tril(full))
    solvers = [solve_dense]
    if spectrum in ("decaying", "wide"):
        solvers.append(solve_lanczos)
    for solve in solvers:
        eigenvalues, vectors = solve(matrix, n_components)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_components), atol=1e-12)
        np.testing.assert_allclose(eigenvalues, values[:n_components], atol=1e-8 * values[0])
        np.testing.assert_allclose(
            full @ vectors, vectors * eigenvalues, atol=1e-8 * max(values[0], 1e-300)
        )


def test_lanczos_alone_misses_repeated_eigenvalues():
    """Why symmetric data get the dense solver."""
    found = solve_lanczos(np.asfortranarray(np.diag(THIRTY_EQUAL)), 30)
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
    return np.vstack([np.eye(300), -np.eye(300)]) * np.sqrt(THIRTY_EQUAL)


@pytest.mark.parametrize("kind", ["one-hot", "two one-hot", "cross", "counts"])
@pytest.mark.parametrize("seed", range(6))
def test_fits_of_symmetric_data_are_exact(kind, seed, monkeypatch):
    """Equal counts of categories give equal variances; every step must find the leading axes."""
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


def test_whitened_data():
    """All variances are equal: for one of these seeds LAPACK returns too few eigenvectors."""
    for seed in range(20):
        X = np.random.default_rng(seed).standard_normal((600, 190))
        X -= X.mean(axis=0)
        X = X @ np.linalg.inv(np.linalg.cholesky(X.T @ X)).T * 10
        weights = np.full(600, 1 / 600)
        values, vectors = solve_dense(scatter_matrix(X, weights @ X, weights), 20)
        assert (len(values), vectors.shape) == (20, (190, 20))
        assert METHODS["PCA"](20).fit(X).components_.shape == (20, 190)


def orthogonal(size, generator):
    return np.linalg.qr(generator.standard_normal((size, size)))[0]
