"""The paper's protocol: which fits its tables and figures need, and how σ is chosen for each."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from epca import experiment
from epca.choosing import RESIDUAL_PART, sigma_from_residuals
from epca.data import DataError, ImageSet, load_dataset
from epca.experiment import Occlusion, Prepared, Scenario, prepare, single_thread
from epca.metrics import reconstruction_error
from epca.registry import METHODS, PAPER_METHODS
from epca.scenario import has_sigma

FIXED_SIGMA = 1.0
RULES = {  # how σ is chosen → what users see
    "oracle": "oracle: tuned on the clean images",
    "fixed": f"fixed: σ = {FIXED_SIGMA:g}",
    "residual": f"residual: σ = 1/{RESIDUAL_PART} of PCA's median residual, from the data alone",
}
COARSE = tuple(range(-20, 21))  # log₂ σ, as in the paper
FINE = (-0.75, -0.5, -0.25, 0.25, 0.5, 0.75)  # steps of log₂ σ around the best coarse one
SIGMA_RANK = 10  # c of Fig. 3
RANKS = (2, 5, 10, 15, 20, 25, 30, 40, 50, 60)  # c of Fig. 4
STAGES = {"fine": 1, "oracle": 2}  # these fits take σ from the results of earlier stages

COLUMNS = (
    "dataset", "seed", "n_components", "method", "rule", "sigma",
    "error", "error_clean", "error_occluded", "error_raw",
    "accuracy", "accuracy_sd", "accuracy_best",
    "n_activated", "clean_among_activated", "clean_among_top", "auc",
    "collapsed", "iterations", "converged", "objective", "failure", "seconds",
)  # fmt: skip


MAX_SEEDS = 1000
MAX_RUNS = 1000  # of k-means per fit


@dataclass(frozen=True)
class Options:
    """What to reproduce. The seeds are 0, 1, …; each draws its own occlusion."""

    datasets: tuple[str, ...] = ("orl",)
    methods: tuple[str, ...] = PAPER_METHODS
    ranks: tuple[int, ...] = (10, 30, 50)
    seeds: int = 10
    sigma: tuple[str, ...] = tuple(RULES)
    clustering_runs: int = 100


class Task(NamedTuple):
    """One fit: everything that its row depends on.

    `rule` is empty for a method without σ. Otherwise it is one of RULES, "coarse" or "fine" in the
    oracle's search, or "curve" in Fig. 4. `exponent` is log₂ σ of a coarse fit; for a fine one it
    is the distance from the best coarse log₂ σ.
    """

    dataset: str
    fingerprint: str  # of the images and labels
    seed: int
    n_components: int
    method: str
    rule: str
    exponent: float | None
    clustering_runs: int

    @property
    def key(self) -> str:
        """The name of its file in a run's folder."""
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()[:24]

    @property
    def stage(self) -> int:
        """How many stages of the run must be finished before this fit can start."""
        return STAGES.get(self.rule, 0)

    @property
    def search(self) -> tuple:
        """What an oracle and the fits of its search have in common."""
        return self.dataset, self.fingerprint, self.seed, self.n_components, self.method

    @property
    def text(self) -> str:
        """The task in words, for a progress bar."""
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self.dataset}, seed {self.seed}, c = {self.n_components}, {self.method}{rule}"


def plan(options: Options) -> list[Task]:
    """All tasks in a fixed order. Options that cannot be met are refused here, before any fit."""
    _require_some("datasets", options.datasets, "data set")
    _require_some("methods", options.methods, "method")
    _require_some("ranks", options.ranks, "integer")
    if bad := [str(c) for c in options.ranks if not _is_integer(c)]:
        raise ValueError(f"ranks={', '.join(bad)} must be integers.")
    _require_known("methods", options.methods, METHODS)
    _require_known("sigma", options.sigma, RULES)
    _require_between(1, MAX_SEEDS, "seeds", options.seeds)
    _require_between(0, MAX_RUNS, "clustering_runs", options.clustering_runs)
    tasks = []
    for dataset in dict.fromkeys(options.datasets):
        images = load_dataset(dataset)
        limit = min(len(images.X) - 1, images.X.shape[1])
        if images.is_occluded:
            raise DataError(
                f"{dataset} is occluded as it comes: there are no clean images to compare with; "
                "choose another set."
            )
        if bad := [c for c in options.ranks if not 1 <= c <= limit]:
            listed = ", ".join(map(str, bad))
            raise ValueError(f"ranks={listed} must be between 1 and {limit} for {dataset}.")
        mark = fingerprint(images)
        for seed in range(options.seeds):
            tasks += [Task(dataset, mark, seed, *rest) for rest in _fits(options, limit)]
    return tasks


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _require_some(name, given, what):
    if not given:
        raise ValueError(f"{name}={given!r} must be at least one {what}.")


def _require_known(name, given, known):
    if unknown := [str(item) for item in given if item not in known]:
        raise ValueError(f"{name}={', '.join(unknown)} must be among {', '.join(known)}.")


def _require_between(least, most, name, value):
    if not (_is_integer(value) and least <= value <= most):
        raise ValueError(f"{name}={value} must be an integer between {least} and {most}.")


def _fits(options, limit) -> Iterator[tuple]:
    """(rank, method, rule, exponent, clustering runs) of each fit to one occluded set."""
    ranks = tuple(dict.fromkeys(options.ranks))
    methods = tuple(dict.fromkeys(options.methods))
    for c in ranks:
        for method in methods:
            rules = dict.fromkeys(options.sigma) if has_sigma(method) else ("",)
            yield from ((c, method, rule, None, options.clustering_runs) for rule in rules)
    for method in filter(has_sigma, methods):
        yield from _fits_over_sigma(method, ranks, options.sigma, limit)


def _fits_over_sigma(method, ranks, rules, limit):
    """The oracle's search, and what Figs. 3 and 4 need beside it."""
    tuned = ranks if "oracle" in rules else ()
    for c in sorted({*tuned, min(SIGMA_RANK, limit)}):
        yield from ((c, method, "coarse", exponent, 0) for exponent in COARSE)
    for c in tuned:
        yield from ((c, method, "fine", step, 0) for step in FINE)
    planned = ranks if "fixed" in rules else ()
    yield from ((c, method, "curve", None, 0) for c in RANKS if c <= limit and c not in planned)


def fingerprint(images: ImageSet) -> str:
    """A digest by which two machines, or two runs, tell whether they have the same images."""
    labels = b"" if images.labels is None else np.asarray(images.labels, dtype=np.int64).tobytes()
    return hashlib.sha256(np.ascontiguousarray(images.images).tobytes() + labels).hexdigest()[:16]


@lru_cache(1)
def _images(dataset, mark):
    images = load_dataset(dataset)
    if fingerprint(images) != mark:
        raise DataError(
            f"{dataset} is not the same here as where the run was planned; "
            "give every worker the same files."
        )
    return images


@lru_cache(2)
def _prepared(dataset, mark, seed):
    """Images, occlusion and reduction, cached by each worker for its next fits."""
    return prepare(Scenario(dataset, Occlusion(seed=seed)), _images(dataset, mark))


def forget() -> None:
    """Empty this worker's caches."""
    _images.cache_clear()
    _prepared.cache_clear()


def fit(
    task: Task, sigma: float | None = None, callback: Callable[..., None] | None = None
) -> dict[str, Any]:
    """The row of one task, by column. σ is given where it comes from the oracle's search."""
    with single_thread():
        prepared = _prepared(task.dataset, task.fingerprint, task.seed)
        scenario = Scenario(
            task.dataset,
            Occlusion(seed=task.seed),
            n_components=task.n_components,
            sigma=_sigma(task, sigma, prepared),
            parameters=(  # as its authors start it
                ("L1PCA-NG", "init", "random"),
                ("L1PCA-NG", "random_state", task.seed),
            ),
        )
        options = {"clustering_runs": task.clustering_runs, "callback": callback}
        row, model = experiment.fit(prepared, scenario, task.method, **options)
        row["rule"] = task.rule
        if not has_sigma(task.method):
            row["sigma"] = np.nan
        if hasattr(model, "loadings_"):
            row["error_raw"] = _raw_error(prepared, model)
    return {name: row[name] for name in COLUMNS if name in row}


def _sigma(task, searched, prepared: Prepared):
    if task.rule == "coarse":
        return 2.0**task.exponent
    if task.rule == "residual":
        return sigma_from_residuals(prepared.reduction, task.n_components)
    return searched or FIXED_SIGMA


def _raw_error(prepared, model):
    """The error of RSPCA as the paper seems to have measured it: (X − x̄)WWᵀ, no projection."""
    centred = prepared.occluded.X - model.mean_
    product = model.mean_ + centred @ model.loadings_.T @ model.loadings_
    return reconstruction_error(prepared.clean, product)


def choose_sigma(task: Task, searched: list[tuple[float, float]]) -> float:
    """σ for a fine step or the oracle, from the (error, σ) of its search so far."""
    _, best = min(searched, default=(np.nan, np.nan))
    return best * 2**task.exponent if task.rule == "fine" else best
