"""Measures of a fitted model, as functions of arrays."""

import numpy as np


def reconstruction_error(clean, reconstructed):
    """ε = ‖X − X̂‖_F² (Eq. 57): clean samples against what a model made of the damaged ones, both (n, d)."""
    return float(np.square(clean - reconstructed).sum())


def is_collapsed(residuals):
    """Whether some training samples are fitted exactly: α then marks the interpolated samples, not the clean ones.

    True when the smallest residual length is below 1 % of the median; healthy fits of face images stay above 40 %.
    """
    return bool(residuals.min() < 0.01 * np.median(residuals))
