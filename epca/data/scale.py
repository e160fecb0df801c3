"""Numbers of any range → grey levels 0…255, by one rule for all images of a set."""

from typing import NamedTuple

import numpy as np

# some numbers at a time, so that no copy of all is needed
BY_PARTS = {"flags": ["external_loop", "buffered", "zerosize_ok"], "buffersize": 2**16}
FEW_LEVELS = 16  # grey levels that fractions are not rounded to: too little of them would remain


class Scale(NamedTuple):
    """Makes low 0 and high 255; what lies between follows in proportion."""

    low: float
    high: float
    rule: str  # what the user is told; empty where nothing is changed

    def __call__(self, values):
        """Values of any shape → uint8."""
        half_range = self.high / 2 - self.low / 2  # halves, because the range itself may overflow
        with np.nditer([values, None], op_dtypes=[float, np.uint8], **BY_PARTS) as parts:
            for part, grey in parts:
                share = (part / 2 - self.low / 2) / (half_range or 1)
                grey[...] = np.clip(np.rint(share * 255), 0, 255)
            return parts.operands[1]


def are_whole(values):
    """Whether all values, of any shape, are whole numbers."""
    if values.dtype.kind != "f":
        return True
    return all(np.all(part == np.rint(part)) for part in np.nditer(values, **BY_PARTS))


def choose_scale(low, high, *, is_16_bit=False, is_whole=True):
    """The Scale for values from low to high.

    16-bit values are divided by 257; others are stretched where they do not fit into 0…255, or
    where little of them would remain by rounding.
    """
    if is_16_bit and high > 255:
        return Scale(0.0, 65535.0, "16-bit values were divided by 257, so that 65535 became 255.")
    if 0 <= low <= high <= 1:
        return Scale(0.0, 1.0, "Values from 0 to 1 were multiplied by 255.")
    if low < 0 or high > 255 or (high < FEW_LEVELS and not is_whole):
        return Scale(low, high, f"Values from {low:.4g} to {high:.4g} were stretched to 0…255.")
    return Scale(0.0, 255.0, "" if is_whole else "Values were rounded to whole grey levels.")
