"""The experiment's fits, kept between runs of a page, and how pages tell their results."""

import gc
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from threadpoolctl import threadpool_limits

from epca import experiment
from epca.experiment import Prepared, Scenario
from epca.images import IN_A_ROW, montage, png
from epca.ui import store, work


class Fit(NamedTuple):
    """A fitted model and the row of its measures."""

    row: dict
    model: Any


class Comparison(NamedTuple):
    """Models fitted to the same occluded images, and the rows of measures; by method."""

    scenario: Scenario
    prepared: Prepared
    fits: dict

    @property
    def models(self):
        return {label: fit.model for label, fit in self.fits.items()}

    @property
    def rows(self):
        return {label: fit.row for label, fit in self.fits.items()}

    @property
    def occlusion_text(self):
        more = " further; who was before is not known" if self.prepared.images.is_occluded else ""
        n_occluded = len(self.prepared.occluded.samples)
        verb = "is" if n_occluded == 1 else "are"
        return f"{n_occluded} of these {len(self.prepared.clean)} images {verb} occluded{more}."

    @property
    def no_truth(self):
        """Why it is not known, where it is not."""
        return (
            "who is occluded is not known"
            if self.prepared.images.is_occluded
            else "nobody is occluded"
        )

    @property
    def error_change(self):
        """EPCA's reconstruction error relative to PCA's as text; a dash where there is no clean truth."""
        return relative(self.rows["EPCA"]["error"], self.rows["PCA"]["error"])

    @property
    def activated(self):
        return f"{self.models['EPCA'].n_activated_} of {len(self.prepared.clean)}"

    @property
    def clean_activated(self):
        return clean_activated(self.rows["EPCA"], self.prepared)

    @property
    def weights_share(self):
        return weights_share(self.rows["EPCA"])

    @property
    def shown(self):
        """IN_A_ROW images, spread over the set: occluded ones, then, where these are fewer, others."""
        occluded = self.prepared.occluded.samples
        others = np.delete(np.arange(len(self.prepared.clean)), occluded)
        count = min(IN_A_ROW, len(self.prepared.clean))
        n_occluded = min(len(occluded), count)
        return np.concatenate([spread(occluded, n_occluded), spread(others, count - n_occluded)])

    @property
    def stages(self):
        """Label → images (1, k, h, w) of the shown ones: clean, occluded, reconstructed."""
        clean, occluded = self.prepared.clean[self.shown], self.prepared.occluded.X[self.shown]
        stages = {
            "As they come" if self.prepared.images.is_occluded else "Clean": clean,
            "Occluded": occluded,
        }
        stages |= {label: model.reconstruct(occluded) for label, model in self.models.items()}
        return {
            label: X.reshape(1, len(X), *self.prepared.images.image_shape)
            for label, X in stages.items()
        }


def iterations(number):
    return f"{number} iteration{'s' * (number != 1)}"


def number(value, digits=4):
    """A value in so many digits, written out: 516100 rather than 5.161e+05."""
    return f"{float(f'{value:.{digits}g}'):.15g}"


def change(share):
    """A relative change as text; none has no sign but plus."""
    return f"{share:+.1%}".replace("-0.0%", "+0.0%")


def relative(error, pca_error):
    """An error relative to PCA's as text; a dash where there is no truth, or where PCA has no error."""
    return change(error / pca_error - 1) if np.isfinite(error) and pca_error > 0 else "–"


def clean_activated(row, prepared):
    """Clean among the activated as text; a dash where none is occluded or the truth is unknown."""
    k = int(row["n_activated"])
    return (
        f"{round(row['clean_among_activated'] * k)} of {k}" if prepared.has_known_occlusion else "–"
    )


def weights_share(row):
    """What the weights add to the objective, as text; a dash where there is none."""
    return f"{row['weights_share']:.2%}" if np.isfinite(row["weights_share"]) else "–"


def spread(values, count):
    """count of the values (n,), evenly spread over them."""
    return values[np.linspace(0, len(values) - 1, count).round().astype(int)]


def show_rows(stages, ids, what="images"):
    """One row of pictures per stage: label → images (1, k, h, w) of these ids, or pixels already laid out."""
    for label, images in stages.items():
        place = st.container(gap=None)
        place.markdown(f"**{label}**")
        place.image(
            png(_pixels(images)), width="stretch", alt=f"{label}: {what} {', '.join(map(str, ids))}"
        )


def picture(stages):
    """The rows of all stages as one PNG."""
    return png(
        np.concatenate(
            [
                _pixels(images)[..., [0, 0, 0, 1] if images.ndim == 4 else slice(None)]
                for images in stages.values()
            ]
        )
    )


def _pixels(images):
    return montage(images) if images.ndim == 4 else images


def say_failure(label, row):
    st.error(f"{label} could not be fitted: {row['failure']} Change the occlusion, c or the data.")


def warn_of_collapse(row):
    if not np.isfinite(row["weights_share"]):  # the objective is 0
        st.warning(
            "Every image is fitted exactly: c reaches the rank of the data. Lower c.",
            icon=":material/warning:",
        )
    elif row["collapsed"]:
        st.warning(
            "Some images are fitted exactly. α now marks what is interpolated, not what is clean. Lower c or raise σ.",
            icon=":material/warning:",
        )


@st.cache_resource
def warm_up():
    """Once per process: one thread for BLAS and k-means, as two are slower at these sizes and sessions share the cores; what is
    imported exempt from garbage collection, which stops all sessions."""
    gc.freeze()
    return threadpool_limits(1)


def own(scenario, label):
    """The scenario without what does not concern the method, so that other methods' parameters do not fit it anew."""
    sigma = scenario.sigma if label == "EPCA" else Scenario.sigma
    return replace(
        scenario,
        sigma=sigma,
        parameters=tuple(item for item in scenario.parameters if item[0] == label),
    )


def fit(setup, label):
    """Fit one method to the setup's occluded images, or take the fit kept; None where the user cancelled it or it broke."""
    scenario = own(setup.scenario, label)
    prepared = store.prepare(scenario, setup.images)
    task = (setup.images.digest, scenario, label)
    return work.run(task, f"Fitting {label}", _kept_fit, setup.images, scenario, label, prepared)


def _fit(digest, scenario, label, _prepared, _progress, _images):
    with _progress.turn():
        table, models = experiment.run(
            scenario, (label,), prepare=lambda _: _prepared, callback=_progress
        )
    fit = Fit(table.to_dict("records")[0], models[0])
    return work.keep(fit, [fit.row["failure"]])


_kept_fit = store.cached(_fit, shared=128, private=32)


def compare(setup):
    """Fit PCA and EPCA; where one fails or is cancelled, say so and end the page there."""
    fits = {}
    for label in ("PCA", "EPCA"):
        fits[label] = fit(setup, label)
        if fits[label] is None:
            st.stop()
        if fits[label].model is None:
            say_failure(label, fits[label].row)
            st.stop()
    return Comparison(setup.scenario, store.prepare(setup.scenario, setup.images), fits)
