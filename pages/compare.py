"""Compare: methods side by side on the same occluded images, on one scale."""

import streamlit as st
from epca.ui.parts.pictures import show_rows

from epca.images import IN_A_ROW
from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.rules import Among
from epca.ui.parts import charts, downloads, parameters, pinned, results, selection
from epca.views import compare, pictures, scripts
from epca.views.comparison import Comparison

shared = router.enter()


def fit_all(place):
    """Fit PCA and the chosen methods; the table at the place grows as each is ready."""
    fits = {}
    for label in compare.with_pca(setup.methods):
        fit = results.fit(setup, label)
        if fit is None:
            st.stop()
        fits[label] = fit
        place.table(compare.readable(compare.measures(setup.methods, fits, prepared)))
    return fits


def cluster():
    """Label → clustering accuracy of each fit, if it is asked for; nothing where cancelled."""
    has_classes = setup.images.labels is not None
    is_asked = draw(CONTROLS["cluster"], disabled=not has_classes)
    if not has_classes:
        st.caption("These images have no classes.")
    if not (is_asked and has_classes):
        return {}
    runs = draw(CONTROLS["runs"])
    found = {}
    for label in setup.methods:
        if fits[label].model is not None:
            found[label] = results.accuracy(setup, label, fits[label], runs)
            if found[label] is None:
                return {}
    return found


def over_seeds():
    """Rows of measures over several seeds, if they are asked for and ready."""
    if not draw(CONTROLS["repeat"]):
        results.leave_seeds()
        return None
    rows = results.over_seeds(setup, compare.with_pca(setup.methods), draw(CONTROLS["seeds"]))
    if rows is None:
        return None
    chosen = compare.against_pca(rows, setup.methods)
    for note in compare.notes(chosen):
        st.warning(note)
    return chosen


@fragment
def show_linked():
    """Pictures and errors of the selected samples, method against method, an outlier map."""
    selected = selection.select(view.images)
    ids = selected[:IN_A_ROW] if selected else view.result.shown.tolist()
    show = draw(CONTROLS["pictures"], required=True)
    show_rows(view.stages(ids, show), ids)
    st.table(view.errors(ids))
    fitted = Among(tuple(view.models))
    columns = st.columns(3)
    across = draw(CONTROLS["across"], rule=fitted, place=columns[0])
    up = draw(CONTROLS["up"], rule=fitted, place=columns[1])
    outliers = draw(CONTROLS["map_of"], rule=fitted, place=columns[2])
    place = charts.wide_row("methods")
    figures = {
        "pair": view.pair_figure(across, up, selected),
        "method_outliers": view.outlier_figure(outliers, selected),
    }
    selection.show_dots(figures, place)
    charts.show(view.sorted_figure(), "sorted", place=place)


st.title("Compare")
if not shared.methods:
    st.info("Choose methods to compare in the sidebar.")
    st.stop()
st.markdown(
    "The same images, occlusion and rank for all. ★ marks the best of a column. Errors are "
    "squared distances to the clean images, the AUC tells how well a residual detects occlusion, "
    "and “–” stands where a measure does not apply or the truth is not known."
)
setup = parameters.ask(shared)
prepared = results.prepare(setup)
place = st.empty()
fits = fit_all(place)
rows = compare.measures(setup.methods, fits, prepared)

left, right = st.columns(2)
with left:
    accuracies = cluster()
    if accuracies:
        rows = compare.measures(setup.methods, fits, prepared, accuracies)
        place.table(compare.readable(rows))
with right:
    averaged = over_seeds()
if averaged is not None:
    st.header("Over several seeds")
    st.table(compare.readable(*compare.averages(averaged)))

chosen = {label: fits[label] for label in setup.methods}
view = compare.View(Comparison(setup.scenario, prepared, chosen))
if not view.models:
    st.stop()
st.header("Image by image")
show_linked()
st.header("Components")
st.markdown(
    f"The first {view.n_shown} directions of each method, largest weighted variance first; "
    "mid-grey is zero, one scale for all."
)
show_rows(view.components(), range(1, view.n_shown + 1), "components")
code = downloads.script("Compare", scripts.COMPARE, setup, methods=list(setup.methods))
components = {"Components": pictures.as_one(view.components())}
downloads.offer("compare", code, table=rows, pictures=components)
if shared.pinned:
    pinned.show(shared, results.compare(shared))
