"""The paper's Fig. 2 on these images: the σ-loss between its limits, over their residuals.

Every loss is drawn as h(t)/h(M), where M is PCA's median residual. For the σ-loss this is the same
loss in the unit M: with u = t/M and s = σ/M it is (1+s)u²/(u+s). So it is 1 at t = M for every σ,
like its limits u and u², and the three can be compared on linear axes, as in the paper's figure,
which has no unit. Neither M nor the ends of the axes depend on σ.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from epca.experiment import Prepared
from epca.losses import L21, SigmaLoss, Squared
from epca.plots.loss import REFERENCE, SIGMA, Bars, Curves, Line, loss_figure
from epca.views.texts import power_text, sigma_text, written_out

POINTS = 121  # of a curve
NEAR_AXIS = 0.2  # of M: nearer to the axis, σ's name stands to the right of its line
BINS = 30
BEYOND = 1.5  # PCA's longest residual to the end of the axis: EPCA's may be longer
HEADROOM = 1.4  # the same for the counts
STEEPEST = 3  # the axis ends where t² is so much higher than t, or before
DOUBLINGS = (-11, 5)  # from M to the ends of the logarithmic axis
X_TITLE = "EPCA's residual lengths t, in the unit of σ"


class LossView:
    """The σ-loss over the residuals of images; σ does not move its axes.

    lengths : (n,) PCA's residuals at the present rank
    """

    def __init__(self, prepared: Prepared, lengths: np.ndarray) -> None:
        median = float(np.median(lengths))
        is_exact = median <= prepared.reduction.smoothing
        self.unit = 1.0 if is_exact else median  # M
        self.longest = max(BEYOND * float(lengths.max()), 2 * self.unit)
        self.truth = prepared.truth if prepared.is_mixed else None
        self._pca_lengths = lengths

    @property
    def text(self) -> str:
        """What the figure draws, in a sentence."""
        return (
            f"Each loss is drawn as h(t) / h(M), where M = {written_out(self.unit)} is PCA's "
            "median residual: the three agree at M, and the curves are those of the paper's "
            "Fig. 2 with M as the unit of length."
        )

    def figure(self, sigma: float, residuals: np.ndarray) -> go.Figure:
        """h between ℓ2,1 and squared Frobenius on linear axes, over the residuals (n,)."""
        t = np.linspace(0.0, self.longest, POINTS)
        end = self.longest / self.unit
        heights = {name: loss.value(t) / loss.value(self.unit) for name, loss in _losses(sigma)}
        panels = [Curves("h(t) / h(M)", heights, (0.0, min(end**2, STEEPEST * end)))]
        edges = np.linspace(0.0, self.longest, BINS + 1)
        note = f"σ = {sigma_text(np.log2(sigma))} →" if sigma > self.longest else ""
        return loss_figure(
            t,
            panels,
            self._bars(edges, self._pca_lengths, residuals),
            axis={"title": X_TITLE, "range": (0.0, self.longest), "tickformat": ","},
            lines=self._lines(sigma, self.unit, sigma <= self.longest),
            note=note,
        )

    def log_figure(self, sigma: float, residuals: np.ndarray) -> go.Figure:
        """h and the weight d on logarithmic axes, over the residuals (n,)."""
        middle = np.log2(self.unit)
        low, high = middle + np.array(DOUBLINGS)
        logs = np.linspace(low, high, POINTS)
        t = 2.0**logs
        values = {name: loss.value(t) / loss.value(self.unit) for name, loss in _losses(sigma)}
        weights = {name: loss.weight(t) / loss.weight(self.unit) for name, loss in _losses(sigma)}
        tens = np.log10(2.0) * np.array(DOUBLINGS)
        panels = [
            Curves("h(t) / h(M)", values, tuple(2 * tens), "log"),
            Curves("weight d(t) / d(M)", weights, (-tens[1], -tens[0]), "log"),
        ]
        edges = np.linspace(low, high, BINS + 1)
        pca, shown = (
            np.log2(np.maximum(lengths, 2.0**low)) for lengths in (self._pca_lengths, residuals)
        )
        place = np.log2(sigma)
        ticks = np.arange(np.ceil(low), high + 1e-9, 4)
        axis = {
            "title": X_TITLE,
            "range": (low, high),
            "tickvals": ticks.tolist(),
            "ticktext": [power_text(tick) for tick in ticks],
        }
        return loss_figure(
            logs,
            panels,
            self._bars(edges, pca, shown),
            axis=axis,
            lines=self._lines(place, middle, low <= place <= high),
            note=_beyond(place, low, high),
        )

    def _bars(self, edges: np.ndarray, pca: np.ndarray, residuals: np.ndarray) -> Bars:
        """All residuals are counted: the last bar has what lies beyond the axis."""
        inside = np.clip(residuals, edges[0], edges[-1])
        kinds = {None: np.ones(len(residuals), bool)}
        if self.truth is not None:
            kinds = {False: ~self.truth, True: self.truth}
        counts = {kind: np.histogram(inside[shown], edges)[0] for kind, shown in kinds.items()}
        most = np.histogram(np.clip(pca, edges[0], edges[-1]), edges)[0].max()
        return Bars(edges, counts, HEADROOM * float(most))

    def _lines(self, sigma: float, unit: float, is_inside: bool) -> list[Line]:
        lines = [Line(unit, "M of PCA", REFERENCE)]
        if is_inside:
            is_first = sigma < NEAR_AXIS * unit
            lines.append(Line(sigma, "σ", SIGMA, "left" if is_first else "right"))
        return lines


def _losses(sigma: float) -> list[tuple[str, SigmaLoss | L21 | Squared]]:
    return [
        ("σ-loss", SigmaLoss(sigma)),
        ("ℓ2,1", L21()),
        ("squared Frobenius", Squared()),
    ]


def _beyond(place: float, low: float, high: float) -> str:
    """Where σ lies if it is beyond the axis; place, low and high are exponents of 2."""
    if low <= place <= high:
        return ""
    return f"σ = {sigma_text(place)} →" if place > high else f"← σ = {sigma_text(place)}"


def on_scale(ends: np.ndarray, exponents: Sequence[int]) -> tuple[str, float, float]:
    """Where most of PCA's residuals lie on σ's scale: in words, and from and to in % of its length.

    ends : the two lengths between which they lie
    """
    low, high = np.log2(np.maximum(ends, 2.0 ** exponents[0]))
    first = power_text(round(low, 1))
    last = power_text(round(high, 1))
    places = np.interp([low, high], [exponents[0], exponents[-1]], [0, 100])
    return f"Most of PCA's residuals lie from {first} to {last}", *map(float, places)
