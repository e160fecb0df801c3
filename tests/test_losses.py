"""Losses: limits, derivative, Lemma 1, convexity, range of numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.losses import L21, Huber, SigmaLoss, Squared

LOSSES = [
    SigmaLoss(0.1),
    SigmaLoss(1.0),
    SigmaLoss(300.0),
    SigmaLoss(np.inf),
    L21(),
    Squared(),
    Huber(2.0),
]
lengths = st.floats(1e-6, 1e6)
sigmas = st.floats(-60, 60).map(lambda exponent: 2.0**exponent)


def exact(sigma, t):
    """h(t) and d(t) in rational arithmetic (Eqs. 16 and 20)."""
    s = Fraction(sigma)
    x = Fraction(t)
    return (1 + s) * x**2 / (x + s), (1 + s) * (x + 2 * s) / (2 * (x + s) ** 2)


@given(sigmas, st.one_of(st.just(0.0), st.floats(-150, 150).map(lambda exponent: 10.0**exponent)))
def test_sigma_loss_is_exact_over_the_whole_range(sigma, t):
    loss = SigmaLoss(sigma)
    value, weight = exact(sigma, t)
    assert loss.value(t) == pytest.approx(float(value), rel=1e-14, abs=0)
    assert loss.weight(t) == pytest.approx(float(weight), rel=1e-14, abs=0)


@pytest.mark.parametrize("t", [0.0, 1e-150, 1.0, 1e150])
def test_sigma_inf_is_the_squared_loss(t):
    assert SigmaLoss(np.inf).value(t) == Squared().value(t)
    assert SigmaLoss(np.inf).weight(t) == 1


def test_sigma_loss_limits():
    t = np.geomspace(1e-3, 1e3, 50)
    np.testing.assert_allclose(SigmaLoss(1e-12).value(t), L21().value(t), rtol=1e-8)
    np.testing.assert_allclose(SigmaLoss(1e-12).weight(t), L21().weight(t), rtol=1e-8)
    np.testing.assert_allclose(SigmaLoss(1e12).value(t), Squared().value(t), rtol=1e-8)
    np.testing.assert_allclose(SigmaLoss(1e12).weight(t), Squared().weight(t), rtol=1e-8)
    np.testing.assert_allclose(Huber(np.inf).value(t), Squared().value(t))
    np.testing.assert_allclose(Huber(np.inf).weight(t), Squared().weight(t))


def test_sigma_loss_lies_between_its_limits():
    """For t ≥ 1 between t and t², for t ≤ 1 between t² and t: the picture of the paper's Fig. 2."""
    t = np.linspace(0, 3, 301)
    for sigma in (0.1, 1.0, 10.0):
        value = SigmaLoss(sigma).value(t)
        assert np.all(value >= np.minimum(t, t**2) - 1e-12)
        assert np.all(value <= np.maximum(t, t**2) + 1e-12)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_weight_is_the_derivative_over_twice_the_length(loss):
    t = np.array([0.01, 0.5, 1.0, 1.9, 2.1, 30.0, 1e3])
    step = 1e-6 * t
    slope = (loss.value(t + step) - loss.value(t - step)) / (2 * step)
    np.testing.assert_allclose(loss.weight(t), slope / (2 * t), rtol=1e-7)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@given(x=lengths, y=lengths)
def test_lemma_1_weighted_squares_majorise_the_loss(loss, x, y):
    """h(x) ≤ d(y)·x² + [h(y) − d(y)·y²]; the two sides meet at x = y."""
    bound = loss.weight(y) * x**2 + (loss.value(y) - loss.weight(y) * y**2)
    assert loss.value(x) <= bound + 1e-9 * (loss.value(x) + loss.weight(y) * (x**2 + y**2))


@given(sigma=sigmas, x=lengths, y=lengths)
def test_lemma_1_for_every_sigma(sigma, x, y):
    loss = SigmaLoss(sigma)
    value_x, _ = exact(sigma, x)
    value_y, weight_y = exact(sigma, y)
    assert value_x <= weight_y * Fraction(x) ** 2 + value_y - weight_y * Fraction(y) ** 2
    assert loss.value(x) == pytest.approx(float(value_x))


def test_the_papers_last_line_of_lemma_1_is_false():
    """It concludes h(x) ≤ h(y) for arbitrary x and y."""
    assert SigmaLoss(1.0).value(2.0) > SigmaLoss(1.0).value(1.0)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_convex_and_increasing(loss):
    value = loss.value(np.linspace(0, 10, 1001))
    assert np.all(np.diff(value) >= 0)
    assert np.all(np.diff(value, 2) >= -1e-12)


def test_sigma_loss_is_no_norm():
    loss = SigmaLoss(1.0)
    assert loss.value(2 * 3.0) != 2 * loss.value(3.0)


def test_huber_by_hand():
    loss = Huber(2.0)
    np.testing.assert_allclose(loss.value(np.array([1.0, 2.0, 5.0])), [1, 4, 16])
    np.testing.assert_allclose(loss.weight(np.array([1.0, 2.0, 5.0])), [1, 1, 0.4])


def test_at_zero():
    assert SigmaLoss(0.5).weight(0.0) == 3  # (1 + σ)/σ
    assert L21().weight(0.0) == np.inf
    assert [loss.value(0.0) for loss in LOSSES] == [0] * len(LOSSES)


def test_shapes_and_scalars():
    for loss in LOSSES:
        np.testing.assert_array_equal(loss.value([1, 2]), loss.value(np.array([1.0, 2.0])))
        np.testing.assert_array_equal(loss.weight([1, 2]), loss.weight(np.array([1.0, 2.0])))
        assert loss.value(np.ones((2, 3))).shape == loss.weight(np.ones((2, 3))).shape == (2, 3)
        assert np.ndim(loss.value(1.0)) == np.ndim(loss.weight(1.0)) == 0


@pytest.mark.parametrize("sigma", [0, -1.0, np.nan, "1", None])
def test_bad_sigma(sigma):
    with pytest.raises(ValueError, match=r"sigma=.* must be > 0"):
        SigmaLoss(sigma)


@pytest.mark.parametrize("tau", [0, -1.0, np.nan, "1", None])
def test_bad_tau(tau):
    with pytest.raises(ValueError, match=r"tau=.* must be > 0"):
        Huber(tau)
