"""PCA and EPCA on the same damaged images, ready to show."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from threadpoolctl import threadpool_limits

from epca import experiment
from epca.experiment import Prepared
from epca.images import montage, png
from epca.ui import store


def spread(values, count):
    return values[np.linspace(0, len(values) - 1, count).astype(int)]


class Comparison(NamedTuple):
    prepared: Prepared
    models: dict  # label → fitted model
    rows: dict  # label → its measures by name

    @property
    def n_damaged(self):
        return int(self.prepared.damage.mask.any(axis=1).sum())

    @property
    def error_change(self):
        """EPCA's reconstruction error relative to PCA's as text; a dash where there is no clean truth."""
        change = self.rows["EPCA"]["error"] / self.rows["PCA"]["error"] - 1
        return f"{change:+.1%}" if np.isfinite(change) else "–"

    @property
    def clean_activated(self):
        """Undamaged among the activated as text; a dash where none is damaged or the truth is unknown."""
        share, k = self.rows["EPCA"]["clean_among_activated"], self.models["EPCA"].n_activated_
        return f"{round(share * k)} of {k}" if self.n_damaged and np.isfinite(share) else "–"

    @property
    def shown(self):
        """Eight images, spread over the set: damaged ones, then, where these are fewer, others."""
        damaged = self.prepared.damage.samples
        others = np.delete(np.arange(len(self.prepared.clean)), damaged)
        count = min(8, len(self.prepared.clean))
        n_damaged = min(len(damaged), count)
        return np.concatenate([spread(damaged, n_damaged), spread(others, count - n_damaged)])

    @property
    def stages(self):
        """Label → images (1, 8, h, w) of the shown ones: clean, occluded, reconstructed."""
        clean, occluded = self.prepared.clean[self.shown], self.prepared.damage.X[self.shown]
        stages = {"As they come" if self.prepared.images.is_occluded else "Clean": clean, "Occluded": occluded}
        stages |= {label: model.reconstruct(occluded) for label, model in self.models.items()}
        return {label: X.reshape(1, len(X), *self.prepared.images.image_shape) for label, X in stages.items()}


def show_rows(stages, ids):
    """One row of pictures per stage: label → images (1, k, h, w) of these ids."""
    for label, images in stages.items():
        name, picture = st.columns([1, 6], vertical_alignment="center")
        name.markdown(f"**{label}**")
        picture.image(png(montage(images)), width="stretch", alt=f"{label}: images {', '.join(map(str, ids))}")


def warn_of_collapse(result):
    if result.rows["EPCA"]["collapsed"]:
        st.warning(
            "Some images are fitted exactly. α now marks what is interpolated, not what is clean. Lower c or raise σ.",
            icon=":material/warning:",
        )


@st.cache_resource
def warm_up():
    """Once per process: one BLAS thread. Two are slower at these sizes, and sessions share the cores."""
    return threadpool_limits(1, user_api="blas")


def compare(scenario, images):
    """Fit PCA and EPCA to the scenario's damaged images and measure them."""
    prepared = store.prepare(scenario, images)
    keep = _compare_private if images is store.uploaded() else _compare_shared
    return keep(images.digest, scenario, prepared)


def _compare(digest, scenario, _prepared):
    table, models = experiment.run(scenario, ("PCA", "EPCA"), prepare=lambda _: _prepared)
    rows = {row["method"]: row for row in table.to_dict("records")}
    return Comparison(_prepared, dict(zip(rows, models, strict=True)), rows)


_compare_shared = st.cache_resource(max_entries=64, show_spinner="Fitting PCA and EPCA …")(_compare)
_compare_private = st.cache_resource(max_entries=16, show_spinner="Fitting PCA and EPCA …", scope="session")(_compare)
