"""Rows of pictures: one image after the other, from its clean state to its residual."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from epca.data import ImageSet
from epca.experiment import Prepared
from epca.images import heat_montage, labelled, montage, png, row, tile
from epca.views.comparison import MASK, OCCLUDED

OPAQUE = [0, 0, 0, 1]  # channels that turn grey and opacity into colours and opacity


class Heat(NamedTuple):
    """Signed values (1, k, h, w), drawn in colour: −limit is blue, 0 white, +limit vermilion."""

    values: np.ndarray
    limit: float


class Coloured(NamedTuple):
    """Pictures in colour and opacity: uint8 (1, k, h, w, 4)."""

    pixels: np.ndarray


STAGES = ("Clean", OCCLUDED, "EPCA", "Residual")  # of one image
IGNORED = "Ignored"  # label of what a robust reconstruction takes for occlusion
ROBUST_STAGES = ("Clean", OCCLUDED, "Robust", "Residual", IGNORED, MASK)  # short: two more


Pictures = np.ndarray | Heat | Coloured  # a row: in grey, signed, or in colour


def count(images: Pictures) -> int:
    """How many pictures a row has."""
    return (images if isinstance(images, np.ndarray) else images[0]).shape[1]


def laid_out(
    images: Pictures, *, gap: int = 2, zoom: int = 3, most: int | None = None
) -> np.ndarray:
    """Pixels of a row of images (1, k, h, w).

    most : pixels of a picture's longer side; of larger ones every second, third, … is taken
    """
    values = images if isinstance(images, np.ndarray) else images[0]
    thin = 1 if most is None else -(-max(values.shape[2:4]) // most)
    values = values[:, :, ::thin, ::thin]
    if isinstance(images, Coloured):
        return tile(values, gap, zoom)
    if isinstance(images, Heat):
        return heat_montage(values, images.limit, gap=gap, zoom=zoom)
    return montage(values, gap=gap, zoom=zoom)


def as_one(stages: Mapping[str, Pictures], ids: Iterable) -> bytes:
    """The rows of all stages as one PNG, with their labels and the numbers of the images."""
    rows = {label: laid_out(images) for label, images in stages.items()}
    return png(labelled(rows, [str(name) for name in ids]))


def stages(X: np.ndarray, model: Any, images: ImageSet) -> dict[str, Pictures]:
    """Label → row of pictures of X (n, d): reconstructions, the residual in colour, bad pixels.

    White pixels are those that the robust reconstruction ignores.
    """
    shape = images.image_shape
    back = model.reconstruct(X, robust=False)
    limit = max(np.abs(X - back).max(), 1e-9)
    return {
        "Face": row(X, shape),
        "Reconstruction": row(back, shape),
        f"Residual, ±{limit:.0f}": Heat(row(X - back, shape), limit),
        "Robust reconstruction": row(model.reconstruct(X, robust=True), shape),
        "Ignored": row(255 * (1 - model.pixel_weights(X)), shape),
    }


def ignored(
    model: Any, X: np.ndarray, ids: Sequence[int], *, is_robust: bool = False
) -> np.ndarray | None:
    """What the model takes for occlusion in these images (k, d) of X, as grey levels: white is it.

    It is how little a pixel is trusted: in the fit of a cellwise method, which for PCP tells how
    large its sparse part is there, or in robust reconstructions of others. NaN where the pixel is
    unknown; None where no pixel is judged.
    """
    if model.is_cellwise:
        return np.where(np.isnan(X[ids]), np.nan, 255 * (1 - model.cell_weight_[ids]))
    return 255 * (1 - model.pixel_weights(X[ids])) if is_robust else None


def beside(
    prepared: Prepared,
    ids: Sequence[int],
    model: Any,
    *,
    is_robust: bool = False,
    further: Sequence[np.ndarray] = (),
) -> list[Coloured]:
    """Per image one row: clean, occluded, reconstruction, residual, and further ones, in grey.

    The residuals share one scale. Each of the further ones is (k, d), an image per id.
    """
    shape = prepared.images.image_shape
    X = prepared.occluded.X[ids]
    back = model.reconstruct(X, robust=is_robust or None)
    limit = max(np.abs(X - back).max(), 1e-9)
    rows = []
    for parts in zip(prepared.clean[ids], X, back, X - back, *further, strict=True):
        cells = [_coloured(values, shape) for values in parts]
        cells[3] = heat_montage(parts[3].reshape(1, 1, *shape), limit, gap=0, zoom=1)
        rows.append(Coloured(np.stack(cells)[np.newaxis]))
    return rows


def _coloured(values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Grey levels (d,) as pixels (h, w, 4)."""
    return montage(values.reshape(1, 1, *shape), gap=0, zoom=1)[..., OPAQUE]
