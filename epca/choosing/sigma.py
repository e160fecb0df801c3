"""The σ to take from a sweep."""

from collections.abc import Sequence

import numpy as np


def propose_sigma(
    exponents: Sequence[float] | np.ndarray, is_usable: Sequence[bool] | np.ndarray, sigma: float
) -> int | None:
    """Index of the σ = 2^exponent to take, among fits at rising exponents (m,); None without one.

    It is the smallest exponent at or above log₂ of the given σ, rounded, whose fit is usable. Where
    the given σ lies beyond all exponents, the largest one is looked at instead.

    Parameters
    ----------
    exponents : (m,) log₂ σ of the fits, in rising order
    is_usable : (m,) whether each fit succeeded and has not collapsed
    sigma : where to start, such as `sigma_from_residuals`

    >>> propose_sigma([-2, 0, 2, 4], [True, True, False, True], 3.5)
    3
    """
    if not sigma >= 0:
        raise ValueError(f"sigma={sigma!r} must be a number >= 0.")
    exponents = np.asarray(exponents, dtype=float)
    with np.errstate(divide="ignore"):  # σ = 0 where PCA fits half of the samples exactly
        wanted = np.round(np.log2(sigma))
    is_enough = exponents >= min(wanted, exponents.max(initial=-np.inf))
    found = np.flatnonzero(is_enough & np.asarray(is_usable, dtype=bool))
    return int(found[0]) if len(found) else None
