"""Weights for γ < 1 (Eq. 14): the problem is not convex, and its solutions are not unique."""

from collections import Counter
from math import factorial, prod
from numbers import Real

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from epca.activation import (
    activate_with,
    as_activation,
    check_losses,
    log_marginal,
    scaled_roots,
    solve_log_odds,
    surplus,
    weight_at,
)

SMALLEST_GAMMA = 1e-3  # below it, 1 − w^γ has no digits left


def activate(losses, gamma):
    """Minimise Σ f_i/(1 − w_i^γ) over Σ w_i = 1, 0 ≤ w_i < 1, for γ < 1 (Eqs. 1 and 14).

    The losses f (n,) must be ≥ 0, with n ≥ 2. The solution is sparse and *not unique*: this is the
    one with the smallest objective over all supports, and equal losses are taken by index. Every
    size of support is tried. That suits some hundred losses; it is slow where they are nearly equal
    and γ is close to 1. Losses of zero are treated as in `epca.activation.activate`.

    >>> activate(np.ones(10), 0.5).weights.round(3).tolist()
    [0.25, 0.25, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    _check_gamma(gamma)
    return activate_with(_smallest, losses, gamma)


def local_minima(losses, gamma):
    """The strict local minima that activate the k smallest losses (n,) > 0: the best for each k.

    A weight of 0 is locally optimal whatever the loss, because its marginal cost is infinite there.
    So other choices of k losses have minima of their own; none is better than that of the k
    smallest. A k without a minimum is left out.

    >>> [minimum.n_activated for minimum in local_minima([1.0, 1.0, 1.0, 1.0, 1.0], 0.5)]
    [2, 3, 4, 5]
    """
    _check_gamma(gamma)
    losses = check_losses(losses)
    if losses.min() == 0:
        raise ValueError("losses must be above 0 here; the smallest is 0.")
    roots, scale = scaled_roots(losses)
    best = {}
    with np.errstate(over="ignore"):
        for point in _candidates(roots, gamma):
            if _is_strict_minimum(point[0], gamma):
                minimum = as_activation(losses, *_on_support(point, roots, gamma), scale)
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


def _check_gamma(gamma):
    if not (isinstance(gamma, Real) and SMALLEST_GAMMA <= gamma < 1):
        raise ValueError(
            f"gamma={gamma!r} must be a number >= {SMALLEST_GAMMA:g} and < 1 here; "
            "epca.activation.activate handles gamma >= 1."
        )


# The notation is that of `epca.activation`. For γ < 1, L falls and then rises, so the support must
# be chosen: it is a prefix of the sorted losses (by exchange). Of a support of size s at most the
# last weight lies on the falling branch, else two of them could be merged for a gain. Both cases
# are tried for s = 2, 3, … until s − 1 weights on the rising branch already exceed 1.


def _smallest(roots, gamma):
    """The weights of the stationary point with the smallest objective."""
    log_losses = _sorted_log_losses(roots)

    def cost(point):  # what activating adds to Σf
        return np.exp(log_losses[: len(point[0])] + point[0]).sum()

    return _on_support(min(_candidates(roots, gamma), key=cost), roots, gamma)


def _sorted_log_losses(roots):
    log_losses = 2 * np.log(np.sort(roots))
    # beyond this ratio the other weights are too small to be numbers
    log_losses[0] = max(log_losses[0], log_losses[1] + np.log(1e-300))
    return log_losses


def _candidates(roots, gamma):
    """All KKT points (log-odds z, log λ) on the s smallest losses, s = 2, 3, …

    At most the last of the s weights lies on the falling branch.
    """
    log_losses = _sorted_log_losses(roots)
    for size in range(2, len(roots) + 1):
        points, exhausted = _stationary_points(log_losses[:size], gamma)
        yield from points
        if exhausted:
            return


def _on_support(point, roots, gamma):
    """Weights (n,), direct weights (n,) and λ of a KKT point on the smallest losses.

    Equal losses are taken by index.
    """
    z, log_multiplier = point
    support = np.argsort(roots, kind="stable")[: len(z)]
    weights = np.zeros_like(roots)
    direct_weights = np.ones_like(roots)
    weights[support] = weight_at(z, gamma)
    direct_weights[support] = 1 + np.exp(z)
    return weights, direct_weights, np.exp(log_multiplier)


def _is_strict_minimum(z, gamma):
    """Whether Σ b_i v_i² > 0 for every v ≠ 0 with Σv = 0, b being the terms' second derivatives.

    At most one b is negative. With f·φ′(w) = λ throughout, 1/b is proportional to
    w(1 − y)/((γ−1) + (γ+1)y), y = w^γ. Where one b is negative, Σ1/b < 0 decides.
    """
    y = expit(z)
    bends = (gamma - 1) + (gamma + 1) * y
    if np.all(bends > 0):
        return True
    n_negative = np.count_nonzero(bends <= 0)
    return bool(n_negative == 1 and np.sum(weight_at(z, gamma) * (1 - y) / bends) < 0)


def _stationary_points(log_losses, gamma):
    """All KKT points (log-odds z, log λ) whose support is the given losses.

    Also returns whether the search may end because no larger support has any.
    """
    last = log_losses[-1]
    log_turn = np.log((1 - gamma) / (1 + gamma)) / gamma  # of the weight where L is smallest

    def rising(log_multiplier):
        excess = np.subtract.outer(log_multiplier, log_losses) - np.log(gamma)
        return solve_log_odds(excess, gamma, start=excess / 2)

    def falling(log_weight):  # the last sample has this weight, the others follow
        log_multiplier = last + log_marginal(log_weight, gamma)
        z = rising(log_multiplier)
        z[..., -1] = gamma * log_weight - np.log(-np.expm1(gamma * log_weight))
        return z, log_multiplier

    def all_rising_surplus(log_multiplier):
        return surplus(rising(log_multiplier), gamma)

    def one_falling_surplus(log_weight):
        return surplus(falling(log_weight)[0], gamma)

    points = []
    lowest = last + log_marginal(log_turn, gamma)
    at_turn = rising(lowest)
    if surplus(at_turn, gamma) <= 0:
        highest = last + log_marginal(max(-np.log(len(log_losses)), log_turn), gamma) + 1e-6
        log_multiplier = brentq(all_rising_surplus, lowest, highest, xtol=1e-14)
        points.append((rising(log_multiplier), log_multiplier))
    # below this depth the last weight is too small to matter
    depth = 30 + last - log_losses[0] - 2 * np.log(gamma)
    grid = log_turn - np.linspace(depth, 0, int(2 * depth) + 1)
    signs = np.sign(one_falling_surplus(grid))
    for i in np.flatnonzero(signs[:-1] != signs[1:]):
        points.append(falling(brentq(one_falling_surplus, grid[i], grid[i + 1], xtol=1e-14)))
    return points, surplus(at_turn[:-1], gamma) >= 0
