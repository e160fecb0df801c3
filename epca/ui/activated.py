"""What the page Activated samples shows: linked views of one EPCA fit."""

import numpy as np
import pandas as pd
import streamlit as st

from epca import metrics
from epca.images import montage, png
from epca.losses import SigmaLoss
from epca.plots.samples import Samples, alpha_figure, embedding_figure, outlier_figure
from epca.ui import experiment
from epca.ui.gallery import COLUMNS, gallery

SHOWN = 4 * COLUMNS  # cells of the gallery
SORTS = {"α, largest first": "alpha", "residual, smallest first": "residual", "number": "sample"}
FILTERS = ("all", "activated", "inactive", "damaged", "undamaged", "selected")
MOST_SELECTED = 100


class View:
    """Numbers, texts and figures of EPCA's fit to the experiment's damaged images."""

    def __init__(self, scenario, images):
        self.scenario, self.images = scenario, images
        self.result = experiment.compare(scenario, images)
        self.model, self.prepared = self.result.models["EPCA"], self.result.prepared
        self.table = sample_table(self.model, self.prepared, scenario.sigma)
        self.scores = self.model.transform(self.prepared.damage.X)

    @property
    def sentence(self):
        k, n = self.model.n_activated_, len(self.table)
        share = metrics.weights_share(self.model.objective_history_[-1], self.table["loss"])
        clean = self.result.clean_activated
        truth = f"{clean} are undamaged" if clean != "–" else "who is damaged is not known, or nobody is"
        return f"{k} of {n} activated; {truth}; the weights make {share:.2%} of the objective."

    def samples(self, selected):
        names = [f"image {i}, {name}" for i, name in enumerate(self.table["class"])]
        return Samples(self.table["alpha"].to_numpy() > 0, self.table["damaged"].to_numpy(), names, tuple(selected))

    def figures(self, selected):
        samples = self.samples(selected)
        two = np.column_stack([self.scores, np.zeros(len(self.scores))])[:, :2]
        outliers = metrics.outlier_map(self.scores, self.table["residual"].to_numpy(), self.model.sample_weight_)
        return {
            "alpha": alpha_figure(samples, self.model.alpha_),
            "embedding": embedding_figure(samples, two),
            "outliers": outlier_figure(samples, outliers),
        }

    def inspected(self, selected):
        """Montage of the selected: original, occluded, reconstruction, residual (mid-grey = 0)."""
        X = self.prepared.damage.X[selected]
        back = self.model.reconstruct(X)
        rows = np.stack([self.prepared.clean[selected], X, back, 127.5 + (X - back) / 2])
        return montage(rows.reshape(4, len(selected), *self.images.image_shape))


def sample_table(model, prepared, sigma):
    """One row per sample: class, truth, α, direct weight, d, η, residual, loss, rank by α."""
    residuals = model.score_samples(prepared.damage.X)
    smooth = np.hypot(residuals, prepared.reduction.smoothing)
    images, loss = prepared.images, SigmaLoss(sigma)
    classes = [images.class_names[i] for i in images.labels] if images.labels is not None else [""] * len(residuals)
    return pd.DataFrame(
        {
            "sample": np.arange(len(residuals)),
            "class": classes,
            "damaged": prepared.damage.mask.any(axis=1),
            "alpha": model.alpha_,
            "direct_weight": model.direct_weight_,
            "d": loss.weight(smooth),
            "eta": model.sample_weight_,
            "residual": residuals,
            "loss": loss.value(smooth),
            "rank": np.argsort(np.argsort(-model.alpha_, kind="stable"), kind="stable") + 1,
        }
    )


def arrange(table, sort, keep, selected):
    """Ids of the gallery's cells: those kept by the filter, in the order asked for, the first SHOWN."""
    masks = {
        "all": np.ones(len(table), bool),
        "activated": table["alpha"] > 0,
        "inactive": table["alpha"] == 0,
        "damaged": table["damaged"],
        "undamaged": ~table["damaged"],
        "selected": table["sample"].isin(selected),
    }
    kept = table[np.asarray(masks[keep])]
    kept = kept.sort_values(SORTS[sort], ascending=SORTS[sort] != "alpha", kind="stable")
    return kept["sample"].tolist()[:SHOWN]


def toggle(ids):
    """One id toggles, several are added; ids beyond the data of another set are dropped."""
    current = set(st.session_state.get("sel", []))
    st.session_state["sel"] = sorted(current ^ set(ids) if len(ids) == 1 else current | set(ids))[:MOST_SELECTED]


def _from_chart(key):
    points = st.session_state[key]["selection"]["points"]
    toggle([int(point["customdata"]) for point in points if point.get("customdata") is not None])


def _from_gallery():
    clicked = st.session_state["faces"].clicked
    if clicked is not None:
        toggle([int(clicked)])


@st.fragment
def linked(view):
    """The four views and the inspector; choosing anywhere chooses everywhere."""
    choose, clear = st.columns([4, 1], vertical_alignment="bottom")
    selected = choose.multiselect(
        "Selected images",
        range(len(view.table)),
        key="sel",
        bind="query-params",
        persist_state="session",
        max_selections=MOST_SELECTED,
        placeholder="Click in a chart or the gallery, or type a number",
    )
    clear.button("Clear", shortcut="Esc", on_click=lambda: st.session_state.update(sel=[]), width="stretch")
    st.caption(_counts(view.table, selected))
    figures = view.figures(selected)
    charts = st.container(horizontal=True)  # side by side where there is room
    for key, figure in figures.items():
        charts.plotly_chart(
            figure,
            key=key,
            width=400,
            on_select=lambda key=key: _from_chart(key),
            selection_mode=("points", "box", "lasso"),
            config={"toImageButtonOptions": {"format": "svg"}, "displaylogo": False},
            alt=f"{figure.layout.title.text}, one dot per image",
        )
    _gallery(view, selected)
    if selected:
        _inspector(view, selected[:8])


def _counts(table, selected):
    rows = table.iloc[selected]
    activated, damaged = int((rows["alpha"] > 0).sum()), int(rows["damaged"].sum())
    return f"{len(rows)} of {len(table)} selected, {activated} of them activated, {damaged} damaged."


def _gallery(view, selected):
    sort, keep = st.columns(2)
    sort = sort.selectbox("Sort by", SORTS, key="sort")
    keep = keep.selectbox("Show", FILTERS, key="show")
    ids = arrange(view.table, sort, keep, selected)
    if not ids:
        st.info("No image to show: choose another filter.")
        return
    height, width = view.images.image_shape
    pixels = np.full((-(-len(ids) // COLUMNS) * COLUMNS, height, width), np.nan)
    pixels[: len(ids)] = view.prepared.damage.X[ids].reshape(-1, height, width)
    sheet = montage(pixels.reshape(-1, COLUMNS, height, width), gap=0, zoom=1)
    cells = [_cell(row, row.sample in selected) for row in view.table.iloc[ids].itertuples()]
    gallery(sheet, cells, label="Images of the fit", shape=(height, width), key="faces", on_click=_from_gallery)


def _cell(row, is_selected):
    state = "activated" if row.alpha > 0 else "inactive"
    truth = "damaged" if row.damaged else "undamaged"
    label = f"image {row.sample}, α {row.alpha:.3f}, {state}, {truth}"
    marks = ("● " if row.alpha > 0 else "○ ") + ("✕ " if row.damaged else "")
    return {"id": int(row.sample), "label": label, "caption": f"{marks}{row.sample}", "selected": is_selected}


def _inspector(view, selected):
    st.subheader("Chosen images: original, occluded, reconstruction, residual")
    st.image(
        png(view.inspected(selected)), alt=f"Images {', '.join(map(str, selected))}: original, occluded, reconstructed, residual"
    )
    st.dataframe(view.table.iloc[selected], hide_index=True)
