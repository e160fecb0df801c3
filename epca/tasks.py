"""Long work as generators: each yields (share, text) before a step and returns its result.

Whoever drives them may answer a yield with tell(share, text), which reports from within the step
and may raise to end it. Arguments and results can be pickled.
"""

from collections.abc import Callable, Generator
from dataclasses import replace
from itertools import product
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from epca import choosing, experiment, history, metrics, paper
from epca.choosing import CleanEstimate
from epca.data import ImageSet, confined, load_dataset
from epca.experiment import OUT_OF_MEMORY, Fit, Prepared, Scenario
from epca.linalg import reduce_to_span
from epca.paper.protocol import forget

SWEPT = (  # columns of a sweep's table
    "sigma", "n_components", "error", "error_clean", "error_occluded", "n_activated",
    "clean_among_activated", "weights_share", "collapsed", "objective", "iterations", "converged",
    "failure",
)  # fmt: skip
ESTIMATED = ("estimated_error", "no_estimate")  # and these, where it had an estimate
Work = Generator[tuple[float, str], Callable[[float, str], None], Any]


def load(name: str, stamp: Any) -> Work:
    """The images of a data set; the stamp tells one state of its files from another."""
    yield 0.0, name
    return load_dataset(name)


def read_upload(files: list[tuple[str, bytes]], options: dict[str, Any]) -> Work:
    """The images in a visitor's files, with the options of `readers.read_files`."""
    tell = yield 0.0, ""
    return confined.read_files(files, callback=_alive(tell, ""), **options)


def read_run(name: str, content: bytes) -> Work:
    """The raw table in a visitor's raw.csv."""
    tell = yield 0.0, ""
    return paper.read_confined(name, content, callback=_alive(tell, ""))


def read_picture(name: str, content: bytes, shape: tuple[int, int]) -> Work:
    """A visitor's picture as grey levels of this shape."""
    tell = yield 0.0, ""
    return confined.read_picture(name, content, shape, callback=_alive(tell, ""))


def prepare(scenario: Scenario, images: ImageSet) -> Work:
    """The Prepared data of the scenario."""
    yield 0.0, "occluding images"
    return prepared(scenario, images)


def prepared(scenario: Scenario, images: ImageSet) -> Prepared:
    """The same at once, to the last bit on any machine."""
    with experiment.single_thread():
        return experiment.prepare(scenario, images)


def at_once(work: Work) -> Any:
    """What the work returns, done here and now: for what takes a moment."""
    try:
        next(work)
        while True:
            work.send(None)
    except StopIteration as end:
        return end.value


def typical_residuals(prepared: Prepared, n_components: int) -> Work:
    """The two lengths between which eight of ten residuals of PCA at this rank lie."""
    yield 0.0, f"PCA at c = {n_components}"
    with experiment.single_thread():
        _, residuals = prepared.reduction.classical(n_components)
    return np.quantile(residuals, [0.1, 0.9])


def variance_shares(prepared: Prepared) -> Work:
    """PCA's share of the variance by component; 0 where there is none, as in black images."""
    yield 0.0, "variances of all components"
    with experiment.single_thread():
        variances = prepared.reduction.variances
    total = variances.sum()
    return variances / total if total > 0 else np.zeros_like(variances)


def fit(prepared: Prepared, scenario: Scenario, label: str) -> Work:
    """The Fit of one method."""
    tell = yield 0.0, ""
    return experiment.fit(prepared, scenario, label, callback=_iterations(tell, 0.0, ""))


def fit_without(prepared: Prepared, left_out: int, scenario: Scenario, label: str) -> Work:
    """The method fitted to all occluded images but one."""
    tell = yield 0.0, ""
    callback = _iterations(tell, 0.0, "")
    others = np.delete(prepared.occluded.X, left_out, axis=0)
    with experiment.single_thread():
        return scenario.model(label).fit_reduced(reduce_to_span(others), callback)


class Swept(NamedTuple):
    """Fits over σ and c without their models: a row each.

    Where there is only one c, also α and residuals (n, m) of the samples; NaN where a fit failed.
    """

    table: pd.DataFrame
    alpha: np.ndarray | None = None
    residuals: np.ndarray | None = None


class Estimated(NamedTuple):
    """An estimate of the clean images, or why there is none; a refused one has both."""

    estimate: CleanEstimate | None
    reason: str = ""


def estimate_clean(prepared: Prepared) -> Work:
    """Estimated, from the occluded images alone."""
    tell = yield 0.0, ""  # the title says it

    def tick(done, total, text):
        if tell is not None:
            tell(done / total, text)

    try:
        estimate = choosing.estimate_clean(prepared.occluded.X, tick)
    except ValueError as error:  # too few images, or all are equal
        return Estimated(None, str(error))
    return Estimated(estimate, estimate.reason)


def suggest(
    prepared: Prepared,
    methods: tuple[str, ...],
    ranks: tuple[int, ...],
    sigmas: tuple[float, ...],
    estimate: CleanEstimate,
) -> Work:
    """The Suggestion among these methods, ranks and σ, by an estimate of the clean images."""
    tell = yield 0.0, ""

    def tick(done, total, text):
        if tell is not None:
            tell(done / total, f"{done} of {total} fits done, {text}")

    X = prepared.occluded.X
    return choosing.suggest(X, methods, ranks, sigmas, estimate=estimate, callback=tick)


def sweep(
    prepared: Prepared,
    scenario: Scenario,
    exponents: tuple[float, ...],
    ranks: tuple[int, ...],
    estimate: CleanEstimate | None = None,
    label: str = "EPCA",
) -> Work:
    """Swept: a method at every σ = 2^exponent with every rank, one step per fit.

    With an estimate of the clean images the table has the columns ESTIMATED, too.
    """
    points = list(product(exponents, ranks))
    rows = []
    samples = []
    for i, (exponent, rank) in enumerate(points):
        share = i / len(points)
        text = f"fit {i + 1} of {len(points)}, σ = 2^{exponent:g}, c = {rank}"
        tell = yield share, text
        point = replace(scenario, sigma=2.0**exponent, n_components=rank)
        callback = _iterations(tell, share, text)
        row, model = experiment.fit(prepared, point, label, estimate=estimate, callback=callback)
        rows.append(row)
        if len(ranks) == 1:
            samples.append(_of_samples(prepared, model))
    columns = SWEPT if estimate is None else (*SWEPT, *ESTIMATED)
    table = pd.DataFrame(rows).reindex(columns=columns)
    table["collapsed"] = table["collapsed"].eq(True)
    if not samples:
        return Swept(table)
    alpha, residuals = np.array(samples, np.float32).transpose(1, 2, 0)
    return Swept(table, alpha, residuals)


def _of_samples(prepared: Prepared, model: Any) -> tuple[np.ndarray, np.ndarray]:
    """α and residual lengths (n,) of the samples; NaN without a model, and without α."""
    if model is None:
        unknown = np.full(len(prepared.clean), np.nan)
        return unknown, unknown
    residuals = model.residuals_
    return getattr(model, "alpha_", np.full_like(residuals, np.nan)), residuals


def seeds(images: ImageSet, scenario: Scenario, labels: tuple[str, ...], count: int) -> Work:
    """The table of fits over several seeds of the occlusion, one step per seed."""
    tables = []
    for i in range(count):
        share = i / count
        text = f"seed {i + 1} of {count}"
        tell = yield share, text

        def tick(done, total, what, tell=tell, share=share, text=text):
            if tell is not None:
                tell(share + done / total / count, f"{text}, {what}")

        options = {"prepare": lambda item: experiment.prepare(item, images), "callback": tick}
        seed = scenario.occlusion.seed + i
        tables.append(experiment.sweep(scenario, labels, seed=[seed], **options).table)
    return pd.concat(tables, ignore_index=True)


def accuracy(coordinates: np.ndarray, labels: np.ndarray, runs: int) -> Work:
    """Mean and standard deviation of the clustering accuracy, one step per run of k-means."""
    found = []
    for run in range(runs):
        share = run / runs
        text = f"run {run + 1} of {runs}"
        tell = yield share, text

        options = {"runs": 1, "random_state": run, "callback": _alive(tell, text, share)}
        with experiment.single_thread():
            one = metrics.clustering_accuracy(coordinates, labels, **options)
        found.append(one.mean)
    return float(np.mean(found)), float(np.std(found))


def record(prepared: Prepared, scenario: Scenario, label: str) -> Work:
    """The History of a fit."""
    tell = yield 0.0, ""
    callback = _iterations(tell, 0.0, "")
    with experiment.single_thread():
        return history.record(scenario.model(label), prepared.reduction, callback)


def reproduce(options: paper.Options) -> Work:
    """The raw table of the paper's protocol, one step per fit; nothing stays on the disk."""
    tell = None

    def tick(done, total, text):
        if tell is not None:
            tell(done / total, f"{done} of {total} fits done, {text}")

    try:
        with TemporaryDirectory(prefix="epca-") as folder:
            for done, total, _ in paper.steps(paper.plan(options), folder, tick):
                if done < total:
                    tell = yield done / total, f"{done} of {total} fits done"
            return paper.read(folder)
    finally:
        forget()


def _alive(tell: Callable | None, text: str, share: float = 0.0) -> Callable | None:
    """A callback without arguments that asks whether to go on."""
    return None if tell is None else lambda: tell(share, text)


def _iterations(tell: Callable | None, share: float, text: str) -> Callable | None:
    """A callback for a fit that reports every iteration."""
    if tell is None:
        return None
    before = f"{text}, " if text else ""
    return lambda iteration, *_: tell(share, f"{before}iteration {iteration}")


def is_lasting(fit: Fit) -> bool:
    """Whether another try would give the same; after a lack of memory it may not."""
    return fit.row["failure"] != OUT_OF_MEMORY


def are_lasting(failures: Any) -> bool:
    """`is_lasting` for the failures of many fits."""
    return OUT_OF_MEMORY not in set(failures)
