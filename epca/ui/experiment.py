"""The experiment a user sets in the sidebar, and its cached result."""

import warnings
from typing import NamedTuple

import numpy as np
import streamlit as st
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from epca.corruption import Corruption, occlude
from epca.data import ImageSet, load_dataset
from epca.linalg import reduce_to_span
from epca.metrics import is_collapsed, reconstruction_error
from epca.registry import METHODS


class Settings(NamedTuple):
    samples: int  # % of the samples that are damaged
    pixels: int  # % of the pixels that are reset in each
    seed: int
    rank: int  # c
    exponent: int  # log₂ σ

    @property
    def sigma(self):
        return 2.0**self.exponent


class Result(NamedTuple):
    faces: ImageSet
    damage: Corruption
    models: dict  # label → fitted model
    reconstructions: dict  # label → (n, d)
    errors: dict  # label → reconstruction error
    n_clean_activated: int
    collapsed: bool
    converged: bool

    @property
    def n_damaged(self):
        return int(self.damage.mask.any(axis=1).sum())

    @property
    def error_change(self):
        """EPCA's reconstruction error relative to PCA's, 0 = equal."""
        return self.errors["EPCA"] / self.errors["PCA"] - 1

    @property
    def shown(self):
        """Eight damaged faces spread over the set; any eight when none is damaged."""
        choice = self.damage.samples if len(self.damage.samples) >= 8 else np.arange(len(self.faces.images))
        return choice[np.linspace(0, len(choice) - 1, 8).astype(int)]

    @property
    def shown_text(self):
        return "faces " + ", ".join(map(str, self.shown))

    @property
    def rows(self):
        """Row label → images (1, 8, h, w) of the shown faces."""
        stages = {"Clean": self.faces.X, "Occluded": self.damage.X, **self.reconstructions}
        return {label: X[self.shown].reshape(1, 8, *self.faces.image_shape) for label, X in stages.items()}


@st.cache_resource
def warm_up():
    """Once per process: one BLAS thread (two are slower at these sizes and sessions share the cores), and the faces."""
    threadpool_limits(1, user_api="blas")
    return load_dataset("orl")


def sidebar():
    """The controls; a copied link restores them."""
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
    return Settings(samples, pixels, seed, rank, exponent)


@st.cache_resource(max_entries=64, show_spinner="Fitting PCA and EPCA …")
def run(settings):
    """Damage the faces, fit the compared methods, measure them."""
    faces = warm_up()
    damage = occlude(faces.X, samples=settings.samples / 100, pixels=settings.pixels / 100, random_state=settings.seed)
    reduction = reduce_to_span(damage.X)
    models = {"PCA": METHODS["PCA"](settings.rank), "EPCA": METHODS["EPCA"](settings.rank, sigma=settings.sigma)}
    reconstructions, errors = {}, {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        for model in models.values():
            model.fit_reduced(reduction)
    for label, model in models.items():
        reconstructions[label] = model.reconstruct(damage.X)
        errors[label] = reconstruction_error(faces.X, reconstructions[label])
    activated = np.flatnonzero(models["EPCA"].alpha_)
    return Result(
        faces,
        damage,
        models,
        reconstructions,
        errors,
        n_clean_activated=len(np.setdiff1d(activated, damage.samples)),
        collapsed=is_collapsed(models["EPCA"].score_samples(damage.X)),
        converged=not caught,
    )
