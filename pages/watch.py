"""Watch: the algorithm step by step, and two runs side by side."""

import streamlit as st

from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS, SAME
from epca.ui.frame.drawing import draw
from epca.ui.frame.heading import head
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.rules import Whole
from epca.ui.frame.settings import power
from epca.ui.parts import charts, downloads, results
from epca.ui.parts.notices import end_where_unknown
from epca.ui.parts.replay import replay
from epca.views import pictures, reported, runs, scripts, watch

# On ORL c = 60 collapses late enough to be seen coming, and quickly enough to wait for.
COLLAPSE = PRESETS["collapse"].values | {"c": 60}

setup = router.enter()
top = head("Watch the fit")
end_where_unknown(setup.images)
view = watch.View(results.prepare(setup), results.record(setup, "first run"))
top.sentence.markdown(view.sentence)


def play():
    """The player, below it the control of its face; return how the fit began and ended."""
    player = st.container(key="main_picture")
    last = len(view.prepared.clean) - 1
    options = {"placeholder": f"{view.first_face}", "width": 220}
    face = draw(CONTROLS["watch"], rule=Whole(0, last), **options)
    face = view.first_face if face is None else face
    data, sprite, shape, columns = view.replay_data(face)
    with player:
        replay(sprite, data, shape=shape, columns=columns, key="player")
    return reported.ends(sprite, shape, columns, face)


def second_scenario():
    """The sidebar's scenario, with the σ and the tol chosen here."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    sigma = draw(CONTROLS["sigma2"], place=row, width=220)
    tol = draw(CONTROLS["tol2"], place=row, width=220)
    is_left_out = draw(CONTROLS["left_out2"], place=row)
    row.button(
        "See a collapse",
        on_click=see_collapse,
        help=f"The paper's setting with c = {COLLAPSE['c']}; tol of the second run is "
        f"{CONTROLS['tol2'].default}.",
    )
    row.button(
        "See its cure",
        on_click=see_collapse,
        kwargs={"left_out2": True, "tol2": runs.TOL},
        help="The same, with left-out residuals in the second run and nothing else changed.",
    )
    scenario = setup.scenario
    parameters = (*scenario.parameters, ("EPCA", "tol", float(tol)))
    chosen = scenario.sigma if sigma == SAME else power(sigma)
    return scenario.at(sigma=chosen, left_out=is_left_out, parameters=parameters)


def see_collapse(**second):
    usual = {key: CONTROLS[key].default for key in ("sigma2", "tol2", "left_out2")}
    st.session_state.update(COLLAPSE | usual | second)


ends = play()
st.caption(f"{view.step_text} {view.memory}")

st.header("The same start, another σ or tol, or left-out residuals")
with st.container(key="second_run"):
    second = setup._replace(scenario=second_scenario())
histories = runs.by_name(view.history, results.record(second, "second run"))
for name, history in histories.items():
    st.markdown(f"**{name.capitalize()}**, {runs.sentence(history)}")
if any(found.model.left_out for found in histories.values()):
    st.caption(runs.LEFT_OUT_OBJECTIVE)
place = charts.wide_row("runs", least="17rem")  # three beside each other at 1280 pixels
figures = runs.figures(histories)
for key, figure in figures.items():
    charts.show(figure, key, place=place)
code = downloads.script("Watch", scripts.WATCH, setup, runs=runs.values(histories))
told = (view.sentence, ends, runs.summary(histories), list(figures.values()))
table = runs.table(histories)
faces = {"Faces": lambda: pictures.as_one(*ends)}
parts = {"table": table, "pictures": faces}
downloads.offer("watch", code, **parts, report=lambda: reported.of_watch(*told))
downloads.show_menu(top.export)
