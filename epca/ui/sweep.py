"""EPCA's fits over σ and c: computed with progress, kept between runs of a page without their models."""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from epca import experiment
from epca.experiment import Scenario
from epca.ui import store, work
from epca.ui.settings import sigma_text

COLUMNS = (
    "sigma", "n_components", "error", "error_clean", "error_occluded", "n_activated", "clean_among_activated", "weights_share",
    "collapsed", "objective", "iterations", "converged", "failure",
)  # fmt: skip
NAMED = 5  # fits that a note names


class Points(NamedTuple):
    """Fits over σ and c: a row each, and where there is but one c what their samples got, (n, m); NaN where a fit failed."""

    table: pd.DataFrame
    alpha: np.ndarray | None = None
    residuals: np.ndarray | None = None

    @property
    def exponents(self):
        """log₂ σ (m,)."""
        return np.log2(self.table["sigma"].to_numpy(float))

    @property
    def choices(self):
        """[log₂ σ, c] of each fit, as a click on it sets them."""
        return [
            [round(e), int(c)]
            for e, c in zip(self.exponents, self.table["n_components"], strict=True)
        ]

    @property
    def is_fitted(self):
        return self.table["failure"].eq("").to_numpy()

    @property
    def is_late(self):
        """Whether a fit (m,) reached the limit of iterations."""
        return self.is_fitted & ~self.table["converged"].to_numpy(bool)

    @property
    def states(self):
        """Each fit's state, as the charts know them."""
        collapsed = zip(self.table["collapsed"], self.is_late, strict=True)
        return [
            "collapsed" if is_collapsed else "not converged" if is_late else ""
            for is_collapsed, is_late in collapsed
        ]

    @property
    def best(self):
        """The row of the lowest error; None where no error is known."""
        known = self.table["error"].dropna()
        return None if known.empty else int(known.idxmin())

    def proposal(self, residual):
        """The row of the smallest σ from this residual length on at which no sample is fitted exactly; None without one.

        It looks at no clean image.
        """
        enough = self.exponents >= min(np.round(np.log2(residual)), self.exponents.max())
        rows = np.flatnonzero(enough & self.is_fitted & ~self.table["collapsed"].to_numpy())
        return int(rows[0]) if len(rows) else None

    @property
    def notes(self):
        """Which fits failed or did not come to rest, and why, a sentence for each reason."""
        for reason, rows in self.table[~self.is_fitted].groupby("failure"):
            yield f"{len(rows)} of {len(self.table)} fits failed ({_names(rows)}): {reason}"
        if self.is_late.any():
            rows = self.table[self.is_late]
            yield (
                f"{len(rows)} of {len(self.table)} fits did not come to rest within {rows['iterations'].max():.0f} iterations "
                f"({_names(rows)}): their numbers could still change."
            )


def _names(rows):
    names = [
        f"σ = {sigma_text(np.log2(row.sigma))}, c = {row.n_components}"
        for row in rows.head(NAMED).itertuples()
    ]
    return "; ".join([*names, *(["…"] if len(rows) > NAMED else [])])


def run(setup, title, exponents, ranks):
    """The Points of every exponent of σ with every rank, computed with progress or taken as kept; None where cancelled."""
    arguments = _arguments(setup, exponents, ranks)
    return work.run(_task(arguments), title, _kept, *arguments)


def peek(setup, exponents, ranks):
    """The Points if they are kept, else None; nothing is computed or waited for."""
    arguments = _arguments(setup, exponents, ranks)
    if work.mark(_task(arguments), setup.images) in work.UNDER_WAY:
        return None
    try:
        return _kept(*arguments, _Refusal)
    except _NotKept:
        return None


def _arguments(setup, exponents, ranks):
    """What they are kept by: the occlusion, not the sidebar's σ and c."""
    scenario = replace(setup.scenario, sigma=Scenario.sigma, n_components=Scenario.n_components)
    return (
        setup.images,
        scenario,
        tuple(exponents),
        tuple(ranks),
        store.prepare(scenario, setup.images),
    )


def _task(arguments):
    images, *others, _ = arguments
    return images.digest, *others


def _compute(digest, scenario, exponents, ranks, _prepared, _progress, _images):
    points = list(product(exponents, ranks))
    ticks = [
        _Tick(
            _progress,
            i / len(points),
            f"fit {i + 1} of {len(points)}, σ = {sigma_text(exponent)}, c = {rank}",
        )
        for i, (exponent, rank) in enumerate(points)
    ]
    rows, alpha, residuals = [], [], []
    for (exponent, rank), tick in zip(points, ticks, strict=True):
        one = replace(scenario, sigma=2.0**exponent, n_components=rank)
        with _progress.turn(
            tick.share, tick.text
        ):  # a turn for each fit: others' single fits need not wait for the whole sweep
            table, (model,) = experiment.run(
                one, ("EPCA",), prepare=lambda _: _prepared, callback=tick
            )
        rows += table.to_dict("records")
        if len(ranks) == 1:
            nothing = np.full(len(_prepared.clean), np.nan)
            alpha.append(nothing if model is None else model.alpha_)
            residuals.append(nothing if model is None else model.residuals(_prepared.occluded.X))
    table = pd.DataFrame(rows).reindex(columns=COLUMNS)
    table["collapsed"] = table["collapsed"].eq(True)
    points = Points(
        table, *(np.array(values, np.float32).T for values in (alpha, residuals) if values)
    )
    return work.keep(points, table["failure"])


_kept = store.cached(_compute, shared=16, private=4)


class _Tick(NamedTuple):
    """Tells how far the whole is, whatever a fit within it reports."""

    progress: work.Progress
    share: float
    text: str

    def __call__(self, *_):
        self.progress(self.share, 1, self.text)


class _NotKept(Exception):
    """Raised in place of computing."""


class _Refusal:
    """A progress that lets nothing begin."""

    @staticmethod
    def turn(*_):
        raise _NotKept
