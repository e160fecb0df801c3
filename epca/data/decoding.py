"""One picture's bytes → what its header says, and its grey levels."""

from contextlib import contextmanager
from io import BytesIO
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from epca.data.blocks import check_blocks
from epca.data.imageset import HALF, DataError, resize_known
from epca.data.limits import FORMATS, MAX_PIXELS, MAX_SIDE
from epca.data.lines import check_lines
from epca.data.scale import are_whole, choose_scale

# how pictures begin, broken ones too
SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
# by their mode in Pillow
DEEP = {"F": "Floating-point pictures", "I": "Pictures of more than 8 bits"}


class Header(NamedTuple):
    """What a picture's header says."""

    size: tuple  # (width, height), upright
    mode: str
    n_pixels: int  # as stored
    has_frames: bool
    is_slow: bool  # whether Pillow decodes it in Python
    is_cut: bool  # whether Pillow reduces it from 16 bits to 8

    @property
    def depth(self):
        """Key of DEEP where grey levels need a scale, else empty."""
        return self.mode[0] if self.mode[0] in DEEP else ""


def read_header(content, name):
    """What a picture's header says, or None where the content is no picture of a known format."""
    check_blocks(name, content)
    try:
        with _open(content, name) as image:
            tiles = str(image.tile)
            has_16_bits = ";16" in tiles or "65535" in tiles
            return Header(
                size=image.size[::-1] if _is_lying(image) else image.size,
                mode=image.mode,
                n_pixels=image.width * image.height,
                has_frames=getattr(image, "is_animated", False),
                is_slow=any(tile[0] in Image.DECODERS for tile in image.tile),
                is_cut=has_16_bits and image.mode[0] not in DEEP,
            )
    except (DataError, MemoryError):
        raise
    except Exception:  # Pillow's readers raise whatever broken content makes them raise
        if content.startswith(SIGNATURES):
            raise DataError(_broken(name)) from None
        return None


def _is_lying(image):
    """Whether a mark says that the picture must be turned by 90°.

    It is looked for only where that does not decode the picture.
    """
    if image.format == "TIFF" or (image.format == "PNG" and "exif" not in image.info):
        return False  # a TIFF's size is turned already
    return image.getexif().get(0x0112, 1) in (5, 6, 7, 8)


def decode(content, name, shape, scale=None, *, hidden=None, by_alpha=False):
    """A picture's bytes → grey levels uint8 and what is unknown, of the given (height, width).

    scale is for pictures of more than 8 bits. Unknown are the pixels hidden (h, w) of the upright
    picture; where by_alpha, the transparent ones; else none.
    """
    with _decoding(name), _open(content, name) as image:
        check_lines(name, content, image)
        image = ImageOps.exif_transpose(image)
        if by_alpha and image.has_transparency_data:
            hidden = np.asarray(image.convert("RGBA").getchannel("A")) < HALF
        if scale:
            image = Image.fromarray(scale(image))
        if image.mode not in ("L", "RGB"):
            image = image.convert("RGB")
        grey = image.convert("L")
        if hidden is not None and hidden.shape != grey.size[::-1]:
            raise DataError(
                f"{name[-80:]}: upright it has another size than its mask; "
                "save both without a mark of orientation."
            )
        if hidden is not None:
            return resize_known(grey, hidden, shape)
        if grey.size != shape[::-1]:
            grey = grey.resize(shape[::-1])
        return np.asarray(grey), np.zeros(shape, bool)


@contextmanager
def _decoding(name):
    try:
        yield
    except (DataError, MemoryError):
        raise
    except Exception:
        raise DataError(_broken(name)) from None


def _broken(name):
    return f"{name[-80:]}: the picture is broken; replace it or leave it out."


def _open(content, name):
    """Open without decoding; refuse what would decode to too much."""
    rule = f"at most {MAX_PIXELS:,} and {MAX_SIDE:,} a side are read; make it smaller."
    try:
        image = Image.open(BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise DataError(
            f"{name[-80:]} has more than {Image.MAX_IMAGE_PIXELS:,} pixels: {rule}"
        ) from None
    width, height = image.size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise DataError(f"{name[-80:]} has {width:,} × {height:,} pixels: {rule}")
    return image


def find_scales(headers, read, find_hidden=lambda path: None):
    """Depth → the Scale of its grey levels.

    All pictures of a depth share one, from the smallest to the largest value among them. Values of
    the pixels find_hidden(path), which is (h, w) or None, count only where all are hidden.
    """
    ranges = {}
    for path, header in headers.items():
        if header.depth:
            found = _range(read(path), "/".join(path), find_hidden(path))
            ranges.setdefault(header.depth, []).append(found)
    scales = {}
    for depth, found in ranges.items():
        lows, highs, wholes = zip(*found, strict=True)
        low, high, is_whole = min(lows), max(highs), all(wholes)
        is_16_bit = depth == "I" and 0 <= low <= high <= 65535
        scales[depth] = choose_scale(low, high, is_16_bit=is_16_bit, is_whole=is_whole)
    return scales


def _range(content, name, hidden):
    """A picture's smallest and largest value, but for what is hidden, and whether all are whole."""
    with _decoding(name), _open(content, name) as image:
        values = np.asarray(ImageOps.exif_transpose(image))
        if not np.all(np.isfinite(values)):
            raise DataError(
                f"{name[-80:]}: it has values that are NaN or infinite; replace them by numbers."
            )
        if hidden is not None and hidden.shape == values.shape and not hidden.all():
            values = values[~hidden]
        return float(values.min()), float(values.max()), are_whole(values)
