"""What is kept between runs of a page: images and prepared data for everybody, uploads for their owner's session alone."""

import streamlit as st

from epca import experiment
from epca.data import load_dataset
from epca.experiment import Scenario

UPLOAD = "your upload"


def uploaded():
    """The images this visitor uploaded, or None."""
    return st.session_state.get("_upload")


def keep_upload(images):
    st.session_state["_upload"] = images


def load(name):
    """The images of a data set, or the upload."""
    return uploaded() if name == UPLOAD else _load(name)


@st.cache_resource(max_entries=8, show_spinner="Reading images …")
def _load(name):
    return load_dataset(name)


def prepare(scenario, images):
    """The scenario's damaged images, shared by all fits of them; kept by the images' content, never by their name."""
    keep = _prepare_private if images is uploaded() else _prepare_shared
    return keep(images.digest, scenario.kind, scenario.samples, scenario.pixels, scenario.seed, images)


def _prepare(digest, kind, samples, pixels, seed, _images):
    return experiment.prepare(Scenario(kind=kind, samples=samples, pixels=pixels, seed=seed), _images)


_prepare_shared = st.cache_resource(max_entries=16, show_spinner=False)(_prepare)
_prepare_private = st.cache_resource(max_entries=4, show_spinner=False, scope="session")(_prepare)
