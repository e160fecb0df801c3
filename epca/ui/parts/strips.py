"""Strips of faces: those that EPCA trusts most, each with a bar of its α, and least."""

from collections.abc import Callable, Sequence

import streamlit as st

from epca.ui.frame.selected import SELECTED
from epca.ui.parts import selection
from epca.ui.parts.gallery import clicked, gallery
from epca.views.activated import COLUMNS, View


def show_activated(
    view: View, selected: Sequence[int] = (), *, on_click: Callable[[str], None]
) -> None:
    """The activated images, largest α first, and how many there are at α = 0."""
    st.markdown(view.strip_text)
    _show(view, "trusted_most", view.strip, selected, on_click)


def show_least(view: View, count: int, *, on_click: Callable[[str], None]) -> None:
    """The images that fit worst."""
    st.markdown("**Trusted least**: largest residual first")
    _show(view, "trusted_least", view.least(count), (), on_click)


def _show(
    view: View,
    key: str,
    ids: list[int],
    selected: Sequence[int],
    on_click: Callable[[str], None],
) -> None:
    gallery(
        view.sheet(ids),
        view.strip_cells(ids, selected),
        label="Activated images" if key == "trusted_most" else "Images trusted least",
        shape=view.images.image_shape,
        columns=COLUMNS,
        key=key,
        on_click=lambda: on_click(key),
        is_strip=True,
    )


def toggle(key: str) -> None:
    """Select the clicked image, or take it back."""
    if (found := clicked(key)) is not None:
        selection.toggle([found])


def inspect(key: str) -> None:
    """Open the page Activated with the clicked image selected."""
    if (found := clicked(key)) is not None:
        st.session_state.update({SELECTED.key: [found], "_goto": "activated"})
