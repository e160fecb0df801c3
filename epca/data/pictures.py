"""Picture files → grey images of one size."""

from collections import Counter

import numpy as np

from epca.data.decoding import DEEP, decode, find_scales, read_header
from epca.data.imageset import (
    MASKS,
    NONE,
    TRANSPARENT,
    VANISHED,
    DataError,
    build,
    listed,
    resized_notice,
    target_shape,
)
from epca.data.limits import MAX_BYTES, MAX_DECODED, MAX_IMAGES, MAX_SLOW, MAX_VALUES
from epca.data.masks import check_hidden, hint, mask_reader, split_masks
from epca.data.paths import folder_labels, natural

COLOURED = ("RGB", "RGBA", "P", "CMYK", "YCbCr", "LAB", "HSV")
READ = "PNG, JPEG, PGM/PPM, BMP, TIFF and GIF are read"


def read_pictures(name, paths, read, source, *, size=None, is_occluded=False, unknown=NONE):
    """Build a set from picture files: paths as tuples of names, and read(path) → bytes.

    Other files are left out. There are two passes: the first reads the headers and settles the
    size, so that no picture is decoded in vain. Pixels that are more than half transparent are
    unknown with unknown="transparent", and opaque otherwise. Masks of other pictures are told from
    pictures with unknown="masks" alone.
    """
    headers, skipped = _read_headers(paths, read)
    if not headers:
        raise DataError(f"{name}: no picture among its {len(skipped)} files; {READ}.")
    if len(headers) > MAX_IMAGES:
        raise DataError(
            f"{name}: {len(headers):,} images; at most {MAX_IMAGES:,} are read. Give fewer."
        )
    _check_pixels(name, headers.values())
    masks = {}
    if unknown == MASKS:
        headers, masks = split_masks(name, headers, skipped)
    (width, height), _ = Counter(header.size for header in headers.values()).most_common(1)[0]
    shape = target_shape(height, width, size)
    if len(headers) * shape[0] * shape[1] > MAX_VALUES:
        raise DataError(
            f"{name}: {len(headers):,} images of {shape[1]} × {shape[0]} pixels are too many; "
            "give fewer or smaller ones."
        )
    find_hidden = mask_reader(masks, read)
    scales = find_scales(headers, read, find_hidden)
    decoded = []
    is_hiding = False
    for path, header in headers.items():
        how = {"hidden": find_hidden(path), "by_alpha": unknown == TRANSPARENT}
        is_hiding |= how["hidden"] is not None and bool(how["hidden"].any())
        scale = scales.get(header.depth)
        decoded.append(decode(read(path), "/".join(path), shape, scale, **how))
    images, hidden = map(np.stack, zip(*decoded, strict=True))
    if unknown == MASKS:
        check_hidden(name, is_hiding)
    notices = [*_notices(headers, (height, width), shape, skipped)]
    notices += [f"{DEEP[depth]}: {scale.rule}" for depth, scale in scales.items() if scale.rule]
    notices += [VANISHED] if is_hiding and not hidden.any() else []
    notices += [f"{len(masks)} of {len(headers)} images have a mask."] if masks else []
    labels, class_names = folder_labels(list(headers))
    options = {"class_names": class_names, "is_occluded": is_occluded, "unknown": hidden}
    return build(name, images, labels, source, notices, hint=hint(unknown), **options)


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
    scales = find_scales({(name,): header}, lambda _: content)
    return decode(content, name, shape, scales.get(header.depth))[0]


def _notices(headers, most, shape, skipped):
    """What was changed: most is the (height, width) of most pictures, shape that of the set."""
    others = sum(header.size != most[::-1] for header in headers.values())
    if others:
        yield (
            f"{others} of {len(headers)} images had another size than {most[1]} × {most[0]} "
            "and were stretched to it."
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
        is_one = len(skipped) == 1
        what = "file that is no picture was" if is_one else "files that are no pictures were"
        yield f"{len(skipped)} {what} left out: {names}."
