"""Picture files → grey images of one size."""

from collections import Counter
from contextlib import contextmanager
from io import BytesIO
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from epca.data.blocks import check_blocks
from epca.data.imageset import (
    HALF,
    NONE,
    TRANSPARENT,
    DataError,
    build,
    listed,
    resize_known,
    resized_notice,
    target_shape,
)
from epca.data.limits import (
    FORMATS,
    MAX_BYTES,
    MAX_DECODED,
    MAX_IMAGES,
    MAX_PIXELS,
    MAX_SIDE,
    MAX_SLOW,
    MAX_VALUES,
)
from epca.data.lines import check_lines
from epca.data.paths import folder_labels, natural
from epca.data.scale import choose_scale

# how pictures begin, broken ones too
SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
# by their mode in Pillow
DEEP = {"F": "Floating-point pictures", "I": "Pictures of more than 8 bits"}
COLOURED = ("RGB", "RGBA", "P", "CMYK", "YCbCr", "LAB", "HSV")
READ = "PNG, JPEG, PGM/PPM, BMP, TIFF and GIF are read"


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


def read_pictures(name, paths, read, source, *, size=None, is_occluded=False, unknown=NONE):
    """Build a set from picture files: paths as tuples of names, and read(path) → bytes.

    Other files are left out. There are two passes: the first reads the headers and settles the
    size, so that no picture is decoded in vain. With unknown="transparent", pixels that are more
    than half transparent are unknown; else they are as opaque ones.
    """
    headers, skipped = _read_headers(paths, read)
    if not headers:
        raise DataError(f"{name}: no picture among its {len(skipped)} files; {READ}.")
    if len(headers) > MAX_IMAGES:
        raise DataError(
            f"{name}: {len(headers):,} images; at most {MAX_IMAGES:,} are read. Give fewer."
        )
    _check_pixels(name, headers.values())
    (width, height), _ = Counter(header.size for header in headers.values()).most_common(1)[0]
    shape = target_shape(height, width, size)
    if len(headers) * shape[0] * shape[1] > MAX_VALUES:
        raise DataError(
            f"{name}: {len(headers):,} images of {shape[1]} × {shape[0]} pixels are too many; "
            "give fewer or smaller ones."
        )
    scales = _scales(headers, read)
    options = {"is_masked": unknown == TRANSPARENT}
    decoded = [
        decode(read(path), "/".join(path), shape, scales.get(header.depth), **options)
        for path, header in headers.items()
    ]
    images, hidden = map(np.stack, zip(*decoded, strict=True))
    notices = [*_notices(headers, (height, width), shape, skipped)]
    notices += [f"{DEEP[depth]}: {scale.rule}" for depth, scale in scales.items() if scale.rule]
    labels, class_names = folder_labels(list(headers))
    options = {"class_names": class_names, "is_occluded": is_occluded, "unknown": hidden}
    return build(name, images, labels, source, notices, **options)


def _read_headers(paths, read):
    """Path → Header of the pictures, in natural order; and the paths of the other files."""
    headers = {}
    skipped = []
    for path in sorted(paths, key=lambda path: [natural(part) for part in path]):
        header = read_header(read(path), "/".join(path))
        if header is None:
            skipped.append(path)
        else:
            headers[path] = header
    return headers, skipped


def _check_pixels(name, headers):
    n_pixels = sum(header.n_pixels for header in headers)
    if n_pixels > MAX_DECODED:
        raise DataError(
            f"{name}: {n_pixels:,} pixels in all; at most {MAX_DECODED:,} are read. "
            "Give fewer or smaller images."
        )
    n_slow = sum(header.n_pixels for header in headers if header.is_slow)
    if n_slow > MAX_SLOW:
        raise DataError(
            f"{name}: {n_slow:,} pixels in PGM/PPM files written as text or with an unusual "
            f"maximum, or in packed BMP files; at most {MAX_SLOW:,} are read. Save them as PNG."
        )


def read_picture(name, content, shape):
    """One picture's bytes → grey levels uint8 of the given (height, width)."""
    if len(content) > MAX_BYTES:
        what = f"{name[-80:]}: {len(content):,} bytes"
        raise DataError(f"{what}; at most {MAX_BYTES:,} are read. Make it smaller.")
    header = read_header(content, name)
    if header is None:
        raise DataError(f"{name[-80:]}: this is no picture; {READ}.")
    scales = _scales({(name,): header}, lambda _: content)
    return decode(content, name, shape, scales.get(header.depth))[0]


def _scales(headers, read):
    """Depth → the Scale of its grey levels.

    All pictures of a depth share one, from the smallest to the largest value among them.
    """
    ranges = {}
    for path, header in headers.items():
        if header.depth:
            low, high = _range(read(path), "/".join(path))
            former = ranges.get(header.depth, (low, high))
            ranges[header.depth] = min(low, former[0]), max(high, former[1])
    scales = {}
    for depth, (low, high) in ranges.items():
        is_whole = depth == "I"
        is_16_bit = is_whole and 0 <= low <= high <= 65535
        scales[depth] = choose_scale(low, high, is_16_bit=is_16_bit, is_whole=is_whole)
    return scales


def _range(content, name):
    """Smallest and largest value of a picture."""
    with _decoding(name), _open(content, name) as image:
        values = np.asarray(image)
        if not np.all(np.isfinite(values)):
            raise DataError(
                f"{name[-80:]}: it has values that are NaN or infinite; replace them by numbers."
            )
        return float(values.min()), float(values.max())


def _notices(headers, most, shape, skipped):
    """What was changed: most is the (height, width) of most pictures, shape that of the set."""
    others = sum(header.size != most[::-1] for header in headers.values())
    if others:
        yield (
            f"{others} of {len(headers)} images had another size and were stretched "
            f"to that of most, {most[1]} × {most[0]}."
        )
    if shape != most:
        yield resized_notice(most, shape)
    if any(header.has_frames for header in headers.values()):
        yield "Of pictures with several frames or pages the first frame was taken."
    if any(header.mode in COLOURED for header in headers.values()):
        yield "Colours were turned into grey levels."
    if any(header.is_cut for header in headers.values()):
        yield "Colours of 16 bits were reduced to 8."
    if skipped:
        names = listed(["/".join(path)[-80:] for path in skipped])
        yield f"{len(skipped)} files that are no pictures were left out: {names}."


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
    except Exception as error:  # Pillow's readers raise whatever broken content makes them raise
        if content.startswith(SIGNATURES):
            raise DataError(_broken(name, error)) from None
        return None


def _is_lying(image):
    """Whether a mark says that the picture must be turned by 90°.

    It is looked for only where that does not decode the picture.
    """
    if image.format == "TIFF" or (image.format == "PNG" and "exif" not in image.info):
        return False  # a TIFF's size is turned already
    return image.getexif().get(0x0112, 1) in (5, 6, 7, 8)


def decode(content, name, shape, scale=None, *, is_masked=False):
    """A picture's bytes → grey levels uint8 and what is unknown, of the given (height, width).

    scale is for pictures of more than 8 bits. Where is_masked, transparent pixels are unknown, and
    else none.
    """
    with _decoding(name), _open(content, name) as image:
        check_lines(name, content, image)
        image = ImageOps.exif_transpose(image)
        hidden = None
        if is_masked and image.has_transparency_data:
            hidden = np.asarray(image.convert("RGBA").getchannel("A")) < HALF
        if scale:
            image = Image.fromarray(scale(image))
        if image.mode not in ("L", "RGB"):
            image = image.convert("RGB")
        grey = image.convert("L")
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
    except Exception as error:
        raise DataError(_broken(name, error)) from None


def _broken(name, error):
    what = f"the picture is broken ({type(error).__name__})"
    return f"{name[-80:]}: {what}; replace it or leave it out."


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
