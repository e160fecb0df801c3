"""What the page Compare shows: methods side by side on the same occluded images."""

from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from epca import experiment as library
from epca import metrics
from epca.images import IN_A_ROW, heat_montage, row
from epca.plots.methods import sorted_figure
from epca.plots.samples import Samples, outlier_figure, pair_figure
from epca.ui import activated, charts, experiment, memory, store, work
from epca.ui.settings import KEPT

MILLION = 1e6
COLUMNS = {  # name in a row of measures → heading, format, which is best
    "error": ("error (10⁶)", lambda value: f"{value / MILLION:.1f}", min),
    "against_pca": ("against PCA", experiment.change, min),
    "error_clean": ("on clean (10⁶)", lambda value: f"{value / MILLION:.1f}", min),
    "error_occluded": ("on occluded (10⁶)", lambda value: f"{value / MILLION:.1f}", min),
    "clean_among_top": ("clean among the top-weighted", "{:.1%}".format, max),
    "auc": ("AUC", "{:.3f}".format, max),
    "accuracy": ("clustering accuracy", "{:.1%}".format, max),
    "iterations": ("iterations", "{:.0f}".format, None),
    "seconds": ("seconds", "{:.2f}".format, None),
}
SHOWS = ("reconstructions", "residuals")
PICTURES = "What each method makes of an image, or what it leaves over; one scale for all."
BEST = "★\N{NO-BREAK SPACE}"
SEEDS, RUNS = 20, 100  # at most


def fit_all(setup, place):
    """Fit PCA, for the column against it, and the chosen methods; the table at the place grows as each is ready."""
    fits = {}
    for label in dict.fromkeys(["PCA", *setup.methods]):
        fit = experiment.fit(setup, label)
        if fit is None:
            break
        fits[label] = fit
        place.table(readable(table(setup, fits)))
    return fits


def table(setup, fits, accuracies=()):
    """One row of measures per chosen method, with the error against PCA's and the accuracies {label: (mean, sd)}, if any."""
    rows = pd.DataFrame([fits[label].row for label in setup.methods if label in fits])
    if "error" in rows and "error" in fits["PCA"].row:
        rows["against_pca"] = rows["error"] / fits["PCA"].row["error"] - 1
    if accuracies:
        rows["accuracy"], rows["accuracy_sd"] = zip(
            *(accuracies.get(label, (np.nan,) * 2) for label in rows["method"]), strict=True
        )
    return rows


def readable(rows, spread=None):
    """The rows for reading: one line a method, the best of each column marked, a dash for what does not apply, and notes.

    spread : rows of standard deviations, shown behind a ±; by default the accuracy's, where the rows have it
    """
    if spread is None and "accuracy_sd" in rows:
        spread = pd.DataFrame({"accuracy": rows["accuracy_sd"]})
    lines = {}
    for i, measures in enumerate(rows.to_dict("records")):
        line = {
            heading: _text(rows, name, i, spread)
            for name, (heading, _, _) in COLUMNS.items()
            if name in rows
        }
        lines[measures["method"]] = line | {"note": _note(measures)}
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("method")


def _text(rows, name, i, spread):
    _, text, best = COLUMNS[name]
    value = rows[name].iloc[i]
    if not np.isfinite(value):
        return "–"
    is_best = best and len(rows) > 1 and text(value) == text(best(rows[name].dropna()))
    deviation = (
        f" ± {text(spread[name].iloc[i]).lstrip('+')}"
        if spread is not None and name in spread
        else ""
    )
    return (BEST if is_best else "") + text(value) + deviation


def _note(measures):
    if measures.get("failure"):
        return measures["failure"]
    notes = ["" if measures.get("converged", True) else "not converged: it could still change"]
    notes.append("collapsed: some images are fitted exactly" if measures.get("collapsed") else "")
    return "; ".join(filter(None, notes))


class View:
    """Pictures and figures of the methods that could be fitted."""

    def __init__(self, setup, fits):
        self.setup, self.prepared = setup, store.prepare(setup.scenario, setup.images)
        fitted = {
            label: fits[label]
            for label in setup.methods
            if label in fits and fits[label].model is not None
        }
        self.result = experiment.Comparison(setup.scenario, self.prepared, fitted)
        self.models, self.shape = self.result.models, setup.images.image_shape
        self.has_clean = not setup.images.is_occluded

    @property
    def measure(self):
        """What is compared per sample."""
        return "error" if self.has_clean else "residual"

    @cached_property
    def per_sample(self):
        """Label → distance (n,) of each reconstruction from the clean image, or, without a truth, from the image itself."""
        X = self.prepared.occluded.X
        aim = self.prepared.clean if self.has_clean else X
        return {
            label: np.linalg.norm(aim - model.reconstruct(X), axis=1)
            for label, model in self.models.items()
        }

    def stages(self, ids, show):
        """Label → row of pictures: clean, occluded, then each method's reconstruction or residual, on one scale for all."""
        X, clean = self.prepared.occluded.X[ids], self.prepared.clean[ids]
        rows = {
            "Clean" if self.has_clean else "As they come": row(clean, self.shape),
            "Occluded": row(X, self.shape),
        }
        back = {label: model.reconstruct(X) for label, model in self.models.items()}
        if show == SHOWS[0]:
            return rows | {label: row(images, self.shape) for label, images in back.items()}
        limit = max(np.abs(X - images).max() for images in back.values())
        return rows | {
            label: heat_montage(row(X - images, self.shape), limit)
            for label, images in back.items()
        }

    def errors(self, ids):
        """Per-sample measure of these samples by method, as text."""
        values = {label: lengths[ids] for label, lengths in self.per_sample.items()}
        return (
            pd.DataFrame(values, index=[f"image {i}" for i in ids])
            .T.map("{:.0f}".format)
            .rename_axis(f"{self.measure} (length)")
        )

    @property
    def n_shown(self):
        """How many components are shown."""
        return min(IN_A_ROW, self.setup.scenario.n_components)

    def components(self):
        """Label → its first components as a row of pictures, on one scale for all."""
        limit = max(np.abs(model.components_[:IN_A_ROW]).max() for model in self.models.values())
        return {
            label: row(127.5 * (1 + model.components_[:IN_A_ROW] / limit), self.shape)
            for label, model in self.models.items()
        }

    def samples(self, label, selected):
        alpha = getattr(self.models[label], "alpha_", None)
        is_activated = None if alpha is None else alpha > 0
        return Samples(
            is_activated, self.prepared.truth, self.setup.images.sample_names, tuple(selected)
        )

    def outlier_figure(self, label, selected):
        model, X = self.models[label], self.prepared.occluded.X
        distances = metrics.outlier_map(
            model.transform(X), model.residuals(X), model.sample_weight_
        )
        figure = outlier_figure(self.samples(label, selected), distances)
        return figure.update_layout(title=f"Outlier map of {label}")

    def pair_figure(self, across, up, selected):
        samples = self.samples("EPCA" if "EPCA" in (across, up) else across, selected)
        return pair_figure(
            samples, self.per_sample[across], self.per_sample[up], (across, up), self.measure
        )


@memory.fragment
def linked(view):
    """Pictures and errors of the selected samples, method against method, an outlier map; a click selects as on other pages."""
    selected = activated.select(len(view.prepared.clean))
    ids = selected[:IN_A_ROW] if selected else view.result.shown.tolist()
    show = st.segmented_control(
        "Pictures", SHOWS, default=SHOWS[0], key="pictures", help=PICTURES, **KEPT
    )
    experiment.show_rows(view.stages(ids, show or SHOWS[0]), ids)
    st.table(view.errors(ids))
    labels = list(view.models)
    across, up, outliers = st.columns(3)
    across = _method(
        across,
        "Across",
        labels,
        "across",
        min(1, len(labels) - 1),
        "The method on the horizontal axis of the left chart.",
    )
    up = _method(up, "Up", labels, "up", 0, "The method on its vertical axis.")
    outliers = _method(
        outliers, "Outlier map of", labels, "map_of", 0, "The method of the middle chart."
    )
    place = charts.wide_row("methods")
    figures = {
        "pair": view.pair_figure(across, up, selected),
        "method_outliers": view.outlier_figure(outliers, selected),
    }
    activated.show_dots(figures, place)
    figure = sorted_figure(
        view.per_sample, f"Per-image {view.measure}, smallest first", f"{view.measure} (length)"
    )
    charts.show(figure, "sorted", place=place)


def _method(place, label, labels, key, index, text):
    if st.session_state.get(key) not in labels:
        st.session_state.pop(key, None)
    return place.selectbox(label, labels, index=index, key=key, help=text, **KEPT)


def cluster(setup, fits):
    """Clustering accuracy of each fit, as {label: (mean, sd)} over runs of k-means; empty where the user cancelled."""
    runs = st.number_input(
        "Runs of k-means", 1, RUNS, 20, key="runs", bind="query-params", help="The paper takes 100."
    )
    found = {}
    for label, fit in fits.items():
        if fit.model is not None and label in setup.methods:
            task = (setup.images.digest, experiment.own(setup.scenario, label), label, runs)
            found[label] = work.run(
                task, f"Clustering with {label}", _kept_accuracy, setup.images, *task[1:], fit.model
            )
            if found[label] is None:
                return {}
    return found


def _accuracy(digest, scenario, label, runs, _model, _progress, _images):
    """Mean and sd; one run at a time, so that it can be ended between them."""
    coordinates = _model.transform(store.prepare(scenario, _images).occluded.X)
    found = []
    for run in range(runs):
        text = f"run {run + 1} of {runs}"
        with _progress.turn(run / runs, text):
            _progress(run, runs, text)
            with library.single_thread():
                found.append(
                    metrics.clustering_accuracy(
                        coordinates, _images.labels, runs=1, random_state=run
                    ).mean
                )
    return float(np.mean(found)), float(np.std(found))


_kept_accuracy = store.cached(_accuracy, shared=128, private=32)


def over_seeds(setup):
    """Rows of measures over several seeds of the occlusion, one per method and seed; None where the user cancelled."""
    seeds = st.number_input(
        "Seeds",
        2,
        SEEDS,
        5,
        key="seeds",
        bind="query-params",
        help="Counted from the sidebar's on.",
    )
    task = (setup.images.digest, setup.scenario, setup.methods, seeds)
    rows = work.run(task, "Fitting over seeds", _kept_seeds, setup.images, *task[1:])
    if rows is not None:
        for note in notes(rows):
            st.warning(note)
    return rows


def notes(rows):
    """What the means over seeds leave out or hide, a sentence each."""
    for label, part in rows.groupby("method", sort=False):
        failed = part["failure"].ne("")
        counts = {
            "failed and are left out of the means": failed,
            "collapsed: some images are fitted exactly": part.get("collapsed", failed).eq(True)
            & ~failed,
            "did not converge: they could still change": ~part["converged"].astype(bool) & ~failed,
        }
        for what, which in counts.items():
            if which.any():
                yield f"{label}: {which.sum()} of {len(part)} fits {what}. {' '.join(part['failure'][which].unique())}".strip()


def _fit_seeds(digest, scenario, methods, seeds, _progress, _images):
    def prepare(item):
        return library.prepare(item, _images)

    labels = tuple(dict.fromkeys(["PCA", *methods]))
    tables = []
    for i in range(seeds):

        def tick(done, total, text, i=i):
            _progress(i + done / total, seeds, f"seed {i + 1} of {seeds}, {text}")

        with _progress.turn(
            i / seeds, f"seed {i + 1} of {seeds}"
        ):  # one turn a seed: others need not wait for the whole
            tables.append(
                library.sweep(
                    scenario, labels, prepare=prepare, callback=tick, seed=[scenario.seed + i]
                ).table
            )
    rows = pd.concat(tables, ignore_index=True)
    if "error" in rows:  # else all failed
        pca = rows[rows["method"] == "PCA"].set_index("seed")["error"]
        rows["against_pca"] = rows["error"] / rows["seed"].map(pca) - 1
    found = rows[rows["method"].isin(methods)].sort_values(
        "method", key=lambda column: column.map(methods.index), kind="stable"
    )
    return work.keep(found, rows["failure"])


_kept_seeds = store.cached(_fit_seeds, shared=16, private=4)


def averages(rows):
    """Mean and standard deviation of the measures over seeds, one row per method each."""
    groups = rows.groupby("method", sort=False)[[name for name in COLUMNS if name in rows]]
    return groups.mean().reset_index(), groups.std(ddof=0).reset_index()
