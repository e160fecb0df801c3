"""How often those who follow look at their room."""

import pytest

from epca.classroom.room import MOST_SEATS, PRESENT
from epca.ui.frame import pulse


@pytest.mark.parametrize(("n_present", "seconds"), [(0, 0.8), (10, 0.8), (50, 0.8), (200, 3.2)])
def test_a_large_class_looks_less_often(n_present, seconds):
    assert pulse.every(n_present) == seconds


def test_who_looks_in_a_full_room_counts_as_present():
    assert pulse.every(MOST_SEATS) < PRESENT
