"""Claims of the lessons, each as a check of what the library gives at a step."""

import numpy as np

from epca.activation import activate
from epca.metrics import is_collapsed
from epca.registry import METHODS
from epca.ui.frame.controls import CONTROLS
from tests.lessons.measured import STEPS, Measured

READ = "what to do or where to look; a browser's test finds it on the page"
FACT = "a number, which facts.py computes"
CITED = "of the paper, not of these images"
ADVICE = "follows from the sentences before it"


def sign(value):
    return f"{value:+.1%}".replace("-", "−")


def is_near(one, other, tolerance=0.01):
    return abs(one - other) < tolerance


def pca_minimises(it):
    """PCA's error is what the centred images' smallest singular values leave: no less is possible.

    That holds since nothing is occluded.
    """
    X = it.prepared.clean - it.prepared.clean.mean(axis=0)
    least = np.square(np.linalg.svd(X, compute_uv=False)[it.scenario.n_components :]).sum()
    is_clean = np.array_equal(it.occluded.X, it.prepared.clean)
    return is_clean and is_near(it.rows.loc["PCA", "error"] / least, 1, 1e-9)


def dots_remain(it):
    """PCA is farther from the clean image where it is occluded than elsewhere, and than EPCA."""
    there = it.occluded.mask[it.occluded.samples]
    pca = it.distances("PCA")[it.occluded.samples]
    epca = it.distances("EPCA")[it.occluded.samples]
    return pca[there].mean() > 1.5 * pca[~there].mean() and epca[there].mean() < pca[there].mean()


def badly_fitted_count_less(it):
    order = np.argsort(it.residuals)
    weights = it.loss.weight(it.residuals)[order]
    return np.all(np.diff(weights) <= 0) and weights[-1] < weights[0] / 2


def lies_between(it):
    """(1 + σ)t²/(t + σ) is at least t and at most t² where t ≥ 1, as all residuals are."""
    t = it.residuals
    return np.all((t <= it.loss.value(t)) & (it.loss.value(t) <= t**2)) and t.min() > 1


def is_linear(it):
    """Twice the residual has twice the loss."""
    t = it.residuals
    return np.allclose(it.loss.value(2 * t) / it.loss.value(t), 2, rtol=0.01)


def is_nearly_pca(it):
    return abs(it.change()) < 0.002


def changes_near_residuals_only(it):
    """Nine tenths of all change lie between a quarter of the residuals and sixteen times them."""
    changes = it.by_sigma["error"].diff().abs()
    low, high = np.log2(np.quantile(it.residuals, [0.1, 0.9]))
    near = (changes.index > low - 3) & (changes.index < high + 4)
    return changes[near].sum() > 0.9 * changes.sum()


def losses_are_more_alike(it):
    """At c = 10 than at c = 30, and that activates more."""
    before = Measured(STEPS[3, 1], it.faces)
    spread = [
        np.std(found.residuals**0.5) / np.mean(found.residuals**0.5) for found in (it, before)
    ]
    return spread[0] < spread[1] and it.k > before.k


def is_activated_below_the_level(it):
    losses = it.loss.value(it.residuals)
    found = activate(losses)
    return np.array_equal(found.weights > 0, losses**0.5 < found.multiplier**0.5)


def passes_through_occluded(it):
    """The activated images are occluded, and their residuals are nothing beside the others'."""
    shares = it.residuals[it.activated] / np.median(it.residuals)
    return it.is_occluded[it.activated].all() and np.all(shares < 0.01)


def interpolates(it):
    """A fit to c + 1 of the occluded images leaves none of them a residual."""
    chosen = it.occluded.X[:101]
    model = METHODS["PCA"](100).fit(chosen)
    return np.allclose(model.residuals(chosen), 0, atol=1e-6)


def objective_rewards(it):
    """EPCA's subspace has the smaller objective than the classical one it starts from."""
    history = it.model.objective_history_
    return history[-1] < history[0]


def stops_before(it):
    looser = METHODS["EPCA"](60, tol=1e-3).fit_reduced(it.prepared.reduction)
    return looser.n_iter_ < it.history.collapse


def stops_too_late(it):
    """At c = 100, with the tolerance that the second run of Watch opens with."""
    other = Measured(STEPS[4, 2], it.faces)
    tol = float(CONTROLS["tol2"].default)
    model = METHODS["EPCA"](100, tol=tol).fit_reduced(other.prepared.reduction)
    return is_collapsed(model.residuals(other.occluded.X))


def are_far_off_once_left_out(it):
    """In a fit with the same weights of all other images."""
    for i in it.activated:
        weights = it.model.sample_weight_.copy()
        weights[i] = 0
        _, residuals = it.prepared.reduction.weighted_pca(weights, it.scenario.n_components)
        if residuals[i] < 0.5 * np.median(residuals):
            return False
    return True


def activates_as_before(it):
    """The same images as without left-out residuals."""
    return np.array_equal(it.activated, Measured(STEPS[4, 7], it.faces).activated)


def shows_one_picture(it):
    return len(np.unique(it.occluded.X[it.activated], axis=0)) == 1


def occurs_most_often(it):
    counts = np.unique(it.occluded.X, axis=0, return_counts=True)[1]
    return counts.max() == it.k and np.sum(counts == counts.max()) == 1


def others_differ_by_weights_alone(it):
    """At this σ the σ-loss weighs like the length, whose weight is 1/t."""
    weights = it.loss.weight(it.residuals) * it.residuals
    return np.ptp(weights) < 0.01 * weights.mean()


def is_replaced_by_another(it):
    """Every occluded image is a clean one of another class."""
    labels = it.faces.labels
    for i in it.occluded.samples:
        same = (it.prepared.clean == it.occluded.X[i]).all(axis=1)
        if labels[i] in labels[same] or not same.any():
            return False
    return is_near(it.is_occluded.mean(), 0.2)


def is_slope(it):
    """The weight is h′(t)/(2t)."""
    t = it.residuals
    slope = (it.loss.value(t + 1e-3) - it.loss.value(t - 1e-3)) / 2e-3
    return np.allclose(it.loss.weight(t), slope / (2 * t), rtol=1e-6)


def levels_are_sums(_):
    """For every number k of first losses that are all below their level."""
    roots = np.array([4.0, 5, 6, 7])
    counts = range(2, 5)
    levels = [activate(roots[:k] ** 2).multiplier ** 0.5 for k in counts]
    sums = [roots[:k].sum() / (k - 1) for k in counts]
    return np.allclose(levels, sums) and all(roots[k - 1] < sums[k - 2] for k in counts)
