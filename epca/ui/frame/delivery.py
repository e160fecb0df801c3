"""A visitor's files on their way to images: read in a process of their own, in the line.

What comes at once is one delivery. It is read before the page is drawn, so that an action of the
visitor, which ends the waiting, does not lose it: the next run goes on.
"""

import logging
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from epca import tasks
from epca.data import DataError, ImageSet
from epca.data.imageset import readable
from epca.ui.frame import images, pinning, settings, visitors
from epca.ui.frame.settings import DATASET
from epca.ui.jobs import bars
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.request import Request
from epca.ui.jobs.server import private_cache

MOST_PIXELS = 15_000_000  # of all images of an upload; the server takes ten bytes for each
COME_OCCLUDED = "upload_occluded"  # key of the switch
SIZE = "upload_size"  # key of the size
UNKNOWN = "upload_unknown"  # key of what means an unknown pixel
LOOSE = "your-pictures"  # what a script calls the folder of loose pictures


def own_limit(size: int) -> str:
    """How many images the dashboard takes, and what to do with more."""
    return (
        f"The dashboard takes {MOST_PIXELS // size**2:,} images of {size} × {size} pixels. "
        "Give fewer or choose a smaller size, put the file into datasets/, or use the library."
    )


def receive(files: list[UploadedFile]) -> None:
    """Have these files read as the page's controls say; for callbacks."""
    state = st.session_state
    _forget(state.pop("_refused", []))
    former, *_ = state.get("_arriving", ([],))
    if former is not state.get("_delivery"):
        _forget(former)
    if visitors.bring(*files):
        state["_arriving"] = (files, _options())
    else:
        _forget(files)
        _refuse([], visitors.CROWDED)


def read_again() -> None:
    """Read as the controls now say: the delivery that is shown, else one that was just refused."""
    state = st.session_state
    is_shown = state.get(DATASET.key) == images.UPLOAD
    files = state.get("_delivery") if is_shown else state.get("_refused")
    if files:
        state["_arriving"] = (files, _options())


def _options() -> dict[str, Any]:
    """How the controls say that files are to be read."""
    keys = {"size": SIZE, "is_occluded": COME_OCCLUDED, "unknown": UNKNOWN}
    return {name: st.session_state[key] for name, key in keys.items()}


def read() -> None:
    """Read what is arriving and switch to it; if that fails, stay with the former data.

    `outcome` says what came of it.
    """
    state = st.session_state
    if "_arriving" not in state:
        return
    files, options = state["_arriving"]
    try:
        found = _read(files, options)
    except DataError as error:
        _refuse(files, str(error))
    except Exception as error:  # else every page would read, and fail, again and again
        logging.getLogger(__name__).exception("Files could not be read")
        _refuse(files, f"Reading failed: {bars.reason(error)} Give the files again, or fewer.")
    else:
        _accept(files, found, options)
    del state["_arriving"]


def outcome() -> tuple[bool, str]:
    """Whether the last delivery could be read, and what to say of it."""
    return st.session_state.get("_outcome", (True, ""))


def _refuse(files: list[UploadedFile], reason: str) -> None:
    st.session_state["_outcome"] = (False, reason)
    st.session_state["_refused"] = files


def _accept(files: list[UploadedFile], found: ImageSet, options: dict[str, Any]) -> None:
    state = st.session_state
    notice = ""
    if files is not state.get("_delivery"):
        _forget(state.get("_delivery", []))
        notice = _unpin_former()
    state["_delivery"] = files
    state.pop("_refused", None)
    is_one = len(files) == 1
    choices = {name: options[name] for name in ("size", "unknown")}  # the images have the rest
    images.receive_upload(found, files[0].name if is_one else LOOSE, choices)
    state["_outcome"] = (True, f"{found.name}: {len(found.images)} images read.{notice}")


def _unpin_former() -> str:
    """Unpin a setting of the former upload, which is gone; what to say of it, if anything."""
    if not settings.is_of(st.session_state.get(pinning.PINNED, ""), images.UPLOAD):
        return ""
    pinning.unpin()
    return " What was pinned as A was of your former upload, so nothing is pinned now."


def _read(files: list[UploadedFile], how: dict[str, Any]) -> ImageSet:
    """The images, named after the whole file name: none can be mistaken for a known set."""
    ids = tuple(file.file_id for file in files)
    contents = Keyed(ids, [(file.name, file.getvalue()) for file in files])
    choices = Keyed(tuple(how.items()), how)
    options = {"cache": private_cache(), "is_cachable": lambda _: False}  # the session keeps them
    arguments = (contents, choices)
    found = bars.demand(Request("Reading", tasks.read_upload, *arguments, is_here=True, **options))
    name = files[0].name if len(files) == 1 else f"{len(found.images)} pictures"
    if found.images.size > MOST_PIXELS:
        count = f"{len(found.images):,} images"
        raise DataError(f"{name[-80:]}: {count} are too many. {own_limit(how['size'])}")
    found = replace(found, name=readable(name[-80:]))
    if not visitors.bring(found):
        raise DataError(visitors.CROWDED)
    return found


def _forget(files: list[UploadedFile]) -> None:
    """Free the files of a former delivery, which Streamlit would hold until the session ends."""
    context = get_script_run_ctx()
    for file in files:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
