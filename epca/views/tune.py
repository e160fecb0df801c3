"""What the page Tune shows at the present σ and c: numbers, charts, sentences."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from epca.experiment import Prepared, Scenario
from epca.losses import L21, SigmaLoss, Squared
from epca.plots.tune import (
    BEST,
    NOW,
    Mark,
    Panel,
    Step,
    curves_figure,
    live_figure,
    loss_figure,
    map_figure,
)
from epca.views import texts
from epca.views.points import Points
from epca.views.texts import sigma_text

NO_TRUTH = (
    "These images came occluded. Nobody knows the clean ones: there is no error and no oracle."
)
NO_OCCLUSION = "No image is occluded: there is no share of clean ones among the activated."
NUMBERS = {  # label → what it means
    "Error against PCA's (oracle)": "‖clean − reconstruction‖², Eq. 57, of EPCA relative to PCA's.",
    "Activated clean (oracle)": "EPCA does not know which images are occluded; the oracle does.",
    "Activated images": "Images with α > 0.",
    "Weights' share of objective": "What α adds to the plain sum of losses.",
}


class View:
    """Numbers and charts for the present scenario."""

    def __init__(self, scenario: Scenario, prepared: Prepared, pca_error: float) -> None:
        self.scenario = scenario
        self.prepared = prepared
        self.images = prepared.images
        self.pca_error = pca_error  # at the present c; NaN where it is not known
        self.c = scenario.n_components
        self.exponent = round(np.log2(scenario.sigma))
        self.parts: dict[str, tuple] = {}  # title → (exponents, ranks, table) of what is shown

    def against_pca(self, error: float) -> str:
        return texts.relative(error, self.pca_error)

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
        if self.prepared.has_known_occlusion:
            return ""
        return NO_TRUTH if self.images.is_occluded else NO_OCCLUSION

    def stop_text(self, row: dict[str, Any]) -> str:
        return f"At σ = {sigma_text(self.exponent)}, c = {self.c}: {texts.stop(row)}"

    def loss_text(self, residuals: np.ndarray) -> str:
        above = int(np.sum(residuals > self.scenario.sigma))
        return (
            f"Residuals above σ, {above} of {len(residuals)} here, count about like lengths t; "
            "those below it count about like squares t². The weight d says how much a residual "
            "counts: the steeper d falls, the more robust is the fit."
        )

    def loss_figure(self, residuals: np.ndarray) -> go.Figure:
        lowest = 2.0**-20
        logs = np.log2(np.maximum(residuals, lowest))
        low = min(logs.min(), self.exponent) - 1
        high = max(logs.max(), self.exponent) + 1
        t = 2.0 ** np.linspace(low, high, 200)
        losses = {
            f"σ-loss, σ = {sigma_text(self.exponent)}": SigmaLoss(self.scenario.sigma),
            "ℓ1: t": L21(),
            "ℓ2²: t²": Squared(),
        }
        curves = {name: (loss.value(t), loss.weight(t)) for name, loss in losses.items()}
        return loss_figure(t, curves, residuals, self.scenario.sigma)

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
        is_known = self.prepared.has_known_occlusion
        return live_figure(steps, active, self.prepared.truth if is_known else None)

    def _live_title(self, row: dict[str, Any]) -> str:
        oracle = []
        if np.isfinite(row["error"]):
            oracle.append(f"error {self.against_pca(row['error'])}")
        if self.prepared.has_known_occlusion:
            oracle.append(f"{texts.clean_activated(row, self.prepared)} clean")
        title = f"k = {row['n_activated']:.0f}, weights' share {texts.weights_share(row)}"
        return f"{title}<br>oracle: {', '.join(oracle)}" if oracle else title

    def curves(
        self, key: str, points: Points, x_title: str, x: np.ndarray, marks: list[Mark]
    ) -> dict[str, go.Figure]:
        """Key → chart of the same fits: what needs the clean images, and what does not."""
        table = points.table
        options = {"choices": points.choices, "states": points.states}
        figures = {}
        if points.best is not None:
            level = ("PCA", self.pca_error) if key == "sigma" else None
            oracle = [Panel("error", table["error"], "~s", level)]
            if self.prepared.has_known_occlusion:
                share = table["clean_among_activated"]
                oracle.append(Panel("clean", share, "~%", range=(-0.05, 1.05)))
            figures[f"{key}_oracle"] = curves_figure(
                "Oracle: needs the clean images", x_title, x, oracle, marks=marks, **options
            )
        blind = [
            Panel("activated k", table["n_activated"]),
            Panel("weights' share", table["weights_share"], "~%"),
        ]
        known = [mark for mark in marks if mark.colour != BEST]
        figures[f"{key}_blind"] = curves_figure(
            "Without clean images", x_title, x, blind, marks=known, **options
        )
        return figures

    @property
    def variance_shares(self) -> np.ndarray:
        """PCA's share of the variance by component."""
        variances = self.prepared.reduction.variances
        return variances / variances.sum()

    def scree_figure(self, highest: int) -> go.Figure:
        shares = self.variance_shares
        x = np.arange(1, min(highest, len(shares)) + 1)
        panels = [
            Panel("share of variance", shares[: len(x)], "~%"),
            Panel("held up to c", np.cumsum(shares)[: len(x)], "~%"),
        ]
        choices = [[self.exponent, int(c)] for c in x]
        title = "Scree of PCA: click to cut off"
        return curves_figure(title, "rank c", x, panels, choices=choices, marks=[self.c_now])

    @property
    def scree_text(self) -> str:
        share = self.variance_shares[: self.c].sum()
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

    def map_figure(self, points: Points) -> go.Figure:
        """σ × c as squares to click: the error, or k where no error is known."""
        name = "n_activated"
        label = "activated k"
        if points.best is not None:
            name = "error"
            label = "error (oracle)"
        values = points.table[name].to_numpy(float)
        known = np.flatnonzero(np.isfinite(values))
        choices = [points.choices[i] for i in known]
        return map_figure(
            label,
            choices,
            values[known],
            now=[self.exponent, self.c],
            collapsed=points.table["collapsed"].to_numpy()[known],
        )

    def all_rows(self) -> pd.DataFrame | None:
        """The rows of everything shown, with the part they belong to."""
        tables = [table.assign(part=title) for title, (_, _, table) in self.parts.items()]
        return pd.concat(tables, ignore_index=True) if tables else None

    def grids(self) -> dict[str, tuple]:
        """Title → (exponents, ranks) of everything shown, as the script takes them."""
        return {title: (exponents, ranks) for title, (exponents, ranks, _) in self.parts.items()}
