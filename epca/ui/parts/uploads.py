"""Images that come in: a visitor's files, or a set that scikit-learn downloads."""

import os
from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.data import ACCEPTED, LIMITS, DataError, catalogue, confined, endings, load_dataset
from epca.data.imageset import MASKS
from epca.data.masks import RULE
from epca.literal import literal
from epca.ui.frame import delivery, images
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.settings import DATASET
from epca.ui.jobs.gate import GATE

GO_BACK = "Choose “your upload” in the sidebar to go back to your images."
DOWNLOADS = "EPCA_DOWNLOADS"  # set in the environment where visitors may download sets


def show(title: str, notices: Sequence[str]) -> None:
    """The zone that takes files, how they are read, their limits, and what came of the last.

    title : what the images at work are called
    notices : what was changed in them as they were read
    """
    confined.warm_up()
    row = st.container(key="upload_row", horizontal=True, vertical_alignment="center")
    _show_zone(row.container(key="upload_zone"))
    options = {"place": row, "width": "content", "on_change": delivery.read_again}
    draw(CONTROLS[delivery.SIZE], required=True, **options)
    draw(CONTROLS[delivery.COME_OCCLUDED], **options)
    draw(CONTROLS[delivery.UNKNOWN], **options | {"width": 130})
    own_limit = delivery.own_limit(st.session_state[delivery.SIZE])
    with row.popover("Limits", width="content"):
        st.markdown(f"{ACCEPTED}\n\n{LIMITS}\n\n{own_limit}")
    if st.session_state[delivery.UNKNOWN] == MASKS:
        st.caption(RULE)
    _say_outcome(title, notices)


def _show_zone(place: DeltaGenerator) -> None:
    """An empty zone after each delivery: what is dropped next is a set of its own."""
    st.session_state.setdefault("_deliveries", 0)
    key = _zone_key()
    *others, last = endings()
    place.file_uploader(
        f"Your images: pictures, or {', '.join(others)} or {last}",
        key=key,
        accept_multiple_files=True,
        on_change=_receive,
        args=(key,),
        help="What comes at once is one set. Colours become grey levels. Your images stay in your "
        "session: nobody else sees them.",
    )


def _zone_key() -> str:
    return f"{st.session_state['_deliveries']}-upload"


def _receive(key: str) -> None:
    """Take the files that were dropped.

    A browser may send the state of an emptied zone once more.
    """
    files = st.session_state[key]
    if not files or key != _zone_key():
        return
    st.session_state["_deliveries"] += 1
    delivery.receive(files)


def _say_outcome(title: str, notices: Sequence[str]) -> None:
    """What came of the last delivery, and the notices of the images at work.

    Notices begin with the set's title where they could be mistaken for another set's.
    """
    is_good, text = delivery.outcome()
    is_theirs = is_good and st.session_state[DATASET.key] == images.UPLOAD
    if not is_good:
        st.error(literal(text))
    elif text and not is_theirs:
        text += f" {GO_BACK}"
    whose = f"“{title}”, shown below:" if text and notices and not is_theirs else ""
    if said := " ".join(filter(None, [text if is_good else "", whose, *notices])):
        st.caption(literal(said))


def offer_downloads() -> None:
    """A button for each set that scikit-learn can fetch; only pressing it fetches anything.

    They are stored on the server, so its owner must have allowed it (`epca app --downloads`).
    """
    if not os.environ.get(DOWNLOADS):
        return
    for entry in catalogue()[0].values():
        if entry.load is not None and not entry.is_available:
            st.button(
                f"Download {entry.title}",
                key=f"download_{entry.name}",
                on_click=st.session_state.update,
                args=({"_download": entry.name},),
                help="Needs a network; scikit-learn stores the set on the server.",
            )
    name = st.session_state.pop("_download", None)
    if name is None:
        return
    try:
        with st.spinner(f"Downloading {name} …", show_time=True), GATE.left():
            load_dataset(name, download=True)
    except DataError as error:
        st.error(literal(error))
    else:
        st.session_state["_switch_to"] = name
        st.rerun()
