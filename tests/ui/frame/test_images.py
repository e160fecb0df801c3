"""Which images are so large that previews come first."""

import numpy as np
import pytest

from epca.data import ImageSet
from epca.ui.frame.images import is_large


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((400, 32, 32), False),
        ((400, 128, 128), False),
        ((5000, 32, 32), False),
        ((1200, 64, 64), False),
        ((3000, 64, 64), True),
        ((13_000, 62, 47), True),
    ],
)
def test_it_is_the_cost_of_a_fit_that_counts(shape, expected):
    images = ImageSet("a", np.broadcast_to(np.uint8(0), shape), None, "nowhere")
    assert is_large(images) == expected


def test_no_preview_where_pixels_are_unknown():
    shape = (3000, 64, 64)
    hidden = np.broadcast_to(np.True_, shape)
    images = ImageSet("a", np.broadcast_to(np.uint8(0), shape), None, "nowhere", unknown=hidden)
    assert not is_large(images)
