"""The loop: order of calls, stopping, callback, warning."""

import numpy as np
import pytest

from epca.losses import Squared
from epca.solver import alternate, co_robust, greedy


def scripted(objectives, **loop):
    """Run the loop on a learner that counts its fits, with a step that returns given objectives."""
    values = iter(objectives)
    fits = []

    def learn(weights):
        fits.append(weights)
        return len(fits), np.full(3, len(fits))

    return alternate(learn, lambda t: (t + 1.0, next(values)), (np.zeros(3), 100.0), **loop), fits


def test_stops_when_the_objective_stands_still():
    solution, fits = scripted([50.0, 40.0, 40.0 - 1e-5, 7.0], max_iter=10, tol=1e-6)
    assert solution.n_iter == 3
    assert solution.objective_history.tolist() == [100, 50, 40, 40 - 1e-5]
    assert solution.model == 3
    assert solution.residuals.tolist() == [3, 3, 3]
    assert solution.weights.tolist() == [4, 4, 4]
    assert [weights[0] for weights in fits] == [0, 2, 3]


def test_a_rising_objective_does_not_stop_it():
    assert scripted([50.0, 60.0, 55.0, 55.0], max_iter=10, tol=1e-6)[0].n_iter == 4


def test_max_iter_is_said():
    solution, _ = scripted([50.0, 40.0, 30.0], max_iter=2, tol=1e-6)
    assert (solution.n_iter, solution.converged) == (2, False)
    solution, _ = scripted([50.0, 50.0], max_iter=2, tol=1e-6)
    assert (solution.n_iter, solution.converged) == (2, True)


def test_callback_sees_every_iteration():
    seen = []
    scripted([50.0, 40.0, 40.0], max_iter=10, tol=0, callback=lambda *args: seen.append(args))
    assert [(iteration, objective, weights[0]) for iteration, objective, weights in seen] == [
        (1, 50.0, 2),
        (2, 40.0, 3),
        (3, 40.0, 4),
    ]


def test_what_the_callback_raises_ends_the_loop():
    class Cancelled(BaseException):
        pass

    def cancel(iteration, objective, weights):
        if iteration == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        scripted([50.0, 40.0, 30.0, 20.0], max_iter=10, tol=0, callback=cancel)


def test_the_framework_takes_any_learner():
    """A weighted mean: the outlier is not activated, and the objective falls from the start."""
    numbers = np.array([1.0, 1.1, 0.9, 1.05, 9.0])

    def learn(weights):
        mean = weights @ numbers / weights.sum()
        return mean, np.hypot(numbers - mean, 1e-6)

    _, residuals = learn(np.ones(5))
    solution, activation = co_robust(learn, residuals, Squared(), max_iter=100, tol=1e-9)
    assert activation.weights[4] == 0
    assert np.all(np.diff(solution.objective_history) <= 0)
    assert abs(solution.model - np.median(numbers)) < abs(numbers.mean() - np.median(numbers))


def test_directions_beyond_the_data_are_still_orthonormal():
    """The points span one direction and every start repeats it: nothing is left of the second."""
    points = np.outer([-1.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    starts = np.repeat(np.eye(3)[:, :1], 2, axis=1)
    solution, _ = greedy(
        points,
        starts,
        lambda points, direction, projections: direction,
        lambda projections: np.abs(projections).sum(),
        max_iter=10,
        tol=1e-9,
    )
    basis = solution.model.components
    np.testing.assert_allclose(basis.T @ basis, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(basis[:, 0], [1, 0, 0])
    assert solution.converged
