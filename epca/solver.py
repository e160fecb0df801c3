"""The one alternating loop (Algorithms 1–3), and the co-robust framework as an instance of it."""

from typing import Any, NamedTuple

import numpy as np

from epca.activation import activate
from epca.linalg import Subspace


class Solution(NamedTuple):
    """What every solver returns."""

    model: Any  # the learner's parameters
    residuals: np.ndarray  # (n,) under that model
    weights: np.ndarray  # (n,) η that the residuals call for
    objective_history: np.ndarray  # (n_iter + 1,), the start first
    n_iter: int
    converged: bool = True


def alternate(learn, step, start, *, max_iter, tol, callback=None):
    """Alternate "model for fixed weights" and "weights for fixed model" until the objective stands still.

    The loop knows neither losses nor α nor PCA: a learner is one function of the weights, a method one of the residuals.

    Parameters
    ----------
    learn : weights (n,) → (model, residual lengths (n,)), the weighted learner
    step : residual lengths → (weights, objective), the method itself
    start : (weights, objective) to begin with
    max_iter, tol : stop when |change of the objective| ≤ tol·|objective|, or after max_iter
    callback : called as callback(iteration, objective, weights) after every iteration; what it raises ends the loop
    """
    weights, objective = start
    history = [objective]
    for iteration in range(1, max_iter + 1):
        model, residuals = learn(weights)
        weights, objective = step(residuals)
        history.append(objective)
        if callback is not None:
            callback(iteration, objective, weights)
        converged = abs(history[-2] - objective) <= tol * abs(objective)
        if converged:
            break
    return Solution(model, residuals, weights, np.array(history), iteration, converged)


def co_robust(learn, residuals, loss, gamma=1.0, **loop):
    """Minimise Σ h(t_i)/(1 − α_i^γ) over a learner's model and α on the simplex (Eqs. 1, 14, 17).

    learn is the weighted learner; residuals (n,) are those of the model at the start, where α = 1/n; loss is h; loop goes
    to `alternate`. Returns the Solution and the Activation of its residuals, whose weights are α.
    """

    def step(residuals):
        activation = activate(loss.value(residuals), gamma)  # α (Eqs. 40–41)
        return loss.weight(
            residuals
        ) * activation.direct_weights, activation.objective  # η = d/(1 − α^γ) (Eq. 28)

    uniform = 1 / (1 - len(residuals) ** -float(gamma))  # direct weight of α = 1/n
    start = loss.weight(residuals) * uniform, loss.value(residuals).sum() * uniform
    solution = alternate(learn, step, start, **loop)
    return solution, activate(loss.value(solution.residuals), gamma)


def greedy(
    points,
    starts,
    update,
    value,
    *,
    max_iter,
    tol,
    callback=None,
    restrict=lambda direction: direction,
):
    """Find one direction at a time: improve it to a fixed point, take it out of the points, go on with the next.

    Parameters
    ----------
    points : (n, r), centred
    starts : (r, c) one start per direction; what earlier directions cover is taken out of it
    update : (points, direction, projections) → better direction, of length 1
    value : projections (n,) → what is maximised; the history adds it up over the directions
    max_iter, tol : per direction, stop when it moves by at most tol; the best one seen is kept
    restrict : direction → one that the method allows, for the starts

    Returns the Solution, its model a Subspace with mean 0 and an orthonormal basis, and the directions (r, c) themselves,
    which span the same space.
    """
    floor = 1e-12 * np.linalg.norm(points)
    weights = np.ones(len(points))
    directions, basis, history, finished, converged = (
        np.zeros_like(starts),
        np.zeros_like(starts),
        [],
        0.0,
        True,
    )
    for j in range(starts.shape[1]):
        start = starts[:, j] - basis[:, :j] @ (basis[:, :j].T @ starts[:, j])
        if (
            np.linalg.norm(start) < 1e-8 and np.linalg.norm(points) > floor
        ):  # found before: go where most is left
            start = points[np.square(points).sum(axis=1).argmax()]
        direction = restrict(_complement(start, basis[:, :j]))
        direction = best = direction / np.linalg.norm(direction)
        projections = points @ direction
        best_value = value(projections)
        history = history or [best_value]
        for iteration in range(1, 1 + (max_iter if np.linalg.norm(points) > floor else 0)):
            moved = update(points, direction, projections)
            step, direction, projections = np.linalg.norm(moved - direction), moved, points @ moved
            new_value = value(projections)
            if new_value >= best_value:
                best, best_value = direction, new_value
            history.append(finished + best_value)
            if callback is not None:
                callback(len(history) - 1, history[-1], weights)
            if step <= tol:
                break
            converged &= iteration < max_iter
        finished += best_value
        directions[:, j], basis[:, j] = best, _complement(best, basis[:, :j])
        points = points - np.outer(points @ basis[:, j], basis[:, j])
    residuals = np.linalg.norm(points, axis=1)
    model = Subspace(np.zeros(points.shape[1]), basis)
    return Solution(
        model, residuals, weights, np.array(history), len(history) - 1, converged
    ), directions


def _complement(vector, basis):
    """The unit vector nearest to vector (r,) that is orthogonal to basis (r, k); any such one where vector lies within."""
    vector = vector / (np.linalg.norm(vector) or 1.0)
    for _ in range(2):
        left = vector - basis @ (basis.T @ vector)
        if np.linalg.norm(left) < 1e-8:
            farthest = np.square(basis).sum(axis=1).argmin()
            left = -basis @ basis[farthest]
            left[farthest] += 1
        vector = left / np.linalg.norm(left)
    return vector
