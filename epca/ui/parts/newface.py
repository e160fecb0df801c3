"""A new face through the fitted model: one left out of the fit, or one of the visitor's own."""

from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from epca import tasks
from epca.data import DataError
from epca.literal import literal
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.rules import Whole
from epca.ui.frame.settings import Setup
from epca.ui.jobs import bars
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.request import Request
from epca.ui.jobs.server import private_cache
from epca.ui.parts import results
from epca.ui.parts.faces import show_faces
from epca.views import pictures
from epca.views.activated import View, verdict_text

OWN = "PNG, JPEG, PGM/PPM, BMP, TIFF or GIF. It stays in your session."


class Trial(NamedTuple):
    """A face (d,), its name, and the model that it is new to."""

    face: np.ndarray
    name: str
    model: Any


def show(setup: Setup, view: View) -> None:
    """The section “Try a new face”; nothing is computed before it is asked for."""
    if not draw(CONTROLS["try"]):
        return
    is_own = draw(CONTROLS["face"], horizontal=True) == "own"
    trial = _own(view) if is_own else _left_out(setup, view)
    if trial is None:
        return
    face = trial.face[np.newaxis]
    model = trial.model
    show_faces(
        pictures.stages(face, model, view.images), [trial.name], key="new_face", spare=22, largest=5
    )
    st.markdown(verdict_text(face, model))


def _left_out(setup: Setup, view: View) -> Trial | None:
    """EPCA fitted to all images but one, and that one."""
    X = view.prepared.occluded.X
    i = draw(CONTROLS["out"], rule=Whole(0, len(X) - 1))
    highest = len(X) - 2
    if setup.scenario.n_components > highest:
        st.info(f"Without one image c can be at most {highest}; lower it in the sidebar.")
        return None
    model = results.fit_without(setup, i)
    return None if model is None else Trial(X[i], str(i), model)


def _own(view: View) -> Trial | None:
    """The visitor's picture, and the fit of the page."""
    height, width = view.images.image_shape
    label = f"A picture; it is made grey and stretched to {width} × {height} pixels"
    file = st.file_uploader(label, key="own_face", help=OWN)
    if file is None:
        return None
    try:
        face = _read(file, (height, width))
    except DataError as error:
        st.error(literal(error))
        return None
    return Trial(face.ravel().astype(float), "uploaded", view.model)


def _read(file: UploadedFile, shape: tuple[int, int]) -> np.ndarray:
    """The visitor's picture as grey levels of this shape; DataError says why there is none."""
    arguments = (file.name, Keyed(file.file_id, file.getvalue()), shape)
    options = {"cache": private_cache(), "is_here": True}
    return bars.demand(Request("Reading", tasks.read_picture, *arguments, **options))
