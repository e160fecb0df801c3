"""Classical PCA, the yardstick."""

import numpy as np

from epca.base import PAPER, BasePCA
from epca.solver import Solution


class PCA(BasePCA):
    """The subspace with the smallest sum of squared distances to the samples.

    min over m, WᵀW = I:  Σ_i ‖(I − WWᵀ)(x_i − m)‖²                                             (24)

    m is the mean, W the leading principal axes.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    """

    label = "PCA"
    group = PAPER
    year = 1901
    reference = (
        "K. Pearson, On lines and planes of closest fit to systems of points in space, "
        "Philosophical Magazine 2(11), 1901"
    )
    objective = r"\min_{m,\ W^\top W=I}\ \sum_i \|(I-WW^\top)(x_i-m)\|^2"

    def __init__(self, n_components):
        self.n_components = n_components

    def _solve(self, reduction, callback):
        model, residuals = reduction.classical(self.n_components)
        objective = np.square(residuals).sum()
        return Solution(model, residuals, np.ones_like(residuals), np.array([objective]), 0)
