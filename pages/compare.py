"""Compare: methods side by side on the same occluded images, on one scale."""

import streamlit as st

from epca.ui import beside, compare, downloads, experiment, parameters, router

shared = router.enter()
st.title("Compare")
if not shared.methods:
    st.info("Choose methods to compare in the sidebar.")
    st.stop()
st.markdown(
    "The same images, occlusion and rank for all. ★ marks the best of a column; errors are squared distances to the clean images, "
    "the AUC tells how well a residual detects occlusion, and “–” stands where a measure does not apply or the truth is not known."
)
setup = parameters.ask(shared)
place = st.empty()
fits = compare.fit_all(setup, place)
rows = compare.table(setup, fits)
if set(setup.methods) - set(fits):  # cancelled
    st.stop()

cluster, seeds = st.columns(2)
has_classes = setup.images.labels is not None
with cluster:
    help_text = "k-means on the coordinates, matched to the classes. " + (
        "" if has_classes else "These images have no classes."
    )
    if (
        st.toggle(
            "Clustering accuracy",
            key="cluster",
            bind="query-params",
            help=help_text,
            disabled=not has_classes,
        )
        and has_classes
    ):
        rows = compare.table(setup, fits, compare.cluster(setup, fits))
        place.table(compare.readable(rows))
with seeds:
    averaged = None
    if st.toggle(
        "Several seeds",
        key="repeat",
        bind="query-params",
        help="Mean ± standard deviation over seeds of the occlusion.",
    ):
        averaged = compare.over_seeds(setup)
if averaged is not None:
    st.header("Over several seeds")
    st.table(compare.readable(*compare.averages(averaged)))

view = compare.View(setup, fits)
if not view.models:
    st.stop()
st.header("Image by image")
compare.linked(view)
st.header("Components")
st.markdown(
    f"The first {view.n_shown} directions of each method, largest weighted variance first; mid-grey is zero, one scale for all."
)
experiment.show_rows(view.components(), range(1, view.n_shown + 1), "components")
code = downloads.script("Compare", downloads.COMPARE, setup, methods=list(setup.methods))
downloads.offer(
    "compare", code, table=rows, pictures={"Components": experiment.picture(view.components())}
)
if shared.kept:
    beside.show(shared, experiment.compare(shared))
