"""Images that come in: a visitor's file, or a set that scikit-learn downloads."""

from typing import Any

import streamlit as st

from epca.data import DataError, ImageSet, catalogue, load_dataset, read_bytes
from epca.ui.frame import images

MOST_PIXELS = 5_000_000  # of all images of an upload; a fit needs about five numbers for each
OWN_LIMIT = (
    f"The dashboard takes {MOST_PIXELS // 1024:,} images of 32 × 32 pixels. "
    "Give fewer, put the file into datasets/, or use the library."
)


def receive(file: Any, is_occluded: bool) -> None:
    """Read an upload and switch to it; if that fails, say why and stay with the former data."""
    key = (file.file_id, is_occluded)
    received, problem = st.session_state.get("_received", (None, ""))
    if received != key:
        try:
            found = _read(file, is_occluded)
        except DataError as error:
            problem = str(error)
            st.session_state["_received"] = (key, problem)
        else:
            images.receive_upload(found, file.name)
            st.session_state["_received"] = (key, "")
            st.rerun()
    if problem:
        st.error(problem)
        return
    count = len(images.uploaded().images)
    st.success(f"{count} images read; choose “your upload” in the sidebar to go back to them.")


def _read(file: Any, is_occluded: bool) -> ImageSet:
    found = read_bytes(file.name, file.getvalue(), size=32, is_occluded=is_occluded)
    if found.images.size > MOST_PIXELS:
        raise DataError(f"{file.name}: {len(found.images):,} images are too many. {OWN_LIMIT}")
    return found


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
