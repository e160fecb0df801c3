"""L1PCA: greedy maximisation of ℓ1 dispersion."""

import numpy as np

from epca.base import PAPER, BasePCA, check_loop
from epca.solver import greedy

STILL = 1e-12  # a direction that moved less than this has come to rest


class L1PCA(BasePCA):
    """One direction after the other; each maximises the absolute projections of what is left.

    max over ‖w‖ = 1:  F(w) = Σ_i |wᵀ(x_i − x̄)|

    1. p_i = +1 where wᵀx_i ≥ 0, else −1; w ← Σp_i x_i, normalised. Repeat until the signs repeat.
       F never decreases.
    2. Where a sample projects to exactly 0 at the fixed point, nudge w and go on with step 1: F may
       still grow.
    3. Take the direction out of the samples and go on with the next one. Ranks are nested.

    Starts at the principal axes. Maximising ℓ1 dispersion is not the same as a small ℓ1 error.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    max_iter : per direction
    random_state : seed of the nudges
    """

    label = "L1PCA"
    group = PAPER
    has_preview = False
    year = 2008
    reference = (
        "N. Kwak, Principal component analysis based on L1-norm maximization, "
        "IEEE TPAMI 30(9), 2008"
    )
    objective = r"\max_{\|w\|=1}\ \sum_i |w^\top(x_i-\bar x)|,\ \text{greedily}"

    def __init__(self, n_components, *, max_iter=1000, random_state=0):
        self.n_components = n_components
        self.max_iter = max_iter
        self.random_state = random_state

    def _solve(self, reduction, callback):
        check_loop(self.max_iter, 0)
        generator = np.random.default_rng(self.random_state)

        def update(points, direction, projections):
            moved = np.where(projections >= 0, 1.0, -1.0) @ points
            length = np.linalg.norm(moved)
            moved /= length
            if np.linalg.norm(moved - direction) > STILL:
                return moved
            lost = np.abs(projections) <= STILL * length
            if lost.any() and np.abs(points[lost]).max() > 1e-9 * length:
                moved += 1e-3 / np.sqrt(len(moved)) * generator.uniform(-1, 1, len(moved))
            return moved / np.linalg.norm(moved)

        starts = reduction.classical(self.n_components)[0].components
        loop = {"max_iter": self.max_iter, "tol": STILL, "callback": callback}
        return greedy(reduction.coordinates, starts, update, lambda a: np.abs(a).sum(), **loop)[0]
