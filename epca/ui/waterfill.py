"""Weights for losses one types in: water-filling at γ = 1, dense weights above, several minima below."""

import re

import numpy as np
import streamlit as st

from epca.activation import activate, count_equivalent, local_minima
from epca.plots.framework import bars_figure, minima_figure, pair_figure, waterfill_figure
from epca.ui import charts, memory
from epca.ui.settings import KEPT

FEWEST, MOST, SMALLEST, LARGEST = 2, 12, 1e-6, 1e6
EXAMPLE = "2, 2.3, 2.7, 3, 3.5, 4, 9"
GAMMA = "1: sparse and unique. Above 1: all activated. Below 1: sparse, with several minima."
NO_SWAP = "No equal losses can swap their weights here: try 1, 1, 1, 1, 1, 1."


def parse(text):
    """Losses (n,) from numbers between commas or blanks; ValueError says what is wrong in one sentence."""
    losses = []
    for part in re.split(r"[,;\s]+", text.strip(" ,;")):
        try:
            losses.append(float(part))
        except ValueError:
            raise ValueError(
                f"“{part[:20]}” is not a number; write losses such as {EXAMPLE}."
            ) from None
        if not SMALLEST <= losses[-1] <= LARGEST:
            raise ValueError(
                f"The loss {losses[-1]:g} must be between {SMALLEST:g} and {LARGEST:g}."
            )
    if not FEWEST <= len(losses) <= MOST:
        raise ValueError(
            f"The number of losses is {len(losses)} and must be between {FEWEST} and {MOST}; put commas between them."
        )
    return np.array(losses)


def swapped(losses, weights):
    """Weights (n,) of the same objective: those of equal losses in the opposite order."""
    other = weights.copy()
    for loss in np.unique(losses):
        other[losses == loss] = weights[losses == loss][::-1]
    return other


def explain(losses, gamma, activation, minima):
    """What this γ makes of the losses, in words."""
    k, n, value = activation.n_activated, len(losses), activation.objective
    if gamma == 1:
        return f"γ = 1: sparse and unique. {k} of {n} losses are activated; the objective is {value:.6g}."
    if gamma > 1:
        return (
            f"γ > 1: dense and unique. All {n} losses are activated, the smaller ones more, and a larger γ makes them more even. "
            f"There is no level to fill up to. The objective is {value:.6g}."
        )
    copies = count_equivalent(losses, activation.weights)
    many = (
        f"**{copies} different weights reach it**, for equal losses may swap theirs."
        if copies > 1
        else NO_SWAP
    )
    counts = ", ".join(str(minimum.n_activated) for minimum in minima)
    others = (
        " Other choices of losses have minima of their own, every pair for one." if n > 2 else ""
    )
    return (
        f"γ < 1: sparse and *not convex*. The smallest objective, {value:.6g}, activates {k} of {n} losses. {many} Activating the "
        f"k smallest losses is a local minimum for k = {counts}.{others} A search that only goes downhill may end in any of them."
    )


@memory.fragment
def show():
    """Losses and γ to set; the weights, and the picture that γ allows."""
    entry, slider = st.columns([3, 2])
    text = entry.text_input(
        "Losses f",
        EXAMPLE,
        max_chars=200,
        key="losses",
        help=f"{FEWEST} to {MOST} numbers above 0.",
        **KEPT,
    )
    gamma = slider.slider(
        "γ of these weights", 0.2, 5.0, 1.0, 0.1, key="gamma_losses", help=GAMMA, **KEPT
    )
    try:
        losses = parse(text)
    except ValueError as error:
        st.error(str(error))
        return
    minima = local_minima(losses, gamma) if gamma < 1 else [activate(losses, gamma)]
    activation = min(minima, key=lambda minimum: minimum.objective)
    st.markdown(explain(losses, gamma, activation, minima))
    row = charts.wide_row("losses")
    other = swapped(losses, activation.weights)
    figure = (
        bars_figure(activation.weights, activation.weights, "Weights of the losses", "w")
        if np.array_equal(other, activation.weights)
        else pair_figure(activation.weights, other)
    )
    charts.show(figure, "losses_weights", place=row)
    if gamma == 1:
        figure = waterfill_figure(losses, activation.weights, activation.multiplier**0.5)
        charts.show(figure, "losses_water", place=row)
    elif gamma < 1:
        objectives = [minimum.objective for minimum in minima]
        figure = minima_figure(
            [minimum.n_activated for minimum in minima], objectives, int(np.argmin(objectives))
        )
        charts.show(figure, "losses_minima", place=row)
    st.markdown(
        r"$\min_w \sum_i \dfrac{f_i}{1-w_i^\gamma}$ with $\sum_i w_i=1,\ 0\le w_i<1$ (Eqs. 1 and 14)"
    )
