"""Losses of a residual length t ≥ 0: the σ-loss of the paper (Eqs. 15–22) and its three relatives.

Each has `value(t)` and `weight(t) = value′(t) / (2t)`, the factor that turns the loss into weighted
least squares. For each of them value(x) ≤ weight(y)·x² + [value(y) − weight(y)·y²] (Lemma 1), so a
weighted least-squares step never increases the total loss (Theorem 2). Arrays of any shape in,
arrays of the same shape out.
"""

from dataclasses import dataclass
from math import inf, isinf
from numbers import Real

import numpy as np


@dataclass(frozen=True)
class SigmaLoss:
    """h(t) = (1+σ) t² / (t+σ) (Eq. 16), between ℓ2,1 (σ → 0: h → t) and squared (σ → ∞: h → t²).

    σ has the unit of t: residuals well above σ count like t, those well below it like t². Smaller σ
    → more robust. σ = inf is the squared loss itself. h is convex and twice differentiable; it is
    not a norm.

    >>> SigmaLoss(1.0).value([3.0, 0.0]).tolist(), SigmaLoss(1.0).weight([3.0, 0.0]).tolist()
    ([4.5, 0.0], [0.3125, 2.0])
    """

    sigma: float

    def __post_init__(self):
        if not (isinstance(self.sigma, Real) and self.sigma > 0):
            raise ValueError(
                f"sigma={self.sigma!r} must be > 0. "
                "For the limit at 0 use L21(), or a tiny value such as 2**-20."
            )

    def value(self, t):
        """h(t) (Eq. 16), as t·(t·slope): neither t² times (1+σ) nor σ = inf overflows."""
        t = np.asarray(t, dtype=float)
        return (t * (t * self._slope(t)))[()]

    def weight(self, t):
        """d(t) = (1+σ)(t+2σ) / (2(t+σ)²) (Eq. 20); finite at 0: (1+σ)/σ."""
        t = np.asarray(t, dtype=float)
        share = 1.0 if isinf(self.sigma) else self.sigma / (t + self.sigma)
        return (self._slope(t) * (0.5 + 0.5 * share))[()]

    def _slope(self, t):
        """(1+σ)/(t+σ), which is 1 in the limit σ = inf."""
        return np.ones_like(t) if isinf(self.sigma) else (1 + self.sigma) / (t + self.sigma)


@dataclass(frozen=True)
class L21:
    """h(t) = t. The ℓ2,1 norm of a matrix is the sum of this loss over the lengths of its rows.

    The weight is infinite at t = 0.
    """

    def value(self, t):
        return np.asarray(t, dtype=float)[()]

    def weight(self, t):
        with np.errstate(divide="ignore"):
            return np.divide(0.5, t)


@dataclass(frozen=True)
class Squared:
    """h(t) = t², as in classical PCA: one large residual outweighs many small ones."""

    def value(self, t):
        return np.square(t, dtype=float)

    def weight(self, t):
        return np.ones_like(t, dtype=float)[()]


@dataclass(frozen=True)
class Huber:
    """h(t) = t² up to τ, then the line 2τt − τ²: the loss of R1PCA.

    Smaller τ → more robust; τ = inf is the squared loss.

    >>> Huber(2.0).value([1.0, 5.0]).tolist(), Huber(2.0).weight([1.0, 5.0]).tolist()
    ([1.0, 16.0], [1.0, 0.4])
    """

    tau: float

    def __post_init__(self):
        if not (isinstance(self.tau, Real) and self.tau > 0):
            raise ValueError(f"tau={self.tau!r} must be > 0 (inf gives the squared loss).")

    def value(self, t):
        t = np.asarray(t, dtype=float)
        capped = np.minimum(t, self.tau)
        return (capped * (2 * t - capped))[()]

    def weight(self, t):
        if self.tau == inf:
            return np.ones_like(t, dtype=float)[()]
        return (self.tau / np.maximum(t, self.tau))[()]
