"""What the page Tune suggests without a clean image: c, σ or a method, why, and how sure it is."""

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from epca.choosing import CleanEstimate, Suggestion, validation
from epca.choosing.suggestion import RANKS, STEPS, SWAPPED
from epca.corruption import KINDS
from epca.experiment import Prepared
from epca.images import row
from epca.metrics import against
from epca.views import texts
from epca.views.comparison import spread
from epca.views.points import Points
from epca.views.texts import sigma_text
from epca.views.tune import MILLION, View

METHODS_TRIED = ("EPCA", "EPCA, left-out", "PCA", "PCA-AN")
SHOWN = 6  # images as given and as estimated
IDEA = (
    "**c, σ and the method can be suggested without a clean image.** The clean images are "
    "estimated from the occluded ones alone. A fit is then judged by its distance from them: "
    "the **estimated error (no clean image used)**. It rises and falls with the error, at a "
    "level of its own."
)
UNSEEN = (
    "Occlusion of less than an eighth of an image is not seen. Where every image is hit a little, "
    "compare with Cauchy PCA."
)
VALIDATED = (
    "A regret is the error at the choice above the error at the best candidate, in %. It was "
    "measured on data, kinds of occlusion, shares, sizes and seeds that the rule had never seen. "
    "Nine of ten regrets are at most the number under “9 of 10 within”. Where the estimate was "
    "refused, there is no suggestion and no regret."
)
INSIDE = "any, where the largest c is not simply the best"


class Question(NamedTuple):
    """What can be suggested: its button, its work, and the rule to compare its regret with."""

    label: str
    title: str
    what: str
    several: str
    rival: str


QUESTIONS = {  # by their names in the table of regrets
    "rank": Question("Suggest c", "Suggestion of c", "c", "ranks", "c = 30"),
    "sigma": Question("Suggest σ", "Suggestion of σ", "σ", "σ", "σ = 1"),
    "method": Question(
        "Suggest a method", "Suggestion of a method", "method", "methods", "always EPCA"
    ),
}


def candidates(
    question: str, view: View, exponents: Sequence[int], highest: int
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[float, ...]]:
    """Methods, ranks and σ to try; what is not asked for stays as it is.

    exponents, highest : the σ and the largest c that can be set
    """
    ranks = (view.c,)
    sigmas = (2.0**view.exponent,)
    if question == "rank":
        ranks = tuple(c for c in RANKS if c <= highest)
    if question == "sigma":
        typical = np.log2(max(view.typical_sigma, view.prepared.reduction.smoothing))
        middle = min(exponents, key=lambda exponent: abs(exponent - typical))
        sigmas = tuple(2.0**e for e in exponents if e - middle in (0, *STEPS))
    own = texts.epca_name(view.scenario.left_out)
    return METHODS_TRIED if question == "method" else (own,), ranks, sigmas


def offer_text(view: View, exponents: Sequence[int], highest: int) -> str:
    """What each button tries, as a list."""
    ranks = candidates("rank", view, exponents, highest)[1]
    sigmas = candidates("sigma", view, exponents, highest)[2]
    return "\n".join(
        [
            f"- **c**: {len(ranks)} ranks up to {max(ranks)}, at the present σ",
            f"- **σ**: {len(sigmas)} values around an eighth of PCA's median residual, at the "
            "present c",
            f"- **a method**: {'; '.join(METHODS_TRIED)}, at the present σ and c",
        ]
    )


class Advice:
    """A Suggestion as the page says it."""

    def __init__(self, view: View, question: str, found: Suggestion) -> None:
        self.view = view
        self.question = question
        self.found = found
        self.is_made = found.method is not None

    @property
    def text(self) -> str:
        """What is suggested, and why."""
        if not self.is_made:
            return self.found.why
        if self.question == "method":
            return self._method_text
        n_fits = int(self.found.curves["estimated_error"].notna().sum())
        at = f"σ = {sigma_text(self.view.exponent)}"
        if self.question == "sigma":
            at = f"c = {self.view.c}"
        return (
            f"**{self.name}** has the smallest estimated error (no clean image used) of the "
            f"{n_fits} {QUESTIONS[self.question].several} tried at {at}."
        )

    @property
    def _method_text(self) -> str:
        best = self.errors.idxmin()
        others = self.errors.drop(best)
        below = texts.change(self.errors[best] / others.min() - 1)
        own = "".join(f", k = {k}," for k in self.found.parameters.values())
        return (
            f"**{best}**{own} has the smallest estimated error (no clean image used) of "
            f"{len(self.errors)} methods at "
            f"c = {self.view.c}, σ = {sigma_text(self.view.exponent)}: {below} against "
            f"{others.idxmin()}, the next."
        )

    @property
    def errors(self) -> pd.Series:
        """The estimated error by method."""
        return self.found.curves.set_index("method")["estimated_error"].dropna()

    @property
    def exponent(self) -> int:
        """log₂ of the suggested σ."""
        return round(np.log2(self.found.sigma))

    @property
    def name(self) -> str:
        if self.question == "rank":
            return f"c = {self.found.n_components}"
        if self.question == "sigma":
            return f"σ = {sigma_text(self.exponent)}"
        return self.found.method

    @property
    def settings(self) -> dict[str, Any]:
        """What to set to follow it, by the sidebar's keys; nothing for a method."""
        if self.question == "rank":
            return {"c": self.found.n_components}
        return {"sigma": self.exponent} if self.question == "sigma" else {}

    @property
    def shares(self) -> dict[str, float]:
        """The method's other parameters: counts of images as shares, as Compare has them."""
        n_images = len(self.view.prepared.clean)
        return {name: count / n_images for name, count in self.found.parameters.items()}

    @property
    def is_set(self) -> bool:
        now = {"c": self.view.c, "sigma": self.view.exponent}
        return all(now[key] == value for key, value in self.settings.items())

    @property
    def warnings(self) -> list[str]:
        """What to beware of, but for what holds always."""
        return [warning for warning in self.found.warnings if warning != SWAPPED]

    @property
    def figure(self) -> go.Figure:
        """The estimated error over the c or σ that were tried."""
        key = "n_components" if self.question == "rank" else "sigma"
        table = self.found.curves.sort_values(key, ignore_index=True)
        states = {name: table[name].eq(True) for name in ("collapsed", "converged")}
        points = Points(table.assign(**states))
        if self.question == "rank":
            return self.view.estimate_figure(points, points.rank_axis, self.view.c_now)
        return self.view.estimate_figure(points, points.sigma_axis, self.view.sigma_now)

    @property
    def table(self) -> pd.DataFrame:
        """The methods tried, best first."""
        errors = self.errors.sort_values()
        length = self.view.images.squared_length
        columns = {
            "estimated error (10⁶)": [texts.number(value / MILLION) for value in errors],
            "against EPCA": [
                texts.change(share) for share in against(errors, errors.get("EPCA", np.nan), length)
            ],
        }
        return pd.DataFrame(columns, index=errors.index)


@cache
def regret_text(question: str, name: str = "EPCA") -> str:
    """How much such a choice cost in our tests, compared with a fixed one; and a limitation.

    name : what EPCA is called; where its regret was not measured, that of the paper's is told
    """
    if question == "sigma":
        return f"{sigma_advice()} {UNSEEN}"
    asked = QUESTIONS[question]
    rows = validation()[validation()["question"] == question]
    method = next(own for own in (name, "EPCA", "") if own in set(rows["method"]))
    rows = rows[rows["method"] == method].set_index(["kind", "rule"])
    ours = rows.loc["all", "estimate"]
    hard = rows.loc["inside"]
    return (
        f"In {ours['places']} tests on other data, {method and f'with {method}, '}a {asked.what} "
        f"chosen this way cost {ours['mean']:.2g}% more error than the best one on average, at "
        f"most {ours['ninety']:.2g}% in nine of ten, {ours['worst']:.2g}% at worst; {asked.rival} "
        f"cost {rows.loc[('all', asked.rival), 'mean']:.2g}% on average. In the "
        f"{hard.loc['estimate', 'places']} tests where the largest c is not simply the best, it "
        f"cost {hard.loc['estimate', 'mean']:.2g}% and {asked.rival} cost "
        f"{hard.loc[asked.rival, 'mean']:.2g}%. In {ours['refused']} more there was no estimate. "
        f"{UNSEEN}"
    )


@cache
def sigma_advice() -> str:
    """Which σ to take of those that need no clean image, and what each cost in our tests."""
    rows = validation()[validation()["question"] == "sigma"]
    rows = rows[rows["kind"] == "all"].set_index("rule")
    mean = rows["mean"].map("{:.2g}%".format)
    worst = rows["worst"].map("{:.2g}%".format)
    auto = "σ = “auto”"
    rival = QUESTIONS["sigma"].rival
    return (
        f"**Take {rival}**, unless some image is fitted exactly there: no choice is clearly "
        f"better, and any small σ does nearly as well. In {rows.loc['estimate', 'places']} tests "
        f"on other data {rival} cost {mean[rival]} more error than the best σ on average and "
        f"{worst[rival]} at worst, the lowest estimate {mean['estimate']} and "
        f"{worst['estimate']}, an eighth of PCA's median residual (M/8 in the σ sweep) "
        f"{mean[auto]} and {worst[auto]}."
    )


def regret_table(*, is_by_kind: bool) -> pd.DataFrame:
    """The regrets in %: of all rules over all kinds of occlusion, or of the estimate by kind."""
    table = validation()
    is_whole = table["kind"] == "all"
    is_ours = table["rule"] == "estimate"
    table = table[~is_whole & is_ours] if is_by_kind else table[is_whole]
    what = {name: question.what for name, question in QUESTIONS.items()} | {"k": "k"}
    shown = pd.DataFrame({"choice of": table["question"].map(what), "for": table["method"]})
    labels = {kind: KINDS[kind].label for kind in KINDS} | {"inside": INSIDE}
    shown["occlusion" if is_by_kind else "by"] = (
        table["kind"].map(labels) if is_by_kind else table["rule"]
    )
    for label, column in {"mean": "mean", "9 of 10 within": "ninety", "worst": "worst"}.items():
        shown[label] = table[column].map("{:.1f}".format)
    return shown.assign(tests=table["places"], refused=table["refused"]).reset_index(drop=True)


class Looks:
    """The images that look occluded, as given and as estimated."""

    def __init__(self, prepared: Prepared, estimate: CleanEstimate) -> None:
        self.prepared = prepared
        self.estimate = estimate

    @property
    def text(self) -> str:
        found = self.estimate.is_occluded
        text = f"**{found.sum()} of {len(found)} images look occluded.**"
        truth = self.prepared.truth
        if truth is not None and truth.any():
            hits = int(np.sum(found & truth))
            others = found.sum() - hits
            text += f" Oracle: {hits} of the {truth.sum()} occluded ones, and {others} clean ones."
        return f"{text} {SWAPPED}"

    @cached_property
    def ids(self) -> np.ndarray:
        """Some of them, spread over the set."""
        found = np.flatnonzero(self.estimate.is_occluded)
        return spread(found, min(SHOWN, len(found))) if len(found) else found

    @property
    def stages(self) -> dict[str, np.ndarray]:
        """Label → images (1, k, h, w)."""
        shape = self.prepared.images.image_shape
        stages = {"As given": self.prepared.occluded.X, "As estimated": self.estimate.images}
        return {label: row(X[self.ids], shape) for label, X in stages.items()}
