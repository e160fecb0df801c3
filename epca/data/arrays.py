"""Arrays of a file (.npz, .npy, .mat) → grey images: which array holds them, which way up, on which scale."""

import numpy as np

from epca.data.imageset import DataError, build, listed
from epca.data.limits import MAX_IMAGES, MAX_VALUES

NAMES = (("images", "labels"), ("X", "y"), ("X", "Y"), ("fea", "gnd"), ("data", "target"))  # images, labels


def read_arrays(name, arrays, source, *, by_columns=False, size=None, is_occluded=False):
    """Build a set from named arrays; by_columns: Matlab's, whose images are stored column by column."""
    images, labels = pick(name, arrays)
    labels = None if labels is None else flat_labels(name, labels)
    notices = []
    images = as_stack(name, images, labels, by_columns, notices)
    grey = to_grey(name, images, notices)
    is_occluded = is_occluded or bool(np.any(arrays.get("occluded", False)))
    return build(name, grey, labels, source, notices, size=size, is_occluded=is_occluded)


def pick(name, arrays):
    """The arrays of images and of labels (or None), by the names in use."""
    for images, labels in NAMES:
        if images in arrays:
            return arrays[images], next((arrays[key] for key in (labels, "labels", "y", "Y", "gnd") if key in arrays), None)
    if len(arrays) == 1:
        return next(iter(arrays.values())), None
    known = ", ".join(f"{images} and {labels}" for images, labels in NAMES)
    raise DataError(f"{name}: none of its arrays ({listed(arrays) or 'none at all'}) is known; name them {known}.")


def flat_labels(name, labels):
    if labels.dtype.kind not in "biufUS" or (labels.dtype.kind == "f" and not np.all(np.isfinite(labels))):
        raise DataError(f"{name}: labels of type {labels.dtype} are not read; give integers or names, one per image.")
    labels = np.ravel(labels)
    if labels.dtype.kind == "S":
        labels = np.char.decode(labels, "utf-8", "replace")
    if labels.dtype.kind == "U":
        return np.char.strip(labels)
    whole = labels.dtype.kind == "f" and np.all(labels == np.rint(labels))
    return labels.astype(np.int64) if whole else labels


def as_stack(name, images, labels, by_columns, notices):
    """Images as (n, h, w), whatever the layout."""
    if images.dtype.kind not in "buif":
        raise DataError(f"{name}: images of type {images.dtype} are not read; give integers or floating-point numbers.")
    if images.size > MAX_VALUES:
        raise DataError(f"{name}: {images.size:,} numbers; at most {MAX_VALUES:,} are read. Give fewer or smaller images.")
    if images.ndim not in (2, 3) or 0 in images.shape:
        rule = "give (n, height, width), or (n, pixels) of squares"
        raise DataError(f"{name}: an array of shape {images.shape} is no set of grey images; {rule}.")
    n_labels = len(labels) if labels is not None else None
    if images.ndim == 3:
        last = by_columns and (images.shape[-1] == n_labels or images.shape[0] != n_labels)
        images = np.moveaxis(images, -1, 0) if last else images
    else:
        if n_labels is not None and images.shape[0] != n_labels == images.shape[1]:
            images = images.T
        side = round(np.sqrt(images.shape[1]))
        if side**2 != images.shape[1]:
            raise DataError(f"{name}: {images.shape[1]} pixels make no square; give the images as (n, height, width).")
        images = images.reshape(-1, side, side)
        if by_columns:
            images = images.transpose(0, 2, 1)
            notices.append("Matlab stores images column by column; they were stood upright.")
    if len(images) > MAX_IMAGES:
        raise DataError(f"{name}: {len(images):,} images; at most {MAX_IMAGES:,} are read. Give fewer.")
    return images


def to_grey(name, images, notices):
    """Grey levels 0…255 as uint8, with a notice where values were scaled."""
    if images.dtype == np.uint8 and images.max() > 1:
        return np.ascontiguousarray(images)
    values = images.astype(float)
    if not np.all(np.isfinite(values)):
        wrong = np.count_nonzero(~np.isfinite(values))
        raise DataError(f"{name}: {wrong:,} values are NaN or infinite; replace them by numbers.")
    low, high = values.min(), values.max()
    if images.dtype.kind == "u" and images.dtype.itemsize == 2 and high > 255:
        values, rule = values / 257, "16-bit values were divided by 257, so that 65535 became 255."
    elif low < 0 or high > 255:
        values, rule = (
            (values - low) / ((high - low) or 1) * 255,
            f"Values from {low:.4g} to {high:.4g} were stretched to 0…255.",
        )
    elif high <= 1:
        values, rule = values * 255, "Values from 0 to 1 were multiplied by 255."
    elif images.dtype.kind == "f" and np.any(values != np.rint(values)):
        rule = "Values were rounded to whole grey levels."
    else:
        rule = ""
    notices += [rule] if rule else []
    return np.rint(values).astype(np.uint8)
