"""What the page Tune shows at the present σ and c: numbers, charts, sentences."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from epca.choosing import CleanEstimate, sigma_from_lengths
from epca.experiment import Prepared, Scenario
from epca.metrics import against, beyond_rounding
from epca.plots.tune import (
    BEST,
    ESTIMATED,
    NOW,
    Axis,
    Cell,
    Mark,
    Panel,
    Step,
    curves_figure,
    live_figure,
    map_figure,
)
from epca.views import texts
from epca.views.comparison import OCCLUDED, Comparison
from epca.views.loss import LossView
from epca.views.points import Points
from epca.views.texts import sigma_text

NO_TRUTH = (
    "These images came occluded. Nobody knows the clean ones: there is no error and no oracle."
)
NO_OCCLUSION = "No image is occluded: there is no share of clean ones among the activated."
NO_CLEAN = "Every image is occluded: none of the activated can be clean."
MILLION = 1e6
PARTS = {"suggest": "suggest", "sigma": "σ", "rank": "c", "map": "map"}  # code → label
ORACLE_TITLE = "Needs clean images (oracle)"
BLIND_TITLE = "No clean image used"
FACES = (OCCLUDED, "EPCA")  # rows of the strip
NUMBERS = {  # label → what it means
    "Error against PCA's (oracle)": "‖clean − reconstruction‖², Eq. 57, of EPCA relative to PCA's.",
    "Activated clean (oracle)": "EPCA does not know which images are occluded; the oracle does.",
    "Activated images": "Images with α > 0.",
    "Weights' share of objective": "What α adds to the plain sum of losses.",
}


class MapValue(NamedTuple):
    """What the map can show: as its control says it, as the chart does, and where it stands."""

    label: str
    title: str
    column: str
    unit: float


MAP_VALUES = {
    "error": MapValue("error (oracle)", "error (10⁶, oracle)", "error", MILLION),
    "estimated": MapValue(
        "estimated error",
        "estimated error (10⁶, no clean image used)",
        "estimated_error",
        MILLION,
    ),
    "k": MapValue("k", "activated images k", "n_activated", 1),
}


class View:
    """Numbers and charts for the present scenario.

    pca_error, pca_model : PCA's at the present c; NaN and None where it could not be fitted
    """

    def __init__(
        self, scenario: Scenario, prepared: Prepared, pca_error: float, pca_model: Any = None
    ) -> None:
        self.scenario = scenario
        self.prepared = prepared
        self.images = prepared.images
        # NaN also where PCA fits exactly
        self.pca_error = float(beyond_rounding(pca_error, prepared.images.squared_length))
        self.pca_model = pca_model
        self.c = scenario.n_components
        self.exponent = round(np.log2(scenario.sigma))
        self.parts: dict[str, tuple] = {}  # title → (exponents, ranks, table) of what is shown
        self.estimate: CleanEstimate | None = None  # that what is shown has used
        self.no_estimate = ""  # why there is none
        self.asked: tuple | None = None  # methods, ranks and σ of the suggestion that is shown
        self.figures: list[go.Figure] = []  # the charts that are shown

    def against_pca(self, error: float) -> str:
        return texts.change(against(error, self.pca_error, self.images.squared_length))

    def numbers(self, row: dict[str, Any]) -> dict[str, tuple[str, str]]:
        """Label → (number, what it means)."""
        values = (
            self.against_pca(row["error"]),
            texts.clean_activated(row, self.prepared),
            f"{row['n_activated']:.0f} of {len(self.prepared.clean)}",
            texts.weights_share(row),
        )
        pairs = zip(NUMBERS.items(), values, strict=True)
        return {label: (value, meaning) for (label, meaning), value in pairs}

    @property
    def no_truth(self) -> str:
        """Why some of the oracle's numbers are missing; empty where none is missing."""
        if self.prepared.is_mixed:
            return ""
        if self.images.is_occluded:
            return NO_TRUTH
        return NO_CLEAN if len(self.prepared.occluded.samples) else NO_OCCLUSION

    def stop_text(self, row: dict[str, Any]) -> str:
        return f"At σ = {sigma_text(self.exponent)}, c = {self.c}: {texts.stop(row)}"

    def faces(self, result: Comparison) -> dict[str, np.ndarray]:
        """Label → images of the strip: what EPCA gets, and what it makes of it."""
        return {label: result.stages[label] for label in FACES}

    def loss_text(self, residuals: np.ndarray) -> str:
        above = int(np.sum(residuals > self.scenario.sigma))
        return (
            f"{self.loss.text} EPCA's residuals above σ, {above} of {len(residuals)} here, count "
            "about like lengths t; those below it count about like squares t²."
        )

    def loss_figure(self, residuals: np.ndarray, is_log: bool = False) -> go.Figure:
        draw = self.loss.log_figure if is_log else self.loss.figure
        return draw(self.scenario.sigma, residuals)

    @cached_property
    def pca_lengths(self) -> np.ndarray:
        """PCA's residuals (n,) at the present c."""
        if self.pca_model is not None:
            return self.pca_model.residuals_
        return self.prepared.reduction.classical(self.c)[1]

    @property
    def typical_sigma(self) -> float:
        return sigma_from_lengths(self.pca_lengths)

    @cached_property
    def loss(self) -> LossView:
        return LossView(self.prepared, self.pca_lengths)

    def live_figure(self, points: Points) -> go.Figure:
        """Frames of the fits of a σ sweep that did not fail."""
        steps = []
        active = 0
        for i in np.flatnonzero(points.is_fitted):
            exponent = round(points.exponents[i])
            if exponent == self.exponent:
                active = len(steps)
            title = self._live_title(points.table.iloc[i].to_dict())
            steps.append(Step(sigma_text(exponent), title, points.alpha[:, i]))
        is_known = self.prepared.is_mixed
        return live_figure(steps, active, self.prepared.truth if is_known else None)

    def _live_title(self, row: dict[str, Any]) -> str:
        oracle = []
        if np.isfinite(row["error"]):
            oracle.append(f"error {self.against_pca(row['error'])}")
        if self.prepared.is_mixed:
            oracle.append(f"{texts.clean_activated(row, self.prepared)} clean")
        title = f"k = {row['n_activated']:.0f}, weights' share {texts.weights_share(row)}"
        return f"{title}<br>oracle: {', '.join(oracle)}" if oracle else title

    def curves(
        self, key: str, points: Points, axis: Axis, marks: list[Mark]
    ) -> dict[str, go.Figure]:
        """Key → chart of the same fits: what needs the clean images, and what does not."""
        table = points.table
        options = {"choices": points.choices, "states": points.states}
        figures = {}
        if points.best is not None:
            level = ("PCA", self.pca_error / MILLION) if key == "sigma" else None
            errors = table["error"] / MILLION
            oracle = [Panel("error (10⁶)", errors, level=level, dash="dash")]
            if self.prepared.is_mixed:
                look = {"form": "~%", "hover": ".1%", "range": (-0.05, 1.05), "dash": "dash"}
                share = table["clean_among_activated"]
                oracle.append(Panel("clean among the activated", share, **look))
            figures[f"{key}_oracle"] = curves_figure(
                ORACLE_TITLE, axis, oracle, marks=marks, **options
            )
        known = [mark for mark in marks if mark.colour != BEST]
        k = Panel("activated images k", table["n_activated"])
        weights = Panel("weights' share", table["weights_share"], "~%", ".2%")
        if points.best_estimate is None:
            parts = {"blind": [k, weights]}
        else:
            parts = {"blind": [_estimated_panel(table), k], "weights": [weights]}
        for name, panels in parts.items():
            figures[f"{key}_{name}"] = curves_figure(
                BLIND_TITLE, axis, panels, marks=known, **options
            )
        return figures

    def estimate_figure(self, points: Points, axis: Axis, now: Mark) -> go.Figure:
        """The estimated errors alone, with the lowest marked."""
        marks = [now, estimate_mark(points, axis)]
        panels = [_estimated_panel(points.table)]
        options = {"choices": points.choices, "states": points.states}
        figure = curves_figure(BLIND_TITLE, axis, panels, marks=marks, **options)
        return figure.update_layout(title=None, margin={"t": 24, "b": 60})

    def scree_figure(self, shares: np.ndarray, highest: int) -> go.Figure:
        """PCA's shares of the variance by component, up to the highest rank."""
        x = np.arange(1, min(highest, len(shares)) + 1)
        panels = [
            Panel("share of variance", shares[: len(x)], "~%", ".2%"),
            Panel("held up to c", np.cumsum(shares)[: len(x)], "~%", ".1%"),
        ]
        axis = Axis("rank c", x, [f"c = {c}" for c in x])
        choices = [[self.exponent, int(c)] for c in x]
        title = "Scree of PCA: click to cut off"
        return curves_figure(title, axis, panels, choices=choices, marks=[self.c_now])

    def scree_text(self, shares: np.ndarray) -> str:
        share = shares[: self.c].sum()
        return (
            f"c = {self.c} holds {share:.1%} of the variance, occlusion included; "
            "no clean image is needed."
        )

    @property
    def sigma_now(self) -> Mark:
        return Mark(self.exponent, "σ now", NOW, "solid")

    @property
    def c_now(self) -> Mark:
        return Mark(self.c, "c now", NOW, "solid")

    def map_figure(self, points: Points, shown: str) -> go.Figure:
        """σ × c as cells to click, coloured by one of MAP_VALUES."""
        _, title, column, unit = MAP_VALUES[shown]
        values = points.table[column].to_numpy(float) / unit
        cells = []
        for i in np.flatnonzero(np.isfinite(values)):
            is_collapsed = bool(points.table["collapsed"].iloc[i])
            text = f"{points.names[i]}<br>{title} {texts.written_out(values[i])}"
            text += "<br>collapsed" if is_collapsed else ""
            cells.append(Cell(*points.choices[i], values[i], is_collapsed, text))
        ticks = {cell.exponent: texts.power_text(cell.exponent) for cell in cells}
        return map_figure(title, cells, now=(self.exponent, self.c), ticks=ticks)

    def map_values(self, points: Points) -> list[str]:
        """Which of MAP_VALUES these fits have."""
        has = {
            "error": points.best is not None,
            "estimated": points.best_estimate is not None,
            "k": True,
        }
        return [name for name in MAP_VALUES if has[name]]

    def all_rows(self) -> pd.DataFrame | None:
        """The rows of everything shown, with the part they belong to."""
        tables = [table.assign(part=title) for title, (_, _, table) in self.parts.items()]
        return pd.concat(tables, ignore_index=True) if tables else None

    def grids(self) -> dict[str, tuple]:
        """Title → (exponents, ranks) of everything shown, as the script takes them."""
        return {title: (exponents, ranks) for title, (exponents, ranks, _) in self.parts.items()}


def lowest_mark(place: float) -> Mark:
    """Where the error is lowest, as the oracle knows."""
    return Mark(place, "oracle", BEST, "dot")


def estimate_mark(points: Points, axis: Axis) -> Mark:
    """Where the estimated error is lowest."""
    return Mark(float(axis.x[points.best_estimate]), "estimate", ESTIMATED, "dashdot")


def _estimated_panel(table: pd.DataFrame) -> Panel:
    return Panel("estimated error (10⁶)", table["estimated_error"] / MILLION)
