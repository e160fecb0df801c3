"""Tune: what σ and c do to these faces, with the clean ones at hand and without them."""

import streamlit as st

from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.heading import head
from epca.ui.parts import charts, downloads, present, results, strips, suggestions, sweeps
from epca.ui.parts.clickable import show_chart
from epca.ui.parts.faces import show_remembered, table
from epca.ui.parts.notices import end_where_unknown, warn_of_collapse
from epca.views import activated, pictures, reported, scripts, tune

SMALL = 3.5  # height of a face of the strip, in units of the type
SPARE = 38.5  # what else the screen holds: on a low one the faces are smaller
LOSS_TITLE = "The σ-loss (Fig. 2)"

setup = router.enter()
top = head(
    "Tune σ and c",
    "What is marked **oracle** needs the clean images, which a real user lacks. "
    "A click on a point sets σ and c.",
)
end_where_unknown(setup.images)
*pca, now = present.fit(setup)
view = tune.View(setup.scenario, results.prepare(setup), *pca)


def show_strip():
    """The faces that are tuned: occluded, as EPCA gives them back, and those it trusts."""
    row = st.container(key="tuned", horizontal=True)
    with row.container(key="main_picture"):
        show_remembered(now, "tuned", tuned_faces, key="tune_faces")
    with row.container(key="most_trusted", gap=None):
        strips.show_activated(activated.View(now), on_click=strips.inspect)


def tuned_faces():
    return table(view.faces(now), now.shown, spare=SPARE, largest=SMALL)


def show_numbers():
    """The numbers at the chosen σ and c, in one line."""
    row = st.container(key="tune_numbers", horizontal=True, vertical_alignment="bottom")
    for label, (number, meaning) in view.numbers(measures).items():
        row.metric(label, number, width="content", help=meaning)


def show_loss():
    """The paper's Fig. 2 over these residuals."""
    residuals = now.models["EPCA"].residuals_
    row = st.container(key="loss_head", horizontal=True, vertical_alignment="center")
    row.markdown(f"**{LOSS_TITLE}**", width="content")
    is_log = draw(CONTROLS["loglog"], place=row)
    made = charts.remember(
        now,
        ("loss", is_log, view.loss.unit),
        lambda: {"loss": view.loss_figure(residuals, is_log)},
        fills=True,
    )
    show_chart(view, made["loss"], "loss", alt=LOSS_TITLE, fills=True)
    below.caption(view.loss_text(residuals))
    below.caption(f"{view.stop_text(measures)} {view.no_truth}")


if now is not None:
    measures = now.rows["EPCA"]
    with st.container(key="stays"):
        show_strip()
        with st.container(key="numbers"):
            show_numbers()
    warn_of_collapse(measures)
work = st.container(key="work", horizontal=True)
below = st.container(key="below")
looks = below.container(key="looks")
if now is not None:
    with work.container(key="loss_part"):
        show_loss()
with work.container(key="sweeps_part"):
    if sweeps.show(setup, view, below) == "suggest":
        suggestions.show(setup, view)
suggestions.show_looks(view, looks)
suggestions.show_regrets(below)

parts = {}
shown = []
if now is not None:
    if not now.is_preview:
        present.note(view, now)
    shown = now.shown.tolist()
    parts["pictures"] = {"Faces": lambda: pictures.as_one(view.faces(now), now.shown)}
    parts["report"] = lambda: reported.of_tune(view, now)
body, values = scripts.tune(
    present.columns(view),
    view.grids(),
    has_estimate=view.estimate is not None,
    asked=view.asked,
    shown=shown,
)
code = downloads.script("Tune", body, setup, **values)
downloads.offer("tune", code, table=view.all_rows(), **parts)
downloads.show_menu(top.export)
