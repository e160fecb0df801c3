"""The inspector: a few images from clean to residual, and the numbers of each."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.settings import Setup
from epca.ui.parts import results
from epca.ui.parts.faces import show_remembered, table
from epca.views import activated, texts
from epca.views.inspected import Inspected, Judge


def show(setup: Setup, view: activated.View, selected: Sequence[int]) -> Inspected:
    """The first selected images; where none is selected, the one that is trusted most."""
    ids = view.inspected_ids(selected)
    faces = st.container(gap="xsmall")
    st.table(
        results.remember(
            view.result, ("facts", *ids), lambda: activated.facts(view.table.iloc[ids])
        )
    )
    # last, so that in a small window all else is on screen
    is_robust = draw(CONTROLS["robust"])
    label = draw(CONTROLS["judge"], place=st.container(key="judged"))
    found = Inspected(view, ids, is_robust)
    with faces:
        _say_which(selected, ids)
        place = st.empty()
    if label is not None:
        if results.fit_request(setup, label).peek() is None:
            with place:  # until the fit is ready; with a key of its own, as it is one run
                _show_faces(found, key="inspected_before")
        found = found._replace(judge=_judge(setup, label))
    with place:
        _show_faces(found)
    for text in found.texts:
        st.caption(text)
    return found


def _judge(setup: Setup, label: str) -> Judge | None:
    """The method with this label, fitted; None where that failed or was cancelled."""
    fit = results.fit(setup, label)
    if fit is None:
        return None
    if fit.model is None:
        st.error(texts.failure(label, fit.row))
        return None
    return Judge(label, fit.model)


def _say_which(selected: Sequence[int], ids: list[int]) -> None:
    if not selected:
        st.caption(f"The most trusted image, {ids[0]}: none is selected.")
    elif len(selected) > len(ids):
        st.caption(f"The first {len(ids)} of {len(selected)}; all are in the table below.")


def _show_faces(found: Inspected, key: str = "inspected") -> None:
    def make() -> dict[str, Any]:
        rows = found.rows
        label_width = 4.2
        if len(found.heads) > 4:  # further pictures: a number has to do for a label
            rows = dict(zip(map(str, found.ids), rows.values(), strict=True))
            label_width = 2.2
        return table(rows, found.heads, spare=24, largest=5.2, label_width=label_width)

    show_remembered(found.view.result, ("inspected", *found.what), make, key=key)
