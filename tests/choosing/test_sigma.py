"""σ from the residuals, also as "auto", and the σ of a sweep."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca import EPCA
from epca.choosing import propose_sigma, sigma_from_residuals
from epca.linalg import reduce_to_span
from epca.registry import METHODS


@pytest.mark.parametrize("c", [1, 10, 30])
def test_sigma_is_an_eighth_of_the_median_residual_of_pca(c, occluded):
    residuals = METHODS["PCA"](c).fit(occluded.X).residuals(occluded.X)
    found = sigma_from_residuals(reduce_to_span(occluded.X), c)
    assert type(found) is float
    assert found == pytest.approx(np.median(residuals) / 8, rel=1e-9)


def test_sigma_has_the_unit_of_the_data(generator):
    X = generator.standard_normal((30, 8))
    scaled = sigma_from_residuals(reduce_to_span(5 * X), 2)
    assert scaled == pytest.approx(5 * sigma_from_residuals(reduce_to_span(X), 2), rel=1e-9)


sweeps = st.lists(
    st.tuples(st.integers(-20, 20), st.booleans()), min_size=1, unique_by=lambda i: i[0]
)


@given(sweeps, st.floats(1e-9, 1e9))
def test_the_proposal_is_the_smallest_usable_from_sigma_on(sweep, sigma):
    """Checked fit by fit, in the words of the rule."""
    exponents, is_usable = np.array(sorted(sweep)).T
    found = propose_sigma(exponents, is_usable.astype(bool), sigma)
    wanted = min(round(np.log2(sigma)), max(exponents))
    allowed = [e for e, usable in sorted(sweep) if usable and e >= wanted]
    if allowed:
        assert exponents[found] == min(allowed)
    else:
        assert found is None


@given(sweeps)
def test_a_sigma_beyond_all_asks_for_the_largest(sweep):
    exponents, is_usable = zip(*sorted(sweep), strict=True)
    expected = len(sweep) - 1 if is_usable[-1] else None
    assert propose_sigma(exponents, is_usable, 2.0**40) == expected
    assert propose_sigma(exponents, is_usable, np.inf) == expected


def test_worked_examples():
    exponents = [-2, -1, 0, 1, 2]
    assert propose_sigma(exponents, [True] * 5, 1.0) == 2
    assert propose_sigma(exponents, [True] * 5, 1.4) == 2  # log₂ 1.4 = 0.49 is rounded down
    assert propose_sigma(exponents, [True] * 5, 1.5) == 3
    assert propose_sigma(exponents, [True, True, False, False, True], 1.0) == 4
    assert propose_sigma(exponents, [True, True, False, False, False], 1.0) is None
    assert propose_sigma(exponents, [False, True, True, True, True], 0.0) == 1
    assert propose_sigma([], [], 1.0) is None


@pytest.mark.parametrize("sigma", [-1.0, np.nan])
def test_bad_sigma(sigma):
    with pytest.raises(ValueError, match=f"sigma={sigma} must be a number >= 0"):
        propose_sigma([0], [True], sigma)


def test_auto_is_the_rule(occluded):
    reduction = reduce_to_span(occluded.X)
    sigma = sigma_from_residuals(reduction, 10)
    auto = EPCA(10, sigma="auto").fit_reduced(reduction)
    plain = EPCA(10, sigma=sigma).fit_reduced(reduction)
    assert auto.sigma_ == sigma == plain.sigma_
    assert auto.get_params()["sigma"] == "auto"
    np.testing.assert_array_equal(auto.components_, plain.components_)


@pytest.mark.parametrize("factor", [1 / 255, 1e6])
def test_auto_does_not_depend_on_the_unit(factor, small_faces):
    plain = EPCA(8, sigma="auto").fit(small_faces)
    scaled = EPCA(8, sigma="auto").fit(factor * small_faces)
    assert scaled.sigma_ == pytest.approx(factor * plain.sigma_)
    np.testing.assert_allclose(scaled.alpha_, plain.alpha_, atol=1e-9)
    np.testing.assert_allclose(scaled.components_, plain.components_, atol=1e-6)


def test_auto_where_pca_fits_everything():
    X = np.outer(np.arange(10.0), [1.0, 2.0, 3.0])
    assert EPCA(1, sigma="auto").fit(X).sigma_ > 0


@pytest.mark.parametrize("sigma", ["best", np.array([1.0, 2.0])])
def test_other_words_are_refused(sigma):
    with pytest.raises(ValueError, match=r"must be a number > 0 .* or “auto”"):
        EPCA(1, sigma=sigma).fit(np.eye(4))
