"""What every reader returns, and what it raises."""

import hashlib
import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from PIL import Image

from epca.data.limits import MESSAGE_LENGTH, MIN_IMAGES, MIN_SIDE, NAME_LENGTH, NAMES_SHOWN

NONE = "none"
NAN = "nan"
TRANSPARENT = "transparent"
MASKS = "masks"
UNKNOWN = (NONE, NAN, TRANSPARENT, MASKS)  # what means that a pixel is unknown
SHORTENED = f"Names of classes longer than {NAME_LENGTH} characters are shortened."
VANISHED = "What is unknown is too little to be seen at this size: every pixel counts as known."
HALF = 128  # opacity below which a pixel is transparent; level from which on a mask hides it


def shortened(text, most=MESSAGE_LENGTH):
    """The text, or its beginning and its end where it has more characters than that.

    A file of a few kilobytes can hold names of megabytes.
    """
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 3]} … {text[-end:]}"


CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
INVISIBLE = r"\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069"
UNREADABLE = re.compile(f"[{CONTROLS}{INVISIBLE}\\ud800-\\udfff]")


def readable(text):
    """Text that can be shown: line breaks, control codes and broken characters are replaced.

    File names in another encoding have such characters. Invisible ones, and those that turn the
    direction of the text after them, are replaced, too.
    """
    return UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)


class DataError(ValueError):
    """Something is wrong with a data set that its owner can mend; the message says what and how."""

    def __init__(self, message):
        super().__init__(readable(shortened(message)))


class LacksMemory(DataError):
    """Reading a data set takes more memory than there is."""


@dataclass(frozen=True)
class ImageSet:
    """Grey images, and what is known of them."""

    name: str
    images: np.ndarray  # uint8 (n, h, w)
    labels: np.ndarray | None  # (n,) classes counted from 0; None where there are none
    source: str
    class_names: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()  # what was changed on reading
    is_occluded: bool = False  # whether they are occluded as they come: there is no clean truth
    unknown: np.ndarray | None = None  # (n, h, w) whether a pixel is unknown; None where none is

    @property
    def image_shape(self):
        return self.images.shape[1:]

    @property
    def sample_names(self):
        """What each image is called: its number and, where there are classes, its class."""
        if self.labels is None:
            return [f"image {i}" for i in range(len(self.images))]
        return [f"image {i}, {self.class_names[label]}" for i, label in enumerate(self.labels)]

    @property
    def X(self):
        """The images as rows (n, h·w) of grey levels 0…255, as in the paper: σ has this scale.

        Unknown pixels are NaN.
        """
        levels = self.images.astype(float)
        if self.unknown is not None:
            levels[self.unknown] = np.nan
        return levels.reshape(len(levels), -1)

    @cached_property
    def squared_length(self):
        """The sum of all squared grey levels."""
        levels = self.images.ravel()
        return float(np.einsum("i,i", levels, levels, dtype=float, casting="unsafe"))

    @cached_property
    def digest(self):
        """Digest of the content: sets with equal digests have equal images and labels."""
        has_unknown = self.unknown is not None
        description = str((self.images.shape, self.is_occluded, self.class_names, has_unknown))
        content = hashlib.sha256(description.encode())
        content.update(np.ascontiguousarray(self.images))
        if self.labels is not None:
            content.update(np.ascontiguousarray(self.labels))
        if has_unknown:
            content.update(np.ascontiguousarray(self.unknown))
        return content.hexdigest()

    def noted(self, *notices):
        """The same set with further notices."""
        return replace(self, notices=(*self.notices, *notices))


def build(
    name,
    images,
    labels,
    source,
    notices=(),
    *,
    class_names=(),
    size=None,
    is_occluded=False,
    unknown=None,
    hint="",
):
    """Check images uint8 (n, h, w) and labels, shrink the images, and return the set.

    Their longer side becomes at most `size` pixels. The labels are None, or numbers of classes
    whose names are given, or any values, which then are the names. `unknown` (n, h, w) tells which
    pixels are not known; whatever they hold becomes 0. `hint` is added to the error where all of an
    image is unknown.
    """
    _check(name, images, labels, notices)
    if labels is not None and not class_names:
        values, labels = np.unique(labels, return_inverse=True)
        class_names = tuple(str(value) for value in values)
    was_hidden = unknown is not None and unknown.any()
    small, unknown, notice = shrink(images, size, unknown)
    if min(small.shape[1:]) < MIN_SIDE:
        height, width = images.shape[1:]
        raise DataError(
            f"{name}: {width} × {height} pixels are too narrow for size={size}; "
            "give a larger one, or cut them."
        )
    if notice:
        notices = (*notices, notice)
    if was_hidden and not unknown.any():
        notices = (*notices, VANISHED)
    if unknown is not None and not unknown.any():
        unknown = None
    if unknown is not None:
        _check_unknown(name, unknown, hint)
        small = np.where(unknown, np.uint8(0), small)
        notices = (*notices, f"{unknown.mean():.1%} of the pixels are unknown.")
    if any(len(text) > NAME_LENGTH for text in class_names):
        class_names = _short_names(class_names)
        notices = (*notices, SHORTENED)
    _check_different(name, small, unknown)
    return ImageSet(
        readable(name),
        small,
        labels,
        readable(source),
        tuple(map(readable, class_names)),
        tuple(readable(shortened(notice)) for notice in notices),
        is_occluded,
        unknown,
    )


def _short_names(names):
    """The names of classes, the long ones shortened and numbered, so that they differ."""
    return [
        text if len(text) <= NAME_LENGTH else f"{shortened(text, NAME_LENGTH - 8)} ({i})"
        for i, text in enumerate(names)
    ]


def _check(name, images, labels, notices):
    """Refuse too few or too small images, and labels that are not theirs."""
    n_images, height, width = images.shape
    if n_images < MIN_IMAGES:
        count = "1 image" if n_images == 1 else f"{n_images} images"
        why = f"{name}: {count} cannot be compared; at least {MIN_IMAGES} are needed."
        raise DataError(" ".join([why, *notices]))
    if min(height, width) < MIN_SIDE:
        raise DataError(
            f"{name}: images of {width} × {height} pixels are too small; "
            f"each side needs at least {MIN_SIDE}."
        )
    if labels is not None and len(labels) != n_images:
        raise DataError(
            f"{name}: {len(labels)} labels for {n_images} images; "
            "give one label per image, or none."
        )


def _check_different(name, images, unknown):
    """Refuse images from which nothing can be learned."""
    if _are_identical(images, unknown):
        raise DataError(
            f"{name}: all {len(images)} images are identical, so there is nothing to learn; "
            "give different ones."
        )


def _are_identical(images, unknown):
    """Whether no pixel differs between two images that know it."""
    if unknown is None:
        return np.all(images == images[0])
    lowest = np.where(unknown, 255, images).min(axis=0)
    highest = np.where(unknown, 0, images).max(axis=0)
    return np.all(highest <= lowest)


def _check_unknown(name, unknown, hint):
    """Refuse images of which nothing is known."""
    empty = np.flatnonzero(unknown.all(axis=(1, 2)))
    if len(empty) == len(unknown):
        why = f"{name}: no pixel of its {len(unknown)} images is known; give others."
    elif len(empty):
        why = f"{name}: no pixel of image {empty[0]} (counted from 0) is known; leave it out."
    else:
        return
    raise DataError(" ".join(filter(None, [why, hint])))


def target_shape(height, width, size):
    """(height, width) in the same proportions, with the longer side at most `size` pixels.

    With None there is no limit.
    """
    longer = max(height, width)
    if size is None or longer <= size:
        return height, width
    return max(round(height * size / longer), 1), max(round(width * size / longer), 1)


def shrink(images, size, unknown=None):
    """The images (n, h, w) with their longer side at most `size` pixels; no limit for None.

    Returns them, their unknown pixels or None, and a notice if anything changed.
    """
    height, width = images.shape[1:]
    shape = target_shape(height, width, size)
    if shape == (height, width):
        return images, unknown, ""
    notice = resized_notice((height, width), shape)
    if unknown is None:
        small = [np.asarray(Image.fromarray(image).resize(shape[::-1])) for image in images]
        return np.stack(small), None, notice
    pairs = [
        resize_known(Image.fromarray(image), hidden, shape)
        for image, hidden in zip(images, unknown, strict=True)
    ]
    return *map(np.stack, zip(*pairs, strict=True)), notice


def resize_known(grey, unknown, shape):
    """A picture in mode L resized by its known pixels alone: its levels, and what is unknown.

    A pixel of the result is unknown where more than half of what it is made of is.
    """
    opacity = Image.fromarray(np.where(unknown, np.uint8(0), np.uint8(255)))
    both = Image.merge("LA", (grey, opacity))
    if both.size != shape[::-1]:
        both = both.resize(shape[::-1])  # Pillow weighs levels by their opacity
    levels, opacity = np.moveaxis(np.asarray(both), -1, 0)
    return levels, opacity < HALF


def resized_notice(shape, target):
    return f"Resized from {shape[1]} × {shape[0]} to {target[1]} × {target[0]} pixels."


def listed(names):
    """Names for a message, the first few of many."""
    shown = ", ".join(list(names)[:NAMES_SHOWN])
    return f"{shown} and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else shown
