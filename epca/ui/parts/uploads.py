"""Images that come in: a visitor's files, or a set that scikit-learn downloads."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from epca.data import ACCEPTED, LIMITS, DataError, ImageSet, catalogue, load_dataset, read_files
from epca.data.imageset import readable
from epca.ui.frame import images
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.settings import DATASET

MOST_PIXELS = 5_000_000  # of all images of an upload; a fit needs about five numbers for each
COME_OCCLUDED = "upload_occluded"  # key of the switch
SIZE = "upload_size"  # key of the size
LOOSE = "your-pictures"  # what a script calls the folder of loose pictures


def own_limit(size: int) -> str:
    """How many images the dashboard takes, and what to do with more."""
    return (
        f"The dashboard takes {MOST_PIXELS // size**2:,} images of {size} × {size} pixels. "
        "Give fewer or choose a smaller size, put the file into datasets/, or use the library."
    )


def show(notices: Sequence[str]) -> None:
    """The zone that takes files, how they are read, their limits, and what came of the last.

    notices : what was changed in the images at work as they were read
    """
    row = st.container(key="upload_row", horizontal=True, vertical_alignment="center")
    _show_zone(row.container(key="upload_zone"))
    draw(CONTROLS[SIZE], place=row, required=True, width="content", on_change=_read_again)
    draw(CONTROLS[COME_OCCLUDED], place=row, width="content", on_change=_read_again)
    with row.popover("Limits", width="content"):
        st.markdown(f"{ACCEPTED}\n\n{LIMITS}\n\n{own_limit(st.session_state[SIZE])}")
    _say_outcome(notices)


def _show_zone(place: DeltaGenerator) -> None:
    """An empty zone after each delivery: what is dropped next is a set of its own."""
    st.session_state.setdefault("_deliveries", 0)
    key = _zone_key()
    place.file_uploader(
        "Your images: pictures, or a zip, .npz, .npy or .mat",
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
    """Take the files that were dropped, and read them.

    A browser may send the state of an emptied zone once more.
    """
    files = st.session_state[key]
    if not files or key != _zone_key():
        return
    _forget(st.session_state.pop("_refused", []))
    st.session_state["_deliveries"] += 1
    _read(files)


def _forget(files: list[UploadedFile]) -> None:
    """Free the files of a former delivery, which Streamlit would hold until the session ends."""
    context = get_script_run_ctx()
    for file in files:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def _read_again() -> None:
    """Read as the controls now say: the delivery that is shown, else one that was just refused."""
    state = st.session_state
    is_shown = state.get(DATASET.key) == images.UPLOAD
    files = state.get("_delivery") if is_shown else state.get("_refused")
    if files:
        _read(files)


def _read(files: list[UploadedFile]) -> None:
    """Read files and switch to them; if that fails, say why and stay with the former data."""
    state = st.session_state
    contents = [(file.name, file.getvalue()) for file in files]
    try:
        found = _checked(contents, state[SIZE], state[COME_OCCLUDED])
    except DataError as error:
        state["_outcome"] = (False, str(error))
        state["_refused"] = files
        return
    if files is not state.get("_delivery"):
        _forget(state.get("_delivery", []))
    state["_delivery"] = files
    state.pop("_refused", None)
    is_one = len(files) == 1
    images.receive_upload(found, contents[0][0] if is_one else LOOSE, state[SIZE])
    text = f"{found.name}: {len(found.images)} images read."
    state["_outcome"] = (True, f"{text} Choose “your upload” in the sidebar to go back to them.")


def _checked(files: list[tuple[str, bytes]], size: int, is_occluded: bool) -> ImageSet:
    """The images under their file's full name, so that no known set is called like them."""
    found = read_files(files, size=size, is_occluded=is_occluded)
    name = files[0][0] if len(files) == 1 else f"{len(found.images)} pictures"
    if found.images.size > MOST_PIXELS:
        count = f"{len(found.images):,} images"
        raise DataError(f"{name[-80:]}: {count} are too many. {own_limit(size)}")
    return replace(found, name=readable(name[-80:]))


def _say_outcome(notices: Sequence[str]) -> None:
    is_good, text = st.session_state.get("_outcome", (True, ""))
    if not is_good:
        st.error(text)
        text = ""
    if said := " ".join(filter(None, [text, *notices])):
        st.caption(said)


def offer_downloads() -> None:
    """A button for each set that scikit-learn can fetch; only pressing it fetches anything."""
    for entry in catalogue()[0].values():
        if entry.load is not None and not entry.is_here:
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
        with st.spinner(f"Downloading {name} …", show_time=True):
            load_dataset(name, download=True)
    except DataError as error:
        st.error(str(error))
    else:
        st.session_state["_switch_to"] = name
        st.rerun()
