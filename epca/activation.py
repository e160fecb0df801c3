"""From losses to weights: the closed form of the co-robust framework (Eqs. 1–12) and its γ extension (Eqs. 13–14)."""

from collections import Counter
from math import factorial, prod
from numbers import Real
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

LONE_ZERO = 1e-8  # √f given to a single zero loss, relative to the next one (Remark 1 asks for "a tiny value")
GAMMA_RANGE = 1e-3, 1e6  # beyond, 1 − w^γ has no digits left


class Activation(NamedTuple):
    """Optimal weights for fixed losses."""

    weights: np.ndarray  # (n,) w on the simplex
    n_activated: int  # k: how many of them are not zero
    direct_weights: (
        np.ndarray
    )  # (n,) 1/(1 − w^γ): 1 for an inactive sample, above 1 for an activated one
    objective: float  # Σ f_i/(1 − w_i^γ), the smallest value possible
    multiplier: (
        float  # λ, the common marginal cost f_i·γ·w_i^(γ−1)/(1 − w_i^γ)² of the activated samples
    )


def activate(losses, gamma=1.0):
    """Minimise Σ f_i/(1 − w_i^γ) over Σ w_i = 1, 0 ≤ w_i < 1, for losses f (n,) ≥ 0, n ≥ 2 (Eqs. 1 and 14).

    γ = 1 → sparse and unique: w_i = max(0, 1 − (k−1)√f_i/S_k) with S_k the sum of the k smallest √f (Eq. 11). One sort
    and one cumulative sum find k: the test √f_k < S_k/(k−1) of Eq. 12 holds up to k and fails after it.
    γ > 1 → unique and dense: every weight is positive; larger γ → closer to uniform.
    γ < 1 → sparse and *not unique*: the smallest objective over all supports is taken, ties in f go by index. Every size of
    support is tried: meant for some hundred losses, and slow where they are nearly equal and γ is close to 1.

    Two or more zero losses share all the weight equally; a single one is treated as tiny (Remark 1).

    **Deviation:** Eq. 10 prints k + Σ where k − Σ is meant, and the paper calls the solution unique for every γ > 0;
    that holds for γ ≥ 1 only (ten equal losses at γ = ½ have 210 minimisers).

    >>> activate([1.0, 4.0, 9.0, 16.0]).weights.round(3).tolist()
    [0.667, 0.333, 0.0, 0.0]
    """
    losses = _check(losses, gamma)
    roots, scale = _scaled_roots(losses)
    zero = roots == 0
    if np.count_nonzero(zero) >= 2:
        weights = zero / np.count_nonzero(zero)
        return _activation(losses, weights, 1 / (1 - weights**gamma), 0.0, scale)
    if zero.any():
        roots[zero] = LONE_ZERO * roots[~zero].min()
    solve = _sparse if gamma == 1 else _dense if gamma > 1 else _sparse_not_unique
    with np.errstate(over="ignore"):  # λ may leave the range of numbers that f still lies in
        weights, direct_weights, multiplier = solve(roots, gamma)
    return _activation(losses, weights, direct_weights, multiplier, scale)


def local_minima(losses, gamma):
    """The strict local minima for γ < 1 that activate the k smallest of positive losses (n,): the best one for each k that has one.

    A weight of 0 is locally optimal whatever the loss, for its marginal cost is infinite there. So other choices of k losses
    have minima of their own; none is better than that of the k smallest.

    >>> [minimum.n_activated for minimum in local_minima([1.0, 1.0, 1.0, 1.0, 1.0], 0.5)]
    [2, 3, 4, 5]
    """
    losses = _check(losses, gamma)
    if not (gamma < 1 and losses.min() > 0):
        raise ValueError(
            f"gamma={gamma} must be below 1 and every loss above 0; the smallest is {losses.min()}."
        )
    roots, scale = _scaled_roots(losses)
    best = {}
    with np.errstate(over="ignore"):
        for point in _candidates(roots, gamma):
            if _is_strict_minimum(point[0], gamma):
                minimum = _activation(losses, *_on_support(point, roots, gamma), scale)
                rival = best.get(len(point[0]), minimum)
                best[len(point[0])] = min(rival, minimum, key=lambda it: it.objective)
    return list(best.values())


def count_equivalent(losses, weights):
    """How many different weights give the same objective because equal losses (n,) may swap theirs.

    >>> count_equivalent(np.ones(10), activate(np.ones(10), 0.5).weights)
    210
    """
    pairs = Counter(zip(losses, np.round(weights, 9), strict=True))
    return prod(map(factorial, Counter(losses).values())) // prod(map(factorial, pairs.values()))


def _check(losses, gamma):
    low, high = GAMMA_RANGE
    if not (isinstance(gamma, Real) and low <= gamma <= high):
        raise ValueError(f"gamma={gamma!r} must be a number between {low:g} and {high:g}.")
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


def _scaled_roots(losses):
    scale = (
        2.0 ** np.frexp(np.sqrt(losses.max()))[1]
    )  # a power of two: losses that tie on the level still do
    return np.sqrt(losses) / scale, scale


def _activation(losses, weights, direct_weights, multiplier, scale):
    with np.errstate(
        over="ignore"
    ):  # Σf or λ may leave the range of numbers that each f still lies in
        objective, multiplier = float(losses @ direct_weights), float(multiplier * scale**2)
    weights = weights / weights.sum()  # exact up to rounding already; a million roundings add up
    return Activation(
        weights, int(np.count_nonzero(weights)), direct_weights, objective, multiplier
    )


def _sparse(roots, _):
    """γ = 1: water-filling. Samples with √f below the level √λ = S_k/(k−1) are activated (Eqs. 8–12)."""
    ordered = np.sort(roots)
    k = 1 + np.count_nonzero(ordered[1:] * np.arange(1, len(roots)) < np.cumsum(ordered)[1:])
    k = max(k, 2)
    level = max(ordered[:k].sum() / (k - 1), np.nextafter(ordered[k - 1], np.inf))
    # the direct weight straight from the level: 1/(1 − w) would divide by zero where w rounds to 1
    return np.maximum(0, 1 - roots / level), np.maximum(1, level / roots), level**2


# γ ≠ 1. The KKT condition is f·γ·w^(γ−1)/(1−w^γ)² = λ. With z = log(y/(1−y)), y = w^γ, and a = (γ−1)/γ its logarithm is
#     L(z) = log γ + a·z + (2−a)·log(1 + e^z) = log λ − log f,
# a convex function with slopes between a and 2: Newton's method from the side where L is too large cannot overshoot.
# Nothing here is lost to rounding: log w = −log(1 + e^−z)/γ, 1/(1 − w^γ) = 1 + e^z, and Σw − 1 starts from the largest w.


def _dense(roots, gamma):
    """γ > 1: L increases from −∞ to ∞, so each λ gives every sample one positive weight; λ makes them sum to 1."""
    order = np.argsort(roots, kind="stable")
    log_losses = 2 * np.log(roots[order])

    def log_odds(log_multiplier):
        excess = log_multiplier - log_losses - np.log(gamma)
        return _newton(excess, gamma, start=np.minimum(excess / 2, excess * gamma / (gamma - 1)))

    equal_share = _log_marginal(-np.log(len(roots)), gamma)
    bracket = log_losses[0] + equal_share - 1e-6, log_losses[-1] + equal_share + 1e-6
    log_multiplier = brentq(lambda m: _surplus(log_odds(m), gamma), *bracket, xtol=1e-14)
    z = np.empty_like(roots)
    z[order] = log_odds(log_multiplier)
    weights = np.maximum(
        _weight(z, gamma), np.finfo(float).tiny
    )  # positive, though perhaps too small to write down
    return weights, 1 + np.exp(z), np.exp(log_multiplier)


def _sparse_not_unique(roots, gamma):
    """γ < 1: L falls, then rises, so the support must be chosen: a prefix of the sorted losses (by exchange).

    Of a support of size s at most the last weight lies on the falling branch (else two of them could be merged for a
    gain). Both cases are tried for s = 2, 3, … until s − 1 weights on the rising branch already exceed 1.
    """
    log_losses = _sorted_log_losses(roots)

    def cost(point):  # what activating adds to Σf
        return np.exp(log_losses[: len(point[0])] + point[0]).sum()

    return _on_support(min(_candidates(roots, gamma), key=cost), roots, gamma)


def _sorted_log_losses(roots):
    log_losses = 2 * np.log(np.sort(roots))
    log_losses[0] = max(
        log_losses[0], log_losses[1] + np.log(1e-300)
    )  # beyond, other weights are too small to write down
    return log_losses


def _candidates(roots, gamma):
    """All KKT points (log-odds z, log λ) on the s smallest losses with at most the last on the falling branch, s = 2, 3, …"""
    log_losses = _sorted_log_losses(roots)
    for size in range(2, len(roots) + 1):
        points, exhausted = _stationary_points(log_losses[:size], gamma)
        yield from points
        if exhausted:
            return


def _on_support(point, roots, gamma):
    """Weights (n,), direct weights (n,) and λ of a KKT point on the smallest losses; ties go by index."""
    z, log_multiplier = point
    support = np.argsort(roots, kind="stable")[: len(z)]
    weights, direct_weights = np.zeros_like(roots), np.ones_like(roots)
    weights[support] = _weight(z, gamma)
    direct_weights[support] = 1 + np.exp(z)
    return weights, direct_weights, np.exp(log_multiplier)


def _is_strict_minimum(z, gamma):
    """Whether the second derivatives b of the terms, of which at most one is negative, make Σb v² positive for Σv = 0.

    With f·φ′(w) = λ throughout, 1/b is proportional to w(1 − y)/((γ−1) + (γ+1)y), y = w^γ; with one b negative Σ1/b < 0 decides.
    """
    y = expit(z)
    bends = (gamma - 1) + (gamma + 1) * y
    return bool(
        np.all(bends > 0)
        or (np.count_nonzero(bends <= 0) == 1 and np.sum(_weight(z, gamma) * (1 - y) / bends) < 0)
    )


def _stationary_points(log_losses, gamma):
    """All KKT points (log-odds z, log λ) with every given loss in the support, γ < 1; and whether larger ones exist."""
    last = log_losses[-1]
    log_turn = np.log((1 - gamma) / (1 + gamma)) / gamma  # of the weight where L is smallest

    def rising(log_multiplier):
        excess = np.subtract.outer(log_multiplier, log_losses) - np.log(gamma)
        return _newton(excess, gamma, start=excess / 2)

    def falling(log_weight):  # the last sample has this weight, the others follow
        log_multiplier = last + _log_marginal(log_weight, gamma)
        z = rising(log_multiplier)
        z[..., -1] = gamma * log_weight - np.log(-np.expm1(gamma * log_weight))
        return z, log_multiplier

    def all_rising_surplus(log_multiplier):
        return _surplus(rising(log_multiplier), gamma)

    def one_falling_surplus(log_weight):
        return _surplus(falling(log_weight)[0], gamma)

    points = []
    lowest = last + _log_marginal(log_turn, gamma)
    at_turn = rising(lowest)
    if _surplus(at_turn, gamma) <= 0:
        highest = last + _log_marginal(max(-np.log(len(log_losses)), log_turn), gamma) + 1e-6
        log_multiplier = brentq(all_rising_surplus, lowest, highest, xtol=1e-14)
        points.append((rising(log_multiplier), log_multiplier))
    depth = (
        30 + last - log_losses[0] - 2 * np.log(gamma)
    )  # below, the last weight is too small to matter
    grid = log_turn - np.linspace(depth, 0, int(2 * depth) + 1)
    surplus = one_falling_surplus(grid)
    for i in np.flatnonzero(np.sign(surplus[:-1]) != np.sign(surplus[1:])):
        points.append(falling(brentq(one_falling_surplus, grid[i], grid[i + 1], xtol=1e-14)))
    return points, _surplus(at_turn[:-1], gamma) >= 0


def _newton(excess, gamma, start):
    """Solve L(z) = log γ + excess for z elementwise, from a start where L is not smaller."""
    a = (gamma - 1) / gamma
    z = start
    for _ in range(100):
        rising_share = expit(z)
        too_large = np.maximum(a * z + (2 - a) * np.logaddexp(0, z) - excess, 0)
        step = too_large / (a * (1 - rising_share) + 2 * rising_share)
        z = z - step
        rounding = too_large <= 2e-16 * (
            1 + np.abs(excess)
        )  # where L is flat, steps never get small
        if (rounding | (np.abs(step) <= 1e-15 * (1 + np.abs(z)))).all():
            break
    return z


def _weight(z, gamma):
    return np.exp(-np.logaddexp(0, -z) / gamma)


def _surplus(z, gamma):
    """Σw − 1 along the last axis, where the first weight is the largest and may be 1 but for the others."""
    return np.expm1(-np.logaddexp(0, -z[..., 0]) / gamma) + _weight(z[..., 1:], gamma).sum(axis=-1)


def _log_marginal(log_weight, gamma):
    """log(γ w^(γ−1)/(1 − w^γ)²): how fast 1/(1 − w^γ) grows with w."""
    return np.log(gamma) + (gamma - 1) * log_weight - 2 * np.log(-np.expm1(gamma * log_weight))
