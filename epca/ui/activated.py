"""What the page Activated samples shows: linked views of one EPCA fit."""

import numpy as np
import pandas as pd
import streamlit as st

from epca import metrics
from epca.images import IN_A_ROW, heat_montage, montage, row
from epca.losses import SigmaLoss
from epca.plots.samples import HEIGHT, Samples, alpha_figure, embedding_figure, outlier_figure
from epca.ui import charts, downloads, experiment, memory
from epca.ui.gallery import COLUMNS, gallery
from epca.ui.settings import KEPT, is_whole, quoted

SHOWN = 4 * COLUMNS  # cells of the gallery
SORTS = {"α, largest first": "alpha", "residual, smallest first": "residual", "number": "sample"}
FILTERS = (
    "all",
    "activated",
    "inactive",
    "selected",
    "occluded",
    "clean",
)  # the last two need the truth
MOST_SELECTED = 100
HEADINGS = {
    "sample": "image", "class": "class", "occluded": "occluded", "alpha": "α", "direct_weight": "direct weight 1/(1−α)", "d": "d",
    "eta": "η", "residual": "residual", "loss": "loss h", "rank": "rank by α",
}  # fmt: skip


class View:
    """Numbers, texts and figures of EPCA's fit to the experiment's occluded images."""

    def __init__(self, setup):
        self.images = setup.images
        self.result = experiment.compare(setup)
        self.model, self.prepared = self.result.models["EPCA"], self.result.prepared
        self.table = sample_table(self.model, self.prepared)
        self.scores = self.model.transform(self.prepared.occluded.X)

    @property
    def sentence(self):
        truth = (
            f"{self.result.clean_activated} are clean"
            if self.prepared.has_known_occlusion
            else self.result.no_truth
        )
        share = self.result.weights_share
        weights = (
            "all are fitted exactly"
            if share == "–"
            else f"the weights make {share} of the objective"
        )
        return f"{self.result.activated} activated; {truth}; {weights}."

    @property
    def outliers(self):
        return metrics.outlier_map(
            self.scores, self.table["residual"].to_numpy(), self.model.sample_weight_
        )

    def samples(self, selected):
        return Samples(
            self.model.alpha_ > 0, self.prepared.truth, self.images.sample_names, tuple(selected)
        )

    def figures(self, selected):
        samples = self.samples(selected)
        two = np.column_stack([self.scores, np.zeros(len(self.scores))])[:, :2]
        return {
            "alpha": alpha_figure(samples, self.model.alpha_),
            "embedding": embedding_figure(samples, two),
            "outliers": outlier_figure(samples, self.outliers),
        }

    def stages(self, selected):
        """Label → pictures of the selected: original, occluded, reconstruction, residual."""
        return stages(
            self.prepared.occluded.X[selected],
            self.model,
            self.images,
            clean=self.prepared.clean[selected],
        )


def stages(X, model, images, clean=None):
    """Label → row of pictures of X (n, d), its reconstruction and the residual in colour; the clean ones first, if given."""
    back = model.reconstruct(X)
    limit = max(np.abs(X - back).max(), 1e-9)
    rows = (
        {}
        if clean is None
        else {"As they come" if images.is_occluded else "Original": row(clean, images.image_shape)}
    )
    rows |= {
        "Occluded" if rows else "Face": row(X, images.image_shape),
        "Reconstruction": row(back, images.image_shape),
    }
    return rows | {
        f"Residual, ±{limit:.0f}": heat_montage(row(X - back, images.image_shape), limit)
    }


def sample_table(model, prepared):
    """One row per sample: class, truth (None where unknown), α, direct weight, d, η, residual, loss, rank by α of the activated."""
    residuals = model.residuals(prepared.occluded.X)
    smooth = prepared.reduction.smooth(residuals)
    images, loss = prepared.images, SigmaLoss(model.sigma)
    classes = (
        [images.class_names[i] for i in images.labels]
        if images.labels is not None
        else [""] * len(residuals)
    )
    return pd.DataFrame(
        {
            "sample": np.arange(len(residuals)),
            "class": classes,
            "occluded": prepared.truth,
            "alpha": model.alpha_,
            "direct_weight": model.direct_weight_,
            "d": loss.weight(smooth),
            "eta": loss.weight(smooth) * model.direct_weight_,
            "residual": residuals,
            "loss": loss.value(smooth),
            "rank": np.where(
                model.alpha_ > 0,
                np.argsort(np.argsort(-model.alpha_, kind="stable"), kind="stable") + 1.0,
                np.nan,
            ),
        }
    )


def readable(table):
    """The table for reading: headings in words, numbers in four digits, a dash for what is not known."""

    def text(value):
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        return (
            "–"
            if value is None or value != value
            else experiment.number(value)
            if isinstance(value, float)
            else str(value)
        )

    return table.astype(object).map(text).rename(columns=HEADINGS).set_index(HEADINGS["sample"])


def arrange(table, sort, keep, selected):
    """Ids of the gallery's cells: those kept by the filter, in the order asked for, the first SHOWN."""
    masks = {
        "all": np.ones(len(table), bool),
        "activated": table["alpha"] > 0,
        "inactive": table["alpha"] == 0,
        "selected": table["sample"].isin(selected),
        "occluded": table["occluded"].eq(True),
        "clean": table["occluded"].eq(False),
    }
    kept = table[np.asarray(masks[keep])]
    kept = kept.sort_values(SORTS[sort], ascending=SORTS[sort] != "alpha", kind="stable")
    return kept["sample"].tolist()[:SHOWN]


def toggle(ids):
    """One id toggles, several are added."""
    current = set(st.session_state.get("sel", []))
    st.session_state["sel"] = sorted(current ^ set(ids) if len(ids) == 1 else current | set(ids))[
        :MOST_SELECTED
    ]


def select(n_images):
    """The control at the head of linked views: the selected ids, which a link keeps, and a button (Esc) that clears them."""
    if "sel" not in st.session_state:
        bad = [
            text for text in st.query_params.get_all("sel") if not is_whole(text, 0, n_images - 1)
        ]
        if bad:
            st.warning(
                f"The link has {quoted('sel', bad[0])}; images are numbered from 0 to {n_images - 1}. It selects the others."
            )
    beyond = [i for i in st.session_state.get("sel", []) if i >= n_images]
    if beyond:
        st.session_state["sel"] = [i for i in st.session_state["sel"] if i < n_images]
        st.info(
            f"No longer selected, as images are numbered from 0 to {n_images - 1} here: {', '.join(map(str, beyond[:10]))}."
        )
    row = st.container(horizontal=True, vertical_alignment="bottom")
    selected = row.multiselect(
        "Selected images",
        range(n_images),
        key="sel",
        max_selections=MOST_SELECTED,
        placeholder="Click a dot or a picture of the gallery, or type a number",
        help=f"Marked in every chart; the first {IN_A_ROW} are shown. At most {MOST_SELECTED}; the link keeps them.",
        **KEPT,
    )
    row.button(
        "Clear",
        shortcut="Esc",
        on_click=lambda: st.session_state.update(sel=[]),
        help="Selects nothing.",
    )
    return selected


def show_dots(figures, place):
    """Charts {key: figure} of one dot per image beside each other; choosing in one chooses everywhere."""
    for key, figure in figures.items():
        alt = f"{figure.layout.title.text}, one dot per image"
        charts.show(
            figure, key, alt=alt, on_select=lambda key=key: toggle(charts.chosen(key)), place=place
        )


@memory.fragment
def linked(setup, view):
    """The four views, the inspector and the downloads; choosing anywhere chooses everywhere."""
    selected = select(len(view.table))
    st.caption(_counts(view.table, selected))
    place = charts.wide_row("views", least="max(26rem, 40%)")  # two by two, or below each other
    show_dots(view.figures(selected), place)
    with place.container(height=HEIGHT):
        _gallery(view, selected)
    inspected = selected[:IN_A_ROW]
    if selected:
        st.header("Selected images")
        experiment.show_rows(view.stages(inspected), inspected)
        st.table(readable(view.table.iloc[inspected]))
        if len(selected) > IN_A_ROW:
            st.caption(f"The first {IN_A_ROW} of {len(selected)}; the table to download has all.")
    code = downloads.script(
        "Activated samples", downloads.ACTIVATED, setup, selected=list(selected)
    )
    rows = view.stages(inspected) if selected else view.result.stages
    downloads.offer(
        "activated", code, table=view.table, pictures={"Faces": experiment.picture(rows)}
    )


def _counts(table, selected):
    rows = table.iloc[selected]
    activated, occluded = int((rows["alpha"] > 0).sum()), int(rows["occluded"].eq(True).sum())
    truth = (
        "who is occluded is not known" if table["occluded"].isna().any() else f"{occluded} occluded"
    )
    return f"{len(rows)} of {len(table)} selected, {activated} of them activated, {truth}."


def _gallery(view, selected):
    sort, keep = st.columns(2)
    filters = FILTERS[:-2] if view.images.is_occluded else FILTERS
    sort = sort.selectbox("Sort by", SORTS, key="sort", help="The order of the gallery.", **KEPT)
    keep = keep.selectbox(
        "Show", filters, key="show", help=f"Which images; the first {SHOWN} are shown.", **KEPT
    )
    ids = arrange(view.table, sort, keep, selected)
    if not ids:
        st.info("No image to show: choose another filter.")
        return
    height, width = view.images.image_shape
    pixels = np.full((-(-len(ids) // COLUMNS) * COLUMNS, height, width), np.nan)
    pixels[: len(ids)] = view.prepared.occluded.X[ids].reshape(-1, height, width)
    sheet = montage(pixels.reshape(-1, COLUMNS, height, width), gap=0, zoom=1)
    cells = [
        _cell(sample, sample.sample in selected) for sample in view.table.iloc[ids].itertuples()
    ]

    def clicked():
        if st.session_state["faces"].clicked is not None:
            toggle([int(st.session_state["faces"].clicked)])

    gallery(
        sheet,
        cells,
        label="Images of the fit",
        shape=(height, width),
        key="faces",
        on_click=clicked,
    )
    st.caption("● activated, ○ inactive, ✕ occluded. A click selects, another takes it back.")


def _cell(sample, is_selected):
    state = "activated" if sample.alpha > 0 else "inactive"
    truth = {True: ", occluded", False: ", clean"}.get(sample.occluded, "")
    marks = ("● " if sample.alpha > 0 else "○ ") + ("✕ " if sample.occluded else "")
    label = f"image {sample.sample}, α {sample.alpha:.3f}, {state}{truth}"
    return {
        "id": int(sample.sample),
        "label": label,
        "caption": f"{marks}{sample.sample}",
        "selected": is_selected,
    }
