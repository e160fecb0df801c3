"""Rows of pictures: one image after the other, from its clean state to its residual."""

from typing import Any

import numpy as np

from epca.data import ImageSet
from epca.images import heat_montage, montage, png, row
from epca.views.comparison import OCCLUDED, first_stage

OPAQUE = [0, 0, 0, 1]  # channels that turn grey and opacity into colours and opacity


def laid_out(images: np.ndarray) -> np.ndarray:
    """Pixels of images (1, k, h, w); pixels that are laid out already stay as they are."""
    return montage(images) if images.ndim == 4 else images


def as_one(stages: dict[str, np.ndarray]) -> bytes:
    """The rows of all stages as one PNG."""
    rows = []
    for images in stages.values():
        pixels = laid_out(images)
        rows.append(pixels[..., OPAQUE] if pixels.shape[-1] == 2 else pixels)
    return png(np.concatenate(rows))


def stages(
    X: np.ndarray, model: Any, images: ImageSet, clean: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Label → row of pictures of X (n, d), its reconstruction and the residual in colour.

    The clean ones come first, if they are given.
    """
    shape = images.image_shape
    back = model.reconstruct(X)
    limit = max(np.abs(X - back).max(), 1e-9)
    rows = {}
    if clean is None:
        rows["Face"] = row(X, shape)
    else:
        rows[first_stage(images)] = row(clean, shape)
        rows[OCCLUDED] = row(X, shape)
    rows["Reconstruction"] = row(back, shape)
    rows[f"Residual, ±{limit:.0f}"] = heat_montage(row(X - back, shape), limit)
    return rows
