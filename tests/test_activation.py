"""The α-step for γ ≥ 1: closed form, optimality, hard numbers, errors.

What holds for every γ, above and below 1, is in test_nonconvex.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.activation import activate
from tests import drawn
from tests.yardstick import best_over_supports, slow_activate

losses_strategy = drawn.losses(40, 8)


@pytest.mark.parametrize(
    ("losses", "k", "weights", "value"),
    [
        ([1, 4, 9, 16], 2, [2 / 3, 1 / 3, 0, 0], 34),
        ([1, 1, 1], 3, [1 / 3, 1 / 3, 1 / 3], 4.5),
        ([4, 4.84, 5.76, 6.25, 9], 5, None, 36.6025),
        ([16, 1, 9, 4], 2, [0, 2 / 3, 0, 1 / 3], 34),
        ([2, 2], 2, [0.5, 0.5], 8),
        ([1, 9], 2, [0.75, 0.25], 16),
    ],
)
def test_worked_examples(losses, k, weights, value):
    result = activate(losses)
    assert result.n_activated == k
    assert result.objective == pytest.approx(value, rel=1e-14)
    if weights is not None:
        np.testing.assert_allclose(result.weights, weights, atol=1e-15)


@given(losses_strategy)
def test_closed_form(losses):
    """Eqs. 11 and 12, J* and its bounds Σf ≤ J* ≤ Σf + 2√(f₁f₂)."""
    result = activate(losses)
    root = np.sort(np.sqrt(losses))
    k = result.n_activated
    level = root[:k].sum() / (k - 1)
    slack = 1e-9 * root[-1]
    assert k >= 2
    assert root[k - 1] < level + slack
    assert k == len(losses) or level <= root[k] + slack
    np.testing.assert_allclose(result.multiplier, level**2, rtol=1e-12)
    expected = np.sum(root[k:] ** 2) + root[:k].sum() ** 2 / (k - 1)
    np.testing.assert_allclose(result.objective, expected, rtol=1e-12)
    gain = result.objective - losses.sum()
    assert -1e-12 * losses.sum() <= gain <= 2 * root[0] * root[1] + 1e-12 * losses.sum()


@given(losses_strategy, st.sampled_from([1.0, 1.5, 3.0]))
def test_kkt(losses, gamma):
    """λ is the marginal cost of every activated sample; the others cost at least as much."""
    result = activate(losses, gamma)
    is_activated = result.weights > 0
    weights = result.weights[is_activated]
    direct = result.direct_weights[is_activated]
    marginal = losses[is_activated] * gamma * weights ** (gamma - 1) * direct**2
    np.testing.assert_allclose(marginal, result.multiplier, rtol=1e-6)
    assert np.all(losses[~is_activated] >= result.multiplier * (1 - 1e-9))


@given(losses_strategy)
def test_equals_the_search_over_every_k(losses):
    alpha, k = slow_activate(losses)
    result = activate(losses)
    np.testing.assert_allclose(result.weights, alpha, atol=1e-10)
    if result.n_activated != k:  # only where a loss lies on the level to the last digit
        assert abs(result.n_activated - k) == 1
        assert result.weights[result.weights > 0].min() < 1e-12


@pytest.mark.parametrize("gamma", [1.0, 1.5, 2.0, 3.0, 5.0])
@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_equals_brute_force(n, gamma, generator):
    """A general-purpose solver on every support finds nothing better."""
    losses = generator.exponential(size=n) ** 2 + 0.01
    found = best_over_supports(losses, gamma)
    assert activate(losses, gamma).objective == pytest.approx(found, rel=1e-7)


@given(losses_strategy, st.sampled_from([1.5, 2.0, 5.0]))
def test_gamma_above_one_is_dense(losses, gamma):
    assert activate(losses, gamma).n_activated == len(losses)


def test_larger_gamma_is_closer_to_uniform(generator):
    losses = generator.exponential(size=20)
    spread = [np.ptp(activate(losses, gamma).weights) for gamma in (1.0, 1.5, 2.0, 4.0, 16.0)]
    assert np.all(np.diff(spread) < 0)


@pytest.mark.parametrize("gamma", [1.0, 2.0])
def test_zero_losses_share_the_weight(gamma):
    result = activate([0, 3.0, 0, 1.0, 0], gamma)
    np.testing.assert_allclose(result.weights, [1 / 3, 0, 1 / 3, 0, 1 / 3])
    assert result.n_activated == 3
    assert result.objective == 4


@pytest.mark.parametrize("gamma", [1.0, 2.0])
def test_one_zero_loss_takes_nearly_all(gamma):
    result = activate([5.0, 0.0, 1.0, 2.0], gamma)
    assert result.n_activated >= 2
    assert result.weights[1] > 0.99999
    assert np.all(np.isfinite(result.direct_weights))
    assert result.objective == pytest.approx(8, rel=1e-4)


def test_all_zero_and_all_equal():
    for losses in (np.zeros(5), np.full(5, 7.0), np.full(5, 1e-300), np.full(5, 1e300)):
        result = activate(losses)
        np.testing.assert_allclose(result.weights, 0.2, rtol=1e-12)
        assert result.n_activated == 5


@pytest.mark.parametrize("n", [4, 5, 10, 20])
def test_a_loss_on_the_level_is_not_activated(n):
    """f = 1, 4, 9, …: the third root lies exactly on the level S₂/1 = 3, and Eq. 12 gives k = 2."""
    assert activate(np.arange(1.0, n + 1) ** 2).n_activated == 2


def test_ties_enter_together():
    weights = activate([1.0, 1.0, 1.2, 1.2, 1.2, 50.0]).weights
    assert weights[0] == weights[1] > weights[2] == weights[3] == weights[4] > weights[5] == 0


@given(drawn.losses(12, 300))
def test_the_objective_of_tiny_and_huge_losses_is_bounded(losses):
    """J ≤ Σf + 2√(f₁f₂), over 600 orders of magnitude."""
    smallest = np.sqrt(np.sort(losses)[:2])
    assert activate(losses).objective <= (losses.sum() + 2 * smallest.prod()) * (1 + 1e-7)


def test_direct_weights_where_a_weight_rounds_to_one():
    """From the level, not as 1/(1 − w): of f = 1e-40, 1 the first is 1 + √(f₂/f₁) = 1e20."""
    result = activate([1e-40, 1.0])
    assert result.weights[0] == pytest.approx(1, abs=1e-15)
    np.testing.assert_allclose(result.direct_weights, [1e20, 1], rtol=1e-12)
    of_a_lone_zero = activate([0.0, 1e-20, 1.0]).direct_weights[0]
    assert of_a_lone_zero == pytest.approx(1e8, rel=1e-6)  # as of a loss tiny beside the next


def test_a_million_losses(generator):
    for losses in (generator.exponential(size=10**6), np.ones(10**6)):
        result = activate(losses)
        assert abs(result.weights.sum() - 1) <= 1e-12
        assert result.n_activated == np.count_nonzero(result.weights) >= 2


@pytest.mark.parametrize("bad", [np.nan, -1.0, np.inf, -np.inf])
def test_bad_losses_are_named(bad):
    with pytest.raises(ValueError, match=rf"1 of 3 are not, the first is {bad} at index 2"):
        activate([1.0, 2.0, bad])


@pytest.mark.parametrize("losses", [[], [1.0], 1.0, [[1.0, 2.0], [3.0, 4.0]]])
def test_bad_shapes(losses):
    with pytest.raises(ValueError, match="one-dimensional with at least 2 entries; got shape"):
        activate(losses)


@pytest.mark.parametrize("gamma", [0, -1.0, 1e-4, 0.5, 0.999, 1e7, np.nan, np.inf, "1", None])
def test_bad_gamma(gamma):
    """The message gives the value, the rule, and who handles γ < 1."""
    message = r"gamma=.* must be a number >= 1 and <= 1e\+06 here; epca.nonconvex.activate handles"
    with pytest.raises(ValueError, match=message) as caught:
        activate([1.0, 2.0], gamma)
    assert f"gamma={gamma!r} " in str(caught.value)


@pytest.mark.parametrize("gamma", [1.0, 2.0])
def test_input_is_not_changed(gamma):
    losses = np.array([0.0, 4.0, 1.0])
    activate(losses, gamma)
    np.testing.assert_array_equal(losses, [0, 4, 1])
