"""Linear algebra that every method shares: the reduction, weighted PCA, residual lengths, signs."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, blas, eigh, eigvalsh, lapack, qr
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh
from sklearn.utils import check_array

from epca.cells import fill_unknown

CHUNK = 2**18  # numbers handled at once: a few rows of any width stay in the processor's cache


class Subspace(NamedTuple):
    """An affine subspace m + span(W) of the coordinates."""

    mean: np.ndarray  # (r,) m
    components: np.ndarray  # (r, c) W, orthonormal columns by falling (weighted) variance


@dataclass(frozen=True)
class Reduction:
    """Centred samples in an orthonormal basis B of a space that holds them all.

    X = 1·meanᵀ + coordinates·Bᵀ. Rotation-invariant methods give the same answer on the coordinates
    as on X (Theorem 3), so one reduction serves all of them, for every rank and every parameter.

    Attributes
    ----------
    data : (n, d) X itself, not copied, or with pixel medians in place of NaN
    mean : (d,) plain mean of the samples
    coordinates : (n, r), r = min(n, d)
    reflectors : B as Householder reflectors where n < d; None where B is the identity
    gram : (n, n) inner products of the coordinates where n ≤ d, else None
    unknown : (n, d) where X was NaN; None where nowhere
    """

    data: np.ndarray
    mean: np.ndarray
    coordinates: np.ndarray
    reflectors: tuple | None
    gram: np.ndarray | None
    unknown: np.ndarray | None = None
    _classical: dict = field(default_factory=dict, repr=False)  # rank → what `classical` found
    pursuits: dict = field(default_factory=dict, repr=False)  # what PCP found here

    @cached_property
    def spread(self):
        """The samples' root mean square distance from their mean."""
        return np.linalg.norm(self.coordinates) / np.sqrt(len(self.coordinates))

    @cached_property
    def smoothing(self):
        """ε of the smoothed lengths √(t² + ε²): a millionth of the spread."""
        return smoothing_length(self.spread, np.linalg.norm(self.mean))

    def smooth(self, residuals):
        """√(t² + ε²) (n,) for residual lengths t (n,).

        It is never 0, so every loss is positive and every weight finite.
        """
        return np.hypot(residuals, self.smoothing)

    @cached_property
    def variances(self):
        """Variances (r,) along all principal axes, falling."""
        n_samples, size = self.coordinates.shape
        matrix = self.gram
        if matrix is None:
            matrix = scatter_matrix(self.coordinates, np.zeros(size), np.ones(n_samples))
        return eigvalsh(matrix, lower=True, check_finite=False)[::-1] / n_samples

    @cached_property
    def has_symmetry(self):
        """Whether two variances are equal to a millionth.

        Lanczos' method can miss one of them and is then not used. Equal variances come from a
        symmetry of the data, such as equal counts of categories. The weights that a fit gives to
        samples respect the symmetry, so it can be seen without them. Arbitrary weights need not.
        """
        positive = self.variances[self.variances > 1e-10 * self.variances[0]]
        return bool(np.any(-np.diff(positive) <= 1e-6 * positive[1:]))

    def classical(self, n_components):
        """Subspace and residual lengths (n,) of classical PCA. The last 16 ranks are cached."""
        if n_components not in self._classical:
            for oldest in list(self._classical)[:-15]:
                self._classical.pop(oldest, None)
            uniform = np.ones(len(self.coordinates))
            self._classical[n_components] = self.weighted_pca(uniform, n_components)
        return self._classical[n_components]

    def weighted_pca(self, weights, n_components):
        """Minimise Σ η_i ‖(I − WWᵀ)(x_i − m)‖² over m and W jointly, for weights η (n,).

        The solution is exact (Eqs. 34, 38, 39). Returns the Subspace and the residual lengths (n,).
        """
        weights = weights / weights.sum()
        size = self.coordinates.shape[1]
        is_large = size >= 200 and 4 * n_components <= size  # below, the dense solver is faster
        use_lanczos = is_large and not self.has_symmetry
        if use_lanczos and self.gram is not None:
            solution = weighted_pca_by_samples(self.coordinates, self.gram, weights, n_components)
            if solution is not None:
                return solution
        mean = weights @ self.coordinates
        scatter = scatter_matrix(self.coordinates, mean, weights)
        found = solve_lanczos(scatter, n_components) if use_lanczos else None
        _, vectors = found or solve_dense(scatter, n_components)
        return Subspace(mean, vectors), residual_lengths(self.coordinates, mean, vectors)

    @property
    def centred(self):
        """The centred data (n, d) in the features of X, for methods that a rotation changes."""
        return self.coordinates if self.reflectors is None else self.data - self.mean

    def lift(self, vectors):
        """Turn coordinate columns (r, k) into vectors of the data space (d, k): B·vectors."""
        if self.reflectors is None:
            return vectors
        reflectors, factors = self.reflectors
        lifted = np.zeros((len(reflectors), vectors.shape[1]), order="F")
        lifted[: len(vectors)] = vectors
        workspace = 64 * (lifted.shape[1] + 65)  # what LAPACK needs to work in blocks
        lifted, _, info = lapack.dormqr(
            "L", "N", reflectors, factors, lifted, workspace, overwrite_c=True
        )
        if info:
            raise RuntimeError(f"LAPACK dormqr rejected its argument {-info}.")
        return lifted


def reduce_to_span(X):
    """Express X (n, d) in min(n, d) coordinates without loss.

    Where samples are fewer than features, a QR decomposition gives an isometry to full precision.
    The eigenvectors of the Gram matrix would lose half of the digits of the small directions.
    """
    X = check_array(X, dtype=np.float64, ensure_min_samples=2, ensure_all_finite="allow-nan")
    X, unknown = fill_unknown(X)
    n_samples, n_features = X.shape
    mean = X.mean(axis=0)
    coordinates = X - mean
    largest = max(coordinates.max(), -coordinates.min())
    if not (largest == 0 or 1e-100 <= largest <= 1e100):
        raise ValueError(
            f"X varies by {largest:.1e}; "
            "multiply it by a number that brings this between 1e-100 and 1e100."
        )
    if n_samples > n_features:
        return Reduction(X, mean, coordinates, None, None, unknown)
    reflectors = None
    if n_samples < n_features:
        reflectors, triangle = qr(coordinates.T, mode="raw", overwrite_a=True, check_finite=False)
        coordinates = np.ascontiguousarray(triangle.T)
    return Reduction(X, mean, coordinates, reflectors, coordinates @ coordinates.T, unknown)


def smoothing_length(spread, offset):
    """ε = 1e-6 of the data's spread, and never 0.

    Where the spread is only the rounding of data at an offset from 0, ε is 1e-12 of that offset.
    """
    is_rounding = spread <= 1e-14 * offset
    return max(1e-12 * offset if is_rounding else 1e-6 * spread, 1e-150)


def scatter_matrix(points, mean, weights):
    """The lower triangle (r, r) of Q = Σ η_i (x_i − m)(x_i − m)ᵀ (Eq. 39)."""
    width = points.shape[1]
    scatter = np.zeros((width, width), order="F")
    roots = np.sqrt(weights)[:, None]
    for rows in chunks(points):
        centred = points[rows] - mean
        centred *= roots[rows]
        scatter = blas.dsyrk(1.0, centred.T, beta=1.0, c=scatter, lower=1, overwrite_c=1)
    return scatter


def weighted_pca_by_samples(points, gram, weights, n_components):
    """`Reduction.weighted_pca` from inner products, for n ≤ r.

    The (n, n) matrix then costs n² to set up, and not n²r. With D = diag(η), Ση = 1, and G centred
    at m, D^½GD^½ = UΘUᵀ has the eigenvalues of Q; W = Xᵀ D^½ U Θ^-½, and sample i has the squared
    length Σ_j θ_j u_ij²/η_i within the subspace. Returns None where this would lose digits (very
    uneven weights, variances that span many orders) or where Lanczos' method fails.
    """
    if weights.max() > 1e4 * weights.min():
        return None
    roots = np.sqrt(weights)
    products = gram @ weights  # ⟨x_i, m⟩
    length = weights @ products  # ‖m‖²
    matrix = gram * roots
    matrix *= roots[:, None]
    shift = roots * (products - length / 2)
    matrix = blas.dsyr2(-1.0, roots, shift, a=matrix.T, lower=1, overwrite_a=1)
    found = solve_lanczos(matrix, n_components)
    if found is None or found[0][-1] <= 1e-5 * found[0][0]:
        return None
    values, vectors = found
    scaled = vectors * (roots[:, None] / np.sqrt(values))
    subspace = Subspace(weights @ points, (scaled.T @ points).T)
    total = np.diagonal(gram) - 2 * products + length
    squares = total - np.square(vectors) @ values / weights
    near = squares < 1e-3 * total
    lengths = np.sqrt(np.where(near, 0, squares))
    lengths[near] = residual_lengths(points[near], *subspace)
    return subspace, lengths


class _Symmetric(LinearOperator):
    """A symmetric matrix given by its lower triangle; its product skips scipy's usual checks."""

    def __init__(self, matrix):
        super().__init__(float, matrix.shape)
        self.matrix = matrix

    def _matvec(self, vector):
        return blas.dsymv(1.0, self.matrix, vector, lower=1)

    matvec = _matvec


def solve_dense(matrix, n_components):
    """The c largest eigenvalues, falling, and their eigenvectors (r, c), from a lower triangle."""
    wanted = [len(matrix) - n_components, len(matrix) - 1]
    try:
        values, vectors = eigh(matrix, lower=True, subset_by_index=wanted, check_finite=False)
    except LinAlgError:
        values = ()
    if len(values) < n_components:  # the default driver fails on many equal eigenvalues, not "evd"
        values, vectors = eigh(matrix, lower=True, driver="evd", check_finite=False)
    return values[: -n_components - 1 : -1], vectors[:, : -n_components - 1 : -1]


def solve_lanczos(matrix, n_components):
    """The same by Lanczos' method, up to three times as fast; None where it fails.

    See `Reduction.has_symmetry` for when it may be used.
    """
    generator = np.random.default_rng(0)
    start = generator.standard_normal(len(matrix))  # random: orthogonal to no axis by symmetry
    try:
        values, vectors = eigsh(_Symmetric(matrix), n_components, v0=start, tol=1e-9, rng=generator)
    except ArpackError:
        return None
    return values[::-1], vectors[:, ::-1]


def residual_lengths(points, mean, components):
    """t_i = ‖(I − WWᵀ)(x_i − m)‖ (n,) for points (n, r), m (r,) and orthonormal columns W (r, c).

    √(‖x − m‖² − ‖Wᵀ(x − m)‖²) loses digits where a sample is fitted well: the residual is formed.
    """
    squares = np.empty(len(points))
    for rows in chunks(points):
        centred = points[rows] - mean
        inside = centred @ components
        total = np.einsum("ij,ij->i", centred, centred)
        outside = total - np.einsum("ij,ij->i", inside, inside)
        near = outside < 1e-3 * total
        residuals = centred[near] - inside[near] @ components.T
        outside[near] = np.einsum("ij,ij->i", residuals, residuals)
        squares[rows] = outside
    return np.sqrt(squares)


def weighted_variances(points, components, weights):
    """Weighted variance of points (n, r) along each of the columns W (r, c), and in all directions.

    Both are taken about the weighted mean; the weights (n,) sum to 1. Returns (c,) and a number.
    """
    mean = weights @ points
    along = np.zeros(components.shape[1])
    total = 0.0
    for rows in chunks(points):
        centred = points[rows] - mean
        along += weights[rows] @ np.square(centred @ components)
        total += weights[rows] @ np.einsum("ij,ij->i", centred, centred)
    return along, float(total)


def fix_signs(components):
    """Flip rows (c, d) so that the entry of largest magnitude in each is positive.

    Eigenvectors leave the sign open.
    """
    largest = np.abs(components).argmax(axis=1)
    is_negative = components[np.arange(len(components)), largest] < 0
    return components * np.where(is_negative, -1.0, 1.0)[:, None]


def chunks(points):
    """Slices of a few rows of points (n, r) each, in order."""
    step = max(1, CHUNK // points.shape[1])
    return (slice(start, start + step) for start in range(0, len(points), step))
