"""Occlusion: exactly what was asked for, nothing else, the same for the same seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.corruption import occlude

fractions = st.floats(0, 1)


@given(fractions, fractions, st.integers(0, 2**32 - 1))
def test_exactly_the_mask(samples, pixels, seed):
    X = np.full((15, 40), -1.0)
    damage = occlude(X, samples=samples, pixels=pixels, random_state=seed)
    hit = damage.mask.any(axis=1)
    n_pixels = round(pixels * 40)
    assert len(damage.samples) == round(samples * 15)
    np.testing.assert_array_equal(damage.X != -1, damage.mask)
    assert np.all(X == -1)
    if n_pixels:
        np.testing.assert_array_equal(np.flatnonzero(hit), damage.samples)
        assert np.all(damage.mask[hit] == damage.mask[hit][:1])  # the same pixels in every damaged sample
        assert np.all(damage.mask[hit].sum(axis=1) == n_pixels)


def test_values_are_grey_levels(faces):
    damage = occlude(faces.X, random_state=3)
    values = damage.X[damage.mask]
    assert values.min() >= 0
    assert values.max() <= 255
    assert np.all(values == np.rint(values))
    assert 120 < values.mean() < 135
    assert (len(damage.samples), damage.mask[damage.samples[0]].sum()) == (80, 205)


def test_seeds(faces):
    first, again, other = (occlude(faces.X, random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.X, again.X)
    assert not np.array_equal(first.samples, other.samples)


@pytest.mark.parametrize("name", ["samples", "pixels"])
@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan])
def test_bad_fractions(name, value):
    with pytest.raises(ValueError, match=rf"{name}={value} must be a fraction between 0 and 1"):
        occlude(np.ones((4, 4)), **{name: value})
