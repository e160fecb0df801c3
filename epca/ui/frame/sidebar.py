"""The sidebar: the experiment that all pages share."""

import numpy as np
import streamlit as st

from epca.data import DataError, ImageSet, catalogue
from epca.palette import VERMILION
from epca.ui.frame import images as store
from epca.ui.frame import settings
from epca.ui.frame.controls import defaults as control_defaults
from epca.ui.frame.drawing import draw
from epca.ui.frame.pinning import PINNED, pin
from epca.ui.frame.rules import Among
from epca.ui.frame.settings import CHOSEN_METHODS, DATASET, PRESETS, PROJECTOR, SETTINGS, Setup


def show() -> Setup:
    """Show the controls; return the Setup."""
    st.sidebar.header("Experiment")
    _shortcuts()
    images = _dataset()
    values = {}
    for row in SETTINGS.values():
        values[row.key] = draw(row, images=images, place=st.sidebar)
    setup = settings.setup_of(values, images)
    _mark_residuals(setup)
    methods = draw(CHOSEN_METHODS, place=st.sidebar)
    draw(PROJECTOR, place=st.sidebar)
    return setup._replace(methods=tuple(methods))


def apply(changes: dict) -> None:
    """Set the sidebar to the defaults with these changes; for callbacks.

    The data set stays unless it is among them.
    """
    st.session_state.update(settings.defaults() | changes)


def reset() -> None:
    """Set everything to its default; nothing is selected, nothing is pinned."""
    rows = (DATASET, CHOSEN_METHODS, PROJECTOR)
    apply(control_defaults() | {row.key: row.default for row in rows} | {PINNED: ""})


def _preset() -> None:
    apply(PRESETS[st.session_state["_preset"]].changes)
    st.session_state["_preset"] = None


def _shortcuts() -> None:
    st.sidebar.selectbox(
        "Preset",
        list(PRESETS),
        index=None,
        key="_preset",
        on_change=_preset,
        format_func=lambda key: PRESETS[key].label,
        placeholder="several settings at once",
        help="Sets occlusion, c and σ; the data set stays.",
    )
    row = st.sidebar.container(horizontal=True)
    row.button("Reset", on_click=reset, help="All settings to their defaults.")
    row.button(
        "Pin as A",
        on_click=pin,
        help="Pins the present setting as A; what you set next is shown beside it as B.",
    )


def _dataset() -> ImageSet:
    """The chosen images; where they cannot be read, why, and the default ones."""
    entries, notices = catalogue()
    names = [*entries, *([store.UPLOAD] if store.uploaded() else [])]
    if "_switch_to" in st.session_state:
        st.session_state[DATASET.key] = st.session_state.pop("_switch_to")
    rule = Among(tuple(names), label=dataset_label)
    name = draw(DATASET, rule=rule, place=st.sidebar)
    for notice in notices:
        st.sidebar.warning(notice)
    try:
        return store.load(name)
    except DataError as error:
        entry = entries.get(name)
        why = str(error)
        if entry is not None and entry.load is not None and not entry.is_here:
            why = f"{name} is not here; the page Data has a button that downloads it."
        st.sidebar.error(f"{why} Showing {DATASET.default} instead.")
        return store.load(DATASET.default)


def dataset_label(name: str) -> str:
    return "your upload" if name == store.UPLOAD else name


def _mark_residuals(setup: Setup) -> None:
    """Under σ: where the residuals of PCA at this rank lie on σ's scale."""
    exponents = settings.EXPONENTS
    prepared = store.prepare(setup.scenario, setup.images)
    _, residuals = prepared.reduction.classical(setup.scenario.n_components)
    ends = np.maximum(np.quantile(residuals, [0.1, 0.9]), 2.0 ** exponents[0])
    low, high = np.log2(ends)
    span = exponents[-1] - exponents[0]
    left, right = 100 * np.clip((np.array([low, high]) - exponents[0]) / span, 0, 1)
    st.sidebar.html(
        f'<div class="track" role="img" '
        f'aria-label="Most residuals of PCA lie from 2^{low:.1f} to 2^{high:.1f}">'
        f'<div style="left: {left:.1f}%; width: {max(right - left, 1):.1f}%; '
        f'background: {VERMILION};"></div></div>'
    )
    st.sidebar.caption(f"Orange: most of PCA's residuals here, 2^{low:.1f} to 2^{high:.1f}")
