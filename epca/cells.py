"""Single pixels: how far each is trusted, and those that are not known, which are NaN."""

from typing import NamedTuple

import numpy as np

BAD_PIXEL = 3.0  # typical residuals from which on a pixel is not trusted


class Cells(NamedTuple):
    """What a cellwise method makes of single pixels."""

    weights: np.ndarray | None  # (n, d) how far each is trusted; None where the model computes it
    scale: float  # κ, the residual from which on a pixel is trusted less than half


def cell_weights(residuals, scale):
    """w = 1/(1 + r²/κ²) of residuals r of any shape: below ½ where |r| > κ, 0 where r is NaN."""
    weights = 1 / (1 + np.square(residuals / scale))
    return np.fmax(weights, 0, out=weights)  # of NaN and 0 it takes 0


def cell_scale(residuals, smoothing, factor=BAD_PIXEL):
    """κ = factor · 1.4826 · the median of |r| for residuals r (n, d), of which some may be NaN.

    It is at least as for residuals of the smoothing length, so it is never 0.
    """
    typical = 1.4826 * np.nanmedian(np.abs(residuals))
    return factor * float(max(typical, smoothing / np.sqrt(residuals.shape[1])))


def find_unknown(X):
    """Where X (n, d) is NaN: (n, d), or None where nowhere. Every sample must have known pixels."""
    is_unknown = np.isnan(X)
    if not is_unknown.any():
        return None
    empty = np.flatnonzero(is_unknown.all(axis=1))
    if len(empty):
        raise ValueError(f"Sample {empty[0]} contains NaN only; leave such samples out.")
    return is_unknown


def fill_unknown(X):
    """X (n, d) with the median of its pixel for each NaN, and `find_unknown` of it.

    A pixel that is unknown in all samples gets the median of all known ones.
    """
    is_unknown = find_unknown(X)
    if is_unknown is None:
        return X, None
    filled = X.copy()
    filled[:, is_unknown.all(axis=0)] = np.nanmedian(X)
    return np.where(is_unknown, np.nanmedian(filled, axis=0), X), is_unknown


def nearest_scores(points, mean, components):
    """Scores (n, c) of points (n, d) with the smallest sum of squares over the known pixels.

    That is the projection where every pixel is known. Where too few are, it is the shortest v.
    """
    centred = points - mean
    scores = centred @ components
    for row in np.flatnonzero(np.isnan(scores).any(axis=1)):
        is_known = ~np.isnan(points[row])
        scores[row] = np.linalg.lstsq(components[is_known], centred[row, is_known])[0]
    return scores
