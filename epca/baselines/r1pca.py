"""R1PCA: Huber's loss on the distance to the subspace."""

from numbers import Real

import numpy as np

from epca.base import PAPER, BasePCA, Parameter, check_loop, require
from epca.losses import Huber
from epca.solver import alternate


class R1PCA(BasePCA):
    """Samples beyond a threshold τ count linearly and no longer by their square.

    min over WᵀW = I:  Σ_i ρ(‖(I − WWᵀ)(x_i − x̄)‖),   ρ(t) = t² up to τ, then 2τt − τ²

    1. Start at PCA. Unless τ is given, it is the median of the residuals there, and stays so.
    2. w_i = 1 up to τ, else τ/t_i; W ← orthonormal basis of (Σw_i x_i x_iᵀ)W, one step of subspace
       iteration. Repeat. The objective never increases.
    3. Turn W so that its columns are uncorrelated under the weights.

    **Deviation:** residual lengths enter as √(t² + ε²), ε = 1e-6 of the data's spread: τ would be 0
    where half of the samples are fitted exactly.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    tau : τ > 0 in units of the residual length; None → see step 1; smaller → more robust; inf → PCA
    max_iter, tol : stop when the objective changes by at most tol of its value
    """

    label = "R1PCA"
    group = PAPER
    year = 2006
    reference = (
        "C. Ding, D. Zhou, X. He, H. Zha, R1-PCA: rotational invariant L1-norm PCA, ICML 2006"
    )
    objective = r"\min_{W^\top W=I}\ \sum_i \rho_\tau\!\left(\|(I-WW^\top)(x_i-\bar x)\|\right)"

    parameters = {
        "tau": Parameter(
            "Residual length from which a sample counts linearly; "
            "the median of PCA's residuals unless set.",
            low=0.001,
            step=10.0,
        )
    }

    def __init__(self, n_components, *, tau=None, max_iter=500, tol=1e-6):
        self.n_components = n_components
        self.tau = tau
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        is_length = self.tau is None or (isinstance(self.tau, Real) and self.tau > 0)
        require(is_length, "tau", self.tau, "None or a number > 0 (inf is allowed)")
        check_loop(self.max_iter, self.tol)
        iterate = reduction.iterate
        subspace, residuals = reduction.classical(self.n_components)
        residuals = reduction.smooth(residuals)
        loss = Huber(np.median(residuals) if self.tau is None else self.tau)

        def learn(weights):
            nonlocal subspace
            subspace = iterate(subspace, weights)
            return subspace, reduction.smooth(subspace.residuals)

        def step(residuals):
            return loss.weight(residuals), loss.value(residuals).sum()

        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback}
        solution = alternate(learn, step, step(residuals), **loop)
        scores = solution.model.scores
        _, axes = np.linalg.eigh(scores.T @ (solution.weights[:, None] * scores))
        return solution._replace(model=solution.model.turned(axes))
