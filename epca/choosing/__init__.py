"""Choices that need no clean image: σ from the residuals; c, σ and the method from an estimate.

The idea is to estimate the clean images once, from the occluded ones alone (`estimate_clean`), and
to score every fit by its distance from them (`estimated_error`). `suggest` does both.
"""

from epca.choosing.clean import CleanEstimate, estimate_clean, estimated_error
from epca.choosing.rank import PER_DIMENSION, starting_rank
from epca.choosing.sigma import propose_sigma
from epca.choosing.suggestion import Suggestion, suggest
from epca.choosing.validation import validation
from epca.estimator import RESIDUAL_PART, sigma_from_lengths, sigma_from_residuals

__all__ = [
    "PER_DIMENSION", "RESIDUAL_PART", "CleanEstimate", "Suggestion",
    "estimate_clean", "estimated_error", "propose_sigma", "sigma_from_lengths",
    "sigma_from_residuals", "starting_rank", "suggest", "validation",
]  # fmt: skip
