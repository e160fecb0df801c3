"""The first line of every page: its title, its sentence, projector mode, glossary and export."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.settings import PROJECTOR
from epca.views import glossary


class Head(NamedTuple):
    """Places in the line that the page fills later."""

    sentence: DeltaGenerator
    export: DeltaGenerator  # of the menu that a page with a result has


def head(title: str, sentence: str = "") -> Head:
    """Show the line; return its places."""
    row = st.container(key="head", horizontal=True, vertical_alignment="center")
    row.title(title, anchor=False, width="content")
    place = row.container(key="sentence").empty()
    if sentence:
        place.markdown(sentence)
    draw(PROJECTOR, place=row)
    with row.container(key="words", width="content"):
        _show_glossary()
    return Head(place, row.container(key="export", width="content"))


@fragment
def _show_glossary() -> None:
    """The glossary in a popover: only opening it makes the table."""
    words = st.popover("Glossary", key="glossary_popover", on_change="rerun")
    if words.open:
        words.table(glossary.table())
