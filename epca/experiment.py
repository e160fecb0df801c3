"""Comparisons and sweeps: the same occluded data, the same measures, for pages, scripts and cli."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from epca import metrics
from epca.base import AUTO
from epca.choosing import CleanEstimate, estimated_error
from epca.distances import distances
from epca.estimator import explain
from epca.parallel import OUT_OF_MEMORY, Watched, closing, reason, single_thread
from epca.registry import METHODS, PAPER_METHODS
from epca.scenario import Occlusion, Prepared, Scenario, prepare, preview

__all__ = [
    "OUT_OF_MEMORY", "Fit", "Occlusion", "Prepared", "Results", "Scenario",
    "closing", "fit", "grid", "measure", "prepare", "preview", "run", "single_thread", "sweep",
]  # fmt: skip


class Fit(NamedTuple):
    """The row of measures of one fit, and the fitted model; None where the fit failed."""

    row: dict[str, Any]
    model: Any


class Results(NamedTuple):
    """A tidy table, one row per fit, and the fitted models in the same order; None for failures."""

    table: pd.DataFrame
    models: list


def run(scenario: Scenario, methods: Sequence[str] = PAPER_METHODS, **options: Any) -> Results:
    """Fit methods to one scenario, those of the paper by default. Options as in `sweep`."""
    return sweep(scenario, methods, **options)


def grid(
    scenario: Scenario,
    sigmas: Sequence[float],
    ranks: Sequence[int],
    methods: Sequence[str] = ("EPCA",),
    **options: Any,
) -> Results:
    """Fit methods for every σ and every rank. Options as in `sweep`."""
    return sweep(scenario, methods, sigma=sigmas, n_components=ranks, **options)


def sweep(
    scenario: Scenario,
    methods: Sequence[str] = ("EPCA",),
    *,
    prepare: Callable[[Scenario], Prepared] = prepare,
    clustering_runs: int = 0,
    estimate: CleanEstimate | None = None,
    n_jobs: int = 1,
    callback: Callable[[int, int, str], None] | None = None,
    **axes: Any,
) -> Results:
    """Fit methods to every combination of the axes' values, e.g. sigma=[…], pixels=[…], seed=[…].

    Parameters
    ----------
    prepare : scenario → Prepared, where data come from elsewhere or are cached
    clustering_runs : runs of k-means for the clustering accuracy; 0 → it is left out
    estimate : `epca.choosing.estimate_clean` of the occluded images, which must then be the same in
        all fits; the table gets the columns `estimated_error` and, where it is NaN, its reason
        `no_estimate`
    n_jobs : fits at a time; results do not depend on it. Any joblib backend serves.
    callback : callback(done, total, text) before every fit, after the last, and (n_jobs=1) in
        every iteration of one; what it raises ends the sweep

    A fit that fails gives a row with its message in the column `failure`; the others stand.
    """
    if unknown := set(axes) - set(scenario.axes):
        names = ", ".join(sorted(unknown))
        known = ", ".join(scenario.axes)
        raise ValueError(f"{names} cannot be swept over; choose from {known}.")
    labels = [*methods, *(parameter[0] for parameter in scenario.parameters)]
    if unknown := [label for label in labels if label not in METHODS]:
        raise ValueError(f"methods={unknown!r} must be among {', '.join(METHODS)}.")
    points = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    tasks = [(scenario.at(**point), label) for point in points for label in methods]
    if estimate is not None and len(_groups(tasks)) > 1:
        raise ValueError("estimate belongs to one set of images; sweep over σ and c alone with it.")
    measures = {"clustering_runs": clustering_runs, "estimate": estimate}
    with single_thread():
        fits = _fit_all(tasks, prepare, measures, n_jobs, callback or (lambda *_: None))
    return Results(pd.DataFrame([fit.row for fit in fits]), [fit.model for fit in fits])


def _fit_all(tasks, prepare, measures, n_jobs, callback) -> list[Fit]:
    """Fits in the order of the tasks; data are prepared once for all tasks that share them."""
    fits: list[Any] = [None] * len(tasks)
    done = 0

    def tick(iteration, *_):
        callback(done, len(tasks), f"iteration {iteration}")

    for group in _groups(tasks):
        prepared = prepare(tasks[group[0]][0])
        if n_jobs == 1:
            results = (fit(prepared, *tasks[i], callback=tick, **measures) for i in group)
        else:
            parallel = Parallel(n_jobs, return_as="generator")
            results = parallel(delayed(fit)(prepared, *tasks[i], **measures) for i in group)
        with closing(results):
            for i in group:
                callback(done, len(tasks), describe(*tasks[i]))
                fits[i] = next(results)
                done += 1
    callback(done, len(tasks), "done")
    return fits


def _groups(tasks) -> list[list[int]]:
    """Indices of the tasks that share their data."""
    groups: dict[Scenario, list[int]] = {}
    for i, (scenario, _) in enumerate(tasks):
        groups.setdefault(scenario.data, []).append(i)
    return list(groups.values())


def describe(scenario: Scenario, label: str) -> str:
    """One fit in a few words."""
    seed = scenario.occlusion.seed
    sigma = scenario.sigma if isinstance(scenario.sigma, str) else f"{scenario.sigma:.4g}"
    return f"{label}, c = {scenario.n_components}, σ = {sigma}, seed {seed}"


def fit(
    prepared: Prepared,
    scenario: Scenario,
    label: str,
    *,
    clustering_runs: int = 0,
    estimate: CleanEstimate | None = None,
    callback: Callable[..., None] | None = None,
) -> Fit:
    """Fit one method to prepared data and measure it.

    callback(iteration, objective, weights) is called after every iteration, and every now and
    then while the fit is clustered; what it raises ends the fit. Any other error becomes the row's
    `failure`. One thread: the result is the same whatever runs beside it.
    """
    row = {"method": label} | scenario.values
    if row["sigma"] == AUTO:  # known once the fit is
        row["sigma"] = np.nan
    watched = callback and Watched(callback)
    with single_thread():
        try:
            start = time.perf_counter()
            model = scenario.model(label)
            model.fit_reduced(prepared.reduction, watched)
            row["seconds"] = time.perf_counter() - start
            if hasattr(model, "sigma_"):
                row["sigma"] = model.sigma_
            if hasattr(model, "left_out"):  # a method may have it by its name
                row["left_out"] = model.left_out
            tick = watched and partial(watched, *_last_state(model))
            row |= measure(prepared, model, clustering_runs, estimate, tick)
        except Exception as error:
            if watched and watched.has_raised:
                raise
            return Fit(row | {"failure": reason(error), "converged": False}, None)
    return Fit(row | {"failure": "", "converged": bool(model.converged_)}, model)


def _last_state(model: Any) -> tuple[int, float, np.ndarray]:
    """What a callback was told last."""
    return int(model.n_iter_), float(model.objective_history_[-1]), model.sample_weight_


def measure(
    prepared: Prepared,
    model: Any,
    clustering_runs: int = 0,
    estimate: CleanEstimate | None = None,
    callback: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """All measures of a model fitted to the prepared data, by name.

    NaN stands for those that need a clean truth where there is none, and for those that tell clean
    images from occluded ones where all or none are clean. With an estimate of the clean images, the
    error by it is measured, too; where that was refused, `no_estimate` says why. Images without
    classes, or with too many, have `no_accuracy`, which says so, and no accuracy. callback() is
    called every now and then while they are clustered.
    """
    X = prepared.occluded.X
    occluded = prepared.occluded.samples
    lengths = _squares_and_residuals(prepared, model)
    fitted = metrics.Fitted(model, prepared.clean, X, occluded, *lengths)
    row: dict[str, Any] = {"error": np.nan}  # the first column, with the estimated one beside it
    if estimate is not None:
        row["estimated_error"] = estimated_error(estimate, model.reconstruct(X))
        row["no_estimate"] = estimate.reason
    row |= {name: item.of(fitted) for name, item in metrics.MEASURES.items()}
    row["iterations"] = int(model.n_iter_)
    row["objective"] = float(model.objective_history_[-1])
    if hasattr(model, "alpha_"):
        activated = np.flatnonzero(model.alpha_)
        losses = explain(model, prepared.reduction).losses
        row["n_activated"] = int(model.n_activated_)
        row["clean_among_activated"] = np.nan
        if prepared.is_mixed:
            row["clean_among_activated"] = metrics.clean_among(activated, occluded)
        row["weights_share"] = metrics.weights_share(row["objective"], losses)
    labels = prepared.images.labels
    if clustering_runs and (reason := metrics.why_not_clustered(labels)):
        row["no_accuracy"] = reason
    elif clustering_runs:
        options = {"runs": clustering_runs, "callback": callback}
        found = metrics.clustering_accuracy(model.scores_, labels, **options)
        row |= {"accuracy": found.mean, "accuracy_sd": found.sd, "accuracy_best": found.best}
    if model.is_exact_:  # residuals are rounding, and the objective is none
        row |= {name: np.nan for name in ("auc", "weights_share") if name in row}
    if prepared.images.is_occluded:
        truths = [name for name, item in metrics.MEASURES.items() if item.needs_truth]
        row |= {name: np.nan for name in (*truths, "clean_among_activated") if name in row}
    return row


def _squares_and_residuals(prepared, model) -> tuple[np.ndarray, np.ndarray]:
    """Squared distances (n,) from the clean images, and residual lengths (n,)."""
    if not model.is_cellwise:
        return np.square(distances(prepared, model)), model.residuals_
    X = prepared.occluded.X
    reconstructed = model.reconstruct(X)
    residuals = metrics.reconstruction_residuals(X, reconstructed)
    return np.square(distances(prepared, model, reconstructed)), residuals
