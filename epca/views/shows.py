"""What the matrix of Compare can show of an image beside reconstructions: what methods say of it.

A method may tell which pixels it ignores, or split the image into a low-rank part and a sparse one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from epca.data import ImageSet
from epca.images import row
from epca.registry import METHODS
from epca.views.pictures import Heat, Pictures, ignored
from epca.views.texts import UNKNOWN

RECONSTRUCTIONS = "reconstructions"
RESIDUALS = "residuals"
ERRORS = "errors"
IGNORED = "ignored"
SPLIT = "low-rank"
SHOWS = {  # code → label
    RECONSTRUCTIONS: "reconstructions",
    RESIDUALS: "residuals",
    ERRORS: "errors",
    IGNORED: "ignored",
    SPLIT: "low-rank",
}
NONE = {  # why a method has no such pictures
    IGNORED: "the method judges no pixels, and ignores some in robust reconstructions alone.",
    SPLIT: "the method has a subspace of rank c, and no parts L and S.",
}
LOW_RANK = "{}: L"  # labels of the parts
SPARSE = "{}: S"


def splits(label: str) -> bool:
    """Whether the method splits its images into a low-rank part L and a sparse part S."""
    return hasattr(METHODS[label], "low_rank_")


def shows_for(images: ImageSet, labels: Sequence[str]) -> tuple[str, ...]:
    """Codes of what can be shown: errors need clean images, the parts a method that has them."""
    has_parts = any(map(splits, labels))
    is_offered = {ERRORS: not images.is_occluded, SPLIT: has_parts}
    return tuple(show for show in SHOWS if is_offered.get(show, True))


def missing_text(models: Mapping[str, Any], show: str, *, is_robust: bool) -> str:
    """Why there is a dash in place of a method's pictures; empty where there is none."""
    is_whole = {
        IGNORED: is_robust or all(model.is_cellwise for model in models.values()),
        SPLIT: all(map(splits, models)),
    }
    return "" if is_whole.get(show, True) else f"“{UNKNOWN}” in place of pictures: {NONE[show]}"


def ignored_rows(
    models: Mapping[str, Any],
    X: np.ndarray,
    ids: Sequence[int],
    shape: tuple[int, int],
    *,
    is_robust: bool,
) -> dict[str, Pictures]:
    """Label → what the method takes for occlusion, of those that judge the pixels of X (n, d)."""
    found = {}
    for label, model in models.items():
        levels = ignored(model, X, ids, is_robust=is_robust)
        if levels is not None:
            found[label] = row(levels, shape)
    return found


def split_rows(
    models: Mapping[str, Any], X: np.ndarray, ids: Sequence[int], shape: tuple[int, int]
) -> dict[str, Pictures]:
    """The parts L and S of these images of X (n, d), a row each, of methods that have them."""
    sparse = {label: model.sparse_[ids] for label, model in models.items() if splits(label)}
    limit = max([1e-9, *(float(np.abs(part).max()) for part in sparse.values())])
    found: dict[str, Pictures] = {}
    for label, part in sparse.items():
        found[LOW_RANK.format(label)] = row(X[ids] - part, shape)
        found[SPARSE.format(label)] = Heat(row(part, shape), limit)
    return found


def in_order(
    found: Mapping[str, Pictures], labels: Sequence[str], missing: Mapping[str, str]
) -> dict[str, Pictures | str]:
    """A line for every method, or two for its parts; a text stands where it has no pictures."""
    rows: dict[str, Pictures | str] = {}
    for label in labels:
        parts = (LOW_RANK.format(label), SPARSE.format(label))
        own = [name for name in (label, *parts) if name in found]
        rows |= {name: found[name] for name in own} or {label: missing[label]}
    return rows
