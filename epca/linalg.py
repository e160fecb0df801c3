"""Linear algebra that every method shares: reduction to the span, weighted PCA, residual lengths, signs."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, eigh, lapack, qr
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

CHUNK = 2**18  # numbers handled at once: a few rows of any width stay in the processor's cache


@dataclass(frozen=True)
class Reduction:
    """Centred samples in an orthonormal basis B of a space that holds them all: X = 1·meanᵀ + coordinates·Bᵀ.

    Rotation-invariant methods give the same answer on the coordinates as on X (Theorem 3), so one reduction serves
    all of them, for every rank and every parameter.

    Attributes
    ----------
    mean : (d,) plain mean of the samples
    coordinates : (n, r), r = min(n, d)
    axes : (r, r) principal axes of the coordinates as columns, by falling variance: classical PCA of any rank
    reflectors : B as Householder reflectors where n < d; None where B is the identity
    """

    mean: np.ndarray
    coordinates: np.ndarray
    axes: np.ndarray
    reflectors: tuple | None

    @property
    def scale(self):
        """Root mean square distance of a sample from the mean."""
        return np.linalg.norm(self.coordinates) / np.sqrt(len(self.coordinates))

    def lift(self, vectors):
        """Turn coordinate columns (r, k) into vectors of the data space (d, k): B·vectors."""
        if self.reflectors is None:
            return vectors
        reflectors, factors = self.reflectors
        lifted = np.zeros((len(reflectors), vectors.shape[1]), order="F")
        lifted[: len(vectors)] = vectors
        workspace = 64 * (lifted.shape[1] + 65)  # what LAPACK needs to work in blocks
        lifted, _, info = lapack.dormqr("L", "N", reflectors, factors, lifted, workspace, overwrite_c=True)
        if info:
            raise RuntimeError(f"LAPACK dormqr rejected its argument {-info}.")
        return lifted


def reduce_to_span(X):
    """Express X (n, d) in min(n, d) coordinates without loss, and find the principal axes there.

    Fewer samples than features: a QR decomposition is an isometry to full precision, where the usual detour over the
    eigenvectors of the Gram matrix would keep only half the digits of the small directions.
    """
    mean = X.mean(axis=0)
    coordinates = X - mean
    reflectors = None
    if X.shape[0] < X.shape[1]:
        reflectors, triangle = qr(coordinates.T, mode="raw", overwrite_a=True, check_finite=False)
        coordinates = np.ascontiguousarray(triangle.T)
    _, axes = eigh(coordinates.T @ coordinates, driver="evd", overwrite_a=True, check_finite=False)
    return Reduction(mean, coordinates, axes[:, ::-1], reflectors)


def weighted_pca(points, weights, n_components):
    """Minimise Σ η_i ‖(I − WWᵀ)(x_i − m)‖² over m and W, exactly and jointly (Eqs. 34, 38, 39).

    points (n, r) and weights η (n,) give the mean m (r,) and W (r, c), columns by falling weighted variance.
    """
    weights = weights / weights.sum()
    mean = weights @ points
    return mean, leading_eigenvectors(scatter_matrix(points, mean, weights), n_components)


def scatter_matrix(points, mean, weights):
    """Q = Σ η_i (x_i − m)(x_i − m)ᵀ (Eq. 39) as its lower triangle (r, r); the upper one is not set."""
    width = points.shape[1]
    scatter = np.zeros((width, width), order="F")
    roots = np.sqrt(weights)[:, None]
    for rows in _chunks(points):
        centred = points[rows] - mean
        centred *= roots[rows]
        scatter = blas.dsyrk(1.0, centred.T, beta=1.0, c=scatter, lower=1, overwrite_c=1)
    return scatter


def leading_eigenvectors(matrix, n_components):
    """Eigenvectors (r, c) of the c largest eigenvalues of a positive semidefinite matrix (lower triangle), largest first."""
    size = len(matrix)
    if size >= 200 and 8 * n_components <= size:  # measured: below this the dense solver is faster
        vectors = _lanczos(matrix, n_components)
        if vectors is not None:
            return vectors
    wanted = [size - n_components, size - 1]
    return eigh(matrix, lower=True, subset_by_index=wanted, check_finite=False)[1][:, ::-1]


def _lanczos(matrix, n_components):
    """Leading eigenvectors by Lanczos' method, or None unless they are *proved* to be the leading ones.

    A Krylov space can miss one copy of a repeated eigenvalue. The proof that none was missed: with the found part
    taken out, (θ_c + tiny)·I − rest has a Cholesky factor, so the rest has no eigenvalue above θ_c.
    """
    size = len(matrix)
    operator = LinearOperator(matrix.shape, matvec=lambda v: blas.dsymv(1.0, matrix, v, lower=1), dtype=float)
    try:
        values, vectors = eigsh(operator, n_components, v0=np.ones(size), tol=1e-10, rng=np.random.default_rng(0))
    except ArpackError:
        return None
    found = vectors * np.sqrt(np.maximum(values, 0))
    rest = blas.dsyrk(1.0, found, beta=-1.0, c=matrix, lower=1)
    rest[np.diag_indices(size)] += values[0] * (1 + 1e-8) + values[-1] * 1e-13
    _, info = lapack.dpotrf(rest, lower=1, clean=0, overwrite_a=1)
    return vectors[:, ::-1] if info == 0 else None


def residual_lengths(points, mean, components):
    """t_i = ‖(I − WWᵀ)(x_i − m)‖ (n,) for points (n, r), m (r,) and orthonormal columns W (r, c).

    The residual itself is formed: the cheaper √(‖x − m‖² − ‖Wᵀ(x − m)‖²) cancels when a sample is fitted well.
    """
    lengths = np.empty(len(points))
    for rows in _chunks(points):
        residuals = points[rows] - mean
        residuals -= (residuals @ components) @ components.T
        lengths[rows] = np.sqrt(np.einsum("ij,ij->i", residuals, residuals))
    return lengths


def fix_signs(components):
    """Flip rows (c, d) so that each one's entry of largest magnitude is positive: the same result on every machine."""
    largest = np.abs(components).argmax(axis=1)
    return components * np.where(components[np.arange(len(components)), largest] < 0, -1.0, 1.0)[:, None]


def _chunks(points):
    step = max(1, CHUNK // points.shape[1])
    return (slice(start, start + step) for start in range(0, len(points), step))
