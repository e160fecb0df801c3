"""The sidebar: the experiment that all pages share, and nothing else."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.corruption import KINDS
from epca.data import DataError, ImageSet, catalogue
from epca.literal import literal
from epca.palette import VERMILION
from epca.ui.frame import arrival, delivery, links, pinning, settings, style
from epca.ui.frame import images as store
from epca.ui.frame.controls import defaults as control_defaults
from epca.ui.frame.drawing import draw
from epca.ui.frame.pinning import ANCHOR, PINNED, SHOWN_ON, pin
from epca.ui.frame.popovers import close, popover
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.rules import Among
from epca.ui.frame.selected import CLEARED
from epca.ui.frame.settings import CHOSEN_METHODS, DATASET, PROJECTOR, SETTINGS, Setup
from epca.views.loss import on_scale

SEED_WIDTH = 72
PRESET_LIST = "presets"  # the popover with them
GONE = (
    "The link shows an upload. Uploads stay in their owner's session, which ends when the page is "
    "reloaded: upload it again."
)


def show(*, is_hidden: bool) -> Setup:
    """Draw the controls; return the Setup.

    In projector mode all but the sliders fold into a popover, so that these stay on the screen.
    On a page without an experiment the style hides them, and the address carries its settings all
    the same. They stand where they stand on other pages: Streamlit removes a control from the
    address when it moves.
    """
    place = st.sidebar.container(key="experiment")
    few = place.container(key="few")
    sliders = place.container(key="sliders")
    more = place.popover("More settings") if style.is_projected() else place.container(key="more")
    carrier = links.carrier("experiment", place)
    waiting = st.container(key="waiting_images")  # for bars, so that the page stays in its place
    with waiting:
        images = _dataset(more if style.is_projected() else few, carrier)
    guard = more.container(key="guard")
    small = more.container(key="small", horizontal=True, wrap=False)
    values = {}
    for row in sorted(SETTINGS.values(), key=lambda row: row.key != "kind"):  # "pixels" asks for it
        where = sliders if row.control.endswith("slider") else guard
        if row.is_small:
            where = small
        options = {"images": images, "place": where, "carrier": carrier}
        values[row.key] = draw(row, **options, **_look(row.key, values))
    setup = settings.setup_of(values, images)._replace(pinned=pinning.restore())
    if not is_hidden:
        with waiting:
            _mark_residuals(setup, sliders)
        _shortcuts(more, is_pinned=setup.pinned is not None)
    return setup


def _look(key: str, values: dict[str, Any]) -> dict[str, Any]:
    """How the control of this setting looks beside the values of those before it."""
    if key == "seed":
        return {"width": SEED_WIDTH}
    if key == "pixels":
        return {"disabled": KINDS[values["kind"]].is_whole}
    return {}


def reset() -> None:
    """Set everything to its default; nothing is selected, nothing is pinned."""
    rows = (DATASET, CHOSEN_METHODS, PROJECTOR)
    shared = {row.key: row.default for row in rows}
    st.session_state.update(settings.defaults() | control_defaults() | shared | {PINNED: ""})
    st.session_state.pop(CLEARED, None)


def _shortcuts(place: DeltaGenerator, *, is_pinned: bool) -> None:
    row = place.container(key="shortcuts", horizontal=True, wrap=False, vertical_alignment="bottom")
    with row:
        presets = popover("Presets", PRESET_LIST)
    presets.caption("Sets all but the data set.")
    for key, preset in PRESETS.items():
        presets.button(
            preset.label,
            key=f"preset_{key}",
            on_click=_choose,
            args=(preset.values,),
            help=f"On the ORL faces: {preset.shows} ({preset.text})",
            width="stretch",
        )
    row.button("Reset", on_click=reset, help="All settings to their defaults.")
    row.button(
        "Pin A",
        on_click=pin,
        type="primary" if is_pinned else "secondary",
        help="Pins the present setting as A; Home, Activated and Compare show what you set next "
        "beside it as B. It is blue while A is pinned.",
    )
    if is_pinned and st.session_state["_stem"] in SHOWN_ON:
        place.caption(f"[See A beside B below](#{ANCHOR})")


def _choose(values: dict[str, Any]) -> None:
    st.session_state.update(values)
    close(PRESET_LIST)


def _dataset(place: DeltaGenerator, carrier: DeltaGenerator) -> ImageSet:
    """The chosen images; where they cannot be read, why, and the default ones."""
    delivery.read()
    entries, notices = catalogue()
    here = [name for name, entry in entries.items() if entry.is_available]
    names = [*here, *([store.UPLOAD] if store.uploaded() else [])]
    if "_switch_to" in st.session_state:
        st.session_state[DATASET.key] = st.session_state.pop("_switch_to")
        arrival.announce()
    if st.session_state.get(DATASET.key, DATASET.default) not in names:
        arrival.announce()  # it is gone, and others come in its place
    if store.UPLOAD not in names and st.query_params.get(DATASET.key) == store.UPLOAD:
        links.drop(DATASET.key, GONE)
    rule = Among(tuple(names), label=dataset_label)
    name = draw(DATASET, rule=rule, place=place, carrier=carrier, on_change=arrival.announce)
    if DATASET.default not in names:
        faces = entries[DATASET.default]
        notices = [f"The {faces.title} are not here: {faces.how_to_get}.", *notices]
    for notice in notices:
        place.warning(literal(notice))
    try:
        images = store.load(name, entries)
    except DataError as error:
        images = store.load_default()
        place.error(f"{literal(error)} Showing {images.name} instead.")
    arrival.receive(images)
    return images


def dataset_label(name: str) -> str:
    return "your upload" if name == store.UPLOAD else name


def _mark_residuals(setup: Setup, place: DeltaGenerator) -> None:
    """Right under σ: a line where most residuals of PCA at this rank lie on σ's scale."""
    ends = store.typical_residuals(setup.scenario, setup.images)
    if ends is None:
        return
    text, left, right = on_scale(ends, settings.EXPONENTS)
    place.html(
        f'<div class="track" role="img" aria-label="{text}" title="{text}">'
        f'<div style="left: {left:.1f}%; width: {max(right - left, 1):.1f}%; '
        f'background: {VERMILION};"></div></div>'
    )
