"""An estimate of the clean images from the occluded ones alone, and the error measured by it."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from epca.linalg import chunks, reduce_to_span
from epca.parallel import single_thread
from epca.registry import METHODS

PASSES = 3
FIRST_RANK = 5  # of EPCA in the first pass, which must not follow the occlusion
RANK = 10  # of PCA in the others
ROUNDS = 9  # for each image
CAUTIOUS = 4  # rounds before pixels are told apart
GOOD = 1 / 8  # an image with a larger share of outlying pixels looks occluded
FEWEST = 12  # images
FEWEST_PIXELS = 4
LEAST_SCALE = 1e-3  # grey levels: where pixels hardly vary, rounding must not look like occlusion
REFUSED = "More than half of the images do not fit a common subspace: no estimate."
Tell = Callable[[int, int, str], None]


class CleanEstimate(NamedTuple):
    """What `estimate_clean` returns."""

    images: np.ndarray  # (n, d) as given, but pixels that look occluded are replaced
    is_occluded: np.ndarray  # (n,) whether an image looks occluded
    outlier_share: np.ndarray  # (n,) share of its pixels that do not fit
    refused: bool  # whether the images do not allow an estimate

    @property
    def reason(self) -> str:
        """Why there is no estimate; empty where there is one."""
        return REFUSED if self.refused else ""


class _Subspace(NamedTuple):
    mean: np.ndarray  # (d,) μ
    components: np.ndarray  # (d, c) W
    variances: np.ndarray  # (c,) λ, of the scores
    scales: np.ndarray  # (d,) s, the typical residual of each pixel


def estimate_clean(X: np.ndarray, callback: Tell | None = None) -> CleanEstimate:
    """Estimate the clean images from X (n, d) alone, of which some are occluded.

    Three passes, the first over all images, the next over those that look clean:

    1. A subspace of low rank (EPCA, then PCA), and for every pixel j the typical residual s_j.
    2. For every image, in turn: how far each pixel is trusted, P, as the posterior of a normal
       residual with sd s_j·τ against a uniform grey level, whose prior π is the share of outlying
       pixels; and scores v that fit the trusted pixels. π and τ are the image's own.
    3. An image looks clean where π ≤ 1/8.

    At the end, pixels with P ≤ ½ of images that do not look clean are replaced by μ + Wv. It works
    pixel by pixel, so a rotation of the data changes it; shifting and scaling X does not. Occlusion
    of less than an eighth of an image is not seen, nor are images swapped for other clean ones.

    callback(done, total, text) is called before each step; what it raises ends the work.
    """
    X = _check(X)
    low = X.min()
    factor = 255 / (X.max() - low)
    grey = X if (low, factor) == (0, 1) else (X - low) * factor
    tell = callback or (lambda *_: None)
    good = np.ones(len(X), dtype=bool)
    steps = PASSES * len(list(chunks(grey)))
    with single_thread():
        for number in range(PASSES):
            progress = number * steps // PASSES, steps, f"pass {number + 1} of {PASSES}"
            subspace = _learn(grey, good, number == 0, partial(tell, *progress))
            share, scores, is_trusted = _judge(grey, subspace, tell, progress)
            good = share <= GOOD
            refused = bool(2 * good.sum() < len(X))
            if refused:
                good = np.zeros(len(X), dtype=bool)
                good[np.argsort(share, kind="stable")[: (len(X) + 1) // 2]] = True
    tell(steps, steps, "done")
    images = X.copy()
    for i in np.flatnonzero(~good):
        fitted = subspace.mean + subspace.components @ scores[i]
        images[i] = np.where(is_trusted[i], X[i], fitted / factor + low)
    return CleanEstimate(images, ~good, share, refused)


def estimated_error(estimate: CleanEstimate, reconstruction: np.ndarray) -> float:
    """‖X̃ − X̂‖_F² for the estimated clean images X̃ and a model's reconstruction X̂ (n, d).

    It is the error estimated without a clean image: over c, σ or methods it rises and falls with
    the true error, at a level of its own. NaN where the estimate was refused.
    """
    if estimate.refused:
        return np.nan
    if np.shape(reconstruction) != estimate.images.shape:
        raise ValueError(
            f"reconstruction must have the shape of the images={estimate.images.shape}; "
            f"got {np.shape(reconstruction)}."
        )
    return float(np.square(estimate.images - reconstruction).sum())


def _check(X):
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[0] < FEWEST or X.shape[1] < FEWEST_PIXELS:
        raise ValueError(
            f"X must have at least {FEWEST} images in rows, of at least {FEWEST_PIXELS} pixels; "
            f"got shape {X.shape}."
        )
    if not np.isfinite(X).all():
        raise ValueError("X must hold finite numbers alone; some are NaN or infinite.")
    if np.all(X[0] == X):
        raise ValueError("X must hold images that differ; all of them are equal.")
    return X


def _learn(grey, good, is_first, tick):
    """The _Subspace of the good images; tick is called in each iteration."""
    images = grey if good.all() else grey[good]
    n_good, n_pixels = images.shape
    rank = min(FIRST_RANK if is_first else RANK, n_good - 2, n_pixels // 2)
    method = METHODS["EPCA" if is_first else "PCA"](rank)
    tick()
    model = method.fit_reduced(reduce_to_span(images), lambda *_: tick())
    mean = model.mean_
    components = model.components_.T
    scores = (images - mean) @ components
    variances = np.maximum(model.sample_weight_ @ np.square(scores), 1e-9)
    scales = np.empty(n_pixels)
    for columns in chunks(images.T):
        residuals = images[:, columns] - mean[columns] - scores @ components[columns].T
        scales[columns] = np.median(np.abs(residuals), axis=0)
    scales *= 1.4826 * np.sqrt(n_good / (n_good - rank))
    scales = np.maximum(scales, max(0.3 * np.median(scales), LEAST_SCALE))
    return _Subspace(mean, components, variances, scales)


def _judge(grey, subspace, tell, progress):
    """Outlier shares π (n,), scores v (n, c), and which pixels (n, d) are trusted, P > ½."""
    shares = np.empty(len(grey))
    scores = np.empty((len(grey), len(subspace.variances)))
    is_trusted = np.empty(grey.shape, dtype=bool)
    done, total, text = progress
    density = 1 / np.ptp(grey)
    for i, rows in enumerate(chunks(grey)):
        tell(done + i, total, text)
        found = _judge_some(grey[rows] - subspace.mean, subspace, density)
        shares[rows], scores[rows], is_trusted[rows] = found
    return shares, scores, is_trusted


def _judge_some(centred, subspace, density):
    """The same for some images, centred at μ; the uniform density is that of an outlying pixel."""
    _, W, variances, scales = subspace
    upper = np.triu_indices(len(variances))
    products = W[:, upper[0]] * W[:, upper[1]]
    prior = -np.log(scales * np.sqrt(2 * np.pi) * density)
    share = np.full((len(centred), 1), 0.1)
    spread = np.ones((len(centred), 1))  # τ
    scores = centred @ W
    for number in range(1, ROUNDS + 1):
        z = centred - scores @ W.T
        z /= scales
        if number <= CAUTIOUS:
            trust = 1 / np.maximum(np.abs(z), 1)
        else:
            squares = np.square(z, out=z)
            odds = squares * (-0.5 / spread**2)
            odds += prior
            odds += np.log((1 - share) / (share * spread))
            trust = expit(np.clip(odds, -50, 50, out=odds), out=odds)
            total = trust.sum(axis=1, keepdims=True)
            share = np.clip(1 - total / trust.shape[1], 0.001, 0.999)
            inliers = np.einsum("ij,ij->i", trust, squares)[:, None]
            spread = np.clip(np.sqrt(inliers / total), 0.5, 2)
        if number < ROUNDS:
            weights = trust / np.square(scales * spread)
            scores = _ridge(weights @ products, (weights * centred) @ W, variances, upper)
    return share[:, 0], scores, trust > 0.5


def _ridge(upper_sums, sums, variances, upper):
    """v (m, c) = (WᵀQW + diag(1/λ))⁻¹ WᵀQ(x − μ), from the upper triangles and the right sides."""
    n_components = len(variances)
    matrices = np.empty((len(sums), n_components, n_components))
    matrices[:, upper[0], upper[1]] = upper_sums
    matrices[:, upper[1], upper[0]] = upper_sums
    diagonal = np.arange(n_components)
    matrices[:, diagonal, diagonal] += 1 / variances
    return np.linalg.solve(matrices, sums[:, :, None])[:, :, 0]
