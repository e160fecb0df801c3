"""Rows of pictures: one image after the other, from its clean state to its residual."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from epca.data import ImageSet
from epca.images import heat_montage, labelled, montage, png, row
from epca.views.comparison import OCCLUDED, first_stage


class Heat(NamedTuple):
    """Signed values (1, k, h, w), drawn in colour: −limit is blue, 0 white, +limit vermilion."""

    values: np.ndarray
    limit: float


def count(images: np.ndarray | Heat) -> int:
    """How many pictures a row has."""
    return (images.values if isinstance(images, Heat) else images).shape[1]


def laid_out(
    images: np.ndarray | Heat, *, gap: int = 2, zoom: int = 3, most: int | None = None
) -> np.ndarray:
    """Pixels of a row of images (1, k, h, w).

    most : pixels of a picture's longer side; of larger ones every second, third, … is taken
    """
    values = images.values if isinstance(images, Heat) else images
    thin = 1 if most is None else -(-max(values.shape[2:]) // most)
    values = values[..., ::thin, ::thin]
    if isinstance(images, Heat):
        return heat_montage(values, images.limit, gap=gap, zoom=zoom)
    return montage(values, gap=gap, zoom=zoom)


def as_one(stages: Mapping[str, np.ndarray | Heat], ids: Iterable) -> bytes:
    """The rows of all stages as one PNG, with their labels and the numbers of the images."""
    rows = {label: laid_out(images) for label, images in stages.items()}
    return png(labelled(rows, [str(name) for name in ids]))


def stages(
    X: np.ndarray, model: Any, images: ImageSet, clean: np.ndarray | None = None
) -> dict[str, np.ndarray | Heat]:
    """Label → row of pictures of X (n, d), its reconstruction and the residual in colour.

    The clean ones come first, if they are given.
    """
    shape = images.image_shape
    back = model.reconstruct(X)
    limit = max(np.abs(X - back).max(), 1e-9)
    rows = {}
    if clean is None:
        rows["Face"] = row(X, shape, len(X))
    else:
        rows[first_stage(images)] = row(clean, shape, len(X))
        rows[OCCLUDED] = row(X, shape, len(X))
    rows["Reconstruction"] = row(back, shape, len(X))
    rows[f"Residual, ±{limit:.0f}"] = Heat(row(X - back, shape, len(X)), limit)
    return rows
