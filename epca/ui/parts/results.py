"""The results that pages ask for. Each is computed once for all who ask, and cached."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from epca import distances, paper, tasks
from epca.choosing import CleanEstimate, Suggestion
from epca.experiment import Fit, Prepared
from epca.history import History
from epca.ui.frame import images
from epca.ui.frame.images import request
from epca.ui.frame.settings import Setup
from epca.ui.jobs import bars
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.request import Request
from epca.views import texts
from epca.views.comparison import Comparison
from epca.views.points import Points

OVER_SEEDS = "Fitting over seeds"
PROTOCOL = "The paper's protocol"
ESTIMATE = "Estimate of the clean images"
COMPARED = ("PCA", "EPCA")  # what Home, Activated and the pinned setting show


def prepare(setup: Setup) -> Prepared:
    """The setup's occluded images, shared by all fits to them; the page ends without them."""
    return images.prepare(setup.scenario, setup.images)


def fit(setup: Setup, label: str) -> Fit | None:
    """One method fitted to the setup's occluded images; None where it was cancelled or failed."""
    return bars.get(fit_request(setup, label))


def fits(setup: Setup, labels: Sequence[str]) -> AbstractContextManager[Iterator[Fit | None]]:
    """What `fit` gives for each method, in turn; all are fitted side by side on free cores."""
    return bars.together([fit_request(setup, label) for label in labels])


def title(label: str) -> str:
    """What the bar of such a fit says."""
    return f"Fitting {label}"


def fit_request(setup: Setup, label: str) -> Request:
    """The Request for such a fit."""
    scenario = setup.scenario.for_method(label)
    return request(
        title(label),
        setup.images,
        tasks.fit,
        keyed(setup),
        scenario,
        label,
        is_cachable=tasks.is_lasting,
    )


def compare(setup: Setup) -> Comparison:
    """PCA and EPCA; where one fails or is cancelled, the page says so and ends."""
    with fits(setup, COMPARED) as each:
        found = {label: _or_stop(fit) for label, fit in zip(COMPARED, each, strict=True)}
    for label, fit in found.items():
        if fit.model is None:
            st.error(texts.failure(label, fit.row))
            st.stop()
    return Comparison(setup.scenario, prepare(setup), found)


def remember(result: Comparison, what: Hashable, make: Callable[[], Any]) -> Any:
    """The cached result of make(): what a browser is sent of these fits, made once for all.

    what : its name and all that it depends on besides the fits; nobody may change what is made
    """
    if result.is_preview:  # some of its fits may be exact, and others soon are
        return make()
    return images.remember(result.prepared.images, (what, result.scenario), make)


def fit_without(setup: Setup, left_out: int) -> Any:
    """EPCA fitted to all images but one; None where it was cancelled or failed."""
    scenario = setup.scenario.for_method("EPCA")
    asked = request(
        f"Fitting EPCA without image {left_out}",
        setup.images,
        tasks.fit_without,
        keyed(setup),
        left_out,
        scenario,
        "EPCA",
    )
    return bars.get(asked)


def variance_shares(setup: Setup) -> np.ndarray | None:
    """PCA's share of the variance by component; None where it was cancelled."""
    if images.is_quick(setup.images):
        return tasks.at_once(tasks.variance_shares(prepare(setup)))
    return bars.get(request("Scree", setup.images, tasks.variance_shares, keyed(setup)))


def record(setup: Setup, name: str) -> History:
    """The history of EPCA's fit; the page ends where it is cancelled."""
    scenario = setup.scenario.for_method("EPCA")
    title = f"Recording the {name}"
    asked = request(title, setup.images, tasks.record, keyed(setup), scenario, "EPCA")
    return _or_stop(bars.get(asked))


def estimate(setup: Setup) -> tasks.Estimated | None:
    """The estimate of the clean images, in the background; None until it is ready."""
    return bars.follow(_estimate(setup))


def cached_estimate(setup: Setup) -> tasks.Estimated | None:
    """The estimate if it is cached; nothing is computed or waited for."""
    return _estimate(setup).peek()


def is_estimating() -> bool:
    """Whether the estimate is under way: neither ready nor cancelled."""
    return bars.is_followed(ESTIMATE)


def leave_estimate() -> None:
    """End the estimate, if it is under way."""
    bars.leave(ESTIMATE)


def _estimate(setup: Setup) -> Request:
    return request(ESTIMATE, setup.images, tasks.estimate_clean, keyed(setup))


def suggest(
    setup: Setup,
    title: str,
    methods: tuple[str, ...],
    ranks: tuple[int, ...],
    sigmas: tuple[float, ...],
    estimate: CleanEstimate,
) -> Suggestion | None:
    """The Suggestion among these, in the background; None until it is ready."""
    asked = request(
        title,
        setup.images,
        tasks.suggest,
        keyed(setup),
        methods,
        ranks,
        sigmas,
        _keyed_estimate(setup, estimate),
        is_cachable=lambda found: tasks.are_lasting(found.curves["failure"]),
    )
    return bars.follow(asked)


def sweep(asked: Request) -> Points | None:
    """What a `sweep_request` asks for, in the background; None until it is ready."""
    return _points(bars.follow(asked))


def cached_sweep(asked: Request) -> Points | None:
    """The same if it is cached; nothing is computed or waited for.

    It goes on where it is under way; one that is under way for other settings ends.
    """
    bars.leave_other(asked)
    return _points(asked.peek())


def _points(swept: tasks.Swept | None) -> Points | None:
    return None if swept is None else Points(*swept)


def sweep_request(
    setup: Setup,
    title: str,
    exponents: Sequence[float],
    ranks: Sequence[int],
    estimate: CleanEstimate | None,
) -> Request:
    """The Request for EPCA with every exponent of σ at every rank.

    Its key is the data, the grid and the method: the σ and c of the sidebar do not matter.
    """
    scenario = setup.scenario.data.at(left_out=setup.scenario.left_out)
    return request(
        title,
        setup.images,
        tasks.sweep,
        keyed(setup),
        scenario,
        tuple(exponents),
        tuple(ranks),
        _keyed_estimate(setup, estimate),
        is_cachable=lambda swept: tasks.are_lasting(swept.table["failure"]),
    )


def accuracy(setup: Setup, label: str, fit: Fit, runs: int) -> tuple[float, float] | None:
    """Mean and standard deviation of a fit's clustering accuracy over runs of k-means."""
    scores = Keyed(("scores", fit_request(setup, label).key), fit.model.scores_)
    classes = Keyed(("classes", setup.images.digest), setup.images.labels)
    title = f"Clustering with {label}"
    return bars.get(request(title, setup.images, tasks.accuracy, scores, classes, runs))


def robust_distances(setup: Setup, label: str, fit: Fit) -> np.ndarray | None:
    """How far a fit's robust reconstructions are off (n,); None where that was cancelled."""
    model = Keyed(("model", fit_request(setup, label).key), fit.model)
    title = f"Reconstructing with {label}"
    work = distances.robust_distances
    return bars.get(request(title, setup.images, work, keyed(setup), model))


def over_seeds(setup: Setup, labels: tuple[str, ...], seeds: int) -> pd.DataFrame | None:
    """Rows of measures over several seeds, in the background; None until they are ready."""
    asked = request(
        OVER_SEEDS,
        setup.images,
        tasks.seeds,
        images.keyed(setup.images),
        setup.scenario,
        labels,
        seeds,
        is_cachable=lambda rows: tasks.are_lasting(rows["failure"]),
    )
    return bars.follow(asked)


def leave_seeds() -> None:
    """End the fits over seeds, if they are under way."""
    bars.leave(OVER_SEEDS)


def reproduce(options: paper.Options) -> pd.DataFrame | None:
    """The raw table of the paper's protocol, in the background; None until it is ready."""
    found = images.load(options.datasets[0])
    asked = request(
        PROTOCOL,
        found,
        tasks.reproduce,
        options,
        is_cachable=lambda raw: tasks.are_lasting(raw["failure"]),
    )
    return bars.follow(asked)


def keyed(setup: Setup) -> Keyed:
    """The setup's occluded images as an argument of work."""
    return images.keyed_prepared(setup.scenario, setup.images)


def _keyed_estimate(setup: Setup, estimate: CleanEstimate | None) -> Keyed | None:
    if estimate is None:
        return None
    return Keyed(("estimate", setup.images.digest, setup.scenario.data), estimate)


def _or_stop(found: Any) -> Any:
    """What was found; the page ends where there is nothing: the visitor has been told why."""
    if found is None:
        st.stop()
    return found
