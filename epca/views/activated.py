"""What the page Activated shows of one EPCA fit: numbers, texts, inputs of figures."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from epca import metrics
from epca.estimator import explain
from epca.experiment import Prepared
from epca.images import montage
from epca.literal import literal, literal_html
from epca.plots.samples import LOOKS, Look, Samples, embedding_figure, looks, outlier_figure
from epca.views import texts
from epca.views.comparison import Comparison

COLUMNS = 12  # of a sprite sheet
SHOWN = 8 * COLUMNS  # cells on a page of the gallery
LONGEST = 200  # cells of the strip of activated images
INSPECTED = 3  # images taken apart
SORTS = {  # code → label
    "alpha": "α, largest first",
    "residual": "residual, smallest first",
    "sample": "number",
}
FILTERS = {
    "all": "all",
    "activated": "activated",
    "not-activated": "not activated",
    "selected": "selected",
    "occluded": "occluded",
    "clean": "clean",
}
NEEDS_TRUTH = ("occluded", "clean")
HEADINGS = {
    "sample": "image",
    "class": "class",
    "occluded": "occluded",
    "alpha": "α",
    "direct_weight": "direct weight 1/(1−α)",
    "d": "d",
    "eta": "η",
    "residual": "residual",
    "left_out_residual": "left-out residual",
    "loss": "loss h",
    "rank": "rank by α",
}


class View:
    """Numbers, texts and figures of EPCA's fit to the experiment's occluded images."""

    def __init__(self, result: Comparison) -> None:
        self.result = result
        self.prepared = result.prepared
        self.images = result.prepared.images
        self.model = result.models["EPCA"]
        self.scores = self.model.scores_

    @cached_property
    def table(self) -> pd.DataFrame:
        return sample_table(self.model, self.prepared)

    @property
    def sentence(self) -> str:
        clean = self.result.clean_activated
        verb = "is" if clean.startswith("1 ") else "are"
        truth = self.result.no_truth or f"{clean} {verb} clean"
        share = self.result.weights_share
        weights = f"the weights make up {share} of the objective"
        if share == texts.UNKNOWN:
            weights = "all are fitted exactly"
        text = f"{self.result.activated} activated; {truth}; {weights}."
        return f"{self.result.name}: {text}" if self.model.left_out else text

    @cached_property
    def outliers(self) -> metrics.OutlierMap:
        residuals = self.table["residual"].to_numpy()
        return metrics.outlier_map(self.scores, residuals, self.model.sample_weight_)

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters that these images allow."""
        hidden = NEEDS_TRUTH if self.images.is_occluded else ()
        return tuple(code for code in FILTERS if code not in hidden)

    def figures(self, selected: Sequence[int]) -> dict[str, go.Figure]:
        """Key → chart of one dot per image."""
        samples = self.samples._replace(names=self.hover_texts, selected=tuple(selected))
        figures = {
            "subspace": embedding_figure(samples, self.scores),
            "outlier_map": outlier_figure(samples, self.outliers),
        }
        for figure in figures.values():  # they share a legend, which stands below them
            figure.update_layout(showlegend=False, margin_b=40)
        return figures

    @cached_property
    def samples(self) -> Samples:
        is_activated = self.model.alpha_ > 0
        return Samples(is_activated, self.prepared.truth, self.images.sample_names)

    @property
    def looks(self) -> list[Look]:
        """What the dots' colours and symbols mean."""
        return looks(self.samples)

    @cached_property
    def hover_texts(self) -> list[str]:
        """What a dot says of its image."""
        rows = zip(self.images.sample_names, self.table.itertuples(), strict=True)
        return [
            f"{literal_html(name)}<br>{_state(row)}<br>α {alpha_text(row.alpha)}, "
            f"residual {texts.written_out(row.residual)}"
            for name, row in rows
        ]

    def inspected_ids(self, selected: Sequence[int]) -> list[int]:
        """The images that are taken apart; where none is selected, the most trusted one."""
        return list(selected[:INSPECTED]) or self.activated[:1]

    def sheet(self, ids: Sequence[int]) -> np.ndarray:
        """The sprite sheet of these images, row by row of COLUMNS."""
        height, width = self.images.image_shape
        n_rows = -(-len(ids) // COLUMNS)
        pixels = np.full((n_rows * COLUMNS, height, width), np.nan)
        pixels[: len(ids)] = self.prepared.occluded.X[ids].reshape(-1, height, width)
        return montage(pixels.reshape(n_rows, COLUMNS, height, width), gap=0, zoom=1)

    def cells(self, ids: Sequence[int], selected: Sequence[int] = ()) -> list[dict[str, Any]]:
        """The buttons for these images in a gallery."""
        rows = self.table.iloc[ids].itertuples()
        return [_cell(sample, sample.sample in selected) for sample in rows]

    @cached_property
    def activated(self) -> list[int]:
        """The activated images, largest α first; equal ones by their numbers."""
        alpha = self.table["alpha"].to_numpy()
        order = np.argsort(-alpha, kind="stable")
        return order[alpha[order] > 0].tolist()

    @property
    def strip(self) -> list[int]:
        """The activated images that the strip shows."""
        return self.activated[:LONGEST]

    def least(self, count: int) -> list[int]:
        """The images that fit worst: the loss takes most of their weight away."""
        order = self.table.sort_values(["residual", "sample"], ascending=[False, True])
        return order["sample"].tolist()[:count]

    def strip_cells(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """The same buttons with α as a bar, relative to the largest, and as a number."""
        largest = self.table["alpha"].max()
        cells = self.cells(ids)
        for cell in cells:
            alpha = float(self.table["alpha"].iloc[cell["id"]])
            cell |= {"bar": alpha / largest, "note": f"α {alpha_text(alpha)}"}
        return cells

    @property
    def strip_text(self) -> str:
        """What the strip shows and what it leaves out."""
        k = len(self.activated)
        what = f"{k} activated" + (", largest α first" if k > 1 else "")
        if k > LONGEST:
            what += f" (here the first {LONGEST}; the page Activated has all)"
        others = len(self.table) - k
        rest = f"; {others} at α = 0" if others else ""
        return f"**Trusted most**: {what}{rest}"


def verdict_text(face: np.ndarray, model: Any) -> str:
    """How a face (1, d) that is new to a fitted model lies among the images it was fitted to."""
    coordinates = model.transform(face)[0]
    residual = float(model.residuals(face)[0])
    fitted = (model.scores_, model.residuals_, model.sample_weight_)
    verdict = metrics.judge(*fitted, coordinates, residual)
    return (
        f"Its residual is {texts.number(verdict.residual)}, larger than that of "
        f"{verdict.larger_than:.0%} of the {len(model.residuals_)} images fitted. "
        f"In the outlier map it is: **{verdict.kind}**."
    )


def sample_table(model: Any, prepared: Prepared) -> pd.DataFrame:
    """One row per sample; the truth is None where it is unknown, the rank counts the activated.

    The loss, d and η are those of the residual or, where there is one, of the left-out residual.
    """
    images = prepared.images
    found = explain(model, prepared.reduction)
    classes = [""] * len(found.alpha)
    if images.labels is not None:
        classes = [images.class_names[label] for label in images.labels]
    order = np.argsort(-found.alpha, kind="stable")
    rank = np.argsort(order, kind="stable") + 1.0
    judged = {"left_out_residual": found.lengths} if model.left_out else {}
    return pd.DataFrame(
        {
            "sample": np.arange(len(found.alpha)),
            "class": classes,
            "occluded": prepared.truth,
            "alpha": found.alpha,
            "direct_weight": found.direct_weight,
            "d": found.d,
            "eta": found.eta,
            "residual": found.residuals,
            **judged,
            "loss": found.losses,
            "rank": np.where(found.alpha > 0, rank, np.nan),
        }
    )


def readable(table: pd.DataFrame, write: Callable[[str], str] = literal) -> pd.DataFrame:
    """The table for reading: headings in words, four digits, a dash for what is not known.

    write : how texts from outside are written, by default for Markdown
    """
    found = table.astype(object).map(lambda value: _text(value, write)).rename(columns=HEADINGS)
    return found.set_index(HEADINGS["sample"])


def _text(value: Any, write: Callable[[str], str]) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if value is None or value != value:
        return texts.UNKNOWN
    return texts.number(value) if isinstance(value, float) else write(value)


def facts(table: pd.DataFrame) -> pd.DataFrame:
    """The same by row, an image per column, for a narrow place."""
    return readable(table).T.rename(columns="image {}".format).rename_axis("number")


def pages(ids: list[int]) -> list[list[int]]:
    """The ids as pages of the gallery."""
    return [ids[start : start + SHOWN] for start in range(0, len(ids), SHOWN)]


def arrange(table: pd.DataFrame, sort: str, show: str, selected: Sequence[int]) -> list[int]:
    """Ids of the gallery's cells: those that the filter shows, in order."""
    masks = {
        "all": np.ones(len(table), bool),
        "activated": table["alpha"] > 0,
        "not-activated": table["alpha"] == 0,
        "selected": table["sample"].isin(selected),
        "occluded": table["occluded"].eq(True),
        "clean": table["occluded"].eq(False),
    }
    shown = table[np.asarray(masks[show])]
    shown = shown.sort_values(sort, ascending=sort != "alpha", kind="stable")
    return shown["sample"].tolist()


def counts(table: pd.DataFrame, selected: Sequence[int]) -> str:
    """How many are selected, and what they are."""
    rows = table.iloc[selected]
    activated = int((rows["alpha"] > 0).sum())
    truth = f"{int(rows['occluded'].eq(True).sum())} occluded"
    if table["occluded"].isna().any():
        truth = "which are occluded is not known"
    return f"{len(rows)} of {len(table)} selected, {activated} of them activated, {truth}."


def alpha_text(alpha: float) -> str:
    """α in three digits: 0.215, or 0.0012 where it is small."""
    return texts.written_out(alpha) if alpha < 0.1 else f"{alpha:.3f}"


def _state(sample: Any) -> str:
    """Whether an image is activated and occluded, in words."""
    state = "activated" if sample.alpha > 0 else "not activated"
    return state + {True: ", occluded", False: ", clean"}.get(sample.occluded, "")


def _cell(sample: Any, is_selected: bool) -> dict[str, Any]:
    look = LOOKS[sample.alpha > 0, sample.occluded]
    return {
        "id": int(sample.sample),
        "label": f"image {sample.sample}, {_state(sample)}, α {alpha_text(sample.alpha)}",
        "caption": f"{look.glyph} {sample.sample}",
        "selected": is_selected,
        "is_occluded": bool(sample.occluded),
    }
