"""PCA-OM: the ℓ2,1 norm with optimal mean."""

from epca.base import PAPER, BasePCA, check_loop
from epca.linalg import weighted_learner
from epca.losses import L21
from epca.solver import alternate


class PCAOM(BasePCA):
    """Distances to the subspace count by their length, and the mean is learned with it.

    min over m, WᵀW = I:  Σ_i ‖(I − WWᵀ)(x_i − m)‖

    From PCA, repeat: d_i = 1/(2t_i); m and W by PCA with weights d. The objective never increases.

    **Deviation:** residual lengths enter as √(t² + ε²), ε = 1e-6 of the data's spread. Its authors
    add machine precision to t². On grey levels weights can then reach 1e7, and the iteration sticks
    to samples that it happens to fit.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    max_iter, tol : stop when the objective changes by at most tol of its value
    """

    label = "PCA-OM"
    group = PAPER
    year = 2014
    reference = (
        "F. Nie, J. Yuan, H. Huang, Optimal mean robust principal component analysis, ICML 2014"
    )
    objective = r"\min_{m,\ W^\top W=I}\ \sum_i \|(I-WW^\top)(x_i-m)\|"

    def __init__(self, n_components, *, max_iter=200, tol=1e-6):
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        check_loop(self.max_iter, self.tol)
        loss = L21()
        weighted_pca = weighted_learner(reduction, self.n_components)

        def learn(weights):
            subspace, residuals = weighted_pca(weights)
            return subspace, reduction.smooth(residuals)

        def step(residuals):
            return loss.weight(residuals), residuals.sum()

        _, residuals = reduction.classical(self.n_components)
        start = step(reduction.smooth(residuals))
        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback}
        return alternate(learn, step, start, **loop)
