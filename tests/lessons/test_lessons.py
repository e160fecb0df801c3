"""No lesson can lie: the library gives every number and claim at the step's settings."""

import re
from functools import cached_property

import numpy as np
import pytest

from epca import tasks
from epca.activation import activate
from epca.experiment import prepare, run, sweep
from epca.history import record
from epca.lessons import LESSONS
from epca.losses import SigmaLoss
from epca.metrics import is_collapsed
from epca.registry import METHODS
from epca.ui.frame import controls, settings
from epca.ui.frame.lesson import SHARED
from epca.ui.frame.router import PAGES
from epca.ui.frame.settings import EXPONENTS
from epca.ui.parts.sweeps import rank_axis
from tests.driven import finish

STEPS = {
    (i, j): step for i, lesson in enumerate(LESSONS, 1) for j, step in enumerate(lesson.steps, 1)
}
SWEPT = [(2, 5), (5, 1), (5, 4), (5, 5)]  # by many fits


def name(where):
    return f"{where[0]}.{where[1]}"


class Measured:
    """The library's results at a step's settings, computed when asked for."""

    def __init__(self, step, faces):
        self.faces = faces
        self.scenario = settings.setup_of(settings.defaults() | step.settings, faces).scenario
        self.labels = tuple(dict.fromkeys(["PCA", "EPCA", *step.settings.get("methods", [])]))

    @cached_property
    def prepared(self):
        return prepare(self.scenario, self.faces)

    @cached_property
    def results(self):
        return run(self.scenario, self.labels, prepare=lambda _: self.prepared)

    @property
    def rows(self):
        return self.results.table.set_index("method")

    @property
    def models(self):
        return dict(zip(self.labels, self.results.models, strict=True))

    def change(self, label="EPCA"):
        return self.rows.loc[label, "error"] / self.rows.loc["PCA", "error"] - 1

    @property
    def k(self):
        return self.models["EPCA"].n_activated_

    @property
    def activated(self):
        return np.flatnonzero(self.models["EPCA"].alpha_)

    @property
    def n_clean(self):
        return len(np.setdiff1d(self.activated, self.prepared.occluded.samples))

    @property
    def clean(self):
        return f"{self.n_clean} of {self.k}"

    @cached_property
    def residuals(self):
        return self.models["EPCA"].residuals(self.prepared.occluded.X)

    @property
    def loss(self):
        return SigmaLoss(self.scenario.sigma)

    @property
    def smallest(self):
        return self.residuals.min() / np.median(self.residuals)

    def on_occluded_pixels(self, label, component):
        pixels = self.prepared.occluded.mask.any(axis=0)
        return np.square(self.models[label].components_[component, pixels]).sum()

    def sweep(self, exponents, ranks):
        """The page's own sweep; test_sweep.py compares it with single fits."""
        return finish(tasks.sweep(self.prepared, self.scenario, exponents, ranks)).table

    @cached_property
    def by_sigma(self):
        table = self.sweep(EXPONENTS, [self.scenario.n_components])
        return table.set_axis(list(EXPONENTS))

    @cached_property
    def by_rank(self):
        table = self.sweep([int(np.log2(self.scenario.sigma))], rank_axis(100))
        return table.set_index("n_components")

    @cached_property
    def history(self):
        return record(self.scenario.model("EPCA"), self.prepared.reduction)


def sign(value):
    return minus(f"{value:+.1%}")


def minus(number):
    return str(number).replace("-", "−")


FACTS = {
    (1, 1): lambda it: {"change": sign(it.change())},
    (1, 2): lambda it: {
        "occluded": str(len(it.prepared.occluded.samples)),
        "n": str(len(it.faces.images)),
        "pixels": str(it.prepared.occluded.mask[it.prepared.occluded.samples[0]].sum()),
    },
    (1, 3): lambda it: {"change": sign(it.change())},
    (1, 4): lambda it: {
        "dotted": str(1 + max(range(8), key=lambda j: it.on_occluded_pixels("PCA", j))),
        "share": f"{it.prepared.occluded.mask.any(axis=0).mean():.0%}",
        "pca": f"{it.on_occluded_pixels('PCA', 3):.0%}",
        "epca": f"{it.on_occluded_pixels('EPCA', 3):.0%}",
        "an": f"{it.on_occluded_pixels('PCA-AN', 3):.0%}",
    },
    (1, 5): lambda it: {"change": sign(it.change()), "clean": it.clean},
    (2, 1): lambda it: {
        "median": f"{(t := np.median(it.residuals)):.0f}",
        "ratio": f"{it.loss.value(t) / (2 * t):.3f}",
    },
    (2, 2): lambda it: {"ratio": f"{it.loss.value(t := np.median(it.residuals)) / t**2:.3f}"},
    (2, 3): lambda it: {"change": sign(it.change())},
    (2, 4): lambda it: {
        "ratio": f"{it.loss.weight(it.residuals.max()) / it.loss.weight(it.residuals.min()):.0%}"
    },
    (2, 5): lambda it: {
        "flat": flat(it),
        "rise": f"{it.by_sigma.loc[20, 'error'] / it.by_sigma.loc[0, 'error'] - 1:.1%}",
    },
    (3, 1): lambda it: {"k": str(it.k), "clean": it.clean},
    (3, 2): lambda it: {"k": str(it.k)},
    (3, 3): lambda it: {
        "k": str(np.sum((w := activate(np.array([1.0, 4, 9, 16, 25])).weights) > 0)),
        "first": f"{w[0]:.3f}",
        "second": f"{w[1]:.3f}",
    },
    (3, 4): lambda it: {"weight": f"{it.models['EPCA'].direct_weight_.max():.2f}"},
    (3, 5): lambda it: {
        "share": f"{it.rows.loc['EPCA', 'weights_share']:.2%}",
        "difference": f"{abs(it.rows['error']['EPCA'] / it.rows['error']['PCA-OM'] - 1):.1%}",
    },
    (4, 1): lambda it: {"ratio": f"{it.smallest:.0%}"},
    (4, 2): lambda it: {"k": str(it.k), "clean": it.clean},
    (4, 3): lambda it: {"first": str(it.history.collapse), "last": str(it.models["EPCA"].n_iter_)},
    (4, 4): lambda it: {"change": sign(it.change())},
    (4, 5): lambda it: {"clean": it.clean, "change": sign(it.change())},
    (4, 6): lambda it: {"clean": it.clean},
    (5, 1): lambda it: {"best": minus(it.by_sigma["error"].idxmin()), "flat": flat(it)},
    (5, 2): lambda it: {"an": sign(it.change("PCA-AN")), "epca": sign(it.change())},
    (5, 3): lambda it: {"an": sign(it.change("PCA-AN")), "epca": sign(it.change())},
    (5, 4): lambda it: {
        "difference": f"{abs(np.diff(spread(it)['mean'])[0]) / 1e6:.1f}",
        "spread": f"{spread(it)['std'].max() / 1e6:.1f}",
    },
    (5, 5): lambda it: {
        "best": str(it.by_rank["error"].idxmin()),
        "k": f"{it.by_rank.loc[it.by_rank['error'].idxmin(), 'n_activated']:.0f}",
        "collapse": str(collapse_rank(it)),
    },
}


def flat(it):
    """By how much the error changes from σ = 2^-20 to 2^0."""
    return f"{np.ptp(it.by_sigma.loc[:0, 'error']) / it.by_sigma.loc[0, 'error']:.1%}"


def spread(it):
    table = sweep(
        it.scenario, ("EPCA", "PCA-OM"), prepare=lambda item: prepare(item, it.faces), seed=range(5)
    ).table
    errors = table.groupby("method")["error"]
    return {"mean": errors.mean(), "std": errors.std(ddof=0)}


def collapse_rank(it):
    """The smallest rank from which on k stays at 2."""
    return next(c for c in it.by_rank.index if (it.by_rank.loc[c:, "n_activated"] == 2).all())


CLAIMS = {
    (1, 1): lambda it: abs(it.change()) < 0.01 and it.change() > 0,
    (1, 2): lambda it: (
        len(np.unique(it.prepared.occluded.mask[it.prepared.occluded.samples], axis=0)) == 1
    ),
    (1, 3): lambda it: it.change() < 0,
    (1, 4): lambda it: (
        it.on_occluded_pixels("PCA", 3) > 1.5 * it.prepared.occluded.mask.any(axis=0).mean()
    ),
    (1, 5): lambda it: (
        it.change() < 0
        and it.rows.loc["EPCA", "error_occluded"] / 200
        > 4 * it.rows.loc["EPCA", "error_clean"] / 200
    ),
    (2, 1): lambda it: it.residuals.min() > 100 * it.scenario.sigma,
    (2, 2): lambda it: it.residuals.max() < it.scenario.sigma / 100,
    (2, 3): lambda it: abs(it.change()) < 0.002,
    (2, 4): lambda it: np.ptp(SigmaLoss(2.0**20).weight(it.residuals)) < 0.01,
    (2, 5): lambda it: it.by_sigma["error"].diff().abs().idxmax() in range(7, 13),
    (3, 1): lambda it: it.n_clean == it.k,
    (3, 2): lambda it: it.k > Measured(STEPS[3, 1], it.faces).k,
    (3, 3): lambda it: STEPS[3, 3].settings["losses"] == "1, 4, 9, 16, 25",
    (3, 4): lambda it: np.all(it.models["EPCA"].direct_weight_[it.models["EPCA"].alpha_ == 0] == 1),
    (3, 5): lambda it: it.rows.loc["EPCA", "weights_share"] < 0.01,
    (4, 1): lambda it: not is_collapsed(it.residuals),
    (4, 2): lambda it: is_collapsed(it.residuals) and it.n_clean < it.k,
    (4, 3): lambda it: (
        it.history.collapse > it.models["EPCA"].n_iter_ / 2
        and METHODS["EPCA"](60, tol=1e-3).fit_reduced(it.prepared.reduction).n_iter_
        < it.history.collapse
    ),
    (4, 4): lambda it: it.change() < 0 and is_collapsed(it.residuals),
    (4, 5): lambda it: (
        not is_collapsed(it.residuals) and it.n_clean == it.k and abs(it.change()) < 0.002
    ),
    (4, 6): lambda it: (
        it.n_clean < it.k / 2 and len(np.unique(it.prepared.occluded.X[it.activated], axis=0)) == 1
    ),
    (5, 1): lambda it: it.by_sigma["error"].max() > 1.1 * it.by_sigma["error"].min(),
    (5, 2): lambda it: (
        it.rows["error"].idxmin() == "PCA-AN"
        and len(it.prepared.occluded.samples) == 0.2 * len(it.faces.images)
    ),
    (5, 3): lambda it: it.change("PCA-AN") < it.change() < 0,
    (5, 4): lambda it: abs(np.diff(spread(it)["mean"])[0]) < spread(it)["std"].min(),
    (5, 5): lambda it: (
        it.by_rank.loc[it.by_rank["error"].idxmin(), "collapsed"]
        and it.by_rank.loc[55:, "collapsed"].all()
    ),
}


def marked(where):
    return pytest.param(where, marks=pytest.mark.slow) if where in SWEPT else where


@pytest.mark.parametrize("where", [marked(where) for where in STEPS], ids=name)
def test_every_number_and_claim_holds(where, faces):
    it = Measured(STEPS[where], faces)
    assert FACTS[where](it) == STEPS[where].facts
    assert CLAIMS[where](it)


EXAMPLES = {  # numbers in answers that are no facts: what each is
    (2, 1): {"1"},  # of the factor 1 + σ
    (3, 3): {"1", "2", "3", "9"},  # the sum worked out
    (4, 2): {"1"},  # c + 1 points
    (5, 5): {"2"},  # the smallest k there is
}


@pytest.mark.parametrize("where", STEPS, ids=name)
def test_numbers_in_answers_are_facts(where):
    """The others are powers of two, the number of images, the share 80%, and EXAMPLES."""
    step = STEPS[where]
    rest = re.sub(r"(2\^)?\{\w+\}|2\^(0|20|−20)\b|Eq\. \d+|80%|of 400\b", "", step.answer)
    others = EXAMPLES.get(where, set())
    assert set(re.findall(r"\d+", rest)) <= others
    assert set(re.findall(r"\{(\w+)\}", step.answer)) == set(step.facts)


def test_shape_of_the_lessons():
    assert len(LESSONS) == 5
    assert all(4 <= len(lesson.steps) <= 8 for lesson in LESSONS)
    assert all(step.page in PAGES for step in STEPS.values())
    assert set(FACTS) == set(CLAIMS) == set(STEPS)
    known = {*settings.SETTINGS, *controls.CONTROLS, *(row.key for row in SHARED)}
    assert all(set(step.settings) <= known for step in STEPS.values())
