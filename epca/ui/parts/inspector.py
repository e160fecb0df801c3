"""The inspector: a few images from clean to residual, and the numbers of each."""

from collections.abc import Sequence

import streamlit as st

from epca.ui.parts.faces import show_faces
from epca.views import activated


def show(view: activated.View, selected: Sequence[int]) -> None:
    """The first selected images; where none is selected, the one that is trusted most."""
    shown = list(selected[: activated.INSPECTED]) or view.default
    if not selected:
        st.caption(f"The most trusted image, {shown[0]}: none is selected.")
    elif len(selected) > len(shown):
        st.caption(f"The first {len(shown)} of {len(selected)}; all are in the table below.")
    stages = view.stage_names
    sizes = {"spare": 24, "largest": 5.2, "label_width": 4.2}
    show_faces(view.inspected(shown), stages, key="inspected", **sizes)
    st.table(activated.facts(view.table.iloc[shown]))
