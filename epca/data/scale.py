"""Numbers of any range → grey levels 0…255, by one rule for all images of a set."""

from typing import NamedTuple

import numpy as np


class Scale(NamedTuple):
    """Makes low 0 and high 255; what lies between follows in proportion."""

    low: float
    high: float
    rule: str  # what the user is told; empty where nothing is changed

    def __call__(self, values):
        """Values of any shape → uint8."""
        half_range = self.high / 2 - self.low / 2  # halves, because the range itself may overflow
        share = (np.asarray(values, dtype=float) / 2 - self.low / 2) / (half_range or 1)
        return np.clip(np.rint(share * 255), 0, 255).astype(np.uint8)


def choose_scale(low, high, *, is_16_bit=False, is_whole=True):
    """The Scale for values from low to high.

    16-bit values are divided by 257; others are stretched where they do not fit into 0…255.
    """
    if is_16_bit and high > 255:
        return Scale(0.0, 65535.0, "16-bit values were divided by 257, so that 65535 became 255.")
    if low < 0 or high > 255:
        return Scale(low, high, f"Values from {low:.4g} to {high:.4g} were stretched to 0…255.")
    if high <= 1:
        return Scale(0.0, 1.0, "Values from 0 to 1 were multiplied by 255.")
    return Scale(0.0, 255.0, "" if is_whole else "Values were rounded to whole grey levels.")
