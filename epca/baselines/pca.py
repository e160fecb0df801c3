"""Classical PCA, the yardstick."""

import numpy as np

from epca.base import BasePCA
from epca.solver import Solution


class PCA(BasePCA):
    """min over m, W:  Σ_i ‖(I − WWᵀ)(x_i − m)‖²,  WᵀW = I: m is the mean, W the leading principal axes (Eq. 24).

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    """

    label = "PCA"
    year = 1901
    reference = "K. Pearson, On lines and planes of closest fit to systems of points in space, Philosophical Magazine 2(11), 1901"
    objective = r"\min_{m,\ W^\top W=I}\ \sum_i \|(I-WW^\top)(x_i-m)\|^2"

    def __init__(self, n_components):
        self.n_components = n_components

    def _solve(self, reduction, callback):
        model, residuals = reduction.classical(self.n_components)
        return Solution(
            model, residuals, np.ones_like(residuals), np.array([np.square(residuals).sum()]), 0
        )
