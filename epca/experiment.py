"""Comparisons and sweeps: the same occluded data, the same measures, for pages, scripts and the command line."""

import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import ThreadpoolController

from epca import metrics
from epca.corruption import Corruption, occlude
from epca.data import ImageSet, load_dataset
from epca.linalg import Reduction, reduce_to_span
from epca.losses import SigmaLoss
from epca.registry import METHODS

OUT_OF_MEMORY = "there was not enough memory."  # a failure that another try may not have


@dataclass(frozen=True)
class Scenario:
    """One experiment: data, occlusion, rank, σ, and other parameters as (method label, name, value)."""

    dataset: str = "orl"
    kind: str = "shared-pixels"
    samples: float = 0.2
    pixels: float = 0.2
    seed: int = 0
    n_components: int = 30
    sigma: float = 1.0
    parameters: tuple[tuple[str, str, Any], ...] = ()

    def model(self, label):
        """The method, not yet fitted."""
        own = {name: value for method, name, value in self.parameters if method == label}
        if label == "EPCA":
            own = {"sigma": self.sigma} | own
        return METHODS[label](self.n_components, **own)


class Prepared(NamedTuple):
    """What all fits of a scenario's occluded data share."""

    images: ImageSet
    clean: np.ndarray  # (n, d)
    occluded: Corruption
    reduction: Reduction

    @property
    def truth(self):
        """Which images are occluded (n,); None where nobody knows, as they came occluded."""
        return None if self.images.is_occluded else self.occluded.mask.any(axis=1)

    @property
    def has_known_occlusion(self):
        """Whether some images are occluded, and it is known which."""
        return not self.images.is_occluded and len(self.occluded.samples) > 0


class Results(NamedTuple):
    """A tidy table, one row per fit, and the fitted models in the same order (None where a fit failed)."""

    table: pd.DataFrame
    models: list


def prepare(scenario, images=None):
    """Load the scenario's images (or take the ones given), occlude them, reduce them."""
    images = load_dataset(scenario.dataset) if images is None else images
    clean = images.X
    occluded = occlude(
        clean,
        scenario.kind,
        samples=scenario.samples,
        pixels=scenario.pixels,
        image_shape=images.image_shape,
        labels=images.labels,
        random_state=scenario.seed,
    )
    return Prepared(images, clean, occluded, reduce_to_span(occluded.X))


def run(scenario, methods=tuple(METHODS), **options):
    """Fit methods to one scenario. Options as in `sweep`."""
    return sweep(scenario, methods, **options)


def grid(scenario, sigmas, ranks, methods=("EPCA",), **options):
    """Fit methods for every σ and every rank. Options as in `sweep`."""
    return sweep(scenario, methods, sigma=sigmas, n_components=ranks, **options)


def sweep(
    scenario,
    methods=("EPCA",),
    *,
    prepare=prepare,
    clustering_runs=0,
    n_jobs=1,
    callback=None,
    **axes,
):
    """Fit methods to every combination of the axes' values, e.g. sigma=[…], n_components=[…], pixels=[…], seed=[…].

    Parameters
    ----------
    prepare : scenario → Prepared, where data come from elsewhere or are kept
    clustering_runs : runs of k-means for the clustering accuracy; 0 → it is left out
    n_jobs : fits at a time; results do not depend on it. Any joblib backend serves.
    callback : callback(done, total, text) before every fit, after the last, and (n_jobs=1) in every iteration of one; what
        it raises ends the sweep

    A fit that fails gives a row with its message in the column `failure`; the others stand.
    """
    known = [
        name for name in Scenario.__dataclass_fields__ if name not in ("dataset", "parameters")
    ]
    if unknown := set(axes) - set(known):
        raise ValueError(
            f"{', '.join(sorted(unknown))} cannot be swept over; choose from {', '.join(known)}."
        )
    if unknown := [
        label for label in [*methods, *(p[0] for p in scenario.parameters)] if label not in METHODS
    ]:
        raise ValueError(f"methods={unknown!r} must be among {', '.join(METHODS)}.")
    scenarios = [
        replace(scenario, **dict(zip(axes, values, strict=True)))
        for values in product(*axes.values())
    ]
    tasks = [(item, label) for item in scenarios for label in methods]
    try:
        with single_thread():
            outcomes = _run_all(
                tasks, prepare, clustering_runs, n_jobs, callback or (lambda *_: None)
            )
    except _Raised as raised:
        raise raised.args[0] from None
    table = pd.DataFrame([row for row, _ in outcomes])
    return Results(table, [model for _, model in outcomes])


def _run_all(tasks, prepare, clustering_runs, n_jobs, callback):
    """Outcomes in the order of the tasks; data are prepared once for all tasks that share them."""
    outcomes = [None] * len(tasks)
    done = 0

    def tick(iteration, *_):
        callback(done, len(tasks), f"iteration {iteration}")

    for group in _groups(tasks).values():
        prepared = prepare(tasks[group[0]][0])
        if n_jobs == 1:
            results = (_fit(prepared, *tasks[i], clustering_runs, tick) for i in group)
        else:
            parallel = Parallel(n_jobs, return_as="generator")
            results = parallel(delayed(_fit)(prepared, *tasks[i], clustering_runs) for i in group)
        with closing(results):
            for i in group:
                callback(done, len(tasks), _text(*tasks[i]))
                outcomes[i] = next(results)
                done += 1
    callback(done, len(tasks), "done")
    return outcomes


@contextmanager
def closing(results):
    """End what is still running when the caller does not want the rest; joblib would warn that it was asked to."""
    try:
        yield results
    finally:
        with warnings.catch_warnings(action="ignore"):
            results.close()


def _groups(tasks):
    groups = {}
    for i, (scenario, _) in enumerate(tasks):
        groups.setdefault(
            (scenario.kind, scenario.samples, scenario.pixels, scenario.seed), []
        ).append(i)
    return groups


def _text(scenario, label):
    return f"{label}, c = {scenario.n_components}, σ = {scenario.sigma:.4g}, seed {scenario.seed}"


class _Raised(BaseException):
    """Carries what a callback raised past the fit, whose own failures become rows."""


def _through(callback):
    def call(*arguments):
        try:
            callback(*arguments)
        except Exception as error:
            raise _Raised(error) from error

    return call


@cache
def _threads():
    return ThreadpoolController()


def single_thread():
    """A context in which BLAS and k-means (OpenMP) use one thread: sums are then added in one order, on any machine."""
    return _threads().limit(limits=1)


def _fit(prepared, scenario, label, clustering_runs, callback=None):
    """One row of the table and the model. One thread: results are the same whatever runs beside them."""
    row = {"method": label} | {
        name: getattr(scenario, name)
        for name in Scenario.__dataclass_fields__
        if name != "parameters"
    }
    with single_thread():
        try:
            start = time.perf_counter()
            model = scenario.model(label).fit_reduced(
                prepared.reduction, callback and _through(callback)
            )
            row |= {
                "seconds": time.perf_counter() - start,
                "sigma": getattr(model, "sigma", scenario.sigma),
            }
            row |= measure(prepared, model, clustering_runs) | {
                "failure": "",
                "converged": model.converged_,
            }
        except Exception as error:
            reason = (
                OUT_OF_MEMORY
                if isinstance(error, MemoryError)
                else f"{str(error).rstrip('.') or type(error).__name__}."
            )
            return row | {"failure": reason, "converged": False}, None
    return row, model


NEEDS_TRUTH = (
    "error",
    "error_clean",
    "error_occluded",
    "clean_among_top",
    "auc",
    "clean_among_activated",
)


def measure(prepared, model, clustering_runs=0):
    """All measures of a model fitted to the prepared data, by name; NaN for those that need a clean truth where there is none."""
    clean, X, occluded = prepared.clean, prepared.occluded.X, prepared.occluded.samples
    reconstructed = model.reconstruct(X)
    residuals = np.linalg.norm(X - reconstructed, axis=1)
    untouched = np.delete(np.arange(len(X)), occluded)
    row = {
        "error": metrics.reconstruction_error(clean, reconstructed),
        "error_clean": metrics.reconstruction_error(clean, reconstructed, untouched),
        "error_occluded": metrics.reconstruction_error(clean, reconstructed, occluded),
        "clean_among_top": metrics.clean_among_top(model.sample_weight_, occluded),
        "auc": metrics.occlusion_auc(residuals, occluded),
        "collapsed": metrics.is_collapsed(residuals),
        "iterations": model.n_iter_,
        "objective": model.objective_history_[-1],
    }
    row |= {
        name: np.nan
        for name, of in {"error_clean": untouched, "error_occluded": occluded}.items()
        if not len(of)
    }
    if hasattr(model, "alpha_"):
        row["n_activated"] = model.n_activated_
        row["clean_among_activated"] = metrics.clean_among(np.flatnonzero(model.alpha_), occluded)
        losses = SigmaLoss(model.sigma).value(prepared.reduction.smooth(residuals))
        row["weights_share"] = metrics.weights_share(row["objective"], losses)
    if clustering_runs and prepared.images.labels is not None:
        accuracy = metrics.clustering_accuracy(
            model.transform(X), prepared.images.labels, runs=clustering_runs
        )
        row |= {
            "accuracy": accuracy.mean,
            "accuracy_sd": accuracy.sd,
            "accuracy_best": accuracy.best,
        }
    if model.is_exact_:  # residuals are rounding, and the objective is none
        row |= {name: np.nan for name in ("auc", "weights_share") if name in row}
    if prepared.images.is_occluded:
        row |= {name: np.nan for name in NEEDS_TRUTH if name in row}
    return row
