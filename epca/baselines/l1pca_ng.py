"""L1PCA-NG: ℓ1 dispersion of all directions at once."""

import numpy as np

from epca.base import PAPER, BasePCA, Parameter, check_loop, require
from epca.linalg import Subspace, residual_lengths
from epca.solver import Solution

INITS = ("pca", "random")


class L1PCANG(BasePCA):
    """All directions together maximise the sum of absolute coordinates.

    max over WᵀW = I:  F(W) = Σ_i ‖Wᵀ(x_i − x̄)‖₁

    1. S = sign(XW), M = XᵀS = UΛVᵀ, W ← UVᵀ: the orthonormal W nearest to M. F never decreases.
    2. Stop when the signs repeat, or F grows by at most tol of its value.

    F depends on the basis and not only on its span; ranks are not nested.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    init : "pca" starts at the principal axes, "random" at a random basis; its authors do the
        latter, and it reproduces their figures
    max_iter, tol : see step 2
    random_state : seed of the random start
    """

    label = "L1PCA-NG"
    group = PAPER
    has_preview = False
    year = 2011
    reference = (
        "F. Nie et al., Robust principal component analysis with non-greedy ℓ1-norm maximization, "
        "IJCAI 2011"
    )
    objective = r"\max_{W^\top W=I}\ \sum_i \|W^\top(x_i-\bar x)\|_1"
    parameters = {
        "init": Parameter(
            "Where to start: “pca” at the principal axes, “random” at a random basis, "
            "as its authors did.",
            INITS,
        )
    }

    def __init__(self, n_components, *, init="pca", max_iter=500, tol=1e-6, random_state=0):
        self.n_components = n_components
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _solve(self, reduction, callback):
        require(self.init in INITS, "init", self.init, "“pca” or “random”")
        check_loop(self.max_iter, self.tol)
        points = reduction.coordinates
        weights = np.ones(len(points))
        classical, residuals = reduction.classical(self.n_components)
        # where c reaches the rank of the data, any basis of their span will do
        if residuals.max() <= reduction.smoothing:
            dispersion = np.abs(points @ classical.components).sum()
            return Solution(classical, residuals, weights, np.array([dispersion]), 0)
        W = self._start(reduction)
        signs = np.sign(points @ W)
        history = [np.abs(points @ W).sum()]
        for iteration in range(1, self.max_iter + 1):
            left, _, right = np.linalg.svd(points.T @ signs, full_matrices=False)
            W = left @ right
            projections = points @ W
            history.append(np.abs(projections).sum())
            if callback is not None:
                callback(iteration, history[-1], weights)
            last_signs = signs
            signs = np.sign(projections)
            is_still = history[-1] - history[-2] <= self.tol * history[-1]
            converged = is_still or np.array_equal(signs, last_signs)
            if converged:
                break
        model = Subspace(np.zeros(points.shape[1]), W)
        residuals = residual_lengths(points, *model)
        return Solution(model, residuals, weights, np.array(history), iteration, converged)

    def _start(self, reduction):
        if self.init == "pca":
            return reduction.classical(self.n_components)[0].components
        generator = np.random.default_rng(self.random_state)
        shape = (reduction.coordinates.shape[1], self.n_components)
        return np.linalg.qr(generator.standard_normal(shape))[0]
