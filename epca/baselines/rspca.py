"""RSPCA: robust and sparse directions."""

import numpy as np
from scipy.optimize import brentq

from epca.base import PAPER, BasePCA, Parameter, check_loop, is_integer, require
from epca.solver import greedy


def k_soft(vector, k):
    """Lower the k largest magnitudes by the next one and set the others to 0; ties go by index."""
    size = np.abs(vector)
    order = np.argsort(-size, kind="stable")
    level = size[order[k]] if k < len(vector) else 0.0
    sparse = np.zeros_like(vector)
    sparse[order[:k]] = np.sign(vector[order[:k]]) * (size[order[:k]] - level)
    return sparse if sparse.any() else k_hard(vector, k)  # all k are equal to the next one


def k_hard(vector, k):
    """Leave the k largest magnitudes as they are and set the others to 0; ties go by index."""
    order = np.argsort(-np.abs(vector), kind="stable")
    sparse = np.zeros_like(vector)
    sparse[order[:k]] = vector[order[:k]]
    return sparse


def l1_ball(vector, k):
    """Lower all magnitudes alike until ‖w‖₁ ≤ √k ‖w‖₂, as k non-zeros would have it."""
    size = np.abs(vector)

    def excess(level):
        left = np.maximum(size - level, 0)
        return left.sum() - np.sqrt(k) * np.linalg.norm(left)

    if excess(0.0) <= 0:
        return vector
    top = np.partition(size, -2)[-2:].min() if len(size) > 1 else 0.0  # one left: ‖w‖₁ = ‖w‖₂
    level = top if excess(top) > 0 else brentq(excess, 0.0, top, xtol=1e-12 * size.max())
    left = np.sign(vector) * np.maximum(size - level, 0)
    return left if left.any() else k_hard(vector, 1)  # several largest: the first


THRESHOLDS = {"k-soft": k_soft, "k-hard": k_hard, "l1-ball": l1_ball}


class RSPCA(BasePCA):
    """Directions with few non-zero entries that maximise ℓ1 dispersion, one after the other.

    max over ‖w‖ = 1, w sparse:  Σ_i |wᵀ(x_i − x̄)|

    1. p = sign(Xw), v = Xᵀp, w ← threshold(v), normalised. Repeat until w rests and take the best w
       seen: with k-soft thresholds the objective may fall.
    2. Take the direction out of the samples and go on with the next one.

    Sparse directions are not orthogonal: `loadings_` holds them, and `components_` is an
    orthonormal basis of their span. The method works on the features as they are, so a rotation of
    the data changes it.

    **Deviation:** reconstruction projects orthogonally onto the span. The comparison paper's
    figures fit the product with the raw loadings, (X − x̄)WWᵀ, which is no projection and has larger
    errors.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    n_nonzero : k, non-zero entries of each loading, from 1 to d; None → d/2; smaller → sparser
    threshold : "k-soft", "k-hard", or "l1-ball" (‖w‖₁ ≤ √k); with the latter two the objective
        never decreases
    max_iter, tol : per direction, stop when it moves by at most tol

    Attributes
    ----------
    loadings_ : (c, d) the sparse directions, length 1, in the order found
    """

    label = "RSPCA"
    group = PAPER
    year = 2012
    reference = (
        "D. Meng, Q. Zhao, Z. Xu, Improve robustness of sparse PCA by L1-norm maximization, "
        "Pattern Recognition 45, 2012"
    )
    objective = r"\max_{\|w\|=1,\ w\ \text{sparse}}\ \sum_i |w^\top(x_i-\bar x)|,\ \text{greedily}"
    parameters = {
        "n_nonzero": Parameter(
            "Non-zero pixels of each direction; half of the pixels unless set. Smaller is sparser.",
            low=1,
            step=1,
        ),
        "threshold": Parameter(
            "How entries become zero: “k-soft” lowers the others, “k-hard” does not, "
            "“l1-ball” bounds their sum.",
            tuple(THRESHOLDS),
        ),
    }
    is_rotation_invariant = False
    has_preview = False

    def __init__(self, n_components, *, n_nonzero=None, threshold="k-soft", max_iter=300, tol=1e-4):
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.threshold = threshold
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        check_loop(self.max_iter, self.tol)
        n_features = len(reduction.mean)
        k = max(n_features // 2, 1) if self.n_nonzero is None else self.n_nonzero
        rule = f"None or an integer between 1 and n_features={n_features}"
        require(is_integer(k) and 1 <= k <= n_features, "n_nonzero", k, rule)
        is_known = str(self.threshold) in THRESHOLDS
        require(is_known, "threshold", self.threshold, f"one of {', '.join(THRESHOLDS)}")
        threshold = THRESHOLDS[self.threshold]

        def update(points, direction, projections):
            moved = threshold(np.where(projections >= 0, 1.0, -1.0) @ points, k)
            length = np.linalg.norm(moved)
            return moved / length if length > 0 else direction

        starts = reduction.lift(reduction.classical(self.n_components)[0].components)
        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback}
        solution, directions = greedy(
            reduction.centred,
            starts,
            update,
            lambda projections: np.abs(projections).sum(),
            restrict=lambda start: threshold(start, k),
            **loop,
        )
        self.loadings_ = directions.T
        return solution
