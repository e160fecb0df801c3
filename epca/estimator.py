"""Enhanced PCA.

R. Zhang, H. Zhang, X. Li, "Enhanced Principal Component Analysis under a Collaborative-Robust
Framework", arXiv 2103.11931, 2021. Equation numbers are the paper's; rows of X are samples, where
the paper has columns.
"""

from typing import NamedTuple

import numpy as np

from epca.base import AUTO, BEYOND, PAPER, BasePCA, Parameter, check_co_robust
from epca.linalg import weighted_learner
from epca.losses import SigmaLoss
from epca.solver import co_robust, left_out_lengths

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
        PCA; inf is allowed; "auto" → `sigma_from_residuals`, which follows the scale of the data
    gamma : γ ≥ 1 of the weights 1/(1 − α^γ) (Eq. 14); 1 → sparse α as in the paper, larger → dense,
        closer to uniform
    left_out : judge every sample by the residual it would have in a fit without it, see
        `LeftOutEPCA`; then it is not the paper's method
    max_iter, tol : stop when the objective changes by at most tol of its value, or after max_iter;
        larger tol → stops earlier. With 1e-6, α of the faces `orl` is within 3e-3 of its limit for
        c ≤ 30, but only within 4e-2 for c = 50; with 1e-12 it is within 1e-4

    Attributes
    ----------
    alpha_ : (n,) α on the simplex
    n_activated_ : k, how many α are not zero
    direct_weight_ : (n,) 1/(1 − α^γ)
    sample_weight_ : (n,) η/Ση
    sigma_ : σ as a number
    left_out_residuals_ : (n,) with left_out, the smoothed lengths that α and η answer to
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
    group = PAPER
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
        "left_out": Parameter(
            "Judges every sample by the residual it would have in a fit without it, "
            "a guard against collapse."
        ),
    }

    def __init__(
        self, n_components, *, sigma=1.0, gamma=1.0, left_out=False, max_iter=100, tol=1e-6
    ):
        self.n_components = n_components
        self.sigma = sigma
        self.gamma = gamma
        self.left_out = left_out
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        check_co_robust(self, may_be_auto=True)
        vars(self).pop("left_out_residuals_", None)  # of an earlier fit
        weighted_pca = weighted_learner(reduction, self.n_components)

        def learn(weights):  # m, W and the new t (steps 2 and 3)
            subspace, residuals = weighted_pca(weights)
            return subspace, lengths_for(self, reduction, subspace, residuals, weights)

        subspace, residuals = reduction.classical(self.n_components)
        start = lengths_for(self, reduction, subspace, residuals, np.ones_like(residuals))
        self.sigma_ = sigma_for(self, reduction)
        loss = SigmaLoss(self.sigma_)
        loop = {"max_iter": self.max_iter, "tol": self.tol, "left_out": self.left_out}
        solution, activation = co_robust(learn, start, loss, self.gamma, callback=callback, **loop)
        if self.left_out:
            self.left_out_residuals_ = solution.residuals
        self.alpha_ = activation.weights
        self.n_activated_ = activation.n_activated
        self.direct_weight_ = activation.direct_weights
        return solution


class LeftOutEPCA(EPCA):
    """EPCA with left-out residuals, the guard against collapse: EPCA(left_out=True), by its name.

    A flexible subspace passes through any sample that has enough weight. Its residual is small
    because the sample was used, and that earns it more weight still. So every sample is judged by
    the residual it would have in a fit without it, t_i/(1 − h_i) with its leverage h_i
    (`epca.solver.left_out_lengths`). α and d both come from these lengths:

    1. Start at classical PCA with η = 1/n; left-out lengths; α, d and the objective J from them.
    2. η_i = d_i/(1 − α_i); m and W by PCA with weights η; left-out lengths with this η; α, d, J.
    3. Repeat step 2 until J rests. Where J rises, from the second time on, keep what was before.

    **Deviation:** this is not the paper's method, and it does not descend the paper's objective
    (27): Theorem 2 does not cover it. J is (27) with the left-out lengths in place of t. Exact
    duplicates among the samples still vouch for each other.

    Parameters and attributes are those of `EPCA`.
    """

    label = "EPCA, left-out"
    group = BEYOND
    objective = (
        r"\text{as EPCA, with } \frac{\|(I-WW^\top)(x_i-m)\|}{1-\text{leverage}_i} "
        r"\text{ in place of the residual}"
    )
    parameters = {
        name: parameter for name, parameter in EPCA.parameters.items() if name != "left_out"
    }
    left_out = True

    def __init__(self, n_components, *, sigma=1.0, gamma=1.0, max_iter=100, tol=1e-6):
        self.n_components = n_components
        self.sigma = sigma
        self.gamma = gamma
        self.max_iter = max_iter
        self.tol = tol


def lengths_for(model, reduction, subspace, residuals, weights):
    """The lengths (n,) by which an EPCA judges the samples: smoothed residuals, perhaps left-out.

    subspace and residuals (n,) are those of the PCA with these weights (n,). Where all residuals
    are rounding, as at the rank of the data, leverages mean nothing and are left alone.
    """
    if model.left_out and residuals.max() > reduction.smoothing:
        residuals = left_out_lengths(residuals, reduction.project(subspace)[0], weights)
    return reduction.smooth(residuals)


class Explanation(NamedTuple):
    """How each sample enters a fitted EPCA: every field is an array (n,)."""

    residuals: np.ndarray  # the distance to the subspace
    lengths: np.ndarray  # t, by which it is judged: the smoothed residual, or the left-out one
    d: np.ndarray  # h′(t)/(2t), what the loss makes of the length (Eq. 28)
    alpha: np.ndarray  # α, the learned weight
    direct_weight: np.ndarray  # 1/(1 − α^γ)
    eta: np.ndarray  # η = d/(1 − α^γ), the weight in the PCA step
    losses: np.ndarray  # h(t); times the direct weight, they add up to the objective


def explain(model, reduction):
    """The Explanation of a fitted EPCA, with the Reduction it was fitted to.

    The residuals are plain distances. d and the losses follow from `lengths`, with which the fit
    works: √(residual² + ε²), or the left-out residuals.
    """
    residuals = model.residuals_
    lengths = model.left_out_residuals_ if model.left_out else reduction.smooth(residuals)
    loss = SigmaLoss(model.sigma_)
    d = loss.weight(lengths)
    eta = d * model.direct_weight_
    losses = loss.value(lengths)
    return Explanation(residuals, lengths, d, model.alpha_, model.direct_weight_, eta, losses)


def sigma_from_residuals(reduction, n_components):
    """σ from the data alone: an eighth of the median residual length of classical PCA at rank c.

    A rule of thumb that needs no clean image.
    """
    _, residuals = reduction.classical(n_components)
    return sigma_from_lengths(residuals)


def sigma_from_lengths(lengths):
    """The same from the residual lengths (n,) of classical PCA, where they are at hand."""
    return float(np.median(lengths)) / RESIDUAL_PART


def sigma_for(model, reduction):
    """σ of an EPCA as a number, also where it is "auto".

    Where PCA fits half of the samples exactly, that is the smoothing length ε: σ may not be 0.
    """
    if model.sigma != AUTO:
        return model.sigma
    return max(sigma_from_residuals(reduction, model.n_components), reduction.smoothing)
