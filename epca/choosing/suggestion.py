"""Rank, σ and method by the error that is estimated without a clean image."""

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from epca import metrics
from epca.base import BasePCA, is_integer, require
from epca.choosing.clean import CleanEstimate, Tell, estimate_clean, estimated_error
from epca.estimator import sigma_from_residuals
from epca.linalg import Reduction, reduce_to_span
from epca.parallel import Watched, closing, reason, single_thread
from epca.registry import METHODS

RANKS = (2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100)  # those that the images allow
STEPS = (-6, -4, -2, 2, 4, 6)  # of log₂ σ around the σ at which the ranks were compared
FEW = 0.05  # share of the images below which those that look occluded are taken for odd clean ones
MANY = 0.4  # share from which on the pictures should be looked at
COLUMNS = (
    "stage", "method", "n_components", "sigma", "estimated_error", "collapsed", "converged",
    "failure",
)  # fmt: skip
SWAPPED = "Images that were swapped for other clean ones cannot be seen."
RARE = f"Fewer than {FEW:.0%} of the images look occluded, as may happen among clean ones. "
NO_OPTIMUM = (
    f"{RARE}So the lowest point of the estimated error, at the largest c tried, is no optimum."
)
AS_GIVEN = (
    f"{RARE}The others count as clean as they are given, and PCA fits these best. Occlusion of a "
    "few pixels in every image cannot be seen."
)
AT_THE_END = "The estimated error is lowest at the largest c tried; a larger one may be better."
LOOK = "Many images look occluded: compare some of them as given and as estimated."
COLLAPSED = "The suggested fit passes through some images exactly. “EPCA, left-out” may avoid that."


class Suggestion(NamedTuple):
    """What `suggest` returns. Without an estimate, method, n_components and sigma are None."""

    method: str | None
    n_components: int | None
    sigma: float | None  # None also for a method without σ
    parameters: dict[str, Any]  # the method's other parameters that the estimate tells
    curves: pd.DataFrame  # a row per fit; its stage is "rank" or "sigma"
    estimate: CleanEstimate
    why: str
    warnings: tuple[str, ...]

    def model(self) -> BasePCA:
        """The suggested method, not yet fitted."""
        if self.method is None:
            raise ValueError(f"There is no suggestion. {self.why}")
        own = self.parameters if self.sigma is None else self.parameters | {"sigma": self.sigma}
        return METHODS[self.method](self.n_components, **own)


class _Task(NamedTuple):
    stage: str
    method: str
    n_components: int
    sigma: float | None  # None → the one at which ranks are compared


def suggest(
    X: np.ndarray,
    methods: Sequence[str] = ("EPCA",),
    ranks: Sequence[int] | None = None,
    sigmas: Sequence[float] | None = None,
    *,
    estimate: CleanEstimate | None = None,
    n_jobs: int = 1,
    callback: Tell | None = None,
) -> Suggestion:
    """Suggest a method, its rank c and its σ for X (n, d), without a clean image.

    The clean images are estimated once; then the fit with the smallest estimated error is taken.
    First every method is fitted with every rank, at the σ nearest to an eighth of PCA's median
    residual; then every method with σ at its best rank, with the other σ.

    Parameters
    ----------
    methods : labels in METHODS; one with `n_active` (PCA-AN) gets the number of images that look
        clean
    ranks : None → some up to 100
    sigmas : None → an eighth of PCA's median residual, and 2^±2, 2^±4, 2^±6 times that
    estimate : `estimate_clean(X)`, where it is known already
    n_jobs, callback : as in `epca.experiment.sweep`; results do not depend on n_jobs
    """
    _check(methods, ranks, sigmas)
    tell = callback or (lambda *_: None)
    if estimate is None:
        estimate = estimate_clean(X, lambda done, total, text: tell(0, 1, f"estimate, {text}"))
    if estimate.refused:
        rows = pd.DataFrame(columns=COLUMNS)
        return Suggestion(None, None, None, {}, rows, estimate, estimate.reason, ())
    with single_thread():
        reduction = reduce_to_span(X)
        search = _Search(reduction, estimate, sigmas, n_jobs, tell)
        curves = search.run(list(methods), _ranks(ranks, reduction))
    return _choose(curves, estimate)


def _check(methods, ranks, sigmas):
    """Refuse what is meaningless for any images."""
    if unknown := [label for label in methods if label not in METHODS]:
        raise ValueError(f"methods={unknown!r} must be among {', '.join(METHODS)}.")
    require(len(methods) > 0, "methods", methods, f"at least one of {', '.join(METHODS)}")
    if ranks is not None:
        are_ranks = len(ranks) > 0 and all(map(is_integer, ranks))
        require(are_ranks, "ranks", list(ranks), "integers, at least one")
    if sigmas is not None:
        are_positive = all(isinstance(sigma, Real) and sigma > 0 for sigma in sigmas)
        require(len(sigmas) > 0 and are_positive, "sigmas", list(sigmas), "numbers > 0")


def _ranks(ranks, reduction):
    n_samples, n_features = reduction.data.shape
    limit = min(n_samples - 1, n_features)
    if ranks is None:
        return [c for c in RANKS if c <= limit]
    if bad := [c for c in ranks if not 1 <= c <= limit]:
        raise ValueError(f"ranks={bad!r} must be between 1 and {limit} for these images.")
    return sorted(set(ranks))


def _own(label, estimate):
    """The parameters of a method that the estimate tells."""
    if "n_active" not in METHODS[label].parameters:
        return {}
    n_clean = int(np.count_nonzero(~estimate.is_occluded))
    return {"n_active": min(n_clean, len(estimate.is_occluded) - 1)}


class _Search:
    """The fits of one suggestion."""

    def __init__(self, reduction, estimate, sigmas, n_jobs, tell):
        self.reduction = reduction
        self.estimate = estimate
        self.sigmas = None if sigmas is None else sorted(set(map(float, sigmas)))
        self.n_jobs = n_jobs
        self.tell = tell
        self.done = 0
        self.total = 0

    def run(self, methods: list[str], ranks: list[int]) -> pd.DataFrame:
        """The rows of all fits."""
        tuned = [label for label in methods if "sigma" in METHODS[label].parameters]
        n_others = len(STEPS) if self.sigmas is None else len(self.sigmas) - 1
        self.total = len(methods) * len(ranks) + len(tuned) * n_others
        first = [_Task("rank", label, c, None) for label in methods for c in ranks]
        rows = self._fit_all(first)
        second = []
        for label in tuned:
            known = [row for row in rows if row["method"] == label and not row["failure"]]
            if known:
                best = min(known, key=lambda row: row["estimated_error"])
                others = self._others(best["sigma"])
                c = best["n_components"]
                second += [_Task("sigma", label, c, sigma) for sigma in others]
        rows += self._fit_all(second)
        self.tell(self.total, self.total, "done")
        return pd.DataFrame(rows, columns=COLUMNS)

    def _others(self, sigma):
        if self.sigmas is None:
            return [sigma * 2.0**step for step in STEPS]
        return [other for other in self.sigmas if other != sigma]

    def _fit_all(self, tasks) -> list[dict[str, Any]]:
        shared = self.reduction, self.estimate, self.sigmas
        if self.n_jobs == 1:
            results = (_fit(task, *shared, self._tick) for task in tasks)
        else:
            parallel = Parallel(self.n_jobs, return_as="generator")
            results = parallel(delayed(_fit)(task, *shared) for task in tasks)
        rows = []
        with closing(results):
            for task in tasks:
                self.tell(self.done, self.total, f"{task.method}, c = {task.n_components}")
                rows.append(next(results))
                self.done += 1
        return rows

    def _tick(self, iteration, *_):
        self.tell(self.done, self.total, f"iteration {iteration}")


def _fit(
    task: _Task,
    reduction: Reduction,
    estimate: CleanEstimate,
    sigmas: Sequence[float] | None,
    callback: Callable[..., None] | None = None,
) -> dict[str, Any]:
    """The row of one fit; an error becomes its failure, but not what the callback raises."""
    row = task._asdict() | {"sigma": np.nan, "failure": ""}
    own = _own(task.method, estimate)
    watched = callback and Watched(callback)
    with single_thread():
        try:
            if "sigma" in METHODS[task.method].parameters:
                row["sigma"] = task.sigma or _start(reduction, task.n_components, sigmas)
                own["sigma"] = row["sigma"]
            model = METHODS[task.method](task.n_components, **own)
            model.fit_reduced(reduction, watched)
            reconstruction = model.reconstruct(reduction.data)
            row["estimated_error"] = estimated_error(estimate, reconstruction)
            row["collapsed"] = metrics.is_collapsed(model.residuals_)
            row["converged"] = bool(model.converged_)
        except Exception as error:
            if watched and watched.has_raised:
                raise
            row |= {"estimated_error": np.nan, "failure": reason(error)}
    return row


def _start(reduction, c, sigmas):
    """The σ at which ranks are compared."""
    typical = max(sigma_from_residuals(reduction, c), reduction.smoothing)
    if sigmas is None:
        return typical
    return min(sigmas, key=lambda sigma: abs(np.log(sigma / typical)))


def _choose(curves, estimate) -> Suggestion:
    """The fit with the smallest estimated error, and what to say of it."""
    if curves["estimated_error"].isna().all():
        why = f"No fit succeeded: {curves['failure'].iloc[0]}"
        return Suggestion(None, None, None, {}, curves, estimate, why, ())
    best = curves.loc[curves["estimated_error"].idxmin()]
    sigma = None if np.isnan(best["sigma"]) else float(best["sigma"])
    n_fits = int(curves["estimated_error"].notna().sum())
    n_occluded = int(estimate.is_occluded.sum())
    at = f"c = {best['n_components']}" + ("" if sigma is None else f", σ = {sigma:.3g}")
    why = (
        f"Of {n_fits} fits, {best['method']} at {at} has the smallest estimated error. "
        f"{n_occluded} of {len(estimate.is_occluded)} images look occluded."
    )
    own = _own(best["method"], estimate)
    warnings = tuple(_warnings(curves, best, estimate))
    c = int(best["n_components"])
    return Suggestion(best["method"], c, sigma, own, curves, estimate, why, warnings)


def _warnings(curves, best, estimate):
    occluded = estimate.is_occluded.mean()
    ranks = curves.loc[curves["method"] == best["method"], "n_components"]
    if best["n_components"] == ranks.max() and ranks.nunique() > 1:
        yield NO_OPTIMUM if occluded < FEW else AT_THE_END
    elif curves["method"].nunique() > 1 and occluded < FEW:
        yield AS_GIVEN
    if occluded > MANY:
        yield LOOK
    if best["collapsed"]:
        yield COLLAPSED
    yield SWAPPED
