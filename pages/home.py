"""Home: the same occluded faces as clean, occluded, PCA, EPCA; the faces that EPCA trusts."""

import streamlit as st

from epca.literal import literal
from epca.ui.frame import lesson, router
from epca.ui.frame.heading import head
from epca.ui.frame.presets import PRESETS, shown_preset
from epca.ui.frame.settings import DATASET
from epca.ui.parts import downloads, pinned, previews, strips
from epca.ui.parts.faces import show_stages
from epca.ui.parts.notices import end_where_unknown, warn_of_collapse
from epca.views import activated, pictures, reported, scripts, texts

N_LEAST = 4  # faces

setup = router.enter()
top = head("See which faces EPCA trusts")
end_where_unknown(setup.images)
result = previews.compare(setup)
view = activated.View(result)
measures = result.rows["EPCA"]
sentence = (
    f"{result.occlusion_text} **PCA** learns from all alike. **{result.name}** tames what fits "
    "badly and *activates* what fits best."
)
top.sentence.markdown(sentence)
warn_of_collapse(measures)


def show_numbers():
    """The three numbers, and which setting they are of."""
    for label, (number, meaning) in result.numbers.items():
        st.metric(label, number, help=meaning)
    if result.no_truth:
        st.caption(f"–: {result.no_truth}.")
    st.caption(f"Shown: {which_setting()}; {result.name} took {texts.stop(measures)}")
    st.button(
        "The paper's setting",
        on_click=st.session_state.update,
        args=(PRESETS["paper"].values,),
        help="The paper occludes the same 20% of the pixels in a fifth of the images, and takes "
        "c = 10, 30 or 50: the difference is smaller there.",
    )


def which_setting():
    """Whose setting it is: the lesson's, until the visitor changes it, a preset's or their own."""
    values = st.session_state
    step = lesson.current()
    if step:
        wanted = {DATASET.key: DATASET.default} | step.settings
        if all(values.get(key) == value for key, value in wanted.items()):
            return "the lesson's setting"
    return shown_preset(values)


row = st.container(key="cockpit", horizontal=True)
with row.container(key="main_picture"):
    show_stages(result, key="home_faces", spare=20, largest=9)
with row.container(key="numbers"):
    show_numbers()
row = st.container(key="trust", horizontal=True)
with row.container(key="most_trusted", gap=None):
    strips.show_activated(view, on_click=strips.inspect)
with row.container(key="least_trusted", gap=None):
    strips.show_least(view, N_LEAST, on_click=strips.inspect)

code = downloads.script("Home", scripts.HOME, setup, shown=result.shown.tolist())
faces = {"Faces": lambda: pictures.as_one(result.named_stages, result.shown)}
parts = {"table": result.table, "pictures": faces}
parts["has_charts"] = setup.pinned is not None  # A and B have one
downloads.offer("home", code, **parts, report=lambda: reported.of_home(view, sentence))
downloads.show_menu(top.export)
st.caption(f"Images: {literal(setup.images.source)}.")
pinned.show(setup, result)
