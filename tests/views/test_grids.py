"""The σ and c that Tune's sweeps try."""

import pytest

from epca.views.grids import MOST_RANKS, RANKS, finer, grid, rank_axis

EXPONENTS = range(-20, 21)


@pytest.mark.parametrize("highest", range(2, 101))
def test_the_sweep_over_c_has_at_most_twenty_ranks_from_the_smallest_up(highest):
    axis = rank_axis(highest)
    assert axis[0] == axis.step
    assert highest - axis.step < axis[-1] <= highest
    assert min(highest, MOST_RANKS // 2) <= len(axis) <= MOST_RANKS


def test_what_is_not_swept_stays_as_it_is():
    assert grid("sigma", 3, 7, EXPONENTS, 45) == (list(EXPONENTS), [7])
    assert grid("rank", 3, 7, EXPONENTS, 45) == ([3], list(rank_axis(45)))


@pytest.mark.parametrize(("highest", "ranks"), [(100, RANKS), (45, RANKS[:5]), (9, range(1, 10))])
def test_the_map_has_every_fourth_sigma_and_round_ranks(highest, ranks):
    assert grid("map", 3, 7, EXPONENTS, highest) == (list(range(-20, 21, 4)), list(ranks))


def test_the_fine_search_stays_within_the_sweep():
    assert finer(4, EXPONENTS) == [3, 3.25, 3.5, 3.75, 4, 4.25, 4.5, 4.75, 5]
    assert finer(20, EXPONENTS) == [19, 19.25, 19.5, 19.75, 20]
