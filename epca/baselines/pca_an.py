"""PCA-AN: squared loss on a fixed number of adaptively weighted samples."""

from numbers import Integral, Real

import numpy as np

from epca.base import PAPER, BasePCA, Parameter, check_loop, require
from epca.linalg import weighted_learner
from epca.solver import Solution, alternate


def adaptive_weights(losses, n_active):
    """Minimise Σ q_i f_i + λ‖q‖² over q on the simplex, with λ such that k = n_active are not 0.

    λ is the largest such value. With f sorted, q_i = max(0, f_(k+1) − f_i)/(2λ) and
    λ = ½(k f_(k+1) − Σ_{j≤k} f_(j)). Where the k+1 smallest losses are equal, the first k share the
    weight. Returns q (n,) and λ.

    >>> adaptive_weights(np.array([1.0, 2.0, 3.0, 10.0]), 2)
    (array([0.66666667, 0.33333333, 0.        , 0.        ]), 1.5)
    """
    order = np.argsort(losses, kind="stable")
    edge = losses[order[n_active]]
    gaps = np.maximum(edge - losses, 0)
    double = gaps[order[:n_active]].sum()
    if double > 0:
        return gaps / double, float(double / 2)
    weights = np.zeros(len(losses))
    weights[order[:n_active]] = 1 / n_active
    return weights, 0.0


class PCAAN(BasePCA):
    """PCA on the k samples that fit best, with weights that fall with the squared residual.

    min over m, WᵀW = I, q on the simplex:  Σ_i q_i ‖(I − WWᵀ)(x_i − m)‖² + λ‖q‖²

    with λ such that k of the q are not 0. From q = 1/n, repeat: m and W by PCA with weights q; q in
    closed form. λ changes with the residuals, so the objective may rise. k should exceed c + 1,
    because fewer samples are fitted exactly.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    n_active : k, as a fraction of the samples (a float below 1) or a count; smaller → more samples
        are ignored
    max_iter, tol : stop when the objective changes by at most tol of its value
    """

    label = "PCA-AN"
    group = PAPER
    year = 2019
    reference = (
        "R. Zhang, H. Tong, Robust principal component analysis with adaptive neighbors, "
        "NeurIPS 2019"
    )
    objective = (
        r"\min_{m,\ W^\top W=I,\ q\in\Delta}\ \sum_i q_i\|(I-WW^\top)(x_i-m)\|^2+\lambda\|q\|^2"
    )
    parameters = {
        "n_active": Parameter(
            "How many samples get a weight, as a fraction, in Python also as a count; "
            "the clean share is a good guess.",
            low=0.01,
            high=0.99,
            step=0.05,
        )
    }

    def __init__(self, n_components, *, n_active=0.8, max_iter=100, tol=1e-6):
        self.n_components = n_components
        self.n_active = n_active
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        check_loop(self.max_iter, self.tol)
        n_active = self._count(len(reduction.data))

        def step(residuals):
            losses = np.square(residuals)
            weights, penalty = adaptive_weights(losses, n_active)
            return weights, weights @ losses + penalty * weights @ weights

        classical, residuals = reduction.classical(self.n_components)
        # where c reaches the rank of the data, no sample fits better than another
        if residuals.max() <= reduction.smoothing:
            return Solution(classical, residuals, np.ones_like(residuals), np.zeros(1), 0)
        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback}
        learn = weighted_learner(reduction, self.n_components)
        return alternate(learn, step, step(residuals), **loop)

    def _count(self, n_samples):
        is_whole = isinstance(self.n_active, Integral)
        is_number = isinstance(self.n_active, Real)
        if is_number and not is_whole and 0 < self.n_active < 1:
            return min(max(round(self.n_active * n_samples), 1), n_samples - 1)
        is_count = is_whole and 1 <= self.n_active < n_samples
        most = n_samples - 1
        rule = f"a fraction between 0 and 1 or an integer between 1 and n_samples - 1={most}"
        require(is_count, "n_active", self.n_active, rule)
        return int(self.n_active)
