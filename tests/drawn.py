"""Data to test with: what property tests draw from, and one seeded cloud."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.linalg import subspace_angles

from epca.data.clouds import LIMITS, MOST

EXPONENTS = range(-20, 21)  # of σ
places = st.tuples(
    *(
        st.integers(round(-100 * limit), round(100 * limit)).map(lambda value: value / 100)
        for limit in LIMITS
    )
)
plane_clouds = st.lists(places, min_size=3, max_size=MOST).map(np.array)


def losses(most, decades):
    """2 to `most` losses between 10^-decades and 10^decades."""
    elements = st.floats(-decades, decades).map(lambda exponent: 10.0**exponent)
    return arrays(float, st.integers(2, most), elements=elements, fill=st.nothing())


@st.composite
def problems(draw, max_samples=30, max_features=12, *, below_full_rank=False):
    """Random data with a few gross outliers: (X, c, exponent of σ).

    below_full_rank : whether c is to leave residuals
    """
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(4, max_samples))
    d = draw(st.integers(2, max_features))
    X = generator.standard_normal((n, d)) * generator.exponential(size=d)
    X[: n // 5] += generator.standard_normal((n // 5, d)) * 10
    scale = 10.0 ** draw(st.integers(-3, 3))
    c = draw(st.integers(1, min(n - 1, d) - below_full_rank))
    return scale * X, c, draw(st.sampled_from(EXPONENTS))


def cloud(seed=0, n=60, d=12):
    """Points of which the first tenth are gross outliers: (n, d)."""
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((n, d)) * np.geomspace(5, 0.5, d)
    X[: n // 10] += 15 * generator.standard_normal((n // 10, d))
    return X


def planted(seed=0):
    """120 points of a noisy 4-dimensional subspace in 60 dimensions, and its basis (60, 4)."""
    generator = np.random.default_rng(seed)
    basis = np.linalg.qr(generator.standard_normal((60, 4)))[0]
    scores = generator.standard_normal((120, 4)) * [9, 7, 5, 3]
    return scores @ basis.T + 0.1 * generator.standard_normal((120, 60)), basis


def planted_samples(seed=0):
    """The same with the first 24 points wrong altogether."""
    X, basis = planted(seed)
    X[:24] = 50 * np.random.default_rng(seed).standard_normal((24, 60))
    return X, basis


def planted_cells(seed=0):
    """The same with a tenth of all numbers off by 5 to 15, and which these are."""
    X, basis = planted(seed)
    generator = np.random.default_rng(seed)
    is_bad = generator.random(X.shape) < 0.1
    sizes = generator.uniform(5, 15, X.shape) * generator.choice([-1, 1], X.shape)
    return X + is_bad * sizes, basis, is_bad


def angle(model, other):
    """The largest angle in degrees between a model's subspace and another's, or a basis (d, c)."""
    basis = getattr(other, "components_", np.transpose(other)).T
    return np.degrees(subspace_angles(model.components_.T, basis).max())
