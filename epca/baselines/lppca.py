"""LpPCA: greedy maximisation of ℓp dispersion."""

from numbers import Real

import numpy as np

from epca.base import PAPER, BasePCA, Parameter, check_loop, require
from epca.solver import greedy


class LpPCA(BasePCA):
    """One direction after the other; each maximises the sum of |projection|^p of what is left.

    max over ‖w‖ = 1:  F(w) = Σ_i |wᵀ(x_i − x̄)|^p

    1. w ← Σ sign(a_i)|a_i|^(p−1) x_i with a_i = wᵀx_i, normalised. Repeat until w rests.
       F never decreases (it is convex).
    2. Take the direction out of the samples and go on with the next one. Ranks are nested.

    Starts at the principal axes, so p = 2 is PCA; p = 1 is L1PCA without its nudges. The history
    holds F^(1/p), added up over the directions.

    **Deviation:** the comparison paper does not say whether it used this form or the one that finds
    all directions at once. This one reproduces its figures.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    p : exponent ≥ 1; smaller → large projections count less
    max_iter, tol : per direction, stop when it moves by at most tol
    """

    label = "LpPCA"
    group = PAPER
    has_preview = False
    year = 2014
    reference = (
        "N. Kwak, Principal component analysis by Lp-norm maximization, "
        "IEEE Trans. Cybernetics 44(5), 2014"
    )
    objective = r"\max_{\|w\|=1}\ \sum_i |w^\top(x_i-\bar x)|^p,\ \text{greedily}"
    parameters = {
        "p": Parameter(
            "Exponent of the dispersion: 1 is L1PCA, 2 is PCA; "
            "smaller lets large projections count less.",
            low=1.0,
            high=10.0,
            step=0.1,
        )
    }

    def __init__(self, n_components, *, p=1.2, max_iter=1000, tol=1e-6):
        self.n_components = n_components
        self.p = p
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        is_valid = isinstance(self.p, Real) and 1 <= self.p < np.inf
        require(is_valid, "p", self.p, "a finite number >= 1")
        check_loop(self.max_iter, self.tol)

        def update(points, direction, projections):
            largest = np.abs(projections).max()
            if largest == 0:
                return direction
            moved = (np.sign(projections) * np.abs(projections / largest) ** (self.p - 1)) @ points
            return moved / np.linalg.norm(moved)

        def value(projections):
            largest = np.abs(projections).max() or 1.0  # taken out: its powers might overflow
            return largest * np.sum(np.abs(projections / largest) ** self.p) ** (1 / self.p)

        starts = reduction.classical(self.n_components)[0].components
        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback}
        return greedy(reduction.coordinates, starts, update, value, **loop)[0]
