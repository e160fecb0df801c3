"""Comparisons and sweeps: the same occluded data, the same measures, for pages, scripts and cli."""

import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import ThreadpoolController

from epca import metrics
from epca.estimator import explain
from epca.registry import METHODS
from epca.scenario import Occlusion, Prepared, Scenario, prepare

__all__ = [
    "Fit", "Occlusion", "Prepared", "Results", "Scenario",
    "fit", "grid", "measure", "prepare", "run", "sweep",
]  # fmt: skip
OUT_OF_MEMORY = "there was not enough memory."  # a failure that another try may not have


class Fit(NamedTuple):
    """The row of measures of one fit, and the fitted model; None where the fit failed."""

    row: dict[str, Any]
    model: Any


class Results(NamedTuple):
    """A tidy table, one row per fit, and the fitted models in the same order; None for failures."""

    table: pd.DataFrame
    models: list


def run(scenario: Scenario, methods: Sequence[str] = tuple(METHODS), **options: Any) -> Results:
    """Fit methods to one scenario. Options as in `sweep`."""
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
    n_jobs: int = 1,
    callback: Callable[[int, int, str], None] | None = None,
    **axes: Any,
) -> Results:
    """Fit methods to every combination of the axes' values, e.g. sigma=[…], pixels=[…], seed=[…].

    Parameters
    ----------
    prepare : scenario → Prepared, where data come from elsewhere or are cached
    clustering_runs : runs of k-means for the clustering accuracy; 0 → it is left out
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
    with single_thread():
        fits = _fit_all(tasks, prepare, clustering_runs, n_jobs, callback or (lambda *_: None))
    return Results(pd.DataFrame([fit.row for fit in fits]), [fit.model for fit in fits])


def _fit_all(tasks, prepare, clustering_runs, n_jobs, callback) -> list[Fit]:
    """Fits in the order of the tasks; data are prepared once for all tasks that share them."""
    fits: list[Any] = [None] * len(tasks)
    done = 0

    def tick(iteration, *_):
        callback(done, len(tasks), f"iteration {iteration}")

    for group in _groups(tasks):
        prepared = prepare(tasks[group[0]][0])
        options = {"clustering_runs": clustering_runs}
        if n_jobs == 1:
            results = (fit(prepared, *tasks[i], callback=tick, **options) for i in group)
        else:
            parallel = Parallel(n_jobs, return_as="generator")
            results = parallel(delayed(fit)(prepared, *tasks[i], **options) for i in group)
        with closing(results):
            for i in group:
                callback(done, len(tasks), describe(*tasks[i]))
                fits[i] = next(results)
                done += 1
    callback(done, len(tasks), "done")
    return fits


@contextmanager
def closing(results: Generator) -> Iterator[Generator]:
    """End what still runs when the caller wants no more; joblib would warn that it was asked to."""
    try:
        yield results
    finally:
        with warnings.catch_warnings(action="ignore"):
            results.close()


def _groups(tasks) -> list[list[int]]:
    """Indices of the tasks that share their data."""
    groups: dict[Scenario, list[int]] = {}
    for i, (scenario, _) in enumerate(tasks):
        groups.setdefault(scenario.data, []).append(i)
    return list(groups.values())


def describe(scenario: Scenario, label: str) -> str:
    """One fit in a few words."""
    seed = scenario.occlusion.seed
    return f"{label}, c = {scenario.n_components}, σ = {scenario.sigma:.4g}, seed {seed}"


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def single_thread() -> AbstractContextManager:
    """A context in which BLAS and k-means (OpenMP) use one thread.

    Sums are then added in one order, on any machine.
    """
    return _threads().limit(limits=1)


def fit(
    prepared: Prepared,
    scenario: Scenario,
    label: str,
    *,
    clustering_runs: int = 0,
    callback: Callable[..., None] | None = None,
) -> Fit:
    """Fit one method to prepared data and measure it.

    callback(iteration, objective, weights) is called after every iteration; what it raises ends
    the fit. Any other error becomes the row's `failure`. One thread: the result is the same
    whatever runs beside it.
    """
    row = {"method": label} | scenario.values
    raised = []

    def watched(*state):
        try:
            callback(*state)
        except Exception as error:
            raised.append(error)
            raise

    with single_thread():
        try:
            start = time.perf_counter()
            model = scenario.model(label)
            model.fit_reduced(prepared.reduction, callback and watched)
            row["seconds"] = time.perf_counter() - start
            row["sigma"] = getattr(model, "sigma", scenario.sigma)
            row |= measure(prepared, model, clustering_runs)
        except Exception as error:
            if raised:
                raise
            return Fit(row | {"failure": _reason(error), "converged": False}, None)
    return Fit(row | {"failure": "", "converged": bool(model.converged_)}, model)


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    return f"{str(error).rstrip('.') or type(error).__name__}."


NEEDS_TRUTH = (
    "error",
    "error_clean",
    "error_occluded",
    "clean_among_top",
    "auc",
    "clean_among_activated",
)


def measure(prepared: Prepared, model: Any, clustering_runs: int = 0) -> dict[str, Any]:
    """All measures of a model fitted to the prepared data, by name.

    NaN stands for those that need a clean truth where there is none.
    """
    X = prepared.occluded.X
    occluded = prepared.occluded.samples
    untouched = np.delete(np.arange(len(X)), occluded)
    reconstructed = model.reconstruct(X)
    residuals = np.linalg.norm(X - reconstructed, axis=1)
    row = {
        "error": metrics.reconstruction_error(prepared.clean, reconstructed),
        "error_clean": _error(prepared.clean, reconstructed, untouched),
        "error_occluded": _error(prepared.clean, reconstructed, occluded),
        "clean_among_top": metrics.clean_among_top(model.sample_weight_, occluded),
        "auc": metrics.occlusion_auc(residuals, occluded),
        "collapsed": metrics.is_collapsed(residuals),
        "iterations": int(model.n_iter_),
        "objective": float(model.objective_history_[-1]),
    }
    if hasattr(model, "alpha_"):
        activated = np.flatnonzero(model.alpha_)
        losses = explain(model, prepared.reduction).losses
        row["n_activated"] = int(model.n_activated_)
        row["clean_among_activated"] = metrics.clean_among(activated, occluded)
        row["weights_share"] = metrics.weights_share(row["objective"], losses)
    labels = prepared.images.labels
    if clustering_runs and labels is not None:
        found = metrics.clustering_accuracy(model.transform(X), labels, runs=clustering_runs)
        row |= {"accuracy": found.mean, "accuracy_sd": found.sd, "accuracy_best": found.best}
    if model.is_exact_:  # residuals are rounding, and the objective is none
        row |= {name: np.nan for name in ("auc", "weights_share") if name in row}
    if prepared.images.is_occluded:
        row |= {name: np.nan for name in NEEDS_TRUTH if name in row}
    return row


def _error(clean, reconstructed, rows) -> float:
    return metrics.reconstruction_error(clean, reconstructed, rows) if len(rows) else np.nan
