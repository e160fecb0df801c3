"""What the page Compare shows: measures in a table, pictures and figures of several methods."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from epca import metrics
from epca.experiment import Fit, Prepared
from epca.images import IN_A_ROW, heat_montage, row
from epca.plots.methods import sorted_figure
from epca.plots.samples import Samples, outlier_figure, pair_figure
from epca.views import texts
from epca.views.comparison import OCCLUDED, Comparison, first_stage

BEST = "★\N{NO-BREAK SPACE}"
SHOWS = ("reconstructions", "residuals")
COLLAPSED = "collapsed: some images are fitted exactly"


def millions(value: float) -> str:
    return f"{value / 1e6:.1f}"


class Measure(NamedTuple):
    """A column of the table: its heading, how a number is written, and which is best.

    `of` computes it from the Prepared data and a model, unless the fit's row has it already.
    """

    heading: str
    text: Callable[[float], str]
    best: Callable | None = None  # min or max; None where neither is better
    of: Callable[[Prepared, Any], float] | None = None


MEASURES = {  # name in a row of measures → its column
    "error": Measure("error (10⁶)", millions, min),
    "against_pca": Measure("against PCA", texts.change, min),
    "error_clean": Measure("on clean (10⁶)", millions, min),
    "error_occluded": Measure("on occluded (10⁶)", millions, min),
    "clean_among_top": Measure("clean among the top-weighted", "{:.1%}".format, max),
    "auc": Measure("AUC", "{:.3f}".format, max),
    "accuracy": Measure("clustering accuracy", "{:.1%}".format, max),
    "iterations": Measure("iterations", "{:.0f}".format),
    "seconds": Measure("seconds", "{:.2f}".format),
}


def with_pca(labels: Sequence[str]) -> tuple[str, ...]:
    """The methods to fit: the chosen ones, after PCA, with which they are compared."""
    return tuple(dict.fromkeys(["PCA", *labels]))


def measures(
    labels: Sequence[str],
    fits: Mapping[str, Fit],
    prepared: Prepared,
    accuracies: Mapping[str, tuple[float, float]] | None = None,
) -> pd.DataFrame:
    """One row of measures per chosen method that is fitted, with its error against PCA's.

    accuracies : label → (mean, standard deviation) of the clustering accuracy
    """
    rows = pd.DataFrame([_row(fits[label], prepared) for label in labels if label in fits])
    if "error" in rows and "error" in fits["PCA"].row:
        rows["against_pca"] = rows["error"] / fits["PCA"].row["error"] - 1
    if accuracies:
        unknown = (np.nan, np.nan)
        pairs = [accuracies.get(label, unknown) for label in rows["method"]]
        rows["accuracy"] = [mean for mean, _ in pairs]
        rows["accuracy_sd"] = [sd for _, sd in pairs]
    return rows


def _row(fit: Fit, prepared: Prepared) -> dict[str, Any]:
    """The fit's row with the measures that are computed here."""
    own = {}
    if fit.model is not None:
        for name, measure in MEASURES.items():
            if measure.of is not None:
                own[name] = measure.of(prepared, fit.model)
    return own | fit.row


def readable(rows: pd.DataFrame, spread: pd.DataFrame | None = None) -> pd.DataFrame:
    """The rows for reading: the best of each column marked, a dash for what does not apply.

    spread : rows of standard deviations, shown behind a ±; by default the accuracy's, if any
    """
    if spread is None and "accuracy_sd" in rows:
        spread = pd.DataFrame({"accuracy": rows["accuracy_sd"]})
    columns = {name: measure for name, measure in MEASURES.items() if name in rows}
    lines = {}
    for i, values in enumerate(rows.to_dict("records")):
        line = {item.heading: _text(rows, name, i, spread) for name, item in columns.items()}
        lines[values["method"]] = line | {"note": _note(values)}
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("method")


def _text(rows: pd.DataFrame, name: str, i: int, spread: pd.DataFrame | None) -> str:
    measure = MEASURES[name]
    value = rows[name].iloc[i]
    if not np.isfinite(value):
        return texts.UNKNOWN
    text = measure.text(value)
    if measure.best and len(rows) > 1 and text == measure.text(measure.best(rows[name].dropna())):
        text = BEST + text
    if spread is not None and name in spread:
        text += f" ± {measure.text(spread[name].iloc[i]).lstrip('+')}"
    return text


def _note(values: dict[str, Any]) -> str:
    if values.get("failure"):
        return values["failure"]
    notes = []
    if not values.get("converged", True):
        notes.append("not converged: it could still change")
    if values.get("collapsed"):
        notes.append(COLLAPSED)
    return "; ".join(notes)


def against_pca(rows: pd.DataFrame, labels: Sequence[str]) -> pd.DataFrame:
    """Rows over seeds of the chosen methods, in their order, with the error against PCA's."""
    rows = rows.copy()
    if "error" in rows:  # else all failed
        pca = rows[rows["method"] == "PCA"].set_index("seed")["error"]
        rows["against_pca"] = rows["error"] / rows["seed"].map(pca) - 1
    chosen = rows[rows["method"].isin(labels)]
    place = {label: i for i, label in enumerate(labels)}
    return chosen.sort_values("method", key=lambda column: column.map(place), kind="stable")


def averages(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean and standard deviation of the measures over seeds, one row per method each."""
    names = [name for name in MEASURES if name in rows]
    groups = rows.groupby("method", sort=False)[names]
    return groups.mean().reset_index(), groups.std(ddof=0).reset_index()


def notes(rows: pd.DataFrame) -> Iterator[str]:
    """What the means over seeds leave out or hide, a sentence each."""
    for label, part in rows.groupby("method", sort=False):
        failed = part["failure"].ne("")
        collapsed = part.get("collapsed", failed).eq(True)
        late = ~part["converged"].astype(bool)
        found = {
            "failed and are left out of the means": failed,
            COLLAPSED: collapsed & ~failed,
            "did not converge: they could still change": late & ~failed,
        }
        for what, which in found.items():
            if which.any():
                reasons = " ".join(part["failure"][which].unique())
                yield f"{label}: {which.sum()} of {len(part)} fits {what}. {reasons}".strip()


class View:
    """Pictures and figures of the methods that could be fitted."""

    def __init__(self, result: Comparison) -> None:
        fitted = {label: fit for label, fit in result.fits.items() if fit.model is not None}
        self.result = result._replace(fits=fitted)
        self.prepared = result.prepared
        self.images = result.prepared.images
        self.models = self.result.models
        self.shape = self.images.image_shape
        self.has_clean = not self.images.is_occluded

    @property
    def measure(self) -> str:
        """What is compared per sample."""
        return "error" if self.has_clean else "residual"

    @cached_property
    def per_sample(self) -> dict[str, np.ndarray]:
        """Label → distance (n,) of each reconstruction from the clean image.

        Without a truth it is the distance from the image itself.
        """
        X = self.prepared.occluded.X
        aim = self.prepared.clean if self.has_clean else X
        return {
            label: np.linalg.norm(aim - model.reconstruct(X), axis=1)
            for label, model in self.models.items()
        }

    def stages(self, ids: Sequence[int], show: str) -> dict[str, np.ndarray]:
        """Label → row of pictures: clean, occluded, then what each method makes of them.

        Residuals share one scale, as reconstructions do.
        """
        X = self.prepared.occluded.X[ids]
        rows = {first_stage(self.images): row(self.prepared.clean[ids], self.shape)}
        rows[OCCLUDED] = row(X, self.shape)
        back = {label: model.reconstruct(X) for label, model in self.models.items()}
        if show == "reconstructions":
            return rows | {label: row(images, self.shape) for label, images in back.items()}
        limit = max(np.abs(X - images).max() for images in back.values())
        return rows | {
            label: heat_montage(row(X - images, self.shape), limit)
            for label, images in back.items()
        }

    def errors(self, ids: Sequence[int]) -> pd.DataFrame:
        """Per-sample measure of these samples by method, as text."""
        values = {label: lengths[ids] for label, lengths in self.per_sample.items()}
        table = pd.DataFrame(values, index=[f"image {i}" for i in ids]).T.map("{:.0f}".format)
        return table.rename_axis(f"{self.measure} (length)")

    @property
    def n_shown(self) -> int:
        """How many components are shown."""
        return min(IN_A_ROW, self.result.scenario.n_components)

    def components(self) -> dict[str, np.ndarray]:
        """Label → its first components as a row of pictures, on one scale for all."""
        first = {label: model.components_[:IN_A_ROW] for label, model in self.models.items()}
        limit = max(np.abs(components).max() for components in first.values())
        return {
            label: row(127.5 * (1 + components / limit), self.shape)
            for label, components in first.items()
        }

    def outlier_figure(self, label: str, selected: Sequence[int]) -> go.Figure:
        model = self.models[label]
        X = self.prepared.occluded.X
        scores = model.transform(X)
        distances = metrics.outlier_map(scores, model.residuals(X), model.sample_weight_)
        figure = outlier_figure(self._samples(label, selected), distances)
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
        names = self.images.sample_names
        return Samples(is_activated, self.prepared.truth, names, tuple(selected))
