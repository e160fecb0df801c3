"""PCP: the data as a low-rank part plus a sparse one, what most people call robust PCA."""

from numbers import Real
from typing import NamedTuple

import numpy as np
from scipy.linalg import blas, eigh, eigvalsh

from epca.base import BasePCA, Parameter, check_loop, require
from epca.cells import Cells, cell_scale, cell_weights
from epca.linalg import Subspace, reduce_to_span, residual_lengths
from epca.solver import Solution

GROWTH = 1.5  # of the step μ in every iteration, up to a limit
RELAXATION = 1.6  # how far the iterates go, in units of their step
EVERY = 5  # iterations between two looks at the bound, each of which takes half of one


class Pursuit(NamedTuple):
    """A decomposition X = L + S; L is X − S."""

    sparse: np.ndarray  # (n, d) S
    rank: int  # of L, but for what is within the tolerance
    dual: np.ndarray | None  # (n, d) Y with ‖Y‖₂ ≤ 1 and |Y| ≤ λ: no objective is below ⟨X, Y⟩
    history: np.ndarray  # upper bounds of the objective, first for L = X
    converged: bool


def pursue(X, penalty, *, max_iter, tol, callback=None):
    """Minimise ‖L‖_* + λ‖S‖₁ over X = L + S (n, d), with λ = penalty, by relaxed ADMM.

    It ends when a dual Y proves that the objective is at most tol of itself above the least
    possible. On the way L and S do not quite add up to X. The history counts what is missing by the
    largest nuclear norm that it can have, and may rise.
    """
    singular = np.sqrt(np.maximum(eigvalsh(inner_products(X), lower=True), 0))
    history = [singular.sum()]
    sparse = np.zeros_like(X)
    if not X.any():
        return Pursuit(sparse, 0, sparse, np.array(history), True)
    step = 1.25 / singular[-1]
    largest_step = 0.5 / np.abs(X).mean()
    dual = X / max(singular[-1], np.abs(X).max() / penalty)
    proof = dual
    bound = np.vdot(X, proof)
    converged = False
    while not converged and len(history) <= max_iter:
        aim = X - sparse + dual / step
        low_rank, kept = shrink_singular_values(aim, 1 / step)
        if len(history) % EVERY == 0:
            found = feasible_dual(step * (aim - low_rank), penalty)
            if np.vdot(X, found) > bound:
                proof = found
                bound = np.vdot(X, proof)
        rest = (1 - RELAXATION) * sparse + RELAXATION * (X - low_rank) + dual / step
        sparse = soft(rest, penalty / step)
        dual = step * (rest - sparse)
        missing = np.sqrt(min(X.shape)) * np.linalg.norm(X - low_rank - sparse)
        history.append(kept.sum() + penalty * np.abs(sparse).sum() + missing)
        converged = bool(history[-1] <= (1 + tol) * bound)
        step = min(GROWTH * step, largest_step)
        if callback is not None:
            callback(len(history) - 1, history[-1], np.ones(len(X)))
    return Pursuit(sparse, len(kept), proof, np.array(history), converged)


def feasible_dual(dual, penalty):
    """A matrix near dual (n, d) without entries beyond λ and without singular values above 1."""
    clipped = np.clip(dual, -penalty, penalty)
    products = inner_products(clipped)
    last = len(products) - 1
    (largest,) = eigvalsh(products, lower=True, subset_by_index=[last, last])
    return clipped / max(1, np.sqrt(largest))


def inner_products(matrix):
    """The lower triangle of the smaller of MMᵀ and MᵀM."""
    n_rows, n_columns = matrix.shape
    return blas.dsyrk(1.0, matrix.T, trans=int(n_rows <= n_columns), lower=1)


def shrink_singular_values(matrix, level):
    """Lower the singular values of a matrix (n, d) by level and drop those that would be negative.

    Returns the matrix and the singular values left. By inner products: an SVD takes far longer.
    """
    squares, vectors = eigh(inner_products(matrix), driver="evd", check_finite=False)
    first = np.searchsorted(squares, level**2, side="right")
    singular = np.sqrt(squares[first:])
    vectors = vectors[:, first:]
    factors = (vectors * (1 - level / singular)) @ vectors.T
    is_wide = len(factors) == len(matrix)
    return factors @ matrix if is_wide else matrix @ factors, singular - level


def soft(values, level):
    """Move values towards 0 by level, those nearer than that to 0."""
    return values - np.clip(values, -level, level)


class PCP(BasePCA):
    """Principal component pursuit: the data are a matrix of low rank plus a sparse one.

    min over L + S = X:  ‖L‖_* + λ‖S‖₁,   the sums of L's singular values and of |S|

    1. Start with S = 0, a dual Y ∝ X and a small step μ.
    2. L = X − S + Y/μ with its singular values lowered by 1/μ; S = X − L + Y/μ moved towards 0 by
       λ/μ; Y ← Y + μ(X − L − S). μ grows by half, up to 1/(2·mean|X|). Repeat until Y, made
       feasible, proves the optimum up to tol (`pursue`: ADMM, over-relaxed).
    3. m is the mean of L's rows, W their top c principal axes.

    The problem is convex and does not know c: L and S are found once for one X and cached with it.
    L has a rank of its own, on faces far above a usual c, so L is nearer to the clean images than
    any subspace of rank c. `reconstruct` stays in that subspace. The model has no mean: data that
    vary little about values far from 0 should be centred first.

    **Deviation:** the usual solver lets μ grow without end and comes to rest before the optimum, on
    faces 0.03 to 0.15 % above it: its L has rank 249, where the optimum has 219, and errors that
    differ by up to 4 %. L is given as X − S, so that both add up to X; its singular values beyond
    `rank_` are then not 0, but tiny.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    penalty : λ > 0; None → 1/√max(n, d); smaller → more pixels are taken for occluded; large →
        none are, and the method is PCA
    max_iter, tol : stop when the objective is at most tol of itself above the least possible

    Attributes
    ----------
    sparse_ : (n, d) S of the training samples, read-only; it is held once for all ranks
    low_rank_ : (n, d) L, computed as X − S at each access; the X that was fitted must not change
    rank_ : of L
    cell_weight_ : (n, d) how far each pixel is trusted, 1/(1 + S²/κ²), computed at each access: 1
        where S is 0
    cell_scale_ : κ, 3 · 1.4826 · the median of |X − L_c| with L_c in the subspace

    Examples
    --------
    >>> X = np.outer(np.arange(1.0, 7), np.ones(5))
    >>> X[2, 3] = 40
    >>> np.argwhere(np.abs(PCP(1).fit(X).sparse_) > 1e-3)
    array([[2, 3]])
    """

    label = "PCP"
    year = 2011
    reference = (
        "E. J. Candès, X. Li, Y. Ma, J. Wright, Robust principal component analysis?, "
        "Journal of the ACM 58(3), 2011"
    )
    objective = r"\min_{L+S=X}\ \|L\|_*+\lambda\|S\|_1"
    parameters = {
        "penalty": Parameter(
            "λ, the price of a pixel in the sparse part; 1/√max(n, d) unless set. "
            "Smaller takes more pixels for occluded.",
            low=0.001,
            step=0.005,
        )
    }
    is_cellwise = True
    is_rotation_invariant = False
    has_preview = False

    def __init__(self, n_components, *, penalty=None, max_iter=1000, tol=1e-4):
        self.n_components = n_components
        self.penalty = penalty
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        is_price = isinstance(self.penalty, Real) and 0 < self.penalty < np.inf
        require(self.penalty is None or is_price, "penalty", self.penalty, "None or a number > 0")
        check_loop(self.max_iter, self.tol)
        X = reduction.data
        penalty = 1 / np.sqrt(max(X.shape)) if self.penalty is None else self.penalty
        options = {"max_iter": self.max_iter, "tol": self.tol}
        key = (penalty, self.max_iter, self.tol)
        found = reduction.pursuits.get(key)
        if found is None:
            found = pursue(X, penalty, callback=callback, **options)._replace(dual=None)
            found.sparse.flags.writeable = False  # it is shared
            reduction.pursuits.clear()
            reduction.pursuits[key] = found
        self.sparse_ = found.sparse
        self.rank_ = found.rank
        self._fitted = narrowed(X)
        low_rank = self.low_rank_
        inside = reduce_to_span(low_rank)
        components = inside.in_features(inside.classical(self.n_components)[0])[1]
        rest = low_rank - inside.mean
        rest -= rest @ components @ components.T
        rest += self.sparse_  # now X − L_c
        scale = cell_scale(rest, reduction.smoothing)
        return Solution(
            Subspace(inside.mean - reduction.mean, components),
            residual_lengths(X, inside.mean, components),
            cell_weights(self.sparse_, scale).mean(axis=1),
            found.history,
            len(found.history) - 1,
            found.converged,
            Cells(None, scale),
        )

    @property
    def low_rank_(self):
        return self._fitted - self.sparse_

    @property
    def cell_weight_(self):
        return cell_weights(self.sparse_, self.cell_scale_)


def narrowed(X):
    """X (n, d) itself, or as bytes where it has nothing but whole grey levels from 0 to 255."""
    if X.min() < 0 or X.max() > 255:
        return X
    grey = X.astype(np.uint8)
    return grey if np.array_equal(grey, X) else X
