"""Occlusion of images with known truth: an occluded copy, the mask of occluded pixels, the occluded samples.

Grey levels are 0…255. Equal seeds give equal occlusion, of the same samples whatever the kind.
"""

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
        """A mask (rows, d) of one height × width rectangle per row, at a random place within the image."""
        full_height, full_width = self.image_shape
        tops = self.generator.integers(0, full_height - height + 1, len(self.rows))[:, None, None]
        lefts = self.generator.integers(0, full_width - width + 1, len(self.rows))[:, None, None]
        down, across = np.arange(full_height)[:, None], np.arange(full_width)
        mask = (
            (down >= tops) & (down < tops + height) & (across >= lefts) & (across < lefts + width)
        )
        return mask.reshape(len(self.rows), full_height * full_width)

    def squares(self):
        """A square of about pixels·d pixels; where it does not fit into the image, a rectangle that does."""
        area = self.pixels * self.X.shape[1]
        width = max(min(np.sqrt(area), self.image_shape[1]), area / self.image_shape[0])
        return self.rectangles(round(area / width) if area else 0, round(width))


# Each kind maps a task to a mask (rows, d) and the new values: (rows, d), or one number.


def _shared_pixels(task):
    columns = task.generator.choice(
        task.X.shape[1], round(task.pixels * task.X.shape[1]), replace=False
    )
    values = np.zeros((len(task.rows), task.X.shape[1]))
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
    return task.rectangles(round(task.pixels * task.image_shape[0]), task.image_shape[1]), 0.0


def _salt_and_pepper(task):
    mask = task.scattered()
    return mask, 255.0 * task.generator.integers(0, 2, mask.shape)


def _gaussian(task):
    mask = task.scattered()
    return mask, np.clip(
        task.X[task.rows] + GAUSSIAN_SD * task.generator.standard_normal(mask.shape), 0, 255
    )


def _noise_images(task):
    shape = len(task.rows), task.X.shape[1]
    return np.ones(shape, dtype=bool), task.noise(shape)


def _other_class(task):
    if task.labels is None or len(np.unique(task.labels)) < 2:
        raise ValueError(
            "kind='other-class' needs labels of at least two classes; choose another kind or give labels."
        )
    donors = [
        task.generator.choice(np.flatnonzero(task.labels != task.labels[row])) for row in task.rows
    ]
    return np.ones((len(task.rows), task.X.shape[1]), dtype=bool), task.X[
        np.array(donors, dtype=int)
    ]


KINDS = {  # name → (what users see, how it is done)
    "shared-pixels": ("same pixels in all (paper)", _shared_pixels),
    "own-pixels": ("other pixels in every image", _own_pixels),
    "block-noise": ("square of noise", _block_noise),
    "block-black": ("black square", _block_black),
    "block-white": ("white square", _block_white),
    "band": ("black band", _band),
    "salt-and-pepper": ("salt and pepper", _salt_and_pepper),
    "gaussian": ("Gaussian noise", _gaussian),
    "noise-images": ("whole image: noise", _noise_images),
    "other-class": ("whole image: another class", _other_class),
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
    """Occlude round(samples·n) rows of X (n, d), or none where no pixel is hit; X itself is not changed.

    Parameters
    ----------
    kind : "shared-pixels" is the paper's: the *same* round(pixels·d) pixels of every occluded row get grey levels drawn
        uniformly from the integers 0…255. "own-pixels" draws the pixels anew for each row. "block-noise", "block-black"
        and "block-white" cover a square of about pixels·d pixels, "band" a black band of round(pixels·height) rows, both
        anywhere in the image. "salt-and-pepper" makes round(pixels·d) pixels black or white, "gaussian" adds noise of sd 64
        to them. "noise-images" replaces whole rows by noise, "other-class" by rows of another class; pixels does not matter
        there.
    samples, pixels : fractions between 0 and 1
    image_shape : (height, width) with height·width = d, for blocks and bands; None → square images
    labels : (n,) classes, for "other-class"

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
    n_samples, n_pixels = X.shape
    if image_shape is None:
        image_shape = (
            (round(np.sqrt(n_pixels)),) * 2
            if round(np.sqrt(n_pixels)) ** 2 == n_pixels
            else (1, n_pixels)
        )
    if np.prod(image_shape) != n_pixels:
        raise ValueError(
            f"image_shape={image_shape!r} must be (height, width) with height * width = n_features={n_pixels}."
        )
    if labels is not None and np.shape(labels) != (n_samples,):
        raise ValueError(
            f"labels must have shape (n_samples,)={(n_samples,)}; got {np.shape(labels)}."
        )
    generator = np.random.default_rng(random_state)
    rows = np.sort(generator.choice(n_samples, round(samples * n_samples), replace=False))
    labels = None if labels is None else np.asarray(labels)
    hit, values = KINDS[kind][1](_Task(X, rows, pixels, tuple(image_shape), labels, generator))
    occluded, mask = X.copy(), np.zeros(X.shape, dtype=bool)
    mask[rows] = hit
    occluded[rows] = np.where(hit, values, X[rows])
    return Corruption(occluded, mask, rows[hit.any(axis=1)])
