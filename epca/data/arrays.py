"""Arrays of a file (.npz, .npy, .mat) → grey images: which array holds them, which way up, on which scale."""

import numpy as np

from epca.data.imageset import DataError, build, listed
from epca.data.limits import MAX_IMAGES, MAX_VALUES
from epca.data.scale import choose_scale

NAMES = (
    ("images", "labels"),
    ("X", "y"),
    ("X", "Y"),
    ("fea", "gnd"),
    ("data", "target"),
)  # images, labels
STACK = {False: "(n, height, width)", True: "(height, width, n)"}  # Matlab's has the images last
LABELS = tuple(dict.fromkeys(labels for _, labels in NAMES))


def read_arrays(
    name, arrays, source, *, others=None, by_columns=False, size=None, is_occluded=False
):
    """Build a set from named arrays; others: variables that are no such arrays, and what they are instead.

    by_columns: Matlab's, whose images are stored column by column.
    """
    notices = []
    images, labels = pick(name, arrays, others or {}, notices)
    labels = None if labels is None else flat_labels(name, labels)
    images = as_stack(name, images, labels, by_columns, notices)
    grey = to_grey(name, images, notices)
    is_occluded = is_occluded or bool(np.any(arrays.get("occluded", False)))
    return build(name, grey, labels, source, notices, size=size, is_occluded=is_occluded)


def pick(name, arrays, others, notices):
    """The arrays of images and of labels (or None, with a notice of what might have been them), by the names in use."""
    images = next((key for key, _ in NAMES if key in arrays or key in others), None)
    if images in others:
        raise DataError(
            f"{name}: {images} in it is {others[images]}, which is not read; save a full array of real numbers."
        )
    rest = [key for key in arrays if key not in (*LABELS, "occluded")]
    if images is None and len(rest) != 1:
        found = listed([*arrays, *_described(others)]) or "none at all"
        known = ", ".join(f"{images} and {labels}" for images, labels in NAMES)
        raise DataError(f"{name}: none of its arrays ({found}) is known; name them {known}.")
    images = images or rest[0]
    labels = next(
        (
            key
            for key in (*(label for key, label in NAMES if key == images), *LABELS)
            if key in arrays
        ),
        None,
    )
    unused = [key for key in rest if key != images] + _described(others)
    if labels is None and unused:
        how = f"one number per image, named {', '.join(LABELS)}; in Matlab, [~, ~, gnd] = unique(names) makes numbers of names"
        notices.append(f"No labels were read; left out: {listed(unused)}. Labels are {how}.")
    return arrays[images], arrays.get(labels)


def _described(others):
    return [f"{label} ({what})" for label, what in others.items() if label]


def flat_labels(name, labels):
    if labels.dtype.kind not in "biufUS" or (
        labels.dtype.kind == "f" and not np.all(np.isfinite(labels))
    ):
        raise DataError(
            f"{name}: labels of type {labels.dtype} are not read; give integers or names, one per image."
        )
    labels = np.ravel(labels)
    if labels.dtype.kind == "S":
        labels = np.char.decode(labels, "utf-8", "replace")
    if labels.dtype.kind == "U":
        return np.char.strip(labels)
    whole = labels.dtype.kind == "f" and np.all(
        (labels == np.rint(labels)) & (np.abs(labels) < 2**53)
    )
    return labels.astype(np.int64) if whole else labels


def as_stack(name, images, labels, by_columns, notices):
    """Images as (n, h, w), whatever the layout."""
    if images.dtype.kind not in "buif" or images.dtype.itemsize > 8:
        raise DataError(
            f"{name}: images of type {images.dtype} are not read; give integers or floating-point numbers."
        )
    if images.size > MAX_VALUES:
        raise DataError(
            f"{name}: {images.size:,} numbers; at most {MAX_VALUES:,} are read. Give fewer or smaller images."
        )
    if images.ndim not in (2, 3) or 0 in images.shape:
        rule = f"give {STACK[by_columns]}, or (n, pixels) of squares"
        raise DataError(
            f"{name}: an array of shape {images.shape} is no set of grey images; {rule}."
        )
    n_labels = len(labels) if labels is not None else None
    if images.ndim == 3:
        last = by_columns and (images.shape[-1] == n_labels or images.shape[0] != n_labels)
        images = np.moveaxis(images, -1, 0) if last else images
    else:
        if n_labels is not None and images.shape[0] != n_labels == images.shape[1]:
            images = images.T
        side = round(np.sqrt(images.shape[1]))
        if side**2 != images.shape[1]:
            raise DataError(
                f"{name}: {images.shape[1]} pixels make no square; give the images as {STACK[by_columns]}."
            )
        images = images.reshape(-1, side, side)
        if by_columns:
            images = images.transpose(0, 2, 1)
            notices.append("Matlab stores images column by column; they were stood upright.")
    if len(images) > MAX_IMAGES:
        raise DataError(
            f"{name}: {len(images):,} images; at most {MAX_IMAGES:,} are read. Give fewer."
        )
    return images


def to_grey(name, images, notices):
    """Grey levels 0…255 as uint8, with a notice where values were scaled."""
    if images.dtype == np.uint8 and images.max() > 1:
        return np.ascontiguousarray(images)
    if not np.all(np.isfinite(images)):
        wrong = np.count_nonzero(~np.isfinite(images))
        raise DataError(f"{name}: {wrong:,} values are NaN or infinite; replace them by numbers.")
    is_whole = images.dtype.kind != "f" or bool(np.all(images == np.rint(images)))
    is_16_bit = images.dtype.kind == "u" and images.dtype.itemsize == 2
    scale = choose_scale(
        float(images.min()), float(images.max()), is_16_bit=is_16_bit, is_whole=is_whole
    )
    notices += [scale.rule] if scale.rule else []
    return scale(images)
