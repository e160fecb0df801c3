"""Linear algebra that every method shares: the reduction, weighted PCA on it, signs."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.linalg import eigvalsh, lapack, qr
from sklearn.utils import check_array

from epca.cells import fill_unknown
from epca.eigen import first_steps, solve_dense
from epca.rows import CHUNK, chunks, project, residual_lengths, scatter_matrix, total_variance
from epca.weighted import TOL, SampleSubspace, Search, Subspace, by_samples, by_scatter

__all__ = [
    "CHUNK", "Reduction", "Samples", "Subspace", "chunks", "project", "reduce_to_span",
    "require_scale", "residual_lengths", "scatter_matrix", "signs", "smoothing_length",
    "solve_dense", "weighted_learner",
]  # fmt: skip


class Samples:
    """What all fits to the same samples share, for every method, rank and parameter.

    A kind of samples has `data` (n, d), whose rows can be taken, their plain `mean` (d,) and their
    `spread`; it finds PCA (`_find_classical`, `weighted_pca`) and what a model says of the samples
    (`in_features`, `project`, `total_variance`).
    """

    unknown = None  # (n, d) where pixels are not known, if any

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
    def _classical(self):
        return {}  # rank → Subspace, residual lengths

    def classical(self, n_components):
        """Subspace and residual lengths (n,) of classical PCA. The last 16 ranks are cached."""
        if n_components not in self._classical:
            for oldest in list(self._classical)[:-15]:
                self._classical.pop(oldest, None)
            found = self._find_classical(n_components)
            residuals = found.residuals
            alone = found.with_reduction(None)  # else the two would know each other
            self._classical[n_components] = alone, residuals
        found, residuals = self._classical[n_components]
        return found.with_reduction(self), residuals


@dataclass(frozen=True)
class Reduction(Samples):
    """Samples in memory.

    Rotation-invariant methods give the same answer in any orthonormal basis B of a space that holds
    all samples (Theorem 3), so they may work on coordinates, X = 1·meanᵀ + coordinates·Bᵀ, or on
    inner products alone.

    Attributes
    ----------
    data : (n, d) X itself, not copied, or with pixel medians in place of NaN
    mean : (d,) plain mean of the samples
    unknown : (n, d) where X was NaN; None where nowhere

    All else is found when a fit first asks for it.
    """

    data: np.ndarray
    mean: np.ndarray
    unknown: np.ndarray | None = None
    pursuits: dict = field(default_factory=dict, repr=False)  # what PCP found here

    @cached_property
    def centred(self):
        """(n, d) X − mean."""
        return self.data - self.mean

    @cached_property
    def gram(self):
        """(n, n) inner products of the centred samples where n ≤ d, else None."""
        n_samples, n_features = self.data.shape
        return self.centred @ self.centred.T if n_samples <= n_features else None

    @property
    def nbytes(self):
        """About how much memory fits will have it take beside the data."""
        n_samples, n_features = self.data.shape
        return 8 * (self.data.size + min(n_samples, n_features) ** 2)

    @cached_property
    def _factors(self):
        """B as Householder reflectors, and the coordinates (n, n), for n < d.

        A QR decomposition is an isometry to full precision. The eigenvectors of the Gram matrix
        would lose half of the digits of the small directions.
        """
        reflectors, triangle = qr(self.centred.T, mode="raw", check_finite=False)
        return reflectors, np.ascontiguousarray(triangle.T)

    @property
    def coordinates(self):
        """(n, r), r = min(n, d), for methods that need some; B is the identity where n ≥ d."""
        n_samples, n_features = self.data.shape
        return self._factors[1] if n_samples < n_features else self.centred

    def lift(self, vectors):
        """Turn coordinate columns (r, k) into vectors of the data space (d, k): B·vectors."""
        if len(self.data) >= len(self.mean):
            return vectors
        reflectors, factors = self._factors[0]
        lifted = np.zeros((len(reflectors), vectors.shape[1]), order="F")
        lifted[: len(vectors)] = vectors
        workspace = 64 * (lifted.shape[1] + 65)  # what LAPACK needs to work in blocks
        lifted, _, info = lapack.dormqr(
            "L", "N", reflectors, factors, lifted, workspace, overwrite_c=True
        )
        if info:
            raise RuntimeError(f"LAPACK dormqr rejected its argument {-info}.")
        return lifted

    def in_features(self, subspace):
        """m (d,) and W (d, c) of a Subspace in the features of the centred data."""
        if isinstance(subspace, SampleSubspace):
            return subspace.in_features
        lifted = self.lift(np.column_stack([subspace.components, subspace.mean]))
        return lifted[:, -1], lifted[:, :-1]

    def project(self, subspace):
        """Scores (n, c) of the samples in a Subspace, and their distances (n,) to it."""
        if subspace.scores is not None:
            return subspace.scores, subspace.residuals
        return self._project(*subspace)

    @cached_property
    def squares(self):
        """The samples' squared distances (n,) from their mean."""
        return np.concatenate([_squares(self.data[rows] - self.mean) for rows in chunks(self.data)])

    @cached_property
    def spread(self):
        """The samples' root mean square distance from their mean."""
        return np.sqrt(self.squares.mean())

    def total_variance(self, weights):
        """Σ η_i ‖x_i − m‖² about the weighted mean m, for weights η (n,) with sum 1."""
        mean = weights @ self.centred
        about_plain_mean = weights @ self.squares
        total = about_plain_mean - mean @ mean
        if total > 1e-3 * about_plain_mean:
            return total
        return total_variance(self.centred, weights)  # not what subtraction leaves of the digits

    @cached_property
    def scatter(self):
        """The lower triangle (r, r) of the coordinates' covariance matrix."""
        n_samples, size = self.coordinates.shape
        return scatter_matrix(self.coordinates, np.zeros(size), np.full(n_samples, 1 / n_samples))

    @cached_property
    def variances(self):
        """Variances (r,) along all principal axes, falling."""
        matrix = self.scatter if self.gram is None else self.gram / len(self.gram)
        return eigvalsh(matrix, lower=True, check_finite=False)[::-1]

    @cached_property
    def may_be_symmetric(self):
        """Whether two samples are equally far from the mean, but for rounding."""
        squares = np.sort(self.squares)
        return bool(np.diff(squares).min() <= 1e-9 * squares[-1])

    def _find_classical(self, n_components):
        if self.gram is not None and first_steps(len(self.gram), n_components):
            uniform = np.full(len(self.data), 1 / len(self.data))
            found = by_samples(self, uniform, n_components, Search())
            if found is not None:
                return found
        mean = np.zeros(len(self.scatter))
        return by_scatter(mean, self.scatter, n_components, Search(), self._project)

    def _project(self, mean, components):
        return project(self.coordinates, mean, components)

    def weighted_pca(self, weights, n_components, near=None):
        """Minimise Σ η_i ‖(I − WWᵀ)(x_i − m)‖² over m and W jointly, for weights η (n,).

        The solution is exact (Eqs. 34, 38, 39). Returns the Subspace and the residual lengths (n,).
        near is the Subspace of similar weights, within a fit (`weighted_learner`).
        """
        search = Search(near, TOL, is_checked=False)
        if near is None:
            search = Search(self.classical(n_components)[0], is_checked=self.may_be_symmetric)
        weights = weights / weights.sum()
        found = None
        if self.gram is not None and search.near.n_steps:
            found = by_samples(self, weights, n_components, search)
        if found is None:
            mean = weights @ self.coordinates
            scatter = scatter_matrix(self.coordinates, mean, weights)
            found = by_scatter(mean, scatter, n_components, search, self._project)
        return found, found.residuals

    def pca_about(self, mean, weights, n_components):
        """The Subspace about a given m (r,) that leaves least of Σ η_i ‖(I − WWᵀ)(x_i − m)‖²."""
        scatter = scatter_matrix(self.coordinates, mean, weights)
        return by_scatter(mean, scatter, n_components, Search(), self._project)

    def distances_from(self, centre):
        """The samples' distances (n,) from a point (r,) of the coordinates."""
        return self._project(centre, np.zeros((len(centre), 0)))[1]

    def iterate(self, subspace, weights):
        """One step of subspace iteration for a Subspace with m = 0 and weights η (n,).

        The Subspace of an orthonormal basis of (Σ η_i x_i x_iᵀ)W.
        """
        found = subspace.iterated(weights) if isinstance(subspace, SampleSubspace) else None
        if found is None:
            moved = self.coordinates.T @ (weights[:, None] * subspace.scores)
            components = np.linalg.qr(moved)[0]
            found = Subspace(subspace.mean, components, *self._project(subspace.mean, components))
        return found


def weighted_learner(reduction, n_components):
    """The weighted PCA of one fit, weights (n,) → (Subspace, residual lengths (n,)).

    It goes on from the subspace of the last weights and is forgotten with the fit, so that results
    do not depend on what was fitted before.
    """
    near = None

    def learn(weights):
        nonlocal near
        near, residuals = reduction.weighted_pca(weights, n_components, near)
        return near, residuals

    return learn


def reduce_to_span(X):
    """The Reduction of X (n, d)."""
    X = check_array(X, dtype=np.float64, ensure_min_samples=2, ensure_all_finite="allow-nan")
    X, unknown = fill_unknown(X)
    mean = X.mean(axis=0)
    largest = max((X.max(axis=0) - mean).max(), (mean - X.min(axis=0)).max())
    require_scale("X varies by", largest)
    return Reduction(X, mean, unknown)


def require_scale(what, size):
    """Refuse data of a size whose squares, and those of its inverse, are no ordinary numbers."""
    if not (size == 0 or 1e-100 <= size <= 1e100):
        raise ValueError(
            f"{what} {size:.1e}; multiply it by a number that brings this between 1e-100 and 1e100."
        )


def _squares(points):
    """‖x‖² (n,)."""
    return np.einsum("ij,ij->i", points, points)


def smoothing_length(spread, offset):
    """ε = 1e-6 of the data's spread, and never 0.

    Where the spread is only the rounding of data at an offset from 0, ε is 1e-12 of that offset.
    """
    is_rounding = spread <= 1e-14 * offset
    return max(1e-12 * offset if is_rounding else 1e-6 * spread, 1e-150)


def signs(components):
    """Factors ±1 (c,) for rows (c, d) that make the entry of largest magnitude in each positive.

    Eigenvectors leave the sign open.
    """
    largest = np.abs(components).argmax(axis=1)
    return np.where(components[np.arange(len(components)), largest] < 0, -1.0, 1.0)
