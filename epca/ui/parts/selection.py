"""The images chosen on a page: one selection for all charts and galleries, carried by the link."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.data import ImageSet
from epca.ui.frame.controls import MOST_SELECTED, SELECTED
from epca.ui.frame.drawing import draw
from epca.ui.parts import charts


def toggle(ids: Sequence[int]) -> None:
    """One id toggles, several are added; for callbacks."""
    current = set(st.session_state.get(SELECTED.key, []))
    chosen = current ^ set(ids) if len(ids) == 1 else current | set(ids)
    st.session_state[SELECTED.key] = sorted(chosen)[:MOST_SELECTED]


def clear() -> None:
    st.session_state[SELECTED.key] = []


def select(images: ImageSet) -> list[int]:
    """The control at the head of linked views: the selected ids, and a button that clears them."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    selected = draw(
        SELECTED,
        images=images,
        place=row,
        max_selections=MOST_SELECTED,
        placeholder="Click a dot or a picture of the gallery, or type a number",
    )
    row.button("Clear", shortcut="Esc", on_click=clear, help="Selects nothing.")
    return selected


def show_dots(figures: dict[str, go.Figure], place: DeltaGenerator) -> None:
    """Charts of one dot per image beside each other; choosing in one chooses everywhere."""
    for key, figure in figures.items():
        charts.show(
            figure,
            key,
            alt=f"{figure.layout.title.text}, one dot per image",
            on_select=lambda key=key: toggle(charts.chosen(key)),
            place=place,
        )
