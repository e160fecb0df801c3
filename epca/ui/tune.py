"""What the page Tune shows: the loss, sweeps over σ and c, a map of both; with the clean images at hand and without."""

from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from epca.losses import L21, SigmaLoss, Squared
from epca.paper.protocol import PART
from epca.plots.tune import (
    BEST,
    NOW,
    PROPOSED,
    Mark,
    Panel,
    Step,
    curves_figure,
    live_figure,
    loss_figure,
)
from epca.ui import charts, downloads, experiment, settings, store, sweep
from epca.ui.settings import EXPONENTS, sigma_text

FINE = tuple(i / 4 for i in range(-4, 5))  # around the best: as far as its neighbours
NEAR = 0.001  # of the lowest error: as good
NO_TRUTH = "These images are occluded as they come. Nobody knows the clean ones: there is no error and no oracle."
NUMBERS = {  # label → what it means
    "Error against PCA's (oracle)": "‖clean − reconstruction‖², Eq. 57, of EPCA relative to PCA's.",
    "Activated clean (oracle)": "EPCA does not know which images are occluded; the oracle does.",
    "Activated images": "Images with α > 0.",
    "Weights' share of objective": "The part of the objective that α adds to the plain sum of losses.",
}
NO_OCCLUSION = "No image is occluded: there is no share of clean ones among the activated."


class View:
    """Numbers and charts for the sidebar's experiment."""

    def __init__(self, setup):
        self.setup, self.images = setup, setup.images
        self.prepared = store.prepare(setup.scenario, setup.images)
        self.exponent, self.c = round(np.log2(setup.scenario.sigma)), setup.scenario.n_components
        self.median = float(
            np.median(self.prepared.reduction.classical(self.c)[1])
        )  # of PCA's residuals
        self.parts = {}  # title → (exponents, ranks, table) of what is shown
        self.is_stopped = False

    def points(self, title, exponents, ranks):
        """The fits; None where these or earlier ones were cancelled: then nothing new is begun."""
        if self.is_stopped:
            points = sweep.peek(self.setup, exponents, ranks)
            if points is None:
                st.caption("Not begun, as the work above did not come to its end.")
        else:
            points = sweep.run(self.setup, title, exponents, ranks)
            self.is_stopped = points is None
        if points is not None:
            self.parts[title] = (list(exponents), list(ranks), points.table)
            for note in points.notes:
                st.warning(note)
        return points

    def now(self):
        """EPCA's row and residuals (n,) at the chosen σ and c: of the σ sweep where it is kept, else fitted; None if cancelled."""
        points = (
            sweep.peek(self.setup, EXPONENTS, (self.c,)) if st.session_state.get("sweep") else None
        )
        if points is not None:
            at = EXPONENTS.index(self.exponent)
            return points.table.iloc[at].to_dict(), points.residuals[:, at].astype(float)
        fit = experiment.fit(self.setup, "EPCA")
        if fit is None:
            self.is_stopped = True
            return None
        return fit.row, None if fit.model is None else fit.model.residuals(self.prepared.occluded.X)

    @cached_property
    def pca_error(self):
        """PCA's error at the present c; NaN where it is not known."""
        fit = experiment.fit(self.setup, "PCA")
        return fit.row.get("error", np.nan) if fit else np.nan

    def against_pca(self, error):
        return experiment.relative(error, self.pca_error)

    def loss_figure(self, residuals):
        sigma = self.setup.scenario.sigma
        logs = np.log2(np.maximum(residuals, 2.0 ** EXPONENTS[0]))
        low, high = min(logs.min(), self.exponent) - 1, max(logs.max(), self.exponent) + 1
        t = 2.0 ** np.linspace(low, high, 200)
        losses = {
            f"σ-loss, σ = {sigma_text(self.exponent)}": SigmaLoss(sigma),
            "ℓ1: t": L21(),
            "ℓ2²: t²": Squared(),
        }
        return loss_figure(
            t,
            {name: (loss.value(t), loss.weight(t)) for name, loss in losses.items()},
            residuals,
            sigma,
        )

    def live_figure(self, points):
        """Frames of the fits that did not fail; None where all did."""
        steps = [
            Step(
                sigma_text(row.Index),
                self._live_title(row._asdict()),
                points.alpha[:, EXPONENTS.index(row.Index)],
            )
            for row in points.table.set_index(pd.Index(EXPONENTS))[points.is_fitted].itertuples()
        ]
        names = [step.name for step in steps]
        active = names.index(sigma_text(self.exponent)) if sigma_text(self.exponent) in names else 0
        is_occluded = self.prepared.truth if self.prepared.has_known_occlusion else None
        return live_figure(steps, active, is_occluded) if steps else None

    def _live_title(self, row):
        oracle = [f"error {self.against_pca(row['error'])}"] if np.isfinite(row["error"]) else []
        oracle += (
            [f"{experiment.clean_activated(row, self.prepared)} clean"]
            if self.prepared.has_known_occlusion
            else []
        )
        numbers = f"k = {row['n_activated']:.0f}, weights' share {experiment.weights_share(row)}"
        return numbers + (f"<br>oracle: {', '.join(oracle)}" if oracle else "")


def take(chart):
    """Set σ and c to the point clicked in the chart."""
    for exponent, c in charts.chosen(chart):
        st.session_state.update(sigma=int(exponent), c=int(c))


def wish(label, key, text):
    """Whether the user wants this computed; the link keeps it."""
    return st.toggle(
        label, key=key, help=text, on_change=_begin_again, args=(key,), **settings.KEPT
    )


def _begin_again(key):
    """Whoever puts a switch on wants what was cancelled before."""
    if st.session_state[key]:
        st.session_state.pop("_cancelled", None)


def set_sigma(exponent, label, key):
    st.button(
        f"Set σ = {sigma_text(exponent)}{label}", key=key, on_click=st.session_state.update, args=({"sigma": exponent},),
        help="Sets the sidebar's σ.",
    )  # fmt: skip


def show_now(view):
    """The numbers at the chosen σ and c, and the loss above the residuals they come from."""
    found = view.now()
    if found is None:
        return
    row, residuals = found
    if row["failure"]:
        experiment.say_failure("EPCA", row)
        return
    view.parts["now"] = (
        [view.exponent],
        [view.c],
        pd.DataFrame([row]).reindex(columns=sweep.COLUMNS),
    )
    texts = (
        view.against_pca(row["error"]),
        experiment.clean_activated(row, view.prepared),
        f"{row['n_activated']:.0f} of {len(residuals)}",
        experiment.weights_share(row),
    )
    place = st.container(horizontal=True, gap="medium")
    for (label, meaning), text in zip(NUMBERS.items(), texts, strict=True):
        place.metric(label, text, width="content", help=meaning)
    if not view.prepared.has_known_occlusion:
        st.caption(NO_TRUTH if view.images.is_occluded else NO_OCCLUSION)
    stop = "." if row["converged"] else ", the limit: the fit could still change."
    st.caption(
        f"At σ = {sigma_text(view.exponent)}, c = {view.c}: {experiment.iterations(round(row['iterations']))}{stop}"
    )
    experiment.warn_of_collapse(row)
    st.header("The σ-loss on these images")
    above = int(np.sum(residuals > view.setup.scenario.sigma))
    st.markdown(
        f"Residuals above σ, {above} of {len(residuals)} here, count rather like lengths t, those below it rather like squares t². "
        "What a residual counts falls with its weight d: the steeper d, the more robust."
    )
    charts.show(view.loss_figure(residuals), "loss")


def show_curves(view, key, points, x_title, x, marks):
    """Two charts of the same fits: what needs the clean images, and what does not. A click sets σ and c."""
    table = points.table
    options = {"choices": points.choices, "states": points.states}
    oracle = [
        Panel("error", table["error"], "~s", ("PCA", view.pca_error) if key == "sigma" else None)
    ]
    if view.prepared.has_known_occlusion:
        oracle.append(Panel("clean", table["clean_among_activated"], "~%", range=(-0.05, 1.05)))
    blind = [
        Panel("activated k", table["n_activated"]),
        Panel("weights' share", table["weights_share"], "~%"),
    ]
    place = charts.wide_row(key)
    figures = {}
    if points.best is not None:
        figures[f"{key}_oracle"] = curves_figure(
            "Oracle: needs the clean images", x_title, x, oracle, marks=marks, **options
        )
    elif view.images.is_occluded:
        place.info(NO_TRUTH)
    blind_marks = [mark for mark in marks if mark.colour != BEST]
    figures[f"{key}_blind"] = curves_figure(
        "Without clean images", x_title, x, blind, marks=blind_marks, **options
    )
    for name, figure in figures.items():
        show = {"on_select": lambda name=name: take(name), "modes": ("points",), "place": place}
        charts.show(figure, name, alt=f"{figure.layout.title.text}, over {x_title}", **show)


def show_sigma(view):
    """The sweep over σ, its weights to drag through, and the fine search."""
    if not wish(
        "Compute the σ sweep",
        "sweep",
        f"{len(EXPONENTS)} fits over the paper's grid of σ, at the present c.",
    ):
        return
    points = view.points("σ sweep", EXPONENTS, (view.c,))
    if points is None or not points.is_fitted.any():
        return
    best, proposal = points.best, points.proposal(view.median / PART)
    marks = [Mark(view.exponent, "σ now", NOW, "solid")]
    if best is not None:
        marks.append(Mark(EXPONENTS[best], "lowest error", BEST, "dot"))
    if proposal is not None:
        marks.append(Mark(EXPONENTS[proposal], "proposal", PROPOSED, "dash"))
    show_curves(view, "sigma", points, "log₂ σ", points.exponents, marks)
    show_choices(view, points.table["error"], best, proposal)
    st.markdown(
        "Drag through σ: the weights α > 0 and their numbers (the error against PCA's) follow without a new fit."
    )
    charts.show(view.live_figure(points), "live", alt="Weights α of every σ, with a slider")
    if best is not None:
        show_fine(view, EXPONENTS[best])


def show_choices(view, errors, best, proposal):
    """In words: the rows of the lowest of the errors (m,) and of the proposal, or None; a button for each sets its σ."""
    if best is not None:
        near = int((errors <= (1 + NEAR) * errors[best]).sum())
        st.markdown(
            f"**Oracle**: the error is lowest at σ = {sigma_text(EXPONENTS[best])}, {view.against_pca(errors[best])} against PCA; "
            f"{near} of {len(errors)} σ come within {NEAR:.1%} of it."
        )
    if proposal is None:
        st.markdown(
            "**Without clean images**: no σ to propose, some image is fitted exactly at each. Lower c."
        )
    else:
        measured = (
            ""
            if best is None
            else f" Its error, known to the oracle alone: {view.against_pca(errors[proposal])} against PCA."
        )
        st.markdown(
            f"**Without clean images**: we propose σ = {sigma_text(EXPONENTS[proposal])}, from 1/{PART} of PCA's median residual "
            f"2^{np.log2(view.median):.1f} on the smallest at which no image is fitted exactly.{measured}"
        )
        st.caption(
            f"The 1/{PART} is a rule of thumb, itself picked by clean images: among six parts, on the paper's five sets, one seed."
        )
    with st.container(horizontal=True):
        if proposal is not None:
            set_sigma(EXPONENTS[proposal], " (proposal)", "set_proposal")
        if best is not None:
            set_sigma(EXPONENTS[best], " (oracle)", "set_best")


def show_fine(view, coarse):
    """The search between the neighbours of the best σ of the sweep."""
    if not wish(
        "Fine search around the lowest error (oracle)",
        "fine",
        f"{len(FINE)} fits in steps of a quarter exponent.",
    ):
        return
    exponents = [coarse + step for step in FINE if EXPONENTS[0] <= coarse + step <= EXPONENTS[-1]]
    points = view.points("fine search", exponents, (view.c,))
    if points is None or points.best is None:
        return
    marks = [Mark(exponents[points.best], "lowest error", BEST, "dot")]
    errors = points.table["error"]
    panels = [Panel("error above lowest", errors - errors[points.best])]
    figure = curves_figure(
        "Oracle: fine search around the best σ",
        "log₂ σ",
        exponents,
        panels,
        marks=marks,
        states=points.states,
    )
    charts.show(figure, "fine_curve")
    gain = 1 - errors[points.best] / errors[exponents.index(coarse)]
    nearest = round(exponents[points.best])
    finer = f"at σ = {sigma_text(exponents[points.best])}, {gain:.3%} below that at σ = {sigma_text(coarse)}"
    st.markdown(
        f"**Oracle**: the error is lowest {finer if gain else f'at σ = {sigma_text(coarse)} still'}. "
        f"The sidebar holds whole exponents; the nearest is {sigma_text(nearest)}."
    )
    set_sigma(nearest, " (nearest)", "set_fine")


def offer(view):
    """Downloads: all rows shown, and the script that computes them."""
    parts = {title: (exponents, ranks) for title, (exponents, ranks, _) in view.parts.items()}
    tables = [table.assign(part=title) for title, (_, _, table) in view.parts.items()]
    code = downloads.script(
        "Tune", downloads.TUNE, view.setup, columns=list(sweep.COLUMNS), parts=parts
    )
    downloads.offer("tune", code, table=pd.concat(tables, ignore_index=True) if tables else None)
