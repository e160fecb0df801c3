"""What a sweep says about the choice of σ: with the clean images at hand, and without them."""

import numpy as np
import plotly.graph_objects as go

from epca.choosing import RESIDUAL_PART, CleanEstimate, propose_sigma
from epca.choosing.suggestion import AT_THE_END, FEW, NO_OPTIMUM
from epca.plots.tune import PROPOSED, Mark, Panel, curves_figure
from epca.views.points import Points
from epca.views.texts import sigma_text, written_out
from epca.views.tune import View, estimate_mark, lowest_mark

NEAR = 0.001  # of the lowest error: as good
THUMB = f"M/{RESIDUAL_PART} rule"
PICKED = (
    f"The 1/{RESIDUAL_PART} was itself picked by clean images: among six parts, on the paper's "
    "five sets, one seed."
)


class Choice:
    """What a σ sweep says about the choice of σ: the oracle's, and one without clean images."""

    def __init__(self, view: View, points: Points) -> None:
        self.view = view
        self.points = points
        self.errors = points.table["error"]
        self.exponents = [round(exponent) for exponent in points.exponents]
        self.median = float(np.median(view.pca_lengths))
        self._best = points.best
        self._proposal = points.proposal(view.typical_sigma)
        nearest = propose_sigma(self.exponents, np.ones(len(self.exponents)), view.typical_sigma)
        self._nearest = self.exponents[nearest]

    @property
    def best(self) -> int | None:
        """The oracle's exponent."""
        return None if self._best is None else self.exponents[self._best]

    @property
    def proposal(self) -> int | None:
        """The exponent proposed without clean images."""
        return None if self._proposal is None else self.exponents[self._proposal]

    @property
    def marks(self) -> list[Mark]:
        marks = [self.view.sigma_now]
        if self.best is not None:
            marks.append(lowest_mark(self.best))
        if self.proposal is not None:
            marks.append(Mark(self.proposal, THUMB, PROPOSED, "dash"))
        if self.points.best_estimate is not None:
            marks.append(estimate_mark(self.points, self.points.sigma_axis))
        return marks

    @property
    def oracle_text(self) -> str:
        lowest = self.errors[self._best]
        near = int((self.errors <= (1 + NEAR) * lowest).sum())
        return (
            f"**Oracle**: the error is lowest at σ = {sigma_text(self.best)}, "
            f"{self.view.against_pca(lowest)} against PCA; "
            f"{near} of {len(self.errors)} σ come within {NEAR:.1%} of it."
        )

    @property
    def proposal_text(self) -> str:
        if self.proposal is None:
            return (
                f"**{THUMB} (no clean image used)**: no σ to propose, for at each "
                "some image is fitted exactly. Lower c."
            )
        text = (
            f"**{THUMB} (no clean image used)**: σ = {sigma_text(self.proposal)}. "
            f"PCA's median residual is M = {written_out(self.median)}, and M/{RESIDUAL_PART} is "
            f"{written_out(self.view.typical_sigma)}; the σ with the nearest "
            f"exponent of 2 is {sigma_text(self._nearest)}."
        )
        if self.proposal != self._nearest:
            text += (
                f" {sigma_text(self.proposal)} is the next larger one at which no image is fitted "
                "exactly."
            )
        if self.best is None:
            return text
        error = self.view.against_pca(self.errors[self._proposal])
        return f"{text} Its error, known to the oracle alone, is {error} against PCA."


def estimate_text(points: Points) -> str:
    """Where the estimated error of a sweep is lowest, and what the oracle knows of that place."""
    at = points.best_estimate
    text = (
        "**Estimated error (no clean image used)**: it is lowest at "
        f"{points.names[at]}. Its level is not that of the error."
    )
    if points.best is None:
        return text
    errors = points.table["error"]
    above = errors[at] / errors[points.best] - 1
    return f"{text} The error there, known to the oracle alone, is {above:.1%} above the lowest."


def end_warning(points: Points, estimate: CleanEstimate) -> str:
    """What to beware of where the lowest estimate is at the largest c; empty elsewhere."""
    ranks = points.table["n_components"]
    if ranks.nunique() < 2 or ranks[points.best_estimate] < ranks.max():
        return ""
    return NO_OPTIMUM if estimate.is_occluded.mean() < FEW else AT_THE_END


class FineSearch:
    """The search between the neighbours of the best σ of a sweep."""

    def __init__(self, points: Points, coarse: int) -> None:
        self.points = points
        self.coarse = coarse
        self.errors = points.table["error"]
        self.exponents = points.exponents.round(2)
        self.best = float(self.exponents[points.best])

    @property
    def figure(self) -> go.Figure:
        marks = [lowest_mark(self.best)]
        panels = [Panel("error above the lowest", self.errors - self.errors.min())]
        title = "Needs clean images (oracle): fine search around the best σ"
        axis = self.points.sigma_axis
        return curves_figure(title, axis, panels, marks=marks, states=self.points.states)

    @property
    def nearest(self) -> int:
        """The whole exponent nearest to the best."""
        return round(self.best)

    @property
    def text(self) -> str:
        at_coarse = self.errors[int(np.flatnonzero(self.exponents == self.coarse)[0])]
        gain = 1 - self.errors.min() / at_coarse
        where = f"at σ = {sigma_text(self.coarse)} still"
        if gain:
            below = f"{gain:.3%} below that at σ = {sigma_text(self.coarse)}"
            where = f"at σ = {sigma_text(self.best)}, {below}"
        return (
            f"**Oracle**: the error is lowest {where}. "
            f"The sidebar holds whole exponents; the nearest is {sigma_text(self.nearest)}."
        )
