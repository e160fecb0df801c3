"""The images chosen on a page: one selection for all charts and galleries, carried by the link."""

from collections.abc import Callable, Sequence

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca import assets
from epca.data import ImageSet
from epca.ui.frame import links
from epca.ui.frame.drawing import draw
from epca.ui.frame.selected import CLEARED, MOST_SELECTED, SELECTED
from epca.ui.parts import charts
from epca.views.comparison import Comparison

_escape = st.components.v2.component("escape", js=assets.read(__package__, "escape.js"))


def toggle(ids: Sequence[int]) -> None:
    """One id toggles, several are added; for callbacks."""
    current = set(st.session_state.get(SELECTED.key, []))
    chosen = current ^ set(ids) if len(ids) == 1 else current | set(ids)
    st.session_state[SELECTED.key] = sorted(chosen)[:MOST_SELECTED]


def clear() -> None:
    """Select nothing; `restore` takes it back."""
    if selected := st.session_state.get(SELECTED.key):
        st.session_state.update({CLEARED: selected, SELECTED.key: []})


def restore() -> None:
    """Select what was cleared last."""
    st.session_state[SELECTED.key] = st.session_state.pop(CLEARED)


def read(images: ImageSet) -> list[int]:
    """The selected ids, for what stands above the control that shows them."""
    rule = SELECTED.rule_for(images)
    texts = st.query_params.get_all(SELECTED.key)
    if SELECTED.key in st.session_state and not links.is_turned_to():
        return rule.nearest(st.session_state[SELECTED.key])
    known = set(map(str, rule.values))
    return rule.read([text for text in texts if text in known])


def select(images: ImageSet) -> list[int]:
    """The control: the selected ids, and buttons that clear them and take that back."""
    row = st.container(key="selection", horizontal=True, vertical_alignment="bottom")
    selected = draw(
        SELECTED,
        images=images,
        place=row,
        max_selections=MOST_SELECTED,
        label_visibility="collapsed",
        placeholder="Select: click a dot or a face",
    )
    can_restore = not selected and bool(st.session_state.get(CLEARED))
    if can_restore:
        row.button("Select again", on_click=restore, help="Selects what was cleared.")
    else:
        row.button("Clear", on_click=clear, disabled=not selected, help="Selects nothing: Esc.")
    with links.carrier("escape"):
        _escape(key="escape", on_pressed_change=clear)
    return selected


def show_dots(
    result: Comparison,
    what: tuple,
    make: Callable[[], dict[str, go.Figure]],
    place: DeltaGenerator,
    *,
    fills: bool = False,
) -> dict[str, go.Figure]:
    """Charts of one dot per image beside each other; choosing in one chooses everywhere.

    what, make : see `charts.remember`
    """
    figures = charts.remember(result, ("dots", *what), make, fills=fills)
    for key, figure in figures.items():
        charts.show(
            figure,
            key,
            alt=f"{figure.layout.title.text}, one dot per image",
            on_select=lambda key=key: toggle(charts.chosen(key)),
            place=place,
            fills=fills,
        )
    return figures
