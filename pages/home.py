"""Home: the same occluded faces as clean, occluded, PCA, EPCA."""

import streamlit as st

from epca.ui import beside, downloads, experiment, router

setup = router.enter()
result = experiment.compare(setup)
epca, measures = result.models["EPCA"], result.rows["EPCA"]

st.title("See which faces a robust PCA trusts")
st.markdown(
    f"{result.occlusion_text} **PCA** learns a subspace from all of them alike. "
    "**EPCA** tames badly fitting ones by a robust loss and *activates* the best-fitting ones by weights α that it learns."
)

place = st.container(horizontal=True, gap="large")  # not columns: narrow ones cut the numbers
place.metric(
    "EPCA's error against PCA's",
    result.error_change,
    width="content",
    help="‖clean − reconstruction‖², Eq. 57.",
)
place.metric("Activated images", result.activated, width="content", help="Images with α > 0.")
place.metric(
    "Clean among the activated",
    result.clean_activated,
    width="content",
    help="EPCA does not know which images are occluded; we do. “–” when none is, or when nobody knows.",
)
experiment.warn_of_collapse(measures)
experiment.show_rows(result.stages, result.shown)

stop = "" if measures["converged"] else ", the limit: the fit could still change"
st.caption(f"Images: {setup.images.source}. EPCA took {experiment.iterations(epca.n_iter_)}{stop}.")
downloads.offer(
    "home",
    downloads.script("Home", downloads.HOME, setup),
    pictures={"Faces": experiment.picture(result.stages)},
)
beside.show(setup, result)

st.header("Ways in")
router.link("data", "the images, their occlusion, your own")
router.link("activated", "which images EPCA trusts, in four linked views")
router.link("compare", "EPCA and other methods side by side")
router.link("tune", "what σ and c do, with the clean images and without")
router.link("watch", "the algorithm step by step, and when it collapses")
router.link("framework", "the idea on points one can move")
router.link("paper", "what the paper reports and what this code gives")
router.link("learn", "five lessons with questions and answers")
