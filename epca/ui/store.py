"""What is kept between runs of a page: images and prepared data for everybody, uploads for their owner's session alone."""

from functools import wraps

import numpy as np
import streamlit as st

from epca import experiment
from epca.data import DataError, catalogue, load_dataset, stamp
from epca.experiment import Scenario
from epca.ui import memory

LARGE, FEWER = (
    2_000_000,
    8,
)  # pixels of a set from which on so many times fewer results of it are kept
UPLOAD = "your upload"


def uploaded():
    """The images this visitor uploaded, or None."""
    return st.session_state.get("_upload")


def upload_name():
    """The name of the file it came in."""
    return st.session_state["_upload_name"]


def keep_upload(images, name):
    st.session_state.update(_upload=images, _upload_name=name)


def load(name):
    """The images of a data set, or the upload."""
    if name != UPLOAD:
        entry = catalogue()[0].get(name)
        if entry is None:  # a path would be read, but a link must not reach the server's files
            raise DataError(f"{name!r} is not in the catalogue; choose a data set that is.")
        return _load(name, stamp(entry))
    if uploaded() is None:
        raise DataError("it was an upload, and uploads stay in their owner's session.")
    return uploaded()


@st.cache_resource(max_entries=8, show_spinner="Reading images …")
def _load(name, stamp):
    return load_dataset(name)


memory.SHARED.append(_load.clear)


def cached(function, *, shared, private):
    """The function with caches: `shared` entries for everybody, `private` ones for the session of an upload; fewer of large sets.

    Called with the images first; kept by their digest and the other arguments but those that begin with an underscore.
    """
    keep = {}
    for is_large, twin, part in ((False, function, 1), (True, _twin(function), FEWER)):
        for is_private, scope, entries in ((False, "global", shared), (True, "session", private)):
            decorate = st.cache_resource(
                max_entries=-(-entries // part), show_spinner=False, scope=scope
            )
            keep[is_private, is_large] = decorate(twin)
        memory.SHARED.append(keep[False, is_large].clear)
    return lambda images, *arguments: keep[images is uploaded(), images.images.size > LARGE](
        images.digest, *arguments, images
    )


def _twin(function):
    """The function under another name, by which Streamlit keeps its results apart."""

    @wraps(function)
    def twin(*arguments):
        return function(*arguments)

    twin.__qualname__ += "_of_large"
    return twin


def prepare(scenario, images):
    """The scenario's occluded images, shared by all fits of them; kept by the images' content, never by their name."""
    return _prepare(images, scenario.kind, scenario.samples, scenario.pixels, scenario.seed)


def _prepare_occlusion(digest, kind, samples, pixels, seed, _images):
    return experiment.prepare(
        Scenario(kind=kind, samples=samples, pixels=pixels, seed=seed), _images
    )


_prepare = cached(_prepare_occlusion, shared=16, private=4)


def residual_range(scenario, images):
    """10% and 90% quantiles of PCA's residual lengths at the scenario's rank: the scale on which σ acts."""
    return np.quantile(
        prepare(scenario, images).reduction.classical(scenario.n_components)[1], [0.1, 0.9]
    )
