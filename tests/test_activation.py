"""The α-step: closed form, optimality, uniqueness, the γ extension, hard numbers."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from epca.activation import activate
from tests import drawn
from tests.yardstick import objective, slow_activate

losses_strategy = drawn.losses(40, 8)
extreme_strategy = drawn.losses(12, 300)
every_gamma = pytest.mark.parametrize("gamma", [0.3, 0.5, 0.9, 1.0, 1.5, 2.0, 5.0])
fewer = settings(max_examples=30)  # for each of the seven γ


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
    np.testing.assert_allclose(
        result.objective, np.sum(root[k:] ** 2) + root[:k].sum() ** 2 / (k - 1), rtol=1e-12
    )
    gain = result.objective - losses.sum()
    assert -1e-12 * losses.sum() <= gain <= 2 * root[0] * root[1] + 1e-12 * losses.sum()


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


@given(losses_strategy, st.sampled_from([1.0, 1.5, 3.0]))
def test_kkt(losses, gamma):
    """A multiplier λ equals the marginal cost of every activated sample and exceeds none of the others'."""
    result = activate(losses, gamma)
    active = result.weights > 0
    weights = result.weights[active]
    marginal = losses[active] * gamma * weights ** (gamma - 1) * result.direct_weights[active] ** 2
    np.testing.assert_allclose(marginal, result.multiplier, rtol=1e-6)
    assert np.all(losses[~active] >= result.multiplier * (1 - 1e-9))


@given(losses_strategy)
def test_equals_the_search_over_every_k(losses):
    alpha, k = slow_activate(losses)
    result = activate(losses)
    np.testing.assert_allclose(result.weights, alpha, atol=1e-10)
    assert (
        abs(result.n_activated - k) <= 1
    )  # they may differ where a loss lies on the level to the last digit
    assert (
        result.n_activated == k or np.min(np.where(result.weights > 0, result.weights, 1)) < 1e-12
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


@pytest.mark.parametrize("gamma", [0.3, 0.5, 0.9, 1.0, 1.5, 2.0, 3.0, 5.0])
@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_equals_brute_force(n, gamma, generator):
    """The best local optimum over all supports, found by a general-purpose solver."""
    losses = generator.exponential(size=n) ** 2 + 0.01
    found = min(
        best_on_support(losses[list(support)], gamma) + np.delete(losses, support).sum()
        for size in range(2, n + 1)
        for support in combinations(range(n), size)
    )
    assert activate(losses, gamma).objective == pytest.approx(found, rel=1e-7)


def best_on_support(losses, gamma):
    starts = [np.full(len(losses), 1 / len(losses)), (1 / losses) / np.sum(1 / losses)]
    solutions = [
        minimize(
            lambda w: objective(losses, np.clip(w, 0, 1 - 1e-12), gamma),
            start,
            bounds=[(1e-12, 1 - 1e-9)] * len(losses),
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        )
        for start in starts
    ]
    return min((s.fun for s in solutions if abs(s.x.sum() - 1) < 1e-9), default=np.inf)


@every_gamma
@fewer
@given(losses=losses_strategy, seed=st.integers(0, 2**32 - 1))
def test_permutation_equivariant(losses, gamma, seed):
    losses = np.unique(losses)  # ties go by index where γ < 1
    if len(losses) < 2:
        return
    order = np.random.default_rng(seed).permutation(len(losses))
    np.testing.assert_allclose(
        activate(losses[order], gamma).weights, activate(losses, gamma).weights[order], atol=1e-9
    )


@every_gamma
@fewer
@given(losses=losses_strategy, factor=st.sampled_from([1e-100, 1e-3, 7.0, 1e100]))
def test_scale_invariant(losses, gamma, factor):
    plain, scaled = activate(losses, gamma), activate(factor * losses, gamma)
    np.testing.assert_allclose(scaled.weights, plain.weights, atol=1e-9)
    np.testing.assert_allclose(scaled.objective, factor * plain.objective, rtol=1e-9)


@given(losses_strategy, st.sampled_from([1.5, 2.0, 5.0]))
def test_gamma_above_one_is_dense(losses, gamma):
    assert activate(losses, gamma).n_activated == len(losses)


def test_larger_gamma_is_closer_to_uniform(generator):
    losses = generator.exponential(size=20)
    spread = [np.ptp(activate(losses, gamma).weights) for gamma in (1.0, 1.5, 2.0, 4.0, 16.0)]
    assert np.all(np.diff(spread) < 0)


def test_gamma_near_one_is_continuous(generator):
    losses = generator.exponential(size=20)
    for gamma in (0.9999, 1.0001):
        np.testing.assert_allclose(
            activate(losses, gamma).weights, activate(losses).weights, atol=5e-3
        )


def test_gamma_below_one_is_not_unique():
    """Ten equal losses, γ = ½: any 4 samples at ¼ give 14.000, the uniform weights 14.625. The paper claims uniqueness."""
    losses = np.ones(10)
    result = activate(losses, 0.5)
    np.testing.assert_allclose(result.weights, [0.25] * 4 + [0] * 6, atol=1e-12)  # ties go by index
    assert result.objective == pytest.approx(14)
    assert objective(losses, np.full(10, 0.1), 0.5) == pytest.approx(14.6247, abs=1e-4)
    other = np.r_[np.zeros(6), np.full(4, 0.25)]
    assert objective(losses, other, 0.5) == pytest.approx(result.objective)


def test_best_support_size_for_equal_losses_does_not_depend_on_n():
    assert [activate(np.ones(n), 0.9).n_activated for n in (20, 50, 200)] == [13, 13, 13]


def test_zero_losses_share_the_weight():
    for gamma in (0.5, 1.0, 2.0):
        result = activate([0, 3.0, 0, 1.0, 0], gamma)
        np.testing.assert_allclose(result.weights, [1 / 3, 0, 1 / 3, 0, 1 / 3])
        assert result.n_activated == 3
        assert result.objective == 4


def test_one_zero_loss_takes_nearly_all():
    for gamma in (0.5, 1.0, 2.0):
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


@pytest.mark.parametrize(
    "gamma", [0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 1.01, 1.5, 2.0, 10.0, 1e3, 1e6]
)
@pytest.mark.parametrize("ratio", [1.0, 1e-3, 1e-20, 1e-60, 1e-300])
def test_two_losses_against_a_search_on_the_line(ratio, gamma):
    """The smaller weight v is the one unknown; a grid in log v cannot miss the optimum by much, and cannot beat it."""
    result = activate([ratio, 1.0], gamma)
    log_v = np.linspace(-1450, np.log(0.5), 400_001)
    with np.errstate(over="ignore"):
        large = -np.expm1(gamma * np.log1p(-np.exp(log_v)))
        costs = ratio / np.where(large > 0, large, 1e-300) + 1 / -np.expm1(gamma * log_v)
    best = costs[large > 0].min()
    assert best * (1 - 1e-3) <= result.objective <= best * (1 + 1e-9)


def test_ties_enter_together():
    weights = activate([1.0, 1.0, 1.2, 1.2, 1.2, 50.0]).weights
    assert weights[0] == weights[1] > weights[2] == weights[3] == weights[4] > weights[5] == 0


@every_gamma
@fewer
@given(losses=extreme_strategy)
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
    if gamma == 1:
        assert result.objective <= (losses.sum() + 2 * np.prod(np.sqrt(np.sort(losses)[:2]))) * (
            1 + 1e-7
        )


def test_direct_weights_where_a_weight_rounds_to_one():
    """From the level, not as 1/(1 − w): with f = 1e-40, 1 the first is 1 + √(f₂/f₁) = 1e20, and w is 1."""
    result = activate([1e-40, 1.0])
    assert result.weights[0] == pytest.approx(1, abs=1e-15)
    np.testing.assert_allclose(result.direct_weights, [1e20, 1], rtol=1e-12)
    assert activate([0.0, 1e-20, 1.0]).direct_weights[0] == pytest.approx(
        1e8, rel=1e-6
    )  # tiny relative to the next


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


@pytest.mark.parametrize("gamma", [0, -1.0, 1e-4, 1e7, np.nan, np.inf, "1", None])
def test_bad_gamma(gamma):
    with pytest.raises(ValueError, match=r"gamma=.* must be a number between 0.001 and 1e\+06"):
        activate([1.0, 2.0], gamma)


def test_input_is_not_changed():
    losses = np.array([0.0, 4.0, 1.0])
    for gamma in (0.5, 1.0, 2.0):
        activate(losses, gamma)
    np.testing.assert_array_equal(losses, [0, 4, 1])
