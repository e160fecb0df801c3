"""Picture files → grey images of one size."""

import re
from collections import Counter
from io import BytesIO
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from epca.data.imageset import DataError, build, listed, resized_notice, target_shape
from epca.data.limits import FORMATS, MAX_DECODED, MAX_IMAGES, MAX_PIXELS, MAX_SIDE, MAX_VALUES

SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")  # of pictures, broken ones too


class Header(NamedTuple):
    size: tuple  # (width, height), upright
    mode: str
    n_pixels: int  # as stored
    is_moving: bool


def natural(name):
    """Sort key with numbers by value: s2 before s10."""
    parts = re.split(r"([0-9]{1,18})", str(name))
    return [(0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts if part]


def read_pictures(name, paths, read, source, *, size=None, is_occluded=False):
    """Build a set from picture files: paths as tuples of names, and read(path) → bytes. Other files are left out.

    Two passes: the first reads headers and settles the size, so that no more is decoded than is kept.
    """
    headers, skipped = {}, []
    for path in sorted(paths, key=lambda path: [natural(part) for part in path]):
        header = read_header(read(path), "/".join(path))
        if header is None:
            skipped.append(path)
        else:
            headers[path] = header
    if not headers:
        raise DataError(f"{name}: no picture among its {len(skipped)} files; PNG, JPEG, PGM/PPM, BMP, TIFF and GIF are read.")
    if len(headers) > MAX_IMAGES:
        raise DataError(f"{name}: {len(headers):,} images; at most {MAX_IMAGES:,} are read. Give fewer.")
    n_pixels = sum(header.n_pixels for header in headers.values())
    if n_pixels > MAX_DECODED:
        raise DataError(f"{name}: {n_pixels:,} pixels in all; at most {MAX_DECODED:,} are read. Give fewer or smaller images.")
    (width, height), _ = Counter(header.size for header in headers.values()).most_common(1)[0]
    shape = target_shape(height, width, size)
    if len(headers) * shape[0] * shape[1] > MAX_VALUES:
        raise DataError(
            f"{name}: {len(headers):,} images of {shape[1]} × {shape[0]} pixels are too many; give fewer or smaller ones."
        )
    images = np.stack([decode(read(path), "/".join(path), shape) for path in headers])
    notices = list(_notices(headers, (height, width), shape, skipped))
    labels, class_names = folder_labels(list(headers))
    return build(name, images, labels, source, notices, class_names=class_names, is_occluded=is_occluded)


def _notices(headers, most, shape, skipped):
    others = sum(header.size != most[::-1] for header in headers.values())
    if others:
        yield f"{others} of {len(headers)} images had another size and were stretched to that of most, {most[1]} × {most[0]}."
    if shape != most:
        yield resized_notice(most, shape)
    if any(header.is_moving for header in headers.values()):
        yield "Of moving pictures the first frame was taken."
    if any(header.mode.startswith("I") for header in headers.values()):
        yield "16-bit grey levels were divided by 257, so that 65535 became 255."
    if any(header.mode == "F" for header in headers.values()):
        yield "Floating-point pictures were scaled so that their smallest value became 0 and their largest 255."
    if any(header.mode in ("RGB", "RGBA", "P", "CMYK", "YCbCr", "LAB", "HSV") for header in headers.values()):
        yield "Colours were turned into grey levels."
    if skipped:
        names = listed(["/".join(path)[-80:] for path in skipped])
        yield f"{len(skipped)} files that are no pictures were left out: {names}."


def read_header(content, name):
    """What a picture's header says, or None where the content is no picture of a known format."""
    try:
        with _open(content, name) as image:
            size = image.size[::-1] if _is_lying(image) else image.size
            return Header(size, image.mode, image.width * image.height, image.format in ("GIF", "PNG") and image.is_animated)
    except DataError:
        raise
    except Exception as error:  # Pillow's readers raise whatever broken content makes them raise
        if content.startswith(SIGNATURES):
            raise DataError(_broken(name, error)) from None
        return None


def _is_lying(image):
    """Whether a mark says that the picture must be turned by 90°. Looked for only where that does not decode it."""
    if image.format == "TIFF" or (image.format == "PNG" and "exif" not in image.info):
        return False  # a TIFF's size is turned already
    return image.getexif().get(0x0112, 1) in (5, 6, 7, 8)


def decode(content, name, shape):
    """A picture's bytes → grey levels uint8 of the given (height, width)."""
    try:
        with _open(content, name) as image:
            image = ImageOps.exif_transpose(image)
            if image.mode.startswith("I"):
                grey = np.asarray(image, dtype=float)
                grey = grey / 257 if image.mode != "I" or grey.max() > 255 else grey
                image = Image.fromarray(np.clip(np.rint(grey), 0, 255).astype(np.uint8))
            elif image.mode == "F":
                image = Image.fromarray(_stretch(np.asarray(image, dtype=float)))
            grey = image.convert("RGB").convert("L") if image.mode not in ("L", "RGB") else image.convert("L")
            return np.asarray(grey.resize(shape[::-1]) if grey.size != shape[::-1] else grey)
    except DataError:
        raise
    except Exception as error:
        raise DataError(_broken(name, error)) from None


def _broken(name, error):
    return f"{name[-80:]}: the picture is broken ({type(error).__name__}); replace it or leave it out."


def _stretch(values):
    if not np.all(np.isfinite(values)):
        raise DataError("a floating-point picture has values that are not finite; replace them.")
    spread = np.ptp(values) or 1.0
    return np.rint((values - values.min()) / spread * 255).astype(np.uint8)


def _open(content, name):
    """Open without decoding; refuse what would decode to too much."""
    rule = f"at most {MAX_PIXELS:,} and {MAX_SIDE:,} a side are read; make it smaller."
    try:
        image = Image.open(BytesIO(content), formats=FORMATS)
    except Image.DecompressionBombError:
        raise DataError(f"{name[-80:]} has more than {2 * Image.MAX_IMAGE_PIXELS:,} pixels: {rule}") from None
    width, height = image.size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise DataError(f"{name[-80:]} has {width:,} × {height:,} pixels: {rule}")
    return image


def folder_labels(paths):
    """The class (n,) of each picture and the classes' names: the folders they lie in, below what all have in common.

    (None, ()) where all lie in one folder.
    """
    parents = [path[:-1] for path in paths]
    common = 0
    while all(len(parent) > common for parent in parents) and len({parent[common] for parent in parents}) == 1:
        common += 1
    classes = [parent[common] if len(parent) > common else "(no folder)" for parent in parents]
    if len(set(classes)) == 1:
        return None, ()
    names = sorted(set(classes), key=natural)
    return np.array([names.index(name) for name in classes]), tuple(names)
