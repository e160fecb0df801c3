"""Eigenvectors are the leading ones, also where eigenvalues are equal, as symmetry makes them."""

import numpy as np
import pytest

from epca import EPCA, METHODS, eigen
from epca.eigen import Pairs, Symmetric, first_steps, is_leading, lanczos, solve_dense
from epca.rows import scatter_matrix

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
    matrix = Symmetric(np.asfortranarray(np.tril(full)))
    found = [solve_dense(matrix.form(), n_components)]
    if spectrum in ("decaying", "wide"):
        found.append(search(matrix, n_components, generator))
    for eigenvalues, vectors, _ in found:
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_components), atol=1e-12)
        np.testing.assert_allclose(eigenvalues, values[:n_components], atol=1e-8 * values[0])
        np.testing.assert_allclose(
            full @ vectors, vectors * eigenvalues, atol=1e-8 * max(values[0], 1e-300)
        )


def search(matrix, n_components, generator, tol=1e-9):
    start = generator.standard_normal(len(matrix))
    return lanczos(matrix, n_components, start, first_steps(len(matrix), n_components), tol)


@pytest.mark.parametrize("tol", [1e-4, 1e-8])
def test_residuals_are_within_the_tolerance(tol, generator):
    matrix = diagonal(SPECTRA["decaying"])
    values, vectors, _ = search(matrix, 30, generator, tol)
    residuals = np.linalg.norm(matrix.triangle @ vectors - vectors * values, axis=0)
    assert residuals.max() <= 1.01 * tol * values[-1]


def test_a_good_start_saves_steps(generator):
    matrix = diagonal(SPECTRA["decaying"])
    pairs = search(matrix, 20, generator)
    again = lanczos(matrix, 20, pairs.vectors.sum(axis=1), pairs.n_steps - 5, 1e-9)
    assert 0 < again.n_steps < pairs.n_steps


def test_many_steps_stay_orthogonal(generator):
    """Hundreds of them lose their digits unless the last two vectors are taken out first."""
    matrix = diagonal(np.linspace(1, 2, 800))
    space = eigen._KrylovSpace(matrix, generator.standard_normal(800), 660)
    space.grow(660)
    np.testing.assert_allclose(space.basis @ space.basis.T, np.eye(661), atol=1e-13)


def test_lanczos_alone_misses_repeated_eigenvalues(generator):
    """Why its answer is certified."""
    matrix = diagonal(np.r_[np.full(4, 9.0), SPECTRA["decaying"][4:]])
    pairs = search(matrix, 4, generator)
    assert np.count_nonzero(pairs.values > 8) < 4
    assert not is_leading(matrix, pairs)


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_pairs_are_certified_if_they_lead_by_a_gap(spectrum, generator):
    values = SPECTRA[spectrum]
    basis = orthogonal(300, generator)
    matrix = Symmetric(np.asfortranarray(np.tril((basis * values) @ basis.T)))
    for c in (1, 20, 31):
        gap = values[c - 1] - values[c]
        if gap > 1e-12 * values[0]:
            right = Pairs(values[:c], basis[:, :c])
            wrong = Pairs(values[1 : c + 1], basis[:, 1 : c + 1])
            assert is_leading(matrix, right) == (gap > 1e-6 * values[c - 1])
            assert not is_leading(matrix, wrong)
        elif values[0]:
            assert not is_leading(matrix, Pairs(values[:c], basis[:, :c]))


@pytest.mark.parametrize("rank", [20, 40])
def test_matrices_of_low_rank(rank, generator):
    """The Krylov space has no more than rank + 1 dimensions."""
    basis = orthogonal(300, generator)[:, :rank]
    values = np.geomspace(100, 1, rank)
    matrix = Symmetric(np.asfortranarray((basis * values) @ basis.T))
    pairs = search(matrix, 20, generator)
    np.testing.assert_allclose(pairs.values, values[:20], rtol=1e-9)
    assert search(matrix, rank + 5, generator) is None


def test_a_small_krylov_space_with_missing_copies_is_refused(generator):
    """It has one vector for each of 5, 3, 2, 1 and 0, but 5 is there twenty times."""
    matrix = diagonal(np.r_[np.full(20, 5.0), 3, 2, 1, np.zeros(277)])
    assert search(matrix, 3, generator) is None


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


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["one-hot", "two one-hot", "cross", "counts"])
@pytest.mark.parametrize("seed", range(6))
def test_fits_of_symmetric_data_are_exact(kind, seed, monkeypatch):
    """Equal counts of categories give equal variances; every step must find the leading axes."""
    X = symmetric_data(kind, seed)
    for c in (5, 20, 30):
        history = EPCA(c).fit(X).objective_history_
        assert np.all(np.diff(history) <= 1e-9 * history[0])
        with monkeypatch.context() as patch:
            patch.setattr(eigen, "lanczos", lambda *args: None)
            np.testing.assert_allclose(history, EPCA(c).fit(X).objective_history_, rtol=1e-8)


def test_whitened_data():
    """All variances are equal: for one of these seeds LAPACK returns too few eigenvectors."""
    for seed in range(20):
        X = np.random.default_rng(seed).standard_normal((600, 190))
        X -= X.mean(axis=0)
        X = X @ np.linalg.inv(np.linalg.cholesky(X.T @ X)).T * 10
        weights = np.full(600, 1 / 600)
        scatter = Symmetric(scatter_matrix(X, weights @ X, weights))
        values, vectors, _ = solve_dense(scatter.form(), 20)
        assert (len(values), vectors.shape) == (20, (190, 20))
        assert METHODS["PCA"](20).fit(X).components_.shape == (20, 190)


def diagonal(values):
    return Symmetric(np.asfortranarray(np.diag(values)))


def orthogonal(size, generator):
    return np.linalg.qr(generator.standard_normal((size, size)))[0]
