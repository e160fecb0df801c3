"""What a teacher shows of a page: its name and everything that is set, as far as others see it."""

from copy import deepcopy
from typing import Any

import streamlit as st

from epca.classroom.room import View
from epca.ui.frame import controls, lesson, settings
from epca.ui.frame.lesson import LESSON, STEP, VISITS
from epca.ui.frame.pinning import PINNED

OWN = {"upload_size", "upload_occluded", "upload_unknown", "teacher"}  # what nobody else takes over


def defaults() -> dict[str, Any]:
    """Of everything that a teacher shows, by key."""
    shared = {row.key: row.default for row in (*lesson.SHARED, LESSON, STEP)}
    every = settings.defaults() | controls.defaults() | shared | {PINNED: "", VISITS: 0}
    return {key: value for key, value in every.items() if key not in OWN}


def values() -> dict[str, Any]:
    """Of everything that a teacher shows, as far as it is set here."""
    state = st.session_state
    return {key: deepcopy(state[key]) for key in defaults() if key in state}


def here() -> tuple[str, dict[str, Any]]:
    """The page, and everything that a teacher shows as it is set here."""
    state = st.session_state
    return state["_stem"], {key: state.get(key, value) for key, value in defaults().items()}


def take_over(view: View | None) -> None:
    """Set what the teacher shows.

    Controls that this session has never drawn get no value: they start at their default.
    """
    if view is None or view.is_private:
        return
    state = st.session_state
    untouched = defaults()
    wanted = (untouched | deepcopy(view.values)).items()
    state.update({key: value for key, value in wanted if key in state or value != untouched[key]})
    state["_goto"] = view.page


def drop_link() -> None:
    """Begin again without what a new visitor's link sets: controls would prefer it."""
    query = st.query_params
    given = [key for key in defaults() if key in query and key not in st.session_state]
    for key in given:
        del query[key]
    if given:
        st.rerun()
