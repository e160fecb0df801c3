"""PCA-AN: squared loss on a fixed number of adaptively weighted samples."""

from epca.base import PAPER, BasePCA, Parameter, check_loop, count_active
from epca.solver import trimmed


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
        n_active = count_active("n_active", self.n_active, len(reduction.data))
        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback}
        return trimmed(reduction, self.n_components, n_active, **loop)
