"""Weights for losses a visitor types in: sparse at γ = 1, dense above, several minima below."""

import re

import numpy as np
import plotly.graph_objects as go

from epca.activation import Activation, activate
from epca.nonconvex import count_equivalent, local_minima
from epca.plots.framework import bars_figure, minima_figure, pair_figure, waterfill_figure

FEWEST, MOST = 2, 12  # losses
SMALLEST, LARGEST = 1e-6, 1e6
LONGEST = 200  # characters
EXAMPLE = "2, 2.3, 2.7, 3, 3.5, 4, 9"
PROBLEM = (
    r"$\min_w \sum_i \dfrac{f_i}{1-w_i^\gamma}$ with $\sum_i w_i=1,\ 0\le w_i<1$ (Eqs. 1 and 14)"
)
NO_SWAP = "No equal losses can swap their weights here: try 1, 1, 1, 1, 1, 1."


def parse(text: str) -> np.ndarray:
    """Read losses (n,) between commas or blanks; ValueError says in a sentence what is wrong."""
    losses = [_number(part) for part in re.split(r"[,;\s]+", text) if part]
    if not FEWEST <= len(losses) <= MOST:
        raise ValueError(
            f"The number of losses is {len(losses)} and must be between {FEWEST} and {MOST}; "
            f"put commas between them, such as {EXAMPLE}."
        )
    return np.array(losses)


def _number(text: str) -> float:
    try:
        loss = float(text)
    except ValueError:
        raise ValueError(
            f"“{text[:20]}” is not a number; write losses such as {EXAMPLE}."
        ) from None
    if not SMALLEST <= loss <= LARGEST:
        raise ValueError(f"The loss {loss:g} must be between {SMALLEST:f} and {LARGEST:,.0f}.")
    return loss


def minimise(losses: np.ndarray, gamma: float) -> tuple[Activation, list[Activation]]:
    """Return the weights of the smallest objective, and all local minima: for γ ≥ 1 just one."""
    if gamma >= 1:
        activation = activate(losses, gamma)
        return activation, [activation]
    minima = local_minima(losses, gamma)
    return min(minima, key=lambda minimum: minimum.objective), minima


def swapped(losses: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return weights (n,) of the same objective: those of equal losses in the opposite order."""
    other = weights.copy()
    for loss in np.unique(losses):
        other[losses == loss] = weights[losses == loss][::-1]
    return other


def explain(
    losses: np.ndarray, gamma: float, activation: Activation, minima: list[Activation]
) -> str:
    """Say what this γ makes of the losses."""
    k = activation.n_activated
    n = len(losses)
    value = f"{activation.objective:.6g}"
    if gamma == 1:
        return (
            f"γ = 1: sparse and unique. {k} of {n} losses are activated; the objective is {value}."
        )
    if gamma > 1:
        return (
            f"γ > 1: dense and unique. All {n} losses are activated, the smaller ones more, and a "
            "larger γ makes them more even. There is no level to fill up to. "
            f"The objective is {value}."
        )
    counts = ", ".join(str(minimum.n_activated) for minimum in minima)
    return (
        f"γ < 1: sparse and *not convex*. The smallest objective, {value}, activates {k} of {n} "
        f"losses. {_copies(losses, activation)} Activating the k smallest losses is a local "
        f"minimum for k = {counts}.{_others(n)} A search that only goes downhill may end in any "
        "of them."
    )


def _copies(losses: np.ndarray, activation: Activation) -> str:
    copies = count_equivalent(losses, activation.weights)
    if copies == 1:
        return NO_SWAP
    return f"**{copies} different weights reach it**, because equal losses may swap theirs."


def _others(n: int) -> str:
    if n == 2:
        return ""
    return " Other choices of losses, such as every pair, have minima of their own."


def figures(
    losses: np.ndarray, gamma: float, activation: Activation, minima: list[Activation]
) -> dict[str, go.Figure]:
    """Draw the weights, and the picture that this γ allows, by the charts' keys."""
    weights = activation.weights
    other = swapped(losses, weights)
    drawn = {}
    if np.array_equal(other, weights):
        drawn["losses_weights"] = bars_figure(weights, weights, "Weights of the losses", "w")
    else:
        drawn["losses_weights"] = pair_figure(weights, other)
    if gamma == 1:
        drawn["losses_water"] = waterfill_figure(losses, weights, activation.multiplier**0.5)
    elif gamma < 1:
        counts = [minimum.n_activated for minimum in minima]
        objectives = [minimum.objective for minimum in minima]
        drawn["losses_minima"] = minima_figure(counts, objectives, int(np.argmin(objectives)))
    return drawn
