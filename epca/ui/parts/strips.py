"""Strips of faces: those that EPCA trusts most, each with a bar of its α, and least."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from epca.ui.frame.selected import SELECTED
from epca.ui.parts import gallery, results, selection
from epca.views.activated import COLUMNS, View


def show_activated(
    view: View, selected: Sequence[int] = (), *, on_click: Callable[[str], None]
) -> None:
    """The activated images, largest α first, and how many there are at α = 0."""
    text, data = results.remember(
        view.result,
        "trusted most",
        lambda: (view.strip_text, _lay_out(view, view.strip, "Activated images")),
    )
    st.markdown(text)
    cells = [cell | {"selected": cell["id"] in selected} for cell in data["cells"]]
    gallery.show(data | {"cells": cells}, "trusted_most", lambda: on_click("trusted_most"))


def show_least(view: View, count: int, *, on_click: Callable[[str], None]) -> None:
    """The images that fit worst."""
    st.markdown("**Trusted least**: largest residual first")
    data = results.remember(
        view.result,
        ("trusted least", count),
        lambda: _lay_out(view, view.least(count), "Images trusted least"),
    )
    gallery.show(data, "trusted_least", lambda: on_click("trusted_least"))


def _lay_out(view: View, ids: list[int], label: str) -> dict[str, Any]:
    """What is sent of a strip of these images, none of which is selected."""
    return gallery.lay_out(
        view.sheet(ids),
        view.strip_cells(ids),
        label=label,
        shape=view.images.image_shape,
        columns=COLUMNS,
        is_strip=True,
    )


def toggle(key: str) -> None:
    """Select the clicked image, or take it back."""
    if (found := gallery.clicked(key)) is not None:
        selection.toggle([found])


def inspect(key: str) -> None:
    """Open the page Activated with the clicked image selected."""
    if (found := gallery.clicked(key)) is not None:
        st.session_state.update({SELECTED.key: [found], "_goto": "activated"})
