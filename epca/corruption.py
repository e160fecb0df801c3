"""Occlusion of images with known truth: an occluded copy, its mask, and the occluded samples.

Grey levels are 0…255. Equal seeds give equal occlusion, of the same samples whatever the kind.
A new kind of occlusion is one more entry in `KINDS`.
"""

from collections.abc import Callable
from numbers import Real
from typing import NamedTuple

import numpy as np

GAUSSIAN_SD = 64  # grey levels


class Corruption(NamedTuple):
    """What `occlude` returns."""

    X: np.ndarray  # (n, d) the occluded copy
    mask: np.ndarray  # (n, d) True where a pixel was reset
    samples: np.ndarray  # the occluded samples' indices, ascending


class _Task(NamedTuple):
    """What a kind of occlusion works with."""

    X: np.ndarray  # (n, d) clean
    rows: np.ndarray  # the samples to occlude
    pixels: float  # share of the pixels to reset in each
    image_shape: tuple  # (height, width)
    labels: np.ndarray | None
    generator: np.random.Generator

    def noise(self, shape):
        return self.generator.integers(0, 256, shape).astype(float)

    def scattered(self):
        """A mask (rows, d) of round(pixels·d) pixels, drawn anew for each row."""
        n_pixels = self.X.shape[1]
        order = self.generator.random((len(self.rows), n_pixels)).argsort(axis=1)
        return order < round(self.pixels * n_pixels)

    def rectangles(self, height, width):
        """A mask (rows, d) of one height × width rectangle per row, anywhere within the image."""
        full_height, full_width = self.image_shape
        tops = self.generator.integers(0, full_height - height + 1, len(self.rows))[:, None, None]
        lefts = self.generator.integers(0, full_width - width + 1, len(self.rows))[:, None, None]
        down = np.arange(full_height)[:, None]
        across = np.arange(full_width)
        is_within_height = (down >= tops) & (down < tops + height)
        is_within_width = (across >= lefts) & (across < lefts + width)
        mask = is_within_height & is_within_width
        return mask.reshape(len(self.rows), full_height * full_width)

    def squares(self):
        """A mask (rows, d) of one square per row, of about pixels·d pixels.

        Where a square does not fit into the image, it is a rectangle that does.
        """
        area = self.pixels * self.X.shape[1]
        width = max(min(np.sqrt(area), self.image_shape[1]), area / self.image_shape[0])
        return self.rectangles(round(area / width) if area else 0, round(width))


# Each function below draws one kind: from a task, a mask (rows, d) and the new values, which are
# (rows, d) or one number.


def _shared_pixels(task):
    n_pixels = task.X.shape[1]
    columns = task.generator.choice(n_pixels, round(task.pixels * n_pixels), replace=False)
    values = np.zeros((len(task.rows), n_pixels))
    values[:, columns] = task.noise((len(task.rows), len(columns)))
    mask = np.zeros(values.shape, dtype=bool)
    mask[:, columns] = True
    return mask, values


def _own_pixels(task):
    mask = task.scattered()
    return mask, task.noise(mask.shape)


def _block_noise(task):
    mask = task.squares()
    return mask, task.noise(mask.shape)


def _block_black(task):
    return task.squares(), 0.0


def _block_white(task):
    return task.squares(), 255.0


def _band(task):
    height, width = task.image_shape
    return task.rectangles(round(task.pixels * height), width), 0.0


def _salt_and_pepper(task):
    mask = task.scattered()
    return mask, 255.0 * task.generator.integers(0, 2, mask.shape)


def _gaussian(task):
    mask = task.scattered()
    noise = GAUSSIAN_SD * task.generator.standard_normal(mask.shape)
    return mask, np.clip(task.X[task.rows] + noise, 0, 255)


def _noise_images(task):
    shape = (len(task.rows), task.X.shape[1])
    return np.ones(shape, dtype=bool), task.noise(shape)


def _other_class(task):
    donors = [
        task.generator.choice(np.flatnonzero(task.labels != task.labels[row])) for row in task.rows
    ]
    mask = np.ones((len(task.rows), task.X.shape[1]), dtype=bool)
    return mask, task.X[np.array(donors, dtype=int)]


class Kind(NamedTuple):
    """A kind of occlusion."""

    label: str  # what users see
    text: str  # what happens to an occluded image
    draw: Callable
    needs_labels: bool = False  # whether it needs labels of at least two classes
    is_whole: bool = False  # whether it replaces whole images, so that pixels does not matter


KINDS = {
    "shared-pixels": Kind(
        "same pixels in all (paper)",
        "The same round(pixels·d) pixels of every occluded image get grey levels drawn uniformly "
        "from the integers 0…255.",
        _shared_pixels,
    ),
    "own-pixels": Kind(
        "other pixels in every image",
        "round(pixels·d) pixels, drawn anew for each image, get random grey levels.",
        _own_pixels,
    ),
    "block-noise": Kind(
        "square of noise", "Noise covers a square of about pixels·d pixels.", _block_noise
    ),
    "block-black": Kind("black square", "The square is black.", _block_black),
    "block-white": Kind("white square", "The square is white.", _block_white),
    "band": Kind("black band", "A black band covers round(pixels·height) rows.", _band),
    "salt-and-pepper": Kind(
        "salt and pepper", "round(pixels·d) pixels become black or white.", _salt_and_pepper
    ),
    "gaussian": Kind(
        "Gaussian noise",
        f"Noise of standard deviation {GAUSSIAN_SD} is added to round(pixels·d) pixels.",
        _gaussian,
    ),
    "noise-images": Kind(
        "whole image: noise",
        "Noise replaces the whole image; pixels does not matter.",
        _noise_images,
        is_whole=True,
    ),
    "other-class": Kind(
        "whole image: another class",
        "An image of another class replaces the whole image; pixels does not matter.",
        _other_class,
        needs_labels=True,
        is_whole=True,
    ),
}


def occlude(
    X,
    kind="shared-pixels",
    *,
    samples=0.2,
    pixels=0.2,
    image_shape=None,
    labels=None,
    random_state=0,
):
    """Occlude round(samples·n) rows of X (n, d), or none where no pixel is hit.

    X itself is not changed.

    Parameters
    ----------
    kind : a name in `KINDS`, where the text of each says what it does; "shared-pixels" is the
        paper's
    samples, pixels : fractions between 0 and 1
    image_shape : (height, width) with height·width = d, for squares and bands; None → square images
    labels : (n,) classes, for the kinds that need them

    >>> clean = np.full((10, 25), 128.0)
    >>> occluded = occlude(clean, samples=0.3, pixels=0.2, random_state=0)
    >>> len(occluded.samples), int(occluded.mask.sum())
    (3, 15)
    """
    X = np.asarray(X, dtype=float)
    if X.ndim != 2:
        raise ValueError(f"X must be two-dimensional, one image per row; got shape {X.shape}.")
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} must be one of {', '.join(KINDS)}.")
    for name, fraction in {"samples": samples, "pixels": pixels}.items():
        if not (isinstance(fraction, Real) and 0 <= fraction <= 1):
            raise ValueError(f"{name}={fraction!r} must be a fraction between 0 and 1.")
    image_shape = _check_shape(image_shape, X.shape[1])
    labels = _check_labels(labels, kind, len(X))
    generator = np.random.default_rng(random_state)
    rows = np.sort(generator.choice(len(X), round(samples * len(X)), replace=False))
    task = _Task(X, rows, pixels, image_shape, labels, generator)
    hit, values = KINDS[kind].draw(task)
    occluded = X.copy()
    occluded[rows] = np.where(hit, values, X[rows])
    mask = np.zeros(X.shape, dtype=bool)
    mask[rows] = hit
    return Corruption(occluded, mask, rows[hit.any(axis=1)])


def _check_shape(image_shape, n_pixels):
    if image_shape is None:
        side = round(np.sqrt(n_pixels))
        return (side, side) if side**2 == n_pixels else (1, n_pixels)
    if np.prod(image_shape) != n_pixels:
        raise ValueError(
            f"image_shape={image_shape!r} must be (height, width) "
            f"with height * width = n_features={n_pixels}."
        )
    return tuple(image_shape)


def _check_labels(labels, kind, n_samples):
    if labels is not None and np.shape(labels) != (n_samples,):
        raise ValueError(
            f"labels must have shape (n_samples,)={(n_samples,)}; got {np.shape(labels)}."
        )
    if KINDS[kind].needs_labels and (labels is None or len(np.unique(labels)) < 2):
        raise ValueError(
            f"kind={kind!r} needs labels of at least two classes; "
            "choose another kind or give labels."
        )
    return None if labels is None else np.asarray(labels)
