"""The first line of every page: its title, its sentence, projector mode and the glossary."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.settings import PROJECTOR
from epca.views import glossary


def head(title: str, sentence: str = "") -> DeltaGenerator:
    """Show the line; return the place of its sentence, for pages that know it only later."""
    row = st.container(key="head", horizontal=True, vertical_alignment="center")
    row.title(title, anchor=False, width="content")
    place = row.container(key="sentence").empty()
    if sentence:
        place.markdown(sentence)
    draw(PROJECTOR, place=row)
    with row.container(key="words", width="content"):
        _show_glossary()
    return place


@fragment
def _show_glossary() -> None:
    """The glossary in a popover: only opening it makes the table."""
    words = st.popover("Glossary", key="glossary_popover", on_change="rerun")
    if words.open:
        words.table(glossary.table())
