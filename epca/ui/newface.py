"""A new face through the fitted model: one left out of the fit, or one of the visitor's own."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from epca import metrics
from epca.data import DataError, read_picture
from epca.linalg import reduce_to_span
from epca.ui import activated, experiment, store, work

SOURCES = ("one left out of the fit", "one of yours")
WHICH = "One of the data set, the model being fitted to all others, or a picture of yours through the model of this page."
OWN = "PNG, JPEG, PGM/PPM, BMP, TIFF or GIF. It stays in your session."


class Verdict(NamedTuple):
    """What a model says of a face it was not fitted to."""

    residual: float
    larger_than: float  # share of the fitted samples with a smaller residual
    kind: str  # of the outlier map


def judge(model, X, face):
    """Place a face (d,) among the samples X (n, d) that the model was fitted to."""
    residuals, scores = model.residuals(X), model.transform(X)
    fitted = metrics.outlier_map(scores, residuals, model.sample_weight_)
    residual = float(model.residuals(face[np.newaxis])[0])
    everyone = np.vstack([scores, model.transform(face[np.newaxis])])
    placed = metrics.outlier_map(
        everyone, np.append(residuals, residual), np.append(model.sample_weight_, 0)
    )
    return Verdict(
        residual,
        float(np.mean(residuals < residual)),
        fitted.quadrant(placed.score_distance[-1], residual),
    )


def show(setup, view):
    """The section “Try a new face”; nothing is computed before it is asked for."""
    if not st.toggle(
        "Try a new face",
        key="try",
        bind="query-params",
        help="Sends a face through a model that never saw it.",
    ):
        return
    source = st.radio(
        "Which face?", SOURCES, horizontal=True, key="face", bind="query-params", help=WHICH
    )
    chosen = _left_out(setup, view) if source == SOURCES[0] else _own(setup, view)
    if chosen is None:
        return
    model, X, face, name = chosen
    verdict = judge(model, X, face)
    experiment.show_rows(activated.stages(face[np.newaxis], model, setup.images), [name])
    st.markdown(
        f"Its residual is {verdict.residual:.4g}, larger than that of {verdict.larger_than:.0%} of the {len(X)} images fitted. "
        f"In the outlier map it is: **{verdict.kind}**."
    )


def _left_out(setup, view):
    """EPCA fitted to all images but one, and that one."""
    X = view.prepared.occluded.X
    i = st.number_input(
        "Image left out",
        0,
        len(X) - 1,
        key="out",
        bind="query-params",
        help="The others are fitted anew.",
    )
    if setup.scenario.n_components > len(X) - 2:
        st.info(f"Without one image c can be at most {len(X) - 2}; lower it in the sidebar.")
        return None
    others = np.delete(X, i, axis=0)
    task = (setup.images.digest, setup.scenario, i)
    model = work.run(
        task, f"Fitting EPCA without image {i}", _kept, setup.images, setup.scenario, i, others
    )
    return None if model is None else (model, others, X[i], str(i))


def _fit_without(digest, scenario, left_out, _others, _progress, _images):
    with _progress.turn():
        return scenario.model("EPCA").fit_reduced(reduce_to_span(_others), _progress.tick)


_kept = store.cached(_fit_without, shared=16, private=4)


def _own(setup, view):
    """The fit of the page, and the visitor's picture."""
    height, width = setup.images.image_shape
    file = st.file_uploader(
        f"A picture; it is made grey and stretched to {width} × {height} pixels",
        key="own_face",
        help=OWN,
    )
    if file is None:
        return None
    try:
        face = read_picture(file.name, file.getvalue(), (height, width))
    except DataError as error:
        st.error(str(error))
        return None
    return view.model, view.prepared.occluded.X, face.ravel().astype(float), "uploaded"
