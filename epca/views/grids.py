"""The σ and c at which Tune's sweeps fit EPCA."""

from collections.abc import Sequence

FINER = tuple(i / 4 for i in range(-4, 5))  # from the best σ's lower neighbour to its upper one
RANKS = (5, 10, 20, 30, 40, 50, 70, 100)  # of the map
MOST_RANKS = 20  # of the sweep over c

Grid = tuple[list[float], list[int]]  # exponents of σ, ranks


def grid(name: str, exponent: int, c: int, exponents: Sequence[int], highest: int) -> Grid:
    """What the sweep of this name tries; "sigma" and "rank" leave the other one as it is.

    exponents, highest : the σ and the largest c that can be set
    """
    if name == "sigma":
        return list(exponents), [c]
    if name == "rank":
        return [exponent], list(rank_axis(highest))
    ranks = [rank for rank in RANKS if rank <= highest]
    return list(exponents[::4]), ranks if highest >= RANKS[1] else list(range(1, highest + 1))


def rank_axis(highest: int) -> range:
    """At most so many ranks, evenly spaced, up to the highest."""
    step = -(-highest // MOST_RANKS)
    return range(step, highest + 1, step)


def finer(coarse: int, exponents: Sequence[int]) -> list[float]:
    """The exponents between the neighbours of the best σ of a sweep."""
    steps = [coarse + step for step in FINER]
    return [step for step in steps if exponents[0] <= step <= exponents[-1]]
