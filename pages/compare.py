"""Compare: methods side by side on the same occluded images, their faces beside their numbers."""

import time

import streamlit as st

from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.heading import head
from epca.ui.frame.rules import Among
from epca.ui.parts import charts, downloads, methods, parameters, pinned, results, selection
from epca.ui.parts.faces import show_faces
from epca.views import compare, measures, pictures, scripts
from epca.views.comparison import Comparison

PATIENCE = 0.3  # seconds of fitting after which a matrix that is not complete yet is shown
shared = router.enter()


def look():
    """The ids of the images to show, what to show of them, and which ones are selected."""
    row = st.container(key="looking", horizontal=True, vertical_alignment="center")
    rule = Among(compare.shows_for(setup.images))
    show = draw(CONTROLS["pictures"], rule=rule, place=row, required=True)
    with row.container(key="picked"):
        selected = selection.select(setup.images)
    ids = compare.shown_ids(Comparison(setup.scenario, prepared, {}), selected)
    return ids, show, selected


def show_matrix(view, rows, ids, show, key="matrix"):
    """A line per method: faces and numbers."""
    failures = dict(zip(rows["method"], rows.get("failure", rows["method"]), strict=True))
    stages = view.matrix(labels, ids, show, failures)
    show_faces(
        stages,
        ids,
        key=key,
        corner=view.scale_text(stages),
        lines=compare.lines(setup.scenario, rows, labels),
        measures=compare.headings(rows),
        n_sticky=compare.HEADS,
    )


def fit_all(place, ids, show):
    """Fit PCA and the chosen methods; the matrix at the place fills as each is ready."""
    fits = {}
    shown = time.monotonic()
    for label in measures.with_pca(labels):
        fits[label] = results.fit(setup, label)
        if fits[label] is None:
            st.stop()
        if time.monotonic() - shown > PATIENCE:
            rows = measures.measures(labels, fits, prepared)
            with place:
                show_matrix(view_of(fits), rows, ids, show, key=f"matrix_with_{len(fits)}")
            shown = time.monotonic()
    return fits


def view_of(fits):
    chosen = {label: fits[label] for label in labels if label in fits}
    return compare.View(Comparison(setup.scenario, prepared, chosen))


def cluster(fits):
    """Label → clustering accuracy of each fit, and the runs of k-means, if they are asked for."""
    has_classes = setup.images.labels is not None
    is_asked = draw(CONTROLS["cluster"], disabled=not has_classes)
    if not has_classes:
        st.caption("These images have no classes.")
    if not (is_asked and has_classes):
        return {}, 0
    runs = draw(CONTROLS["runs"])
    found = {}
    for label in labels:
        if fits[label].model is not None:
            found[label] = results.accuracy(setup, label, fits[label], runs)
            if found[label] is None:
                return {}, 0
    return found, runs


def over_seeds():
    """Rows of measures over several seeds and how many, if they are asked for and ready."""
    if not draw(CONTROLS["repeat"]):
        results.leave_seeds()
        return None, 0
    count = draw(CONTROLS["seeds"])
    rows = results.over_seeds(setup, measures.with_pca(labels), count)
    if rows is None:
        return None, 0
    chosen = measures.against_pca(rows, labels)
    for note in measures.hidden_by_means(chosen):
        st.warning(note)
    return chosen, count


def show_numbers(rows, averaged):
    """What went wrong, the numbers as a table and what they mean, means over seeds."""
    shown = measures.readable(rows)
    for label, note in shown["note"].items():
        if note:
            st.caption(f"**{label}** {note}")
    with st.expander("The numbers as a table, and what they mean"):
        st.table(shown)
        st.markdown(compare.meanings())
    if averaged is not None:
        with st.container(key="over_seeds"):
            st.header("Over several seeds")
            st.table(measures.readable(*measures.averages(averaged)))


def show_images(view, ids, selected):
    """Errors of the images shown, method against method, an outlier map, curves of all images."""
    st.header("Image by image")
    st.table(view.errors(ids))
    fitted = Among(tuple(view.models))
    columns = st.columns(3)
    across = draw(CONTROLS["across"], rule=fitted, place=columns[0])
    up = draw(CONTROLS["up"], rule=fitted, place=columns[1])
    outliers = draw(CONTROLS["map_of"], rule=fitted, place=columns[2])
    place = charts.wide_row("methods", least="20rem")
    figures = {
        "pair": view.pair_figure(across, up, selected),
        "method_outliers": view.outlier_figure(outliers, selected),
    }
    selection.show_dots(figures, place)
    charts.show(view.sorted_figure(), "sorted", place=place)


def show_components(view):
    st.header("Components")
    st.markdown(
        f"The first {view.n_components} directions of each method, largest weighted variance "
        "first; mid-grey is zero, one scale for all."
    )
    numbers = range(1, view.n_components + 1)
    look = {"what": "components", "lines": view.colours(), "spare": 14, "largest": 4.5}
    show_faces(view.components(), numbers, key="components", **look)


@fragment
def show_comparison():
    """All that the chosen methods make of the images; choosing images runs it again alone."""
    ids, show, selected = look()
    place = st.container(key="main_picture").empty()
    fits = fit_all(place, ids, show)
    view = view_of(fits)
    more = st.container(key="more_numbers")
    left, right = more.columns(2)
    with left:
        accuracies, runs = cluster(fits)
    rows = measures.measures(labels, fits, prepared, accuracies)
    with place:
        show_matrix(view, rows, ids, show)
    with right:
        averaged, seeds = over_seeds()
    show_numbers(rows, averaged)
    faces = {}
    if view.models:
        with st.container(key="image_by_image"):
            show_images(view, ids, selected)
        with st.container(key="components_part"):
            show_components(view)
        numbers = range(1, view.n_components + 1)
        faces = {
            "Faces": lambda: pictures.as_one(view.stages(ids, show), ids),
            "Components": lambda: pictures.as_one(view.components(), numbers),
        }
    body = scripts.COMPARE + (scripts.OVER_SEEDS if seeds else "")
    values = {"methods": list(labels), "shown": ids, "runs": runs}
    values |= {"n_seeds": seeds} if seeds else {}
    code = downloads.script("Compare", body, setup, **values)
    downloads.offer("compare", code, table=compare.table(rows, averaged), pictures=faces)


head(
    "Compare",
    "The same images, occlusion and rank for all. ★ marks the best of a column, unless it is a tie.",
)
with st.container(key="choice", horizontal=True, vertical_alignment="center"):
    labels = methods.choose()
    setup = parameters.ask(shared, labels)
prepared = results.prepare(setup)
if labels:
    show_comparison()
else:
    st.info("No method is chosen. Choose at least one above.")
if shared.pinned:
    pinned.show(shared, results.compare(shared))
