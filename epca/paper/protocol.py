"""The paper's protocol: which fits its tables and figures need, and how σ is chosen for each."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from epca.data import DataError, load_dataset
from epca.experiment import Scenario, prepare, single_thread
from epca.experiment import run as run_scenario
from epca.metrics import reconstruction_error
from epca.registry import METHODS

FIXED_SIGMA = 1.0
PART = 8  # of PCA's median residual: σ from the data alone is one of so many
RULES = {  # how EPCA's σ is chosen → what users see
    "oracle": "oracle: tuned on the clean images",
    "fixed": f"fixed: σ = {FIXED_SIGMA:g}",
    "residual": f"residual: σ = 1/{PART} of PCA's median residual, from the data alone",
}
COARSE = tuple(range(-20, 21))  # log₂ σ, as in the paper
FINE = (-0.75, -0.5, -0.25, 0.25, 0.5, 0.75)  # steps around the best of them: "a narrow scope"
SIGMA_RANK = 10  # c of Fig. 3
RANKS = (2, 5, 10, 15, 20, 25, 30, 40, 50, 60)  # c of Fig. 4
STAGES = {"fine": 1, "oracle": 2}  # fits whose σ depends on those of earlier stages

COLUMNS = (
    "dataset", "seed", "n_components", "method", "rule", "sigma", "error", "error_clean", "error_occluded", "error_raw",
    "accuracy", "accuracy_sd", "accuracy_best", "n_activated", "clean_among_activated", "clean_among_top", "auc",
    "collapsed", "iterations", "converged", "objective", "failure", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What to reproduce. Seeds are 0, 1, …; each draws its own occlusion."""

    datasets: tuple[str, ...] = ("orl",)
    methods: tuple[str, ...] = tuple(METHODS)
    ranks: tuple[int, ...] = (10, 30, 50)
    seeds: int = 10
    sigma: tuple[str, ...] = tuple(RULES)
    clustering_runs: int = 100


class Task(NamedTuple):
    """One fit: everything that its row depends on."""

    dataset: str
    fingerprint: str  # of the images and labels
    seed: int
    n_components: int
    method: str
    rule: str  # "" without σ; one of RULES; "coarse" or "fine" in the oracle's search; "curve" for Fig. 4
    exponent: float | None  # coarse: log₂ σ; fine: its distance from the best coarse one
    clustering_runs: int

    @property
    def key(self):
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()[:24]

    @property
    def stage(self):
        return STAGES.get(self.rule, 0)

    @property
    def text(self):
        rule = f" ({self.rule})" if self.rule else ""
        return f"{self.dataset}, seed {self.seed}, c = {self.n_components}, {self.method}{rule}"


def plan(options):
    """All tasks in a fixed order. What cannot be done is refused here, before anything runs."""
    for name, given, known in [
        ("methods", options.methods, METHODS),
        ("sigma", options.sigma, RULES),
    ]:
        if unknown := [item for item in given if item not in known]:
            raise ValueError(
                f"{name}={', '.join(map(str, unknown))} must be among {', '.join(known)}."
            )
    for name in ("seeds", "clustering_runs"):
        if getattr(options, name) < (name == "seeds"):
            raise ValueError(
                f"{name}={getattr(options, name)} must be an integer >= {int(name == 'seeds')}."
            )
    tasks = []
    for dataset in dict.fromkeys(options.datasets):
        images = load_dataset(dataset)
        limit = min(len(images.X) - 1, images.X.shape[1])
        if images.is_occluded:
            raise DataError(
                f"{dataset} is occluded as it comes: there is no clean truth to compare with; choose another set."
            )
        if bad := [c for c in options.ranks if not 1 <= c <= limit]:
            raise ValueError(
                f"ranks={', '.join(map(str, bad))} must be between 1 and {limit} for {dataset}."
            )
        mark = fingerprint(images)
        for seed in range(options.seeds):
            tasks += [Task(dataset, mark, seed, *rest) for rest in _fits(options, limit)]
    return tasks


def _fits(options, limit):
    """(rank, method, rule, exponent, clustering runs) of each fit of one occluded set."""
    ranks, runs = tuple(dict.fromkeys(options.ranks)), options.clustering_runs
    for c in ranks:
        for method in dict.fromkeys(options.methods):
            for rule in dict.fromkeys(options.sigma) if method == "EPCA" else ("",):
                yield c, method, rule, None, runs
    if "EPCA" not in options.methods:
        return
    tuned = ranks if "oracle" in options.sigma else ()
    for c in sorted({*tuned, min(SIGMA_RANK, limit)}):
        yield from ((c, "EPCA", "coarse", exponent, 0) for exponent in COARSE)
    for c in tuned:
        yield from ((c, "EPCA", "fine", step, 0) for step in FINE)
    known = ranks if "fixed" in options.sigma else ()
    yield from ((c, "EPCA", "curve", None, 0) for c in RANKS if c <= limit and c not in known)


def fingerprint(images):
    """Tells whether two machines, or two runs, have the same images and labels."""
    labels = b"" if images.labels is None else np.asarray(images.labels, dtype=np.int64).tobytes()
    return hashlib.sha256(np.ascontiguousarray(images.images).tobytes() + labels).hexdigest()[:16]


@lru_cache(1)
def _images(dataset, mark):
    images = load_dataset(dataset)
    if fingerprint(images) != mark:
        raise DataError(
            f"{dataset} is not the same here as where the run was planned; give every worker the same files."
        )
    return images


@lru_cache(2)
def _prepared(dataset, mark, seed):
    """Images, occlusion and reduction, kept by each worker for its next fits."""
    return prepare(Scenario(dataset=dataset, seed=seed), _images(dataset, mark))


def forget():
    """Keep nothing for next fits."""
    _images.cache_clear()
    _prepared.cache_clear()


def fit(task, sigma=None, callback=None):
    """The row of one task, by column; σ is that of the oracle's search so far, where the task needs it."""
    with single_thread():
        prepared = _prepared(task.dataset, task.fingerprint, task.seed)
        if task.rule == "coarse":
            sigma = 2.0**task.exponent
        elif task.rule == "residual":
            sigma = float(np.median(prepared.reduction.classical(task.n_components)[1])) / PART
        random = (
            ("L1PCA-NG", "init", "random"),
            ("L1PCA-NG", "random_state", task.seed),
        )  # as its authors
        scenario = Scenario(
            task.dataset,
            seed=task.seed,
            n_components=task.n_components,
            sigma=sigma or FIXED_SIGMA,
            parameters=random,
        )
        options = {
            "prepare": lambda _: prepared,
            "clustering_runs": task.clustering_runs,
            "callback": callback,
        }
        table, models = run_scenario(scenario, (task.method,), **options)
        row = table.to_dict("records")[0] | {"rule": task.rule}
        if task.method != "EPCA":
            row["sigma"] = np.nan
        if hasattr(models[0], "loadings_"):  # RSPCA as the paper seems to have measured it
            X, mean, loadings = prepared.occluded.X, models[0].mean_, models[0].loadings_
            row["error_raw"] = reconstruction_error(
                prepared.clean, mean + (X - mean) @ loadings.T @ loadings
            )
    return {name: row[name] for name in COLUMNS if name in row}


def choose_sigma(task, searched):
    """σ for a fine step or the oracle, from the search so far: [(error, σ)] of the same data and rank."""
    _, best = min(searched, default=(np.nan, np.nan))
    return best * 2**task.exponent if task.rule == "fine" else best
