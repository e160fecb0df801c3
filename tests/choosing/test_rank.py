"""Where c starts."""

import numpy as np
import pytest

from epca import EPCA
from epca.choosing import starting_rank
from epca.corruption import occlude
from epca.metrics import is_collapsed


@pytest.mark.parametrize("n_images", [40, 100, 200])
def test_most_fits_do_not_collapse(n_images, faces):
    """With twice as many dimensions nearly all do."""
    start = starting_rank(n_images)
    collapsed = {start: 0, 2 * start: 0}
    for seed in range(5):
        drawn = np.random.default_rng(seed).choice(400, n_images, replace=False)
        X = occlude(faces.X[drawn], "salt-and-pepper", pixels=0.4, random_state=seed).X
        for c in collapsed:
            collapsed[c] += is_collapsed(EPCA(c).fit(X).residuals_)
    few, many = collapsed.values()
    assert few <= 1
    assert many >= 4


def test_there_is_one_dimension_at_least():
    assert [starting_rank(n) for n in (2, 19, 20, 39, 40)] == [1, 1, 1, 1, 2]
