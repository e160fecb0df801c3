"""The leading eigenpairs of a symmetric matrix: Lanczos' method, its certificate, a dense solver.

A matrix A (r, r) is positive semi-definite. It may be a `Symmetric` or anything else that has its
attributes: Lanczos' method needs the product with a vector alone.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, blas, eigh, lapack

SMALLEST = 80  # below this size the dense solver is as fast
EQUAL = 1e-6  # eigenvalues that differ by less than this part count as equal
MORE_STEPS = 200  # beyond six per pair: noise, with variances almost alike, may take as many
ROUNDING = 1e-14  # what is smaller than this part of the largest eigenvalue is none


class Symmetric:
    """A symmetric matrix by its lower triangle (r, r), in Fortran order."""

    null = None  # a vector (r,) of length 1 that is projected off: (I − nnᵀ)A(I − nnᵀ) is meant

    def __init__(self, triangle):
        self.triangle = triangle

    def __len__(self):
        return len(self.triangle)

    def product(self, vector):
        """A·vector (r,), before anything is projected off."""
        return blas.dsymv(1.0, self.triangle, vector, lower=1)

    def form(self):
        """The lower triangle (r, r) of what is meant."""
        return self.triangle


class Pairs(NamedTuple):
    """The c largest eigenvalues and their eigenvectors."""

    values: np.ndarray  # (c,) falling
    vectors: np.ndarray  # (r, c)
    n_steps: int = 0  # with which Lanczos' method may start on a similar matrix; 0: do not use it


def leading_pairs(matrix, n_components, start, n_steps, tol):
    """The Pairs by Lanczos' method, or by the dense solver where n_steps is 0 or that one fails.

    The parameters are those of `lanczos`.
    """
    found = lanczos(matrix, n_components, start, n_steps, tol) if n_steps else None
    return found or solve_dense(matrix.form(), n_components)


def first_steps(size, n_components):
    """n_steps for the first matrix of its kind, from a random start; 0 where dense is faster."""
    is_worth_it = size >= SMALLEST and 4 * n_components <= size
    return 5 * n_components // 2 + 12 if is_worth_it else 0


def lanczos(matrix, n_components, start, n_steps, tol):
    """The Pairs by Lanczos' method; None where it fails.

    For an orthonormal basis Q (r, j) of the Krylov space of start, AQ = QT + β q_{j+1} e_jᵀ with a
    tridiagonal T. An eigenpair (θ, s) of T gives the pair (θ, Qs) of A, up to a residual of length
    β|s_j|. The space grows until that is at most tol times the smallest wanted θ.

    Equal eigenvalues have only one eigenvector in the space (`is_leading` tells), and a space that
    cannot grow on may lack others, too: then the answer is checked.

    Parameters
    ----------
    start : (r,) the nearer it is to the span of the wanted eigenvectors, the fewer steps are needed
    n_steps : how far the space grows before T is looked at, which takes as long as ten steps
    tol : a step lowers the residuals to about 1/e
    """
    limit = min(6 * n_components + MORE_STEPS, len(matrix))
    space = _KrylovSpace(matrix, start, limit)
    while True:
        space.grow(min(n_steps, limit))
        if space.size <= n_components:
            return None
        values, vectors, bound = space.approximate(n_components)
        if values[-1] <= ROUNDING * values[0]:
            return None
        surplus = np.log(tol * values[-1] / max(bound, ROUNDING * tol * values[-1]))
        if surplus >= 0:
            n_steps = max(space.size - max(int(surplus) - 1, 0), n_components + 1)
            pairs = Pairs(values, vectors, n_steps)
            return pairs if not space.is_exhausted or is_leading(matrix, pairs) else None
        if space.is_exhausted or space.size == limit:
            return None
        n_steps = space.size + max(int(-surplus), 2)


class _KrylovSpace:
    """Span of b, Ab, A²b …: its orthonormal basis q₁, q₂ … and T."""

    def __init__(self, matrix, start, limit):
        self.matrix = matrix
        self.known = np.zeros((limit + 2, len(matrix)))  # rows n, q₁, q₂ …
        if matrix.null is not None:
            self.known[0] = matrix.null
            start = start - matrix.null * (matrix.null @ start)
        self.basis = self.known[1:]
        self.basis[0] = start / np.linalg.norm(start)
        self.diagonal = np.zeros(limit)  # of T
        self.beside = np.zeros(limit)  # β, beside the diagonal of T
        self.scale = 0.0  # the largest on the diagonal, a measure of A
        self.size = 0
        self.is_exhausted = False

    def grow(self, size):
        """Add vectors until there are so many, or none is left.

        A new one is orthogonal to all but the last two, but for rounding. That adds up: all are
        taken out of it. Without the last two going first, hundreds of steps would lose digits.
        """
        basis = self.basis
        for j in range(self.size, size):
            last = basis[j]
            new = self.matrix.product(last)
            new = blas.daxpy(basis[j - 1], new, a=-self.beside[j - 1])  # nothing in the first step
            along = self.diagonal[j] = blas.ddot(last, new)
            new = blas.daxpy(last, new, a=-along)
            known = self.known[: j + 2].T
            parts = blas.dgemv(1.0, known, new, trans=1)
            new = blas.dgemv(-1.0, known, parts, beta=1.0, y=new, overwrite_y=1)
            length = self.beside[j] = blas.dnrm2(new)
            self.size = j + 1
            self.scale = max(self.scale, along)
            if length <= ROUNDING * self.scale:
                self.is_exhausted = True
                return
            np.divide(new, length, out=basis[j + 1])

    def approximate(self, n_components):
        """The c largest values, vectors (r, c), and the largest length of their residuals."""
        values, small, _ = lapack.dstevd(self.diagonal[: self.size], self.beside[: self.size - 1])
        small = small[:, : -n_components - 1 : -1]
        bound = self.beside[self.size - 1] * np.abs(small[-1]).max()
        return values[: -n_components - 1 : -1], self.basis[: self.size].T @ small, bound


def is_leading(matrix, pairs):
    """Whether no other eigenvalue reaches θ_c: θ_c(1 − δ)I − (A − UΘUᵀ) has a Cholesky factor."""
    values, vectors, _ = pairs
    scaled = vectors * np.sqrt(values)
    rest = blas.dsyrk(1.0, scaled, beta=-1.0, c=matrix.form(), lower=1)
    rest[np.diag_indices(len(rest))] += values[-1] * (1 - EQUAL)
    return lapack.dpotrf(rest, lower=1, clean=0, overwrite_a=1)[1] == 0


def solve_dense(lower, n_components):
    """The Pairs of a lower triangle (r, r) by LAPACK.

    It finds all eigenvectors at once where many are wanted, else these alone.
    """
    size = len(lower)
    if 6 * n_components <= size:
        wanted = [size - n_components, size - 1]
        try:
            values, vectors = eigh(lower, lower=True, subset_by_index=wanted, check_finite=False)
        except LinAlgError:
            values = ()
        if len(values) == n_components:  # too few where many eigenvalues are equal
            return Pairs(values[::-1], vectors[:, ::-1])
    values, vectors = eigh(lower, lower=True, driver="evd", check_finite=False)
    return Pairs(values[: -n_components - 1 : -1], vectors[:, : -n_components - 1 : -1])
