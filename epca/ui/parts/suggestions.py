"""Suggestions without a clean image: asked for by a button, made in the background, explained."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.ui.frame.controls import CONTROLS, parameter_setting
from epca.ui.frame.drawing import draw
from epca.ui.frame.settings import CHOSEN_METHODS, EXPONENTS, Setup, ranks_for
from epca.ui.jobs import bars
from epca.ui.parts import results
from epca.ui.parts.clickable import set_button, show_clickable
from epca.ui.parts.faces import show_faces
from epca.views.suggestion import (
    IDEA,
    QUESTIONS,
    VALIDATED,
    Advice,
    Looks,
    candidates,
    offer_text,
    regret_table,
    regret_text,
)
from epca.views.texts import epca_name
from epca.views.tune import View

LARGEST = 5.0  # height of a face, in units of the type


def show(setup: Setup, view: View) -> None:
    """What can be suggested, and the suggestion that is asked for."""
    with st.container(key="suggest_panel"):
        idea = st.empty()
        row = st.container(key="suggest_head", horizontal=True, vertical_alignment="center")
        control = CONTROLS["suggest"]
        question = draw(control, place=row, label_visibility="collapsed", on_change=_begin_again)
        for name in QUESTIONS:
            if name != question:
                bars.leave(QUESTIONS[name].title)
        if question is None:
            results.leave_estimate()
            idea.markdown(IDEA)
            st.markdown(offer_text(view, EXPONENTS, ranks_for(view.images).high))
            st.caption(regret_text("rank", epca_name(view.scenario.left_out)))
        else:
            _suggest(setup, view, question, row)


def _begin_again() -> None:
    for title in (results.ESTIMATE, *(question.title for question in QUESTIONS.values())):
        bars.begin_again(title)


def _suggest(setup: Setup, view: View, question: str, row: DeltaGenerator) -> None:
    """The suggestion, once it is ready; `row` is for the button that follows it."""
    found = results.estimate(setup)
    if found is None:
        return
    if found.estimate is None:
        st.warning(f"There is no suggestion: {found.reason}")
        return
    view.estimate = found.estimate
    view.asked = candidates(question, view, EXPONENTS, ranks_for(view.images).high)
    title = QUESTIONS[question].title
    suggestion = results.suggest(setup, title, *view.asked, found.estimate)
    if suggestion is None:
        view.asked = None  # the script has what the page shows
        return
    _show_advice(Advice(view, question, suggestion), row)


def _show_advice(advice: Advice, row: DeltaGenerator) -> None:
    """What is suggested and why, a button that follows it, and how far to trust it."""
    if not advice.is_made:
        st.warning(advice.text)
        return
    st.markdown(advice.text)
    with row:
        if advice.question == "method":
            _offer_method(advice)
        else:
            label = f"{advice.name} is set" if advice.is_set else f"Set {advice.name}"
            set_button(label, "follow", advice.settings, is_set=advice.is_set)
    if advice.warnings:
        st.warning(" ".join(advice.warnings))
    st.caption(regret_text(advice.question, epca_name(advice.view.scenario.left_out)))
    if advice.question == "method":
        st.table(advice.table)
    else:
        show_clickable(advice.view, advice.figure, "suggestion", fills=True)


def _offer_method(advice: Advice) -> None:
    """A button that opens Compare with the method among the others, as it was suggested."""
    label = advice.found.method
    chosen = st.session_state.get(CHOSEN_METHODS.key, CHOSEN_METHODS.default)
    values = {CHOSEN_METHODS.key: [*(name for name in chosen if name != label), label]}
    for name, share in advice.shares.items():
        setting = parameter_setting(label, name)
        values[setting.key] = setting.rule.nearest(share)
    st.button(
        f"Compare {label}",
        key="follow",
        on_click=st.session_state.update,
        args=(values | {"_goto": "compare"},),
        help="Opens the page Compare with this method beside the others.",
    )


def show_looks(view: View, place: DeltaGenerator) -> None:
    """The images that look occluded, some as given and as estimated; or why nobody knows them."""
    if view.no_estimate:
        place.caption(f"There is no estimated error: {view.no_estimate}")
    if view.estimate is None or view.estimate.refused:
        return
    looks = Looks(view.prepared, view.estimate)
    with place:
        st.markdown(looks.text)
        if len(looks.ids):
            show_faces(looks.stages, looks.ids, key="looks_faces", spare=0, largest=LARGEST)


def show_regrets(place: DeltaGenerator) -> None:
    """The table of regrets, on request."""
    words = place.expander("How often was this right?", key="regrets", on_change="rerun")
    if words.open:
        words.markdown(VALIDATED)
        words.table(regret_table(is_by_kind=False).set_index("choice of"))
        words.markdown("The estimate, by kind of occlusion:")
        words.table(regret_table(is_by_kind=True).set_index("choice of"))
