"""What is said of a preview: what it is made of, and how far off it was."""

from typing import Any

import numpy as np

from epca.views.comparison import Comparison

SAME = 5e-5  # relative differences below this are called none


def text(shown: Comparison) -> str:
    """That it is one, and of what."""
    n_axes = shown.prepared.reduction.coordinates.shape[1]
    n_pixels = shown.prepared.clean.shape[1]
    return (
        f":blue-background[**Preview**] PCA and {shown.name} within {n_axes} of the images' "
        f"{n_pixels:,} dimensions. The exact fits replace it when they are ready."
    )


def difference(preview: dict[str, Any], exact: dict[str, Any]) -> str:
    """How far off the preview was: its error, or, without clean images, its objective."""
    name = "error" if np.isfinite(exact["error"]) else "objective"
    change = preview[name] / exact[name] - 1 if exact[name] else 0.0
    if abs(change) < SAME:
        return f"Exact. The preview's {name} was the same to four digits."
    way = "higher" if change > 0 else "lower"
    return f"Exact. The preview's {name} was {abs(change):.2%} {way}."
