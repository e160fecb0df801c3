"""α for γ < 1, and what holds for every γ, above and below 1."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from epca import activation, nonconvex
from tests import drawn
from tests.yardstick import best_over_supports, objective

losses_strategy = drawn.losses(40, 8)
distinct_losses = losses_strategy.map(np.unique).filter(lambda losses: len(losses) > 1)
every_gamma = pytest.mark.parametrize("gamma", [0.3, 0.5, 0.9, 1.0, 1.5, 2.0, 5.0])
fewer = settings(max_examples=30)  # for each of the seven γ


def activate(losses, gamma):
    """By the module that handles this γ."""
    module = nonconvex if gamma < 1 else activation
    return module.activate(losses, gamma)


@every_gamma
@fewer
@given(losses=losses_strategy)
def test_on_the_simplex_and_ordered(losses, gamma):
    result = activate(losses, gamma)
    assert abs(result.weights.sum() - 1) <= 1e-12
    assert result.weights.min() >= 0
    assert result.weights.max() <= 1
    assert result.n_activated == np.count_nonzero(result.weights)
    assert np.all(np.diff(result.weights[np.argsort(losses, kind="stable")]) <= 1e-12)
    assert np.all(result.direct_weights >= 1)
    inside = result.weights < 1 - 1e-6
    np.testing.assert_allclose(
        result.direct_weights[inside], 1 / (1 - result.weights[inside] ** gamma), rtol=1e-8
    )


@every_gamma
@fewer
@given(losses=losses_strategy, seed=st.integers(0, 2**32 - 1))
def test_beats_random_feasible_weights(losses, gamma, seed):
    generator = np.random.default_rng(seed)
    best = activate(losses, gamma).objective
    for concentration in (0.1, 1.0, 10.0):
        weights = generator.dirichlet(np.full(len(losses), concentration), size=20)
        feasible = weights[weights.max(axis=1) < 1 - 1e-9]
        assert all(best <= objective(losses, w, gamma) * (1 + 1e-9) for w in feasible)


@pytest.mark.slow
@every_gamma
@fewer
@given(losses=distinct_losses, seed=st.integers(0, 2**32 - 1))
def test_permutation_equivariant(losses, gamma, seed):
    """For distinct losses: equal ones are taken by index where γ < 1."""
    order = np.random.default_rng(seed).permutation(len(losses))
    permuted = activate(losses[order], gamma).weights
    np.testing.assert_allclose(permuted, activate(losses, gamma).weights[order], atol=1e-9)


@pytest.mark.slow
@every_gamma
@fewer
@given(losses=losses_strategy, factor=st.sampled_from([1e-100, 1e-3, 7.0, 1e100]))
def test_scale_invariant(losses, gamma, factor):
    plain = activate(losses, gamma)
    scaled = activate(factor * losses, gamma)
    np.testing.assert_allclose(scaled.weights, plain.weights, atol=1e-9)
    np.testing.assert_allclose(scaled.objective, factor * plain.objective, rtol=1e-9)


def test_gamma_near_one_is_continuous(generator):
    losses = generator.exponential(size=20)
    at_one = activation.activate(losses).weights
    for gamma in (0.9999, 1.0001):
        np.testing.assert_allclose(activate(losses, gamma).weights, at_one, atol=5e-3)


@pytest.mark.parametrize("gamma", [0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 1.01, 1.5, 2, 10, 1e3, 1e6])
@pytest.mark.parametrize("ratio", [1.0, 1e-3, 1e-20, 1e-60, 1e-300])
def test_two_losses_against_a_search_on_the_line(ratio, gamma):
    """The smaller weight v is the one unknown; a grid in log v is never better, nor much worse."""
    result = activate([ratio, 1.0], gamma)
    log_v = np.linspace(-1450, np.log(0.5), 400_001)
    with np.errstate(over="ignore"):
        large = -np.expm1(gamma * np.log1p(-np.exp(log_v)))
        costs = ratio / np.where(large > 0, large, 1e-300) + 1 / -np.expm1(gamma * log_v)
    best = costs[large > 0].min()
    assert best * (1 - 1e-3) <= result.objective <= best * (1 + 1e-9)


@every_gamma
@fewer
@given(losses=drawn.losses(12, 300))
@example(losses=np.array([1e-40, 1.0]))
@example(losses=np.array([1e-300, 1e300, 1e300]))
@example(losses=np.array([0.0, 1e-20, 1.0]))
@example(losses=np.array([1e-300, 1e300]))
def test_tiny_and_huge_losses(losses, gamma):
    result = activate(losses, gamma)
    assert abs(result.weights.sum() - 1) <= 1e-12
    assert result.n_activated >= 2
    assert np.all(np.isfinite(result.direct_weights))
    assert np.isfinite(result.objective)
    assert result.objective >= losses.sum() * (1 - 1e-12)


# γ < 1


@pytest.mark.parametrize("gamma", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_equals_brute_force(n, gamma, generator):
    """The best local optimum over all supports, found by a general-purpose solver."""
    losses = generator.exponential(size=n) ** 2 + 0.01
    found = best_over_supports(losses, gamma)
    assert nonconvex.activate(losses, gamma).objective == pytest.approx(found, rel=1e-7)


def test_gamma_below_one_is_not_unique():
    """The paper claims uniqueness.

    Of ten equal losses at γ = ½ any 4 samples at ¼ give 14.000, the uniform weights 14.625.
    """
    losses = np.ones(10)
    result = nonconvex.activate(losses, 0.5)
    np.testing.assert_allclose(result.weights, [0.25] * 4 + [0] * 6, atol=1e-12)  # ties go by index
    assert result.objective == pytest.approx(14)
    assert objective(losses, np.full(10, 0.1), 0.5) == pytest.approx(14.6247, abs=1e-4)
    other = np.r_[np.zeros(6), np.full(4, 0.25)]
    assert objective(losses, other, 0.5) == pytest.approx(result.objective)


def test_best_support_size_for_equal_losses_does_not_depend_on_n():
    sizes = [nonconvex.activate(np.ones(n), 0.9).n_activated for n in (20, 50, 200)]
    assert sizes == [13, 13, 13]


def test_zero_losses_share_the_weight():
    result = nonconvex.activate([0, 3.0, 0, 1.0, 0], 0.5)
    np.testing.assert_allclose(result.weights, [1 / 3, 0, 1 / 3, 0, 1 / 3])
    assert result.n_activated == 3
    assert result.objective == 4


def test_one_zero_loss_takes_nearly_all():
    result = nonconvex.activate([5.0, 0.0, 1.0, 2.0], 0.5)
    assert result.n_activated >= 2
    assert result.weights[1] > 0.99999
    assert np.all(np.isfinite(result.direct_weights))
    assert result.objective == pytest.approx(8, rel=1e-4)


@pytest.mark.parametrize("gamma", [0, -1.0, 1e-4, 1.0, 2.0, np.nan, np.inf, "1", None])
@pytest.mark.parametrize("solve", [nonconvex.activate, nonconvex.local_minima])
def test_bad_gamma(solve, gamma):
    """The message gives the value, the rule, and who handles γ ≥ 1."""
    message = r"gamma=.* must be a number >= 0.001 and < 1 here; epca.activation.activate handles"
    with pytest.raises(ValueError, match=message) as caught:
        solve([1.0, 2.0], gamma)
    assert f"gamma={gamma!r} " in str(caught.value)


@pytest.mark.parametrize("solve", [nonconvex.activate, nonconvex.local_minima])
def test_bad_losses_are_named(solve):
    with pytest.raises(ValueError, match=r"1 of 3 are not, the first is -1.0 at index 2"):
        solve([1.0, 2.0, -1.0], 0.5)


def test_input_is_not_changed():
    losses = np.array([0.0, 4.0, 1.0])
    nonconvex.activate(losses, 0.5)
    np.testing.assert_array_equal(losses, [0, 4, 1])
