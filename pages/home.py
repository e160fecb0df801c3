"""Home: the same occluded faces as clean, occluded, PCA, EPCA."""

import streamlit as st

from epca.ui.frame import router
from epca.ui.parts import downloads, pinned, results
from epca.ui.parts.notices import warn_of_collapse
from epca.ui.parts.pictures import show_rows
from epca.views import pictures, scripts, texts

setup = router.enter()
result = results.compare(setup)
measures = result.rows["EPCA"]

st.title("See which faces a robust PCA trusts")
st.markdown(
    f"{result.occlusion_text} **PCA** learns a subspace from all of them alike. "
    "**EPCA** tames badly fitting ones by a robust loss and *activates* the best-fitting ones by "
    "weights α that it learns."
)

place = st.container(horizontal=True, gap="large")  # not columns: narrow ones cut the numbers
for label, (number, meaning) in result.numbers.items():
    place.metric(label, number, width="content", help=meaning)
warn_of_collapse(measures)
show_rows(result.stages, result.shown)

st.caption(f"Images: {setup.images.source}. EPCA took {texts.stop(measures)}")
code = downloads.script("Home", scripts.HOME, setup)
downloads.offer("home", code, pictures={"Faces": pictures.as_one(result.stages)})
pinned.show(setup, result)

st.header("Ways in")
router.link("data", "the images, their occlusion, your own")
router.link("activated", "which images EPCA trusts, in four linked views")
router.link("compare", "EPCA and other methods side by side")
router.link("tune", "what σ and c do, with the clean images and without")
router.link("watch", "the algorithm step by step, and when it collapses")
router.link("framework", "the idea on points one can move")
router.link("paper", "what the paper reports and what this code gives")
router.link("learn", "five lessons with questions and answers")
