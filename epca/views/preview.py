"""What is said of a preview: what it is made of, and how far off it was."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from epca.views.comparison import Comparison

SAME = 5e-5  # relative differences below this are called none
NAMED = 2  # methods; more are counted
ONLY = "Preview: the exact fits may differ a little."  # in files that outlast it

Rows = Mapping[str, Mapping[str, Any]]  # label → row of measures


def text(shown: Comparison) -> str:
    """That these fits are one, and of what."""
    n_axes = shown.prepared.reduction.coordinates.shape[1]
    n_pixels = shown.prepared.clean.shape[1]
    names = [shown.name if label == "EPCA" else label for label in shown.fits]
    who = " and ".join(names) if len(names) <= NAMED else f"{len(names)} methods"
    return (
        f":blue-background[**Preview**] {who} within {n_axes} of the images' "
        f"{n_pixels:,} dimensions. The exact fits replace it when they are ready."
    )


def difference(preview: Rows, exact: Rows) -> str:
    """How far off the preview was: its error, or, without clean images, its objective.

    Of several methods it is the one that was off most.
    """
    name = "error" if all(np.isfinite(row["error"]) for row in exact.values()) else "objective"
    changes = {label: _change(preview[label][name], exact[label][name]) for label in exact}
    label = max(changes, key=lambda label: np.nan_to_num(abs(changes[label]), posinf=np.inf))
    change = changes[label]
    is_one = len(changes) == 1
    what = f"Exact. The preview's {name}{' was' if is_one else 's were'}"
    if abs(change) < SAME:
        return f"{what} the same to four digits."
    if np.isinf(change):
        return (
            f"Exact. The preview's {name} of {label} was {preview[label][name]:.4g} instead of 0."
        )
    way = "higher" if change > 0 else "lower"
    if is_one:
        return f"{what} {abs(change):.2%} {way}."
    return f"{what} off by {abs(change):.2%} at most: {label}'s was {way}."


def _change(value: float, exact: float) -> float:
    if exact:
        return value / exact - 1
    return np.inf if value else 0.0
