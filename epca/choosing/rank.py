"""The rank c to begin with."""

PER_DIMENSION = 20  # images for a dimension of the subspace; with ten, most fits of EPCA collapse


def starting_rank(n_samples: int) -> int:
    """The largest c at which EPCA seldom collapses on so many occluded images; at least 1.

    >>> starting_rank(400)
    20
    """
    return max(n_samples // PER_DIMENSION, 1)
