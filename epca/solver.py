"""The one alternating loop (Algorithms 1–3), and the co-robust framework as an instance of it."""

from typing import Any, NamedTuple

import numpy as np

from epca.activation import activate
from epca.cells import Cells, cell_weights, nearest_scores
from epca.linalg import Subspace, chunks, weighted_learner


class Solution(NamedTuple):
    """What every solver returns."""

    model: Any  # the learner's parameters
    residuals: np.ndarray  # (n,) under that model
    weights: np.ndarray  # (n,) η that the residuals call for
    objective_history: np.ndarray  # (n_iter + 1,), the start first
    n_iter: int
    converged: bool = True
    cells: Cells | None = None  # of cellwise methods


def alternate(learn, step, start, *, max_iter, tol, callback=None, ends_at_rise=False):
    """Alternate "model for fixed weights" and "weights for fixed model" until the objective rests.

    The loop knows neither losses nor α nor PCA: a learner is one function of the weights, a method
    is one function of the residuals.

    Parameters
    ----------
    learn : weights (n,) → (model, residual lengths (n,)), the weighted learner
    step : residual lengths → (weights, objective), the method itself
    start : (weights, objective) to begin with
    max_iter, tol : stop when |change of the objective| ≤ tol·|objective|, or after max_iter
    callback : callback(iteration, objective, weights) is called after every iteration; an exception
        from it ends the loop
    ends_at_rise : whether to end where the objective rises, from the second iteration on, and
        return what was found before; for methods that no theorem makes descend
    """
    weights, objective = start
    history = [objective]
    found = None
    for iteration in range(1, max_iter + 1):
        model, residuals = learn(weights)
        weights, objective = step(residuals)
        if ends_at_rise and found is not None and objective > history[-1]:
            return found._replace(converged=True)
        history.append(objective)
        if callback is not None:
            callback(iteration, objective, weights)
        converged = abs(history[-2] - objective) <= tol * abs(objective)
        found = Solution(model, residuals, weights, np.array(history), iteration, converged)
        if converged:
            break
    return found


def co_robust(learn, residuals, loss, gamma=1.0, *, left_out=False, **loop):
    """Minimise Σ h(t_i)/(1 − α_i^γ) over a learner's model and α on the simplex (Eqs. 1, 14, 17).

    learn is the weighted learner; residuals (n,) are those of the model at the start, where
    α = 1/n; loss is h; the other options go to `alternate`. Returns the Solution and the Activation
    of its residuals, whose weights are α.

    left_out says that the residuals are left-out ones. They change with the weights themselves, so
    the objective may rise: the loop then ends. It starts with the α that the residuals call for.
    """

    def step(residuals):
        activation = activate(loss.value(residuals), gamma)  # α (Eqs. 40–41)
        weights = loss.weight(residuals) * activation.direct_weights  # η = d/(1 − α^γ) (Eq. 28)
        return weights, activation.objective

    uniform = 1 / (1 - len(residuals) ** -float(gamma))  # direct weight of α = 1/n
    start = loss.weight(residuals) * uniform, loss.value(residuals).sum() * uniform
    if left_out:
        start = step(residuals)
    solution = alternate(learn, step, start, ends_at_rise=left_out, **loop)
    return solution, activate(loss.value(solution.residuals), gamma)


SMALLEST_REST = 1e-6  # of 1 − h, which is 0 for a sample that the fit must pass through


def left_out_lengths(residuals, columns, weights, has_mean=True):
    """t_i/(1 − h_i) (n,): the residual lengths that samples would have in a fit without them.

    Fitted are all features, by least squares with the weights η (n,), to the columns V (n, c) and,
    unless has_mean is False, a constant. With Ση = 1 and v about the weighted mean, the leverage is
    h_i = η_i(1 + v_iᵀ(Σ η v vᵀ)⁻¹v_i); 0 < h_i ≤ 1, and they add up to c + 1. For a regression the
    lengths are exact, for a PCA, whose columns are its scores, they are so to first order.
    """
    return residuals / np.maximum(1 - leverages(columns, weights, has_mean), SMALLEST_REST)


def leverages(columns, weights, has_mean=True):
    """h (n,) of `left_out_lengths`; directions with 1e-12 of the largest variance do not count."""
    weights = weights / weights.sum()
    if has_mean:
        columns = columns - weights @ columns
    left, sizes, _ = np.linalg.svd(columns * np.sqrt(weights)[:, None], full_matrices=False)
    is_used = sizes > 1e-6 * sizes[0]
    return weights * has_mean + np.square(left[:, is_used]).sum(axis=1)


def adaptive_weights(losses, n_active):
    """Minimise Σ q_i f_i + λ‖q‖² over q on the simplex, with λ such that k = n_active are not 0.

    λ is the largest such value. With f sorted, q_i = max(0, f_(k+1) − f_i)/(2λ) and
    λ = ½(k f_(k+1) − Σ_{j≤k} f_(j)). Where the k+1 smallest losses are equal, the first k share the
    weight. Returns q (n,) and λ.

    >>> adaptive_weights(np.array([1.0, 2.0, 3.0, 10.0]), 2)
    (array([0.66666667, 0.33333333, 0.        , 0.        ]), 1.5)
    """
    order = np.argsort(losses, kind="stable")
    edge = losses[order[n_active]]
    gaps = np.maximum(edge - losses, 0)
    double = gaps[order[:n_active]].sum()
    if double > 0:
        return gaps / double, float(double / 2)
    weights = np.zeros(len(losses))
    weights[order[:n_active]] = 1 / n_active
    return weights, 0.0


def trimmed(reduction, n_components, n_active, **loop):
    """PCA of the k = n_active samples that fit best: the Solution of `PCAAN`.

    The options are those of `alternate`. Where c reaches the rank of the data, no sample fits
    better than another: then it is classical PCA.
    """

    def step(residuals):
        losses = np.square(residuals)
        weights, penalty = adaptive_weights(losses, n_active)
        return weights, weights @ losses + penalty * weights @ weights

    classical, residuals = reduction.classical(n_components)
    if residuals.max() <= reduction.smoothing:
        return Solution(classical, residuals, np.ones_like(residuals), np.zeros(1), 0)
    learn = weighted_learner(reduction, n_components)
    return alternate(learn, step, step(residuals), **loop)


def robust_scores(points, mean, components, scale, *, max_iter=100, tol=1e-6):
    """Scores (n, c) of points (n, d) that ignore bad pixels, in a fixed subspace.

    For each sample, v minimises Σ_j log(1 + r_j²/κ²) with r = x − m − Wv and κ = scale, from the
    projection on: w_j = 1/(1 + r_j²/κ²), v ← v + Wᵀ(w∘r). As log(1 + u) is concave and w ≤ 1, each
    step minimises a majoriser: the loss never rises. κ → ∞ gives the projection. An error so gross
    that its projection is off by many κ in most pixels is not ignored. NaN, an unknown pixel, has
    weight 0.

    Parameters
    ----------
    mean, components : (d,) m and (d, c) W, orthonormal columns
    scale : κ > 0
    max_iter, tol : a sample rests when no score moves by more than tol of its largest one
    """
    scores = nearest_scores(points, mean, components)
    for rows in chunks(points):
        centred = points[rows] - mean
        moving = np.arange(len(scores))[rows]
        for _ in range(max_iter):
            residuals = centred - scores[moving] @ components.T
            residuals *= cell_weights(residuals, scale)
            residuals[np.isnan(residuals)] = 0
            steps = residuals @ components
            scores[moving] += steps
            is_moving = np.abs(steps).max(axis=1) > tol * np.abs(scores[moving]).max(axis=1)
            if not is_moving.any():
                break
            moving = moving[is_moving]
            centred = centred[is_moving]
    return scores


def greedy(points, starts, update, value, *, max_iter, tol, callback=None, restrict=None):
    """Find one direction at a time: improve it to a fixed point, then take it out of the points.

    Parameters
    ----------
    points : (n, r), centred
    starts : (r, c) one start per direction; what earlier directions cover is taken out of it
    update : (points, direction, projections) → better direction, of length 1
    value : projections (n,) → what is maximised; the history adds it up over the directions
    max_iter, tol : per direction, stop when it moves by at most tol; the best one seen is taken
    callback : as in `alternate`
    restrict : start → one that the method allows; None where it allows every direction

    Returns the Solution, whose model is a Subspace with mean 0 and an orthonormal basis, and the
    directions (r, c) themselves, which span the same space.
    """
    floor = 1e-12 * np.linalg.norm(points)
    weights = np.ones(len(points))
    directions = np.zeros_like(starts)
    basis = np.zeros_like(starts)
    history = []
    finished = 0.0  # the value of the directions found so far
    converged = True

    def note(best_value):
        history.append(finished + best_value)
        if callback is not None:
            callback(len(history) - 1, history[-1], weights)

    for j in range(starts.shape[1]):
        is_used_up = np.linalg.norm(points) <= floor
        start = starts[:, j] - basis[:, :j] @ (basis[:, :j].T @ starts[:, j])
        if np.linalg.norm(start) < 1e-8 and not is_used_up:  # found before: go where most is left
            start = points[np.square(points).sum(axis=1).argmax()]
        direction = _complement(start, basis[:, :j])
        if restrict is not None:
            direction = restrict(direction)
        direction = direction / np.linalg.norm(direction)
        if j == 0:
            history.append(value(points @ direction))
        limit = 0 if is_used_up else max_iter
        best, best_value, rests = _climb(points, direction, update, value, limit, tol, note)
        converged &= rests
        finished += best_value
        directions[:, j] = best
        basis[:, j] = _complement(best, basis[:, :j])
        points = points - np.outer(points @ basis[:, j], basis[:, j])
    model = Subspace(np.zeros(points.shape[1]), basis)
    residuals = np.linalg.norm(points, axis=1)
    n_iter = len(history) - 1
    solution = Solution(model, residuals, weights, np.array(history), n_iter, converged)
    return solution, directions


def _climb(points, direction, update, value, max_iter, tol, note):
    """Improve a direction (r,) until it rests.

    Returns the best one seen, its value, and whether it came to rest. note(best value so far) is
    called after every iteration.
    """
    projections = points @ direction
    best = direction
    best_value = value(projections)
    for _ in range(max_iter):
        moved = update(points, direction, projections)
        step = np.linalg.norm(moved - direction)
        direction = moved
        projections = points @ direction
        new_value = value(projections)
        if new_value >= best_value:
            best = direction
            best_value = new_value
        note(best_value)
        if step <= tol:
            return best, best_value, True
    return best, best_value, max_iter == 0


def _complement(vector, basis):
    """The unit vector nearest to vector (r,) that is orthogonal to basis (r, k).

    Any such vector will do where the given one lies within the span of the basis.
    """
    vector = vector / (np.linalg.norm(vector) or 1.0)
    for _ in range(2):
        left = vector - basis @ (basis.T @ vector)
        if np.linalg.norm(left) < 1e-8:
            farthest = np.square(basis).sum(axis=1).argmin()
            left = -basis @ basis[farthest]
            left[farthest] += 1
        vector = left / np.linalg.norm(left)
    return vector
