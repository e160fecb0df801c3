"""Pictures from arrays: many images as one montage, PNG bytes, the icon; QR codes of links."""

from base64 import b64encode
from functools import lru_cache
from io import BytesIO

import numpy as np
import segno
from PIL import Image, ImageColor, ImageDraw, ImageFont

from epca import palette

BLUE = ImageColor.getrgb(palette.BLUE)
VERMILION = ImageColor.getrgb(palette.VERMILION)
IN_A_ROW = 8  # pictures


def montage(images, *, gap=2, zoom=3):
    """Lay images (r, k, h, w) with grey levels 0…255 out as r rows of k.

    Each pixel is drawn zoom × zoom. Returns uint8 (height, width, 2), grey and opacity: gaps and
    NaN are transparent, so any page colour shows through.
    """
    grey = np.clip(np.rint(np.nan_to_num(images)), 0, 255).astype(np.uint8)
    return tile(np.stack([grey, _opacity(images)], axis=-1), gap, zoom)


def heat_montage(values, limit, *, gap=2, zoom=3):
    """The same for signed values: −limit is blue, 0 white, +limit vermilion.

    Returns uint8 (height, width, 4).
    """
    share = np.clip(np.nan_to_num(values) / limit, -1, 1)[..., np.newaxis]
    colours = 255 + np.abs(share) * (np.where(share < 0, BLUE, VERMILION) - 255.0)
    colours = np.rint(colours).astype(np.uint8)
    opacity = _opacity(values)[..., np.newaxis]
    return tile(np.concatenate([colours, opacity], axis=-1), gap, zoom)


def row(X, shape):
    """Images X (n, h·w) as one row (1, n, h, w) for a montage."""
    return X.reshape(1, -1, *shape)


def labelled(rows, names, *, size=18):
    """Rows {label: pixels as `montage` gives them} below each other on white.

    Labels stand to the left, names above the pictures. Returns uint8 (height, width, 3).
    """
    font = ImageFont.load_default(size)
    left = int(max(font.getlength(label) for label in rows)) + size
    top = 2 * size
    right = max(pixels.shape[1] for pixels in rows.values())
    height = top + sum(len(pixels) for pixels in rows.values())
    sheet = Image.new("RGB", (left + right, height), "white")
    draw = ImageDraw.Draw(sheet)
    for i, name in enumerate(names):
        place = (left + (i + 0.5) * right / len(names), top / 2)
        draw.text(place, name, "black", font, anchor="mm")
    for label, pixels in rows.items():
        picture = Image.fromarray(pixels).convert("RGBA")
        sheet.paste(picture, (left, top), picture)
        draw.text((0.5 * size, top + len(pixels) / 2), label, "black", font, anchor="lm")
        top += len(pixels)
    return np.asarray(sheet)


def _opacity(images):
    return 255 * np.isfinite(images).astype(np.uint8)


def tile(pixels, gap, zoom):
    """Lay pixels (r, k, h, w, channels) out as r rows of k, with transparent gaps."""
    n_rows, n_columns, height, width, channels = pixels.shape
    zoomed = pixels.repeat(zoom, axis=2).repeat(zoom, axis=3)
    cells = np.pad(zoomed, ((0, 0), (0, 0), (gap, gap), (gap, gap), (0, 0)))
    full_height = n_rows * (height * zoom + 2 * gap)
    full_width = n_columns * (width * zoom + 2 * gap)
    return cells.transpose(0, 2, 1, 3, 4).reshape(full_height, full_width, channels)


def png(pixels):
    """Encode uint8 pixels (h, w) or (h, w, 2 to 4) as PNG bytes, quickly rather than small."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def data_url(pixels):
    """Pixels as `png` takes them, as an address that holds the picture itself."""
    return f"data:image/png;base64,{b64encode(png(pixels)).decode()}"


def favicon():
    """A subspace and samples around it.

    It is drawn here, because a named icon would be fetched from another host.
    """
    size = 32
    picture = np.full((size, size, 3), 255, dtype=np.uint8)
    across, down = np.meshgrid(np.arange(size), np.arange(size))
    picture[abs(across + down - size) <= 2] = BLUE
    for x, y in [(8, 20), (14, 22), (22, 8), (24, 26)]:
        picture[(across - x) ** 2 + (down - y) ** 2 <= 9] = VERMILION
    return Image.fromarray(picture)


@lru_cache(128)
def qr_code(link):
    """The link as a QR code in SVG, black on white with its quiet zone, for pages of any colour."""
    text = BytesIO()
    options = {"border": 4, "dark": "#000", "light": "#fff", "omitsize": True, "xmldecl": False}
    segno.make_qr(link, error="m").save(text, kind="svg", **options)
    return text.getvalue().decode()
