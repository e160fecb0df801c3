"""The inspector: a few images from clean to residual, and the numbers of each."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.parts import results
from epca.ui.parts.faces import show_remembered, table
from epca.views import activated


def show(view: activated.View, selected: Sequence[int]) -> bool:
    """The first selected images; where none is selected, the one that is trusted most.

    Returns whether they are reconstructed robustly.
    """
    shown = view.inspected_ids(selected)
    faces = st.container(gap="xsmall")
    st.table(
        results.remember(
            view.result, ("facts", *shown), lambda: activated.facts(view.table.iloc[shown])
        )
    )
    is_robust = draw(CONTROLS["robust"])  # last, so that in a small window all else is on screen
    if is_robust:
        st.caption(view.ignored_text(shown))
    with faces:
        _show_faces(view, selected, shown, is_robust)
    return is_robust


def _show_faces(
    view: activated.View, selected: Sequence[int], shown: list[int], is_robust: bool
) -> None:
    if not selected:
        st.caption(f"The most trusted image, {shown[0]}: none is selected.")
    elif len(selected) > len(shown):
        st.caption(f"The first {len(shown)} of {len(selected)}; all are in the table below.")

    def make() -> dict[str, Any]:
        stages = view.stage_names(is_robust)
        rows = view.inspected(shown, is_robust)
        label_width = 4.2
        if is_robust:  # two pictures more: a number has to do for a label
            rows = dict(zip(map(str, shown), rows.values(), strict=True))
            label_width = 2.2
        return table(rows, stages, spare=24, largest=5.2, label_width=label_width)

    show_remembered(view.result, ("inspected", is_robust, *shown), make, key="inspected")
