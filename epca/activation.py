"""From losses to weights: the closed form of the co-robust framework (Eqs. 1–12), and γ > 1.

The extension by γ is that of Eqs. 13–14. For γ < 1 the solutions are not unique: `epca.nonconvex`.
"""

from numbers import Real
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

# √f given to a single zero loss, relative to the next one (Remark 1 asks for "a tiny value")
LONE_ZERO = 1e-8
LARGEST_GAMMA = 1e6  # beyond it, 1 − w^γ has no digits left


class Activation(NamedTuple):
    """Optimal weights for fixed losses."""

    weights: np.ndarray  # (n,) w on the simplex
    n_activated: int  # k: how many of them are not zero
    direct_weights: np.ndarray  # (n,) 1/(1 − w^γ): above 1 if the sample is activated, else 1
    objective: float  # Σ f_i/(1 − w_i^γ), the smallest value possible
    multiplier: float  # λ = f_i·γ·w_i^(γ−1)/(1 − w_i^γ)², the marginal cost of activated samples


def activate(losses, gamma=1.0):
    """Minimise Σ f_i/(1 − w_i^γ) over Σ w_i = 1, 0 ≤ w_i < 1 (Eqs. 1 and 14).

    The losses f (n,) must be ≥ 0, with n ≥ 2. Both cases have one solution:

    γ = 1 → sparse: w_i = max(0, 1 − (k−1)√f_i/S_k), where S_k is the sum of the k smallest √f
    (Eq. 11). One sort and one cumulative sum find k: the test √f_k < S_k/(k−1) of Eq. 12 holds up
    to k and fails after it.
    γ > 1 → dense: every weight is positive; larger γ → closer to uniform.

    Two or more zero losses share all the weight equally; a single one counts as tiny (Remark 1).

    **Deviation:** Eq. 10 prints k + Σ where k − Σ is meant, and the paper calls the solution unique
    for every γ > 0; that holds for γ ≥ 1 only (ten equal losses at γ = ½ have 210 minimisers).

    >>> activate([1.0, 4.0, 9.0, 16.0]).weights.round(3).tolist()
    [0.667, 0.333, 0.0, 0.0]
    """
    if not (isinstance(gamma, Real) and 1 <= gamma <= LARGEST_GAMMA):
        raise ValueError(
            f"gamma={gamma!r} must be a number >= 1 and <= {LARGEST_GAMMA:g} here; "
            "epca.nonconvex.activate handles gamma < 1."
        )
    return activate_with(_sparse if gamma == 1 else _dense, losses, gamma)


def activate_with(solve, losses, gamma):
    """Check the losses (n,), settle those of zero, and let `solve` find the weights of the others.

    solve : (√f (n,) > 0 on a safe scale, γ) → (weights (n,), direct weights (n,), λ)
    """
    losses = check_losses(losses)
    roots, scale = scaled_roots(losses)
    zero = roots == 0
    if np.count_nonzero(zero) >= 2:
        weights = zero / np.count_nonzero(zero)
        return as_activation(losses, weights, 1 / (1 - weights**gamma), 0.0, scale)
    if zero.any():
        roots[zero] = LONE_ZERO * roots[~zero].min()
    with np.errstate(over="ignore"):  # λ may overflow where f does not
        weights, direct_weights, multiplier = solve(roots, gamma)
    return as_activation(losses, weights, direct_weights, multiplier, scale)


def check_losses(losses):
    """Losses as an array (n,) of floats, n ≥ 2; anything but finite numbers ≥ 0 is refused."""
    losses = np.asarray(losses, dtype=float)
    if losses.ndim != 1 or len(losses) < 2:
        raise ValueError(
            f"losses must be one-dimensional with at least 2 entries; got shape {losses.shape}."
        )
    if not (losses.min() >= 0 and losses.max() < np.inf):
        wrong = np.flatnonzero(~((losses >= 0) & (losses < np.inf)))
        raise ValueError(
            f"losses must be finite and >= 0; {len(wrong)} of {len(losses)} are not, "
            f"the first is {losses[wrong[0]]} at index {wrong[0]}."
        )
    return losses


def scaled_roots(losses):
    """√f (n,) divided by a scale that makes the largest about 1, and that scale.

    The scale is a power of two, so that losses which tie on the level still do.
    """
    scale = 2.0 ** np.frexp(np.sqrt(losses.max()))[1]
    return np.sqrt(losses) / scale, scale


def as_activation(losses, weights, direct_weights, multiplier, scale):
    """The Activation of losses (n,) from weights found on scaled roots; λ is scaled back."""
    with np.errstate(over="ignore"):  # Σf or λ may overflow where each f does not
        objective = float(losses @ direct_weights)
        multiplier = float(multiplier * scale**2)
    weights = weights / weights.sum()  # exact up to rounding already; a million roundings add up
    return Activation(
        weights, int(np.count_nonzero(weights)), direct_weights, objective, multiplier
    )


def _sparse(roots, _):
    """γ = 1: water-filling. Samples with √f below √λ = S_k/(k−1) are activated (Eqs. 8–12)."""
    ordered = np.sort(roots)
    k = 1 + np.count_nonzero(ordered[1:] * np.arange(1, len(roots)) < np.cumsum(ordered)[1:])
    k = max(k, 2)
    level = max(ordered[:k].sum() / (k - 1), np.nextafter(ordered[k - 1], np.inf))
    # the direct weight straight from the level: 1/(1 − w) would divide by zero where w rounds to 1
    return np.maximum(0, 1 - roots / level), np.maximum(1, level / roots), level**2


# γ ≠ 1, here and in `epca.nonconvex`. The KKT condition is f·γ·w^(γ−1)/(1−w^γ)² = λ.
# With z = log(y/(1−y)), y = w^γ, and a = (γ−1)/γ its logarithm is
#     L(z) = log γ + a·z + (2−a)·log(1 + e^z) = log λ − log f,
# a convex function with slopes between a and 2: Newton's method from the side where L is too large
# cannot overshoot. Nothing here is lost to rounding: log w = −log(1 + e^−z)/γ,
# 1/(1 − w^γ) = 1 + e^z, and Σw − 1 starts from the largest w.


def _dense(roots, gamma):
    """γ > 1: L increases from −∞ to ∞, so each λ gives every sample one positive weight.

    The λ that makes the weights sum to 1 is searched for.
    """
    order = np.argsort(roots, kind="stable")
    log_losses = 2 * np.log(roots[order])

    def log_odds(log_multiplier):
        excess = log_multiplier - log_losses - np.log(gamma)
        start = np.minimum(excess / 2, excess * gamma / (gamma - 1))
        return solve_log_odds(excess, gamma, start)

    equal_share = log_marginal(-np.log(len(roots)), gamma)
    bracket = log_losses[0] + equal_share - 1e-6, log_losses[-1] + equal_share + 1e-6
    log_multiplier = brentq(lambda m: surplus(log_odds(m), gamma), *bracket, xtol=1e-14)
    z = np.empty_like(roots)
    z[order] = log_odds(log_multiplier)
    # every weight is positive, though it may be too small to be a number
    weights = np.maximum(weight_at(z, gamma), np.finfo(float).tiny)
    return weights, 1 + np.exp(z), np.exp(log_multiplier)


def solve_log_odds(excess, gamma, start):
    """Solve L(z) = log γ + excess for z elementwise, from a start where L is not smaller."""
    a = (gamma - 1) / gamma
    z = start
    for _ in range(100):
        rising_share = expit(z)
        too_large = np.maximum(a * z + (2 - a) * np.logaddexp(0, z) - excess, 0)
        step = too_large / (a * (1 - rising_share) + 2 * rising_share)
        z = z - step
        is_rounding = too_large <= 2e-16 * (1 + np.abs(excess))  # steps stay large where L is flat
        if (is_rounding | (np.abs(step) <= 1e-15 * (1 + np.abs(z)))).all():
            break
    return z


def weight_at(z, gamma):
    """w of log-odds z, elementwise."""
    return np.exp(-np.logaddexp(0, -z) / gamma)


def surplus(z, gamma):
    """Σw − 1 along the last axis, to full precision even where the first weight is nearly 1."""
    first = np.expm1(-np.logaddexp(0, -z[..., 0]) / gamma)
    return first + weight_at(z[..., 1:], gamma).sum(axis=-1)


def log_marginal(log_weight, gamma):
    """log(γ w^(γ−1)/(1 − w^γ)²): how fast 1/(1 − w^γ) grows with w."""
    return np.log(gamma) + (gamma - 1) * log_weight - 2 * np.log(-np.expm1(gamma * log_weight))
