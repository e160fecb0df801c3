"""The experiment's settings, defined once: keys (which are also the names in the URL), labels, defaults, bounds, help."""

from typing import Any, NamedTuple

import streamlit as st

from epca.corruption import KINDS
from epca.data import DataError, catalogue
from epca.experiment import Scenario
from epca.ui import store


class Setting(NamedTuple):
    label: str
    default: Any
    help: str
    low: int = 0
    high: int = 0


SETTINGS = {
    "dataset": Setting("Data set", "orl", "What is here. The page Data shows it, tells how to get others and takes your own."),
    "kind": Setting("Damage", "shared-pixels", "How images are damaged. The paper resets the same pixels in every damaged image."),
    "samples": Setting("Damaged images (%)", 20, "How many of the images are damaged.", 0, 60),
    "pixels": Setting("Damaged pixels (%)", 20, "How much of a damaged image is lost. Whole images ignore it.", 0, 80),
    "seed": Setting("Seed", 0, "Another seed damages other images and pixels.", 0, 9999),
    "c": Setting("Rank c", 30, "Dimensions of the learned subspace; far fewer than there are images.", 1, 100),
    "sigma": Setting("σ of the σ-loss", 0, "Smaller: more robust. Larger: closer to PCA. Its unit is a residual length.", -20, 20),
}


def sidebar():
    """Show the controls; return the Scenario and the images it is about. A copied link restores them."""
    st.sidebar.header("Experiment")
    images = _dataset()
    kinds = [kind for kind in KINDS if kind != "other-class" or len(images.class_names) > 1]
    kind = _control(st.sidebar.selectbox, "kind", kinds, format_func=lambda kind: KINDS[kind][0])
    samples, pixels = _slider("samples"), _slider("pixels")
    bounds = SETTINGS["seed"]
    seed = _control(st.sidebar.number_input, "seed", bounds.low, bounds.high, bounds.default)
    rank = _slider("c", high=min(len(images.images) - 1, images.images[0].size, SETTINGS["c"].high))
    exponents = range(SETTINGS["sigma"].low, SETTINGS["sigma"].high + 1)
    exponent = _control(st.sidebar.select_slider, "sigma", exponents, SETTINGS["sigma"].default, format_func=lambda e: f"2^{e}")
    scenario = Scenario(
        dataset=images.name,
        kind=kind,
        samples=samples / 100,
        pixels=pixels / 100,
        seed=seed,
        n_components=rank,
        sigma=2.0**exponent,
    )
    return scenario, images


def _dataset():
    """The chosen images; where they cannot be read, why, and the default ones."""
    entries, notices = catalogue()
    names = [name for name, entry in entries.items() if entry.is_here] + ([store.UPLOAD] if store.uploaded() else [])
    if "_switch_to" in st.session_state:
        st.session_state["dataset"] = st.session_state.pop("_switch_to")
    name = _control(st.sidebar.selectbox, "dataset", names)
    for notice in notices:
        st.sidebar.warning(notice)
    try:
        return store.load(name)
    except DataError as error:
        st.sidebar.error(f"{error} Showing {SETTINGS['dataset'].default} instead.")
        return store.load(SETTINGS["dataset"].default)


def _slider(key, high=None):
    setting = SETTINGS[key]
    high = max(high or setting.high, setting.low + 1)
    if st.session_state.get(key, setting.default) > high:
        st.session_state[key] = high
    return _control(st.sidebar.slider, key, setting.low, high, min(setting.default, high))


def _control(widget, key, *arguments, **options):
    setting = SETTINGS[key]
    return widget(setting.label, *arguments, key=key, bind="query-params", help=setting.help, **options)
