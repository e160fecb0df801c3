"""Enhanced PCA.

R. Zhang, H. Zhang, X. Li, "Enhanced Principal Component Analysis under a Collaborative-Robust
Framework", arXiv 2103.11931, 2021. Equation numbers are the paper's; rows of X are samples, where
the paper has columns.
"""

from typing import NamedTuple

import numpy as np

from epca.base import BasePCA, Parameter, check_co_robust
from epca.linalg import residual_lengths
from epca.losses import SigmaLoss
from epca.solver import co_robust

RESIDUAL_PART = 8  # σ from the data alone is the median residual of classical PCA over this


class EPCA(BasePCA):
    """PCA with a robust σ-loss and learned sample weights α that activate the best-fitting samples.

    min over m, W, α:  Σ_i h(‖(I − WWᵀ)(x_i − m)‖) / (1 − α_i)                          (27)
    where WᵀW = I, Σα_i = 1, 0 ≤ α_i < 1

    with h(t) = (1+σ)t²/(t+σ). From m = mean, W = classical PCA and α = 1/n, repeat (Algorithm 3):

    1. t_i = ‖(I − WWᵀ)(x_i − m)‖, d_i = h′(t_i)/(2t_i), η_i = d_i/(1 − α_i)            (28)
    2. m = Ση_i x_i/Ση_i; W = top c eigenvectors of Ση_i(x_i − m)(x_i − m)ᵀ             (34, 38–39)
    3. t_i anew; with the losses g_i = h(t_i), α_i = max(0, 1 − (k−1)√g_i/Σ_{j≤k}√g_j)  (40–41)

    The objective never increases. A sample that is not activated (α_i = 0) still counts, with
    direct weight 1; only the robust loss tames it. When c is large for n, the best solutions
    interpolate a few samples. α then marks those and no longer the clean ones: compare the smallest
    of `residuals(X)` with their median.

    **Deviation:** residual lengths enter as √(t² + ε²), ε = 1e-6 of the data's rms distance from
    the mean: every loss is positive, so Theorem 1 applies. The paper leaves start and stop open;
    its Eq. 40 lacks a root and the (·)₊; in its order of updates d lags behind W, and the objective
    can rise.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    sigma : σ > 0 in units of the residual length; smaller → more robust (ℓ2,1), larger → closer to
        PCA; inf is allowed
    gamma : γ ≥ 1 of the weights 1/(1 − α^γ) (Eq. 14); 1 → sparse α as in the paper, larger → dense,
        closer to uniform
    max_iter, tol : stop when the objective changes by at most tol of its value, or after max_iter;
        larger tol → stops earlier

    Attributes
    ----------
    alpha_ : (n,) α on the simplex
    n_activated_ : k, how many α are not zero
    direct_weight_ : (n,) 1/(1 − α^γ)
    sample_weight_ : (n,) η/Ση
    and those of every method: components_, mean_, explained_variance_ratio_, objective_history_,
    n_iter_, converged_, is_exact_, n_components_, n_features_in_

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [1, 1.1], [2, 1.9], [3, 3], [4, 4.1], [2, 9.0]])
    >>> model = EPCA(1, sigma=0.1).fit(X)
    >>> bool(model.alpha_[5] == 0), model.residuals(X).argmax().item()
    (True, 5)
    """

    label = "EPCA"
    year = 2021
    reference = (
        "R. Zhang, H. Zhang, X. Li, Enhanced principal component analysis under a "
        "collaborative-robust framework, arXiv 2103.11931, 2021"
    )
    objective = (
        r"\min_{m,\ W^\top W=I,\ \alpha\in\Delta}\ \sum_i "
        r"\frac{1}{1-\alpha_i} h_\sigma\!\left(\|(I-WW^\top)(x_i-m)\|\right)"
    )
    parameters = {
        "sigma": Parameter(
            "σ of the σ-loss, in units of the residual length: "
            "smaller is more robust, larger is closer to PCA."
        ),
        "gamma": Parameter(
            "γ of the weights 1/(1 − α^γ): "
            "1 activates few samples, larger values all of them, ever more evenly.",
            low=1.0,
            high=100.0,
            step=0.5,
        ),
    }

    def __init__(self, n_components, *, sigma=1.0, gamma=1.0, max_iter=100, tol=1e-6):
        self.n_components = n_components
        self.sigma = sigma
        self.gamma = gamma
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        check_co_robust(self)

        def learn(weights):  # m, W and the new t (steps 2 and 3)
            subspace, residuals = reduction.weighted_pca(weights, self.n_components)
            return subspace, reduction.smooth(residuals)

        _, residuals = reduction.classical(self.n_components)
        start = reduction.smooth(residuals)
        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback}
        solution, activation = co_robust(learn, start, SigmaLoss(self.sigma), self.gamma, **loop)
        self.alpha_ = activation.weights
        self.n_activated_ = activation.n_activated
        self.direct_weight_ = activation.direct_weights
        return solution


class Explanation(NamedTuple):
    """How each sample enters a fitted EPCA: every field is an array (n,)."""

    residuals: np.ndarray  # t, the distance to the subspace
    d: np.ndarray  # h′(t)/(2t), what the loss makes of the residual (Eq. 28)
    alpha: np.ndarray  # α, the learned weight
    direct_weight: np.ndarray  # 1/(1 − α^γ)
    eta: np.ndarray  # η = d/(1 − α^γ), the weight in the PCA step
    losses: np.ndarray  # h(t); times the direct weight, they add up to the objective


def explain(model, reduction):
    """The Explanation of a fitted EPCA on the Reduction it was fitted to.

    The residuals are plain lengths; d and the losses are those of the smoothed lengths √(t² + ε²),
    with which the fit works.
    """
    residuals = residual_lengths(reduction.data, model.mean_, model.components_.T)
    lengths = reduction.smooth(residuals)
    loss = SigmaLoss(model.sigma)
    d = loss.weight(lengths)
    eta = d * model.direct_weight_
    return Explanation(residuals, d, model.alpha_, model.direct_weight_, eta, loss.value(lengths))


def sigma_from_residuals(reduction, n_components):
    """σ from the data alone: an eighth of the median residual length of classical PCA at rank c.

    A rule of thumb that needs no clean image.
    """
    _, residuals = reduction.classical(n_components)
    return float(np.median(residuals)) / RESIDUAL_PART
