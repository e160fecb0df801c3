"""The one alternating loop (Algorithms 1–3), and the co-robust framework as an instance of it."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from epca.activation import activate


class Solution(NamedTuple):
    """What every solver returns."""

    model: Any  # the learner's parameters
    residuals: np.ndarray  # (n,) under that model
    weights: np.ndarray  # (n,) η that the residuals call for
    objective_history: np.ndarray  # (n_iter + 1,), the start first
    n_iter: int


def alternate(learn, step, start, *, max_iter, tol, callback=None):
    """Alternate "model for fixed weights" and "weights for fixed model" until the objective stands still.

    The loop knows neither losses nor α nor PCA: a learner is one function of the weights, a method one of the residuals.

    Parameters
    ----------
    learn : weights (n,) → (model, residual lengths (n,)), the weighted learner
    step : residual lengths → (weights, objective), the method itself
    start : (weights, objective) to begin with
    max_iter, tol : stop when |change of the objective| ≤ tol·|objective|, or after max_iter with a ConvergenceWarning
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
        if abs(history[-2] - objective) <= tol * abs(objective):
            break
    else:
        warnings.warn(
            f"The objective still changed by {abs(history[-2] - objective) / abs(objective):.1e} of its value in "
            f"iteration max_iter={max_iter}, more than tol={tol:g}. Raise max_iter, or raise tol.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return Solution(model, residuals, weights, np.array(history), iteration)


def co_robust(learn, residuals, loss, gamma=1.0, **loop):
    """Minimise Σ h(t_i)/(1 − α_i^γ) over a learner's model and α on the simplex (Eqs. 1, 14, 17).

    learn is the weighted learner; residuals (n,) are those of the model at the start, where α = 1/n; loss is h; loop goes
    to `alternate`. Returns the Solution and the Activation of its residuals, whose weights are α.
    """

    def step(residuals):
        activation = activate(loss.value(residuals), gamma)  # α (Eqs. 40–41)
        return loss.weight(residuals) * activation.direct_weights, activation.objective  # η = d/(1 − α^γ) (Eq. 28)

    uniform = 1 / (1 - len(residuals) ** -float(gamma))  # direct weight of α = 1/n
    start = loss.weight(residuals) * uniform, loss.value(residuals).sum() * uniform
    solution = alternate(learn, step, start, **loop)
    return solution, activate(loss.value(solution.residuals), gamma)
