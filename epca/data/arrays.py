"""Arrays of a file (.npz, .npy, .mat) → grey images.

Decided here: which array holds the images, which way up they are, and on which scale.
"""

import numpy as np

from epca.data.imageset import HALF, MASKS, NAN, NONE, DataError, build, listed
from epca.data.limits import MAX_IMAGES, MAX_VALUES
from epca.data.masks import check_array, check_hidden, hint, take_masks
from epca.data.scale import are_whole, choose_scale

# names in use for the arrays of images and of labels
NAMES = (("images", "labels"), ("X", "y"), ("X", "Y"), ("fea", "gnd"), ("data", "target"))
STACK = {False: "(n, height, width)", True: "(height, width, n)"}  # Matlab has the images last
LAST_SIGN = 0x10FFFF  # of Unicode
LABELS = tuple(dict.fromkeys(labels for _, labels in NAMES))


def read_arrays(
    name,
    arrays,
    source,
    *,
    others=None,
    by_columns=False,
    size=None,
    is_occluded=False,
    unknown=NONE,
):
    """Build a set from named arrays.

    others : name → what it is, for variables that are no arrays of numbers
    by_columns : whether images are stored column by column, as Matlab does
    unknown : "nan" where NaN means an unknown pixel; else it is refused. "masks" where an array of
        that name, with the images' shape, tells which pixels are unknown
    """
    notices = []
    others = others or {}
    if unknown == MASKS:
        masks, arrays = take_masks(name, arrays, others)
    images, labels = pick(name, arrays, others, notices)
    labels = None if labels is None else flat_labels(name, labels)
    shape = images.shape
    images = as_stack(name, images, labels, by_columns, notices)
    hidden = None
    if unknown == NAN and images.dtype.kind == "f":
        check_no_infinity(name, images)
        hidden = np.isnan(images)
    if unknown == MASKS:
        check_finite(name, images)
        check_array(name, masks, shape)
        hidden = to_grey(name, as_stack(name, masks, labels, by_columns, []), []) >= HALF
        check_hidden(name, hidden.any())
    if hidden is not None and not hidden.all():  # what is unknown decides on no scale
        images = np.where(hidden, images[~hidden].min(), images)
    grey = to_grey(name, images, notices)
    is_occluded = is_occluded or bool(np.any(arrays.get("occluded", False)))
    options = {"size": size, "is_occluded": is_occluded, "unknown": hidden}
    return build(name, grey, labels, source, notices, hint=hint(unknown), **options)


def pick(name, arrays, others, notices):
    """The arrays of images and of labels, by the names in use.

    The labels are None where there are none; a notice then says what might have been them.
    """
    images = next((key for key, _ in NAMES if key in arrays or key in others), None)
    if images in others:
        raise DataError(
            f"{name}: {images} in it is {others[images]}, which is not read; "
            "save a full array of real numbers."
        )
    rest = [key for key in arrays if key not in (*LABELS, "occluded")]
    if images is None and len(rest) != 1:
        found = listed([*arrays, *_described(others)]) or "none at all"
        known = ", ".join(f"{images} and {labels}" for images, labels in NAMES)
        raise DataError(f"{name}: none of its arrays ({found}) is known; name them {known}.")
    images = images or rest[0]
    partners = [label for key, label in NAMES if key == images]
    labels = next((key for key in (*partners, *LABELS) if key in arrays), None)
    unused = [key for key in rest if key != images] + _described(others)
    if labels is None and unused:
        notices.append(
            f"No labels were read; left out: {listed(unused)}. "
            f"Labels are one number per image, named {', '.join(LABELS)}; "
            "in Matlab, [~, ~, gnd] = unique(names) makes numbers of names."
        )
    return arrays[images], arrays.get(labels)


def _described(others):
    return [f"{label} ({what})" for label, what in others.items() if label]


def flat_labels(name, labels):
    """Labels (n,) as stripped names or as numbers; whole numbers become integers."""
    is_float = labels.dtype.kind == "f"
    is_read = labels.dtype.kind in "biufUS"
    if not is_read or (is_float and not np.all(np.isfinite(labels))):
        raise DataError(
            f"{name}: labels of type {labels.dtype} are not read; "
            "give integers or names, one per image."
        )
    labels = np.ravel(labels)
    if labels.dtype.kind == "S":
        labels = np.char.decode(labels, "utf-8", "replace")
    if labels.dtype.kind == "U":
        if np.any(np.frombuffer(labels.tobytes(), labels.dtype.byteorder + "u4") > LAST_SIGN):
            raise DataError(f"{name}: labels with characters beyond Unicode; save them again.")
        return np.char.strip(labels)
    if is_float and np.all((labels == np.rint(labels)) & (np.abs(labels) < 2**53)):
        return labels.astype(np.int64)
    return labels


def as_stack(name, images, labels, by_columns, notices):
    """Images as (n, h, w), whatever the layout."""
    _check_images(name, images, by_columns)
    n_labels = len(labels) if labels is not None else None
    if images.ndim == 2:
        images = _squares(name, images, n_labels, by_columns)
        if by_columns:
            images = images.transpose(0, 2, 1)
            notices.append("Matlab stores images column by column; they were stood upright.")
    elif by_columns and (images.shape[-1] == n_labels or images.shape[0] != n_labels):
        images = np.moveaxis(images, -1, 0)
    if len(images) > MAX_IMAGES:
        raise DataError(
            f"{name}: {len(images):,} images; at most {MAX_IMAGES:,} are read. Give fewer."
        )
    return images


def _check_images(name, images, by_columns):
    if images.dtype.kind not in "buif" or images.dtype.itemsize > 8:
        raise DataError(
            f"{name}: images of type {images.dtype} are not read; "
            "give integers or floating-point numbers."
        )
    if images.size > MAX_VALUES:
        raise DataError(
            f"{name}: {images.size:,} numbers; at most {MAX_VALUES:,} are read. "
            "Give fewer or smaller images."
        )
    if images.ndim not in (2, 3) or 0 in images.shape:
        rule = f"give {STACK[by_columns]}, or (n, pixels) of squares"
        raise DataError(
            f"{name}: an array of shape {images.shape} is no set of grey images; {rule}."
        )


def _squares(name, images, n_labels, by_columns):
    """Rows of pixels, or columns where there are as many as labels, as (n, side, side)."""
    if n_labels is not None and images.shape[0] != n_labels == images.shape[1]:
        images = images.T
    n_pixels = images.shape[1]
    side = round(np.sqrt(n_pixels))
    if side**2 != n_pixels:
        raise DataError(
            f"{name}: {n_pixels} pixels make no square; give the images as {STACK[by_columns]}."
        )
    return images.reshape(-1, side, side)


def to_grey(name, images, notices):
    """Grey levels 0…255 as uint8, with a notice where values were scaled."""
    if images.dtype == np.uint8 and images.max() > 1:
        return np.ascontiguousarray(images)
    check_finite(name, images)
    is_16_bit = images.dtype.kind == "u" and images.dtype.itemsize == 2
    low = float(images.min())
    high = float(images.max())
    scale = choose_scale(low, high, is_16_bit=is_16_bit, is_whole=are_whole(images))
    if scale.rule:
        notices.append(scale.rule)
    return scale(images)


def check_finite(name, images):
    """Refuse values that are no numbers."""
    if not np.all(np.isfinite(images)):
        wrong = np.count_nonzero(~np.isfinite(images))
        values = "1 value is" if wrong == 1 else f"{wrong:,} values are"
        raise DataError(
            f"{name}: {values} NaN or infinite; give numbers alone. In a .npy or "
            f".npz NaN may mean an unknown pixel: choose NaN under “Unknown pixels” on the page "
            f"Data, or unknown={NAN!r} in Python."
        )


def check_no_infinity(name, images):
    """Refuse infinite values where NaN is an unknown pixel."""
    if wrong := np.count_nonzero(np.isinf(images)):
        raise DataError(
            f"{name}: {wrong:,} values are infinite; replace them by numbers, or by NaN where the "
            "pixel is unknown."
        )
