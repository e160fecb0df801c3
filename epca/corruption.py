"""Occlusion of images with known truth: a damaged copy, the mask of damaged pixels, the damaged samples."""

from typing import NamedTuple

import numpy as np


class Corruption(NamedTuple):
    """What `occlude` returns."""

    X: np.ndarray  # (n, d) the damaged copy
    mask: np.ndarray  # (n, d) True where a pixel was reset
    samples: np.ndarray  # the damaged samples' indices, ascending


def occlude(X, *, samples=0.2, pixels=0.2, random_state=0):
    """Damage round(samples·n) rows of X (n, d) as the paper does.

    The *same* round(pixels·d) pixels of each are reset to grey levels drawn uniformly from the integers 0…255. X itself is
    not changed; equal seeds give equal damage.

    >>> clean = np.full((10, 25), 128.0)
    >>> damage = occlude(clean, samples=0.3, pixels=0.2, random_state=0)
    >>> len(damage.samples), int(damage.mask.sum())
    (3, 15)
    """
    for name, fraction in {"samples": samples, "pixels": pixels}.items():
        if not 0 <= fraction <= 1:
            raise ValueError(f"{name}={fraction!r} must be a fraction between 0 and 1.")
    generator = np.random.default_rng(random_state)
    n_samples, n_pixels = X.shape
    rows = np.sort(generator.choice(n_samples, round(samples * n_samples), replace=False))
    columns = generator.choice(n_pixels, round(pixels * n_pixels), replace=False)
    block = np.ix_(rows, columns)
    mask = np.zeros(X.shape, dtype=bool)
    mask[block] = True
    damaged = X.copy()
    damaged[block] = generator.integers(0, 256, (len(rows), len(columns)))
    return Corruption(damaged, mask, rows)
