"""What the page Compare shows: a matrix of faces and numbers, figures of several methods."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from epca import metrics
from epca.distances import distances
from epca.experiment import Scenario
from epca.images import IN_A_ROW, row
from epca.literal import literal_html
from epca.plots.methods import colour, sorted_figure
from epca.plots.samples import Samples, outlier_figure, pair_figure
from epca.views import measures, methods, seeds, texts
from epca.views.comparison import MASK, OCCLUDED, Comparison, first_stage
from epca.views.pictures import Heat, Pictures
from epca.views.shows import (
    ERRORS,
    IGNORED,
    LOW_RANK,
    RECONSTRUCTIONS,
    SPARSE,
    SPLIT,
    ignored_rows,
    in_order,
    split_rows,
)

N_COMPONENTS = 10  # of each method, at most
FITTING = "fitting …"


def lines(scenario: Scenario, rows: pd.DataFrame, labels: Sequence[str]) -> dict[str, dict]:
    """Label → what its line of the matrix has besides faces: note, help, colour and numbers.

    Lines of a method's parts have its colour alone: its numbers are of the subspace of rank c.
    """
    cells = measures.cells(rows)
    faults = {values["method"]: _fault(values) for values in rows.to_dict("records")}
    found = {}
    for label in labels:
        parts = [faults.get(label), methods.parameters_text(scenario, label)]
        found[label] = {
            "note": "; ".join(filter(None, parts)),
            "help": methods.help_text(label),
            "colour": colour(label),
            "cells": [cell._asdict() for cell in cells.get(label, [])],
        }
        for part in (LOW_RANK, SPARSE):
            found[part.format(label)] = {"colour": colour(label)}
    return found


def _fault(values: Mapping[str, Any]) -> str:
    """What is wrong with a fit, in a word or two."""
    if texts.fails_by_unknown(values):  # which stands in place of its faces
        return ""
    return "failed" if values.get("failure") else "; ".join(measures.faults(values))


def headings(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Heading, help and width of the numbers beside the faces."""
    unit = measures.unit_of(rows)
    found = []
    for name, measure in measures.columns(rows).items():
        text = measure.help
        if name == "against_pca":
            scale = measures.bar_scale(rows[name].to_numpy(float))
            text += f" Half of a bar is {scale:.0%}."
        heading = measure.short or unit.heading(measure)
        look = {"width": measure.width, "minor": measure.is_minor}
        found.append({"heading": heading, "help": text} | look)
    return found


def remarks(result: Comparison, rows: pd.DataFrame) -> list[str]:
    """What the switches and the occlusion make of the numbers, a sentence or two each."""
    found = []
    if missing := texts.no_parts(result.prepared):
        found.append(
            f"“{texts.UNKNOWN}”: {missing}, so that clean images cannot be told from occluded ones."
        )
    if unknown := texts.unknown(result.prepared.images):
        found.append(f"{unknown} {texts.WHO_TAKES_UNKNOWN}")
    if "robust_reconstruction" in rows:
        found.append(
            "Faces and errors are of robust reconstructions, not of the paper's projection. AUC, "
            "weights, clustering and means over seeds are not touched by them."
        )
    if result.scenario.left_out and "EPCA" in set(rows["method"]):
        found.append(
            f"EPCA has left-out residuals here, as the sidebar says: it is “{texts.LEFT_OUT}”, "
            "not the paper's method."
        )
    found += [
        _low_rank_text(label, model, result, rows)
        for label, model in result.models.items()
        if hasattr(model, "sparse_")
    ]
    return found


def notes(shown: pd.DataFrame) -> list[str]:
    """What is wrong with single fits, a line each; that pixels are unknown is among the remarks."""
    wrong = shown["note"][~shown["note"].isin(["", texts.TAKES_NONE])]
    return [f"**{label}** {note}" for label, note in wrong.items()]


def _low_rank_text(label: str, model: Any, result: Comparison, rows: pd.DataFrame) -> str:
    """Says that the rank of L is its own and not c."""
    text = f"{label}'s numbers are of its subspace of rank c. Its low-rank part L has rank "
    text += f"{model.rank_}"
    if not result.prepared.images.is_occluded:
        unit = measures.unit_of(rows)
        error = metrics.reconstruction_error(result.prepared.clean, model.low_rank_)
        text += f" and an {unit.heading(measures.MEASURES['error'])} of {unit.text(error)}"
    return f"{text}, so it does not compare with methods of rank c."


def meanings() -> str:
    """What each measure is, a line of Markdown each."""
    rows = measures.MEASURES.values()
    found = [f"- **{measure.heading}**: {measure.help}" for measure in rows]
    found.append(
        "- Errors are those of the projection onto the subspace, as in the paper. Where “Robust "
        "reconstruction” is on, faces, errors and what is shown image by image are those of the "
        "robust one; methods that judge pixels always reconstruct so. All else stays as it is: "
        "the residuals that make AUC and the outlier map, the weights, the coordinates that are "
        "clustered, and the means over several seeds."
    )
    unknown = f"- “{texts.UNKNOWN}”: the measure does not apply, or the truth is not known."
    return "\n".join([*found, unknown])


def table(rows: pd.DataFrame, averaged: pd.DataFrame | None) -> pd.DataFrame:
    """The rows, unrounded, followed by mean and standard deviation over seeds, if any."""
    if averaged is None:
        return rows
    found = rows
    for part, ending in zip(seeds.averages(averaged), ("_mean", "_sd_over_seeds"), strict=True):
        further = part.set_index("method").add_suffix(ending).reset_index()
        found = found.merge(further, on="method", how="left")
    return found


class View:
    """Pictures and figures of the methods that could be fitted.

    distances : label → `epca.distances.robust_distances`; None for those of the projections
    """

    def __init__(
        self, result: Comparison, distances: Mapping[str, np.ndarray] | None = None
    ) -> None:
        self.distances = distances
        fitted = {label: fit for label, fit in result.fits.items() if fit.model is not None}
        self.result = result._replace(fits=fitted)
        self.prepared = result.prepared
        self.images = result.prepared.images
        self.models = self.result.models
        self.shape = self.images.image_shape
        self.has_clean = not self.images.is_occluded

    @property
    def what(self) -> tuple:
        """What tells these fits from others to the same images in the same setting."""
        return (*self.models, self.distances is None)

    @property
    def measure(self) -> str:
        """What is compared per sample."""
        return "error" if self.has_clean else "residual"

    @cached_property
    def per_sample(self) -> dict[str, np.ndarray]:
        """Label → distance (n,) of each reconstruction from the clean image.

        Without a truth it is the distance from the image itself.
        """
        if self.distances is not None:
            return {label: self.distances[label] for label in self.models}
        return {label: distances(self.prepared, model) for label, model in self.models.items()}

    def heads(self, ids: Sequence[int], show: str) -> dict[str, Pictures]:
        """Label → row of pictures above those of the methods: clean, occluded, perhaps the mask."""
        occluded = self.prepared.occluded
        rows = {first_stage(self.images): self._row(self.prepared.clean[ids])}
        rows[OCCLUDED] = self._row(occluded.X[ids])
        if show == IGNORED and self.prepared.truth is not None:
            rows[MASK] = self._row(255.0 * occluded.mask[ids])
        return rows

    def stages(self, ids: Sequence[int], show: str) -> dict[str, Pictures]:
        """Label → row of pictures: the heads, then what each method makes of them.

        That is the reconstruction, the residual (occluded − reconstruction), the error (clean −
        reconstruction), what it takes for occlusion, if it judges pixels, or the parts that it
        splits the image into, if it does. Signed ones share one scale.
        """
        rows = self.heads(ids, show)
        occluded = self.prepared.occluded.X
        is_robust = self.distances is not None
        if show == IGNORED:
            return rows | ignored_rows(self.models, occluded, ids, self.shape, is_robust=is_robust)
        if show == SPLIT:
            return rows | split_rows(self.models, occluded, ids, self.shape)
        X = occluded[ids]
        robust = True if is_robust else None  # None: as the method does
        models = self.models.items()
        back = {label: model.reconstruct(X, robust=robust) for label, model in models}
        if show == RECONSTRUCTIONS:
            return rows | {label: self._row(images) for label, images in back.items()}
        aim = self.prepared.clean[ids] if show == ERRORS else X
        left = {label: aim - images for label, images in back.items()}
        limit = max([np.nanmax(np.abs(values)) for values in left.values()], default=0.0)
        limit = max(float(limit), 1e-9)
        return rows | {label: Heat(self._row(values), limit) for label, values in left.items()}

    def matrix(
        self, labels: Sequence[str], ids: Sequence[int], show: str, failures: Mapping[str, str]
    ) -> dict[str, Pictures | str]:
        """The stages with a line for every label; a text stands where there are no pictures."""
        missing = {label: failures.get(label) or FITTING for label in labels}
        missing |= dict.fromkeys(self.models, texts.UNKNOWN)
        return self.heads(ids, show) | in_order(self.stages(ids, show), labels, missing)

    def scale_text(self, stages: Mapping[str, Pictures | str]) -> str:
        """Whether reconstructions are robust, and what the colours of signed pictures stand for."""
        limits = [images.limit for images in stages.values() if isinstance(images, Heat)]
        parts = [f"colours: ±{texts.written_out(limits[0])}"] if limits else []
        if MASK in stages:
            parts = ["white: occluded, or taken for it"]
        return ", ".join(parts if self.distances is None else ["robust", *parts])

    def _row(self, X: np.ndarray) -> np.ndarray:
        return row(X, self.shape)

    def errors(self, ids: Sequence[int]) -> pd.DataFrame:
        """Per-sample measure of these samples by method, as text."""
        values = {label: lengths[ids] for label, lengths in self.per_sample.items()}
        found = pd.DataFrame(values, index=[f"image {i}" for i in ids]).T.map("{:,.0f}".format)
        return found.rename_axis(f"{self.measure} (length)")

    @property
    def n_components(self) -> int:
        """How many components are shown."""
        return min(N_COMPONENTS, self.result.scenario.n_components)

    @property
    def component_numbers(self) -> range:
        return range(1, self.n_components + 1)

    def components(self) -> dict[str, np.ndarray]:
        """Label → its first components as a row of pictures, on one scale for all."""
        first = {label: model.components_[:N_COMPONENTS] for label, model in self.models.items()}
        limit = max(np.abs(components).max() for components in first.values())
        return {
            label: self._row(127.5 * (1 + components / limit))
            for label, components in first.items()
        }

    def colours(self) -> dict[str, dict[str, str]]:
        """Label → the colour of its line."""
        return {label: {"colour": colour(label)} for label in self.models}

    def outlier_figure(self, label: str, selected: Sequence[int]) -> go.Figure:
        model = self.models[label]
        outliers = metrics.outlier_map(model.scores_, model.residuals_, model.sample_weight_)
        figure = outlier_figure(self._samples(label, selected), outliers)
        return figure.update_layout(title=f"Outlier map of {label}")

    def pair_figure(self, across: str, up: str, selected: Sequence[int]) -> go.Figure:
        activating = [label for label in (across, up) if hasattr(self.models[label], "alpha_")]
        samples = self._samples(activating[0] if activating else across, selected)
        lengths = self.per_sample
        return pair_figure(samples, lengths[across], lengths[up], (across, up), self.measure)

    def sorted_figure(self) -> go.Figure:
        title = f"Per-image {self.measure}, smallest first"
        return sorted_figure(self.per_sample, title, f"{self.measure} (length)")

    def _samples(self, label: str, selected: Sequence[int]) -> Samples:
        alpha = getattr(self.models[label], "alpha_", None)
        is_activated = None if alpha is None else alpha > 0
        names = [literal_html(name) for name in self.images.sample_names]
        return Samples(is_activated, self.prepared.truth, names, tuple(selected))


def shown_ids(result: Comparison, selected: Sequence[int]) -> list[int]:
    """The images of the matrix: the first of the selected ones, else some that are occluded."""
    return list(selected[:IN_A_ROW]) or result.shown.tolist()
