"""Pinning: the present setting as A, beside which the next ones are shown as B."""

import streamlit as st

from epca.ui.frame import images, links, settings
from epca.ui.frame.settings import DATASET, SETTINGS, Setup

PINNED = "pinned"  # in the link and in the session
ANCHOR = "a-beside-b"  # where pages show it
SHOWN_ON = ("home", "activated", "compare")  # the stems of these pages
PINNED_TEXT = "Pinned as A. Change a setting: Home, Activated and Compare show A beside B."


def restore() -> Setup | None:
    """The Setup that this visitor pinned or the link has."""
    return links.carry(
        PINNED,
        lambda text: settings.unpin(text, images.load),
        lambda text, why: f"What was pinned cannot be shown. {links.quoted(PINNED, text)}: {why}",
    )


def pin() -> None:
    """Pin the present setting as A; for callbacks. Nothing is pinned before all of it is there."""
    rules = st.session_state["_drawn"]
    keys = (DATASET.key, *SETTINGS)
    if not all(key in st.session_state for key in keys):
        return
    texts = {key: rules[key].write(st.session_state[key])[0] for key in keys}
    st.session_state[PINNED] = settings.pin_text(texts)
    st.session_state["_toast"] = PINNED_TEXT


def unpin() -> None:
    """Pin nothing; for callbacks."""
    st.session_state[PINNED] = ""
