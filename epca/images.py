"""Pictures from arrays: many images as one montage, PNG bytes, the icon."""

from io import BytesIO

import numpy as np
from PIL import Image


def montage(images, *, gap=2, zoom=3):
    """Lay images (r, k, h, w) with grey levels 0…255 out as r rows of k, each pixel drawn zoom × zoom.

    Returns uint8 (height, width, 2), grey and opacity: gaps and NaN are transparent, so any page colour shows through.
    """
    n_rows, n_columns, height, width = images.shape
    opacity = 255 * np.isfinite(images).astype(np.uint8)
    grey = np.clip(np.rint(np.nan_to_num(images)), 0, 255).astype(np.uint8)
    pixels = np.stack([grey, opacity], axis=-1).repeat(zoom, axis=2).repeat(zoom, axis=3)
    cells = np.pad(pixels, ((0, 0), (0, 0), (gap, gap), (gap, gap), (0, 0)))
    shape = n_rows * (height * zoom + 2 * gap), n_columns * (width * zoom + 2 * gap), 2
    return cells.transpose(0, 2, 1, 3, 4).reshape(shape)


def png(pixels):
    """Encode uint8 pixels (h, w), (h, w, 2) or (h, w, 3) as PNG bytes, quickly rather than small."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def favicon(size=32):
    """A subspace and samples around it. Drawn here: a named icon would be fetched from another host."""
    picture = np.full((size, size, 3), 255, dtype=np.uint8)
    across, down = np.meshgrid(np.arange(size), np.arange(size))
    picture[abs(across + down - size) <= 2] = (0, 114, 178)
    for x, y in [(8, 20), (14, 22), (22, 8), (24, 26)]:
        picture[(across - x) ** 2 + (down - y) ** 2 <= 9] = (213, 94, 0)
    return Image.fromarray(picture)
