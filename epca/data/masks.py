"""Masks: pictures or an array that say where images are unknown."""

from collections import Counter
from pathlib import PurePosixPath

import numpy as np

from epca.data.decoding import decode, find_scales
from epca.data.imageset import HALF, MASKS, NONE, DataError, listed

SUFFIX = "_mask"  # a picture's name, but for its ending, and this make the name of its mask
ARRAY = "masks"  # among the arrays of a file
RULE = (
    f"A mask lies beside its picture and has its name plus “{SUFFIX}”: anna{SUFFIX}.png belongs to "
    "anna.png. Where it is at least half white, the picture is unknown. In an .npz or .mat, an "
    f"array “{ARRAY}” of the images’ shape says the same."
)
INVERTED = (
    "In a mask, white (1 in an array) means unknown: if yours are white where pixels are known, "
    "invert them."
)
ELSE = f"choose none under “Unknown pixels” on the page Data, or unknown={NONE!r} in Python"


def check_names(name, paths):
    """Refuse files of the same name: nothing would tell which mask is whose."""
    repeated = [path for path, count in Counter(paths).items() if count > 1]
    if repeated:
        raise DataError(
            f"{name}: several are called {_shown(repeated)}, so that nobody knows which mask is "
            "whose; give them different names, or a zip of their folders."
        )


def split_masks(name, headers, unreadable):
    """Path → Header of the pictures that are no masks, and path → (mask's path, its Header).

    A picture without a mask is not in the latter: all of it is known. `unreadable` are the paths of
    files that are no pictures; a picture whose only mask is among them is refused.
    """
    masks = {}
    pictures = {}
    for path in headers:
        stem, is_mask = _stem(path)
        same = masks if is_mask else pictures
        same.setdefault((*path[:-1], stem), []).append(path)
    _check_readable(name, unreadable, masks, pictures)
    if not masks:
        raise DataError(
            f"{name}: none of its {len(headers):,} pictures is a mask. {RULE} Or {ELSE}."
        )
    found = {}
    for key, paths in masks.items():
        candidates = pictures.get(key, [])
        if not candidates:
            _check_no_mask(name, key, paths, headers)
            raise DataError(
                f"{name}: {_shown(paths)} is a mask without its picture, {key[-1]} in the same "
                f"folder; add that, leave the mask out, or {ELSE}."
            )
        if len(paths) + len(candidates) > 2:
            raise DataError(
                f"{name}: of {_shown([*candidates, *paths])} nobody knows which is the mask of "
                "which; have one picture and one mask of a name."
            )
        _check_size(name, headers, candidates[0], paths[0])
        found[candidates[0]] = (paths[0], headers[paths[0]])
    taken = {mask for mask, _ in found.values()}
    return {path: header for path, header in headers.items() if path not in taken}, found


def _stem(path):
    """A picture's name without its ending and, if it is a mask, its suffix; and whether it is."""
    stem = PurePosixPath(path[-1]).stem
    is_mask = stem.lower().endswith(SUFFIX) and stem.lower() != SUFFIX
    return stem[: -len(SUFFIX)] if is_mask else stem, is_mask


def _check_readable(name, unreadable, masks, pictures):
    """Refuse what cannot be read and is by its name the only mask of a picture."""
    for path in unreadable:
        stem, is_mask = _stem(path)
        key = (*path[:-1], stem)
        if is_mask and key in pictures and key not in masks:
            raise DataError(
                f"{name}: {_shown([path])} has the name of the mask of {_shown(pictures[key])}, "
                "but is no picture that can be read; save it again, as PNG for instance, leave it "
                f"out if all of its picture is known, or {ELSE}."
            )


def _check_no_mask(name, key, paths, headers):
    """Refuse the mask of a mask."""
    owners = [path for path in headers if (*path[:-1], PurePosixPath(path[-1]).stem) == key]
    if any(_stem(path)[1] for path in owners):
        raise DataError(
            f"{name}: {_shown(paths)} is by its name a mask of {_shown(owners)}, which is a mask "
            f"itself; give it another name, or {ELSE}."
        )


def _check_size(name, headers, picture, mask):
    width, height = headers[picture].size
    mask_width, mask_height = headers[mask].size
    if (width, height) != (mask_width, mask_height):
        raise DataError(
            f"{name}: the mask {_shown([mask])} has {mask_width} × {mask_height} pixels, its "
            f"picture {width} × {height}; save the mask with the pixels of its picture."
        )


def _shown(paths):
    return listed(["/".join(path)[-80:] for path in paths])


def mask_reader(masks, read):
    """A function: a picture's path → its unknown pixels (h, w); None where it has no mask."""
    scales = find_scales(dict(masks.values()), read)

    def find_hidden(path):
        if path not in masks:
            return None
        mask, header = masks[path]
        shape = header.size[::-1]
        levels, _ = decode(read(mask), "/".join(mask), shape, scales.get(header.depth))
        return levels >= HALF

    return find_hidden


def take_masks(name, arrays, others):
    """The array of masks, and the other arrays."""
    if ARRAY in others:
        raise DataError(
            f"{name}: {ARRAY} in it is {others[ARRAY]}, which is not read; "
            "save a full array of real numbers."
        )
    if ARRAY not in arrays:
        found = listed(list(arrays)) or "none at all"
        raise DataError(f"{name}: none of its arrays ({found}) holds masks. {RULE} Or {ELSE}.")
    return arrays[ARRAY], {key: array for key, array in arrays.items() if key != ARRAY}


def check_array(name, masks, shape):
    """Refuse an array that does not fit images of this shape, or whose values mean nothing."""
    if masks.shape != shape:
        raise DataError(
            f"{name}: {ARRAY} of shape {masks.shape} for images of shape {shape}; "
            "give one mask per image, with its pixels."
        )
    is_number = masks.dtype.kind in "buif" and masks.dtype.itemsize <= 8
    if not is_number or not np.all(np.isfinite(masks)):
        raise DataError(
            f"{name}: {ARRAY} of type {masks.dtype}, or with values that are NaN or infinite, are "
            "not read; give 0 where a pixel is known, and 1 where it is not."
        )
    if masks.min() < 0:
        raise DataError(
            f"{name}: {ARRAY} has values below 0, down to {masks.min()}; "
            "give 0 where a pixel is known, and 1 where it is not."
        )


def check_hidden(name, hides):
    """Refuse masks that were asked for and hide nothing, whatever their size."""
    if not hides:
        raise DataError(
            f"{name}: its masks leave every pixel known; paint white what is unknown, or {ELSE}."
        )


def hint(unknown):
    """What to say where all of an image is unknown, by what means an unknown pixel."""
    return INVERTED if unknown == MASKS else ""
