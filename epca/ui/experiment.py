"""The experiment a user sets in the sidebar, and its cached result."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from threadpoolctl import threadpool_limits

from epca import experiment
from epca.data import load_dataset
from epca.experiment import Prepared, Scenario


def spread(values, count):
    return values[np.linspace(0, len(values) - 1, count).astype(int)]


class Comparison(NamedTuple):
    """PCA and EPCA on the same damaged faces, ready to show."""

    prepared: Prepared
    models: dict  # label → fitted model
    rows: dict  # label → its measures by name

    @property
    def n_damaged(self):
        return int(self.prepared.damage.mask.any(axis=1).sum())

    @property
    def error_change(self):
        """EPCA's reconstruction error relative to PCA's, 0 = equal."""
        return self.rows["EPCA"]["error"] / self.rows["PCA"]["error"] - 1

    @property
    def n_clean_activated(self):
        return round(self.rows["EPCA"]["clean_among_activated"] * self.models["EPCA"].n_activated_)

    @property
    def shown(self):
        """Eight faces, each time spread over the set: damaged ones, then, where these are fewer, others."""
        damaged = self.prepared.damage.samples
        others = np.delete(np.arange(len(self.prepared.clean)), damaged)
        n_damaged = min(len(damaged), 8)
        return np.concatenate([spread(damaged, n_damaged), spread(others, 8 - n_damaged)])

    @property
    def stages(self):
        """Label → images (1, 8, h, w) of the shown faces: clean, occluded, reconstructed."""
        clean, occluded = self.prepared.clean[self.shown], self.prepared.damage.X[self.shown]
        stages = {"Clean": clean, "Occluded": occluded}
        stages |= {label: model.reconstruct(occluded) for label, model in self.models.items()}
        return {label: X.reshape(1, 8, *self.prepared.images.image_shape) for label, X in stages.items()}


@st.cache_resource
def warm_up():
    """Once per process: one BLAS thread (two are slower at these sizes and sessions share the cores), and the faces."""
    threadpool_limits(1, user_api="blas")
    return load_dataset("orl")


def sidebar():
    """The controls, as a Scenario; a copied link restores them."""
    st.sidebar.header("Experiment")

    def slider(label, low, high, default, key, help):
        return st.sidebar.slider(label, low, high, default, key=key, bind="query-params", help=help)

    samples = slider("Damaged samples (%)", 0, 60, 20, "samples", "How many of the 400 faces are damaged.")
    pixels = slider("Damaged pixels (%)", 0, 80, 20, "pixels", "The same pixels in every damaged face get random values.")
    seed = st.sidebar.number_input(
        "Seed", 0, 9999, 0, key="seed", bind="query-params", help="Another seed damages other faces and pixels."
    )
    rank = slider("Rank c", 1, 100, 30, "c", "Dimensions of the learned subspace.")
    exponent = st.sidebar.select_slider(
        "σ of the σ-loss",
        range(-20, 21),
        0,
        key="sigma",
        bind="query-params",
        format_func=lambda exponent: f"2^{exponent}",
        help="Smaller: more robust. Larger: closer to PCA. Its unit is a residual length, here about 2^9 to 2^11.",
    )
    return Scenario(samples=samples / 100, pixels=pixels / 100, seed=seed, n_components=rank, sigma=2.0**exponent)


@st.cache_resource(max_entries=16, show_spinner=False)
def prepare(kind, samples, pixels, seed):
    """The damaged faces, shared by all fits of them."""
    return experiment.prepare(Scenario(kind=kind, samples=samples, pixels=pixels, seed=seed), warm_up())


@st.cache_resource(max_entries=64, show_spinner="Fitting PCA and EPCA …")
def compare(scenario):
    """Fit PCA and EPCA to the scenario's damaged faces and measure them."""
    prepared = prepare(scenario.kind, scenario.samples, scenario.pixels, scenario.seed)
    table, models = experiment.run(scenario, ("PCA", "EPCA"), prepare=lambda _: prepared)
    rows = {row["method"]: row for row in table.to_dict("records")}
    return Comparison(prepared, dict(zip(rows, models, strict=True)), rows)
