"""Tune: what σ and c do to these images, with the clean ones at hand and without them."""

import streamlit as st

from epca.ui.frame import router
from epca.ui.parts import charts, downloads, results, sweeps
from epca.ui.parts.notices import warn_of_collapse
from epca.views import scripts, texts, tune

setup = router.enter()
view = tune.View(setup.scenario, results.prepare(setup), sweeps.pca_error(setup))


def show_now():
    """The numbers at the chosen σ and c, and the loss above the residuals they come from."""
    now = sweeps.present(setup, view)
    if now is None:
        return
    row, residuals = now
    if row["failure"]:
        st.error(texts.failure("EPCA", row))
        return
    sweeps.note_present(view, row)
    place = st.container(horizontal=True, gap="medium")
    for label, (number, meaning) in view.numbers(row).items():
        place.metric(label, number, width="content", help=meaning)
    if view.no_truth:
        st.caption(view.no_truth)
    st.caption(view.stop_text(row))
    warn_of_collapse(row)
    st.header("The σ-loss on these images")
    st.markdown(view.loss_text(residuals))
    charts.show(view.loss_figure(residuals), "loss")


def offer():
    """Downloads: all rows shown, and the script that computes them."""
    values = {"columns": list(sweeps.COLUMNS), "parts": view.grids()}
    code = downloads.script("Tune", scripts.TUNE, setup, **values)
    downloads.offer("tune", code, table=view.all_rows())


st.title("Tune σ and c")
st.markdown(
    "Curves marked **oracle** use the clean images, which a real user does not have; beside them "
    "is what to look at instead. A click on a point sets σ and c."
)
show_now()
st.header("σ sweep")
sweeps.show_sigma(setup, view)
st.header("Rank c")
sweeps.show_rank(setup, view)
st.header("σ × c map")
sweeps.show_map(setup, view)
st.header("Take away")
offer()
