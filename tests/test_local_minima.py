"""γ < 1: the local minima of the α-step, the smallest of them, how many weights reach it."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.nonconvex import activate, count_equivalent, local_minima
from tests import drawn
from tests.yardstick import objective

small_losses = drawn.losses(7, 3)


@given(losses=small_losses, gamma=st.floats(0.2, 0.95), seed=st.integers(0, 2**32 - 1))
def test_local_minima_are_minima_and_hold_the_smallest(losses, gamma, seed):
    """No small step to other weights on the simplex, zeros included, lowers the objective."""
    minima = local_minima(losses, gamma)
    best = activate(losses, gamma)
    assert min(minimum.objective for minimum in minima) == pytest.approx(best.objective, rel=1e-9)
    generator = np.random.default_rng(seed)
    for minimum in minima:
        cheapest = np.sort(losses)[: minimum.n_activated]
        np.testing.assert_array_equal(np.sort(losses[minimum.weights > 0]), cheapest)
        assert minimum.objective == pytest.approx(
            objective(losses, minimum.weights, gamma), rel=1e-6
        )
        step = min(
            1e-3 * minimum.weights[minimum.weights > 0].min(), 0.1 * barrier(losses, minimum, gamma)
        )
        for other in generator.dirichlet(np.ones(len(losses)), size=20):
            moved = (1 - step) * minimum.weights + step * other
            if moved.max() < 1 - 1e-9:
                assert objective(losses, moved, gamma) >= minimum.objective * (1 - 1e-12)


def barrier(losses, minimum, gamma):
    """The weight up to which a loss that is not activated costs more than it saves the others.

    Its marginal cost f·γ·w^(γ−1) falls from infinity to λ there; the barrier is tiny for γ near 1.
    """
    rest = losses[minimum.weights == 0]
    if not len(rest):
        return 1.0
    return (rest.min() * gamma / minimum.multiplier) ** (1 / (1 - gamma))


@pytest.mark.parametrize("gamma", [0.2, 0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize(
    "losses",
    [[1, 1], [1, 1, 1], [1] * 6, [1] * 9, [1] * 12, [1, 1, 2, 2, 3, 3], [1e-6, 1, 1e6, 1e6]],
)
def test_the_smallest_local_minimum_is_what_activate_gives(losses, gamma):
    best = min(local_minima(losses, gamma), key=lambda minimum: minimum.objective)
    np.testing.assert_allclose(best.weights, activate(losses, gamma).weights, atol=1e-12)


@given(losses=small_losses, gamma=st.floats(0.2, 0.95))
def test_every_pair_of_losses_has_a_local_minimum(losses, gamma):
    assert local_minima(losses, gamma)[0].n_activated == 2
    assert all(local_minima(losses[[0, i]], gamma) for i in range(1, len(losses)))


@pytest.mark.parametrize(("gamma", "largest"), [(0.2, 7), (0.5, 8), (0.8, 12)])
def test_equal_weights_on_the_concave_branch_are_no_minimum(gamma, largest):
    """Of twelve equal losses, k weights of 1/k are a minimum while 1/k > ((1−γ)/(1+γ))^(1/γ).

    For larger k they are a saddle.
    """
    edge = ((1 - gamma) / (1 + gamma)) ** (1 / gamma)
    assert [k for k in range(2, 13) if 1 / k > edge + 1e-9] == list(range(2, largest + 1))
    found = [minimum.n_activated for minimum in local_minima(np.ones(12), gamma)]
    assert found == list(range(2, largest + 1))


def test_local_minima_need_positive_losses():
    with pytest.raises(ValueError, match="losses must be above 0 here; the smallest is 0"):
        local_minima([0.0, 1.0], 0.5)


def test_equivalent_weights_are_counted():
    """Against all orders of the weights with the same objective."""
    losses = np.array([1.0, 1.0, 2.0, 2.0, 2.0, 9.0])
    weights = np.array([0.5, 0.2, 0.3, 0.0, 0.0, 0.0])
    value = pytest.approx(objective(losses, weights), rel=1e-12)
    same = {order for order in permutations(weights) if objective(losses, np.array(order)) == value}
    assert count_equivalent(losses, weights) == len(same) == 6
