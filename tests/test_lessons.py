"""No lesson can lie: every number and every claim of an answer is computed here from the library, at the step's settings."""

import re
from functools import cached_property
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest

from epca.activation import activate
from epca.experiment import prepare, run, sweep
from epca.glossary import GLOSSARY
from epca.history import record
from epca.lessons import LESSONS
from epca.losses import SigmaLoss
from epca.metrics import is_collapsed
from epca.ui import lesson as ui
from epca.ui import settings
from epca.ui import sweep as kept_sweep
from epca.ui.ranks import rank_axis
from epca.ui.router import PAGES
from epca.ui.tune import EXPONENTS
from tests.visit import press, texts, visit

STEPS = {
    (i, j): step for i, lesson in enumerate(LESSONS, 1) for j, step in enumerate(lesson.steps, 1)
}


class Measured:
    """The library's results at a step's settings, computed when asked for."""

    def __init__(self, step, faces):
        values = {
            key: setting.default for key, setting in settings.SETTINGS.items()
        } | step.settings
        self.scenario, self.faces = settings.scenario_of(values, faces), faces
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
    def n_clean(self):
        return int((~self.prepared.occluded.mask.any(axis=1))[self.models["EPCA"].alpha_ > 0].sum())

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
        """Kept for the page that the step leads to; test_sweep.py shows that its points equal single fits."""
        return kept_sweep.run(
            settings.Setup(self.scenario, self.faces), "test", tuple(exponents), tuple(ranks)
        ).table

    @cached_property
    def by_sigma(self):
        return (
            self.sweep(EXPONENTS, [self.scenario.n_components])
            .assign(exponent=EXPONENTS)
            .set_index("exponent")
        )

    @cached_property
    def by_rank(self):
        return self.sweep([int(np.log2(self.scenario.sigma))], rank_axis(100)).set_index(
            "n_components"
        )

    @cached_property
    def history(self):
        return record(self.scenario.model("EPCA"), self.prepared.reduction)


def sign(value):
    return f"{value:+.1%}"


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
        "difference": f"{abs(it.rows.loc['EPCA', 'error'] / it.rows.loc['PCA-OM', 'error'] - 1):.1%}",
    },
    (4, 1): lambda it: {"ratio": f"{it.smallest:.0%}"},
    (4, 2): lambda it: {"k": str(it.k), "clean": it.clean},
    (4, 3): lambda it: {"first": str(it.history.collapse), "last": str(it.models["EPCA"].n_iter_)},
    (4, 4): lambda it: {"change": sign(it.change())},
    (4, 5): lambda it: {"clean": it.clean, "change": sign(it.change())},
    (4, 6): lambda it: {"clean": it.clean},
    (5, 1): lambda it: {"best": str(it.by_sigma["error"].idxmin()), "flat": flat(it)},
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
    """By how much the error moves from σ = 2^-20 to 2^0."""
    return f"{np.ptp(it.by_sigma.loc[:0, 'error']) / it.by_sigma.loc[0, 'error']:.1%}"


def spread(it):
    table = sweep(
        it.scenario, ("EPCA", "PCA-OM"), prepare=lambda item: prepare(item, it.faces), seed=range(5)
    ).table
    errors = table.groupby("method")["error"]
    return {"mean": errors.mean(), "std": errors.std(ddof=0)}


def collapse_rank(it):
    """The rank from which on all larger ones shown have k = 2."""
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
    (4, 3): lambda it: it.history.collapse > it.models["EPCA"].n_iter_ / 4,
    (4, 4): lambda it: it.change() < 0 and is_collapsed(it.residuals),
    (4, 5): lambda it: (
        not is_collapsed(it.residuals) and it.n_clean == it.k and abs(it.change()) < 0.002
    ),
    (4, 6): lambda it: it.n_clean < it.k / 2,
    (5, 1): lambda it: it.by_sigma["error"].max() > 1.1 * it.by_sigma["error"].min(),
    (5, 2): lambda it: it.rows["error"].idxmin() == "PCA-AN" and 1 - it.scenario.samples == 0.8,
    (5, 3): lambda it: it.change("PCA-AN") < it.change() < 0,
    (5, 4): lambda it: abs(np.diff(spread(it)["mean"])[0]) < spread(it)["std"].min(),
    (5, 5): lambda it: (
        it.by_rank.loc[it.by_rank["error"].idxmin(), "collapsed"]
        and it.by_rank.loc[55:, "collapsed"].all()
    ),
}


@pytest.mark.parametrize("where", STEPS, ids=lambda where: f"{where[0]}.{where[1]}")
def test_every_number_and_claim_holds(where, faces):
    it = Measured(STEPS[where], faces)
    assert FACTS[where](it) == STEPS[where].facts
    assert CLAIMS[where](it)


@pytest.mark.parametrize("where", STEPS, ids=lambda where: f"{where[0]}.{where[1]}")
def test_numbers_in_answers_are_facts(where):
    """What an answer says in figures is measured; left are settings, powers of two of the grid, and worked examples."""
    step = STEPS[where]
    rest = re.sub(r"\{\w+\}|Eq. \d+", "", step.answer)
    given = " ".join(map(str, step.settings.values())) + " 0 1 2 3 9 20 80 400 -20"
    assert [number for number in re.findall(r"\d+", rest) if number not in given.split()] == []
    assert set(re.findall(r"\{(\w+)\}", step.answer)) == set(step.facts)


def test_shape_of_the_lessons():
    assert len(LESSONS) == 5
    assert all(4 <= len(lesson.steps) <= 8 for lesson in LESSONS)
    assert all(step.page in PAGES for step in STEPS.values())
    assert set(FACTS) == set(CLAIMS) == set(STEPS)
    known = {*settings.SETTINGS, *ui.ELSEWHERE}
    assert all(set(step.settings) <= known for step in STEPS.values())


@pytest.mark.parametrize("where", STEPS, ids=lambda where: f"{where[0]}.{where[1]}")
def test_every_link_restores_its_step(where):
    """The address opens the page with the settings and the lesson's panel, without a complaint about the link."""
    step, address = STEPS[where], urlparse(ui.link(*where))
    app = visit(step.page, **parse_qs(address.query))
    assert not app.exception
    assert not [warning.value for warning in app.main.warning if "link" in warning.value]
    shown = {key: app.session_state[key] for key in step.settings}
    assert shown == step.settings
    assert (app.session_state["lesson"], app.session_state["step"]) == where
    assert any(step.question in text for text in texts(app))
    assert address.path.rsplit("/", 1)[-1] == ("" if step.page == "home" else step.page)


def test_the_panel_leads_through_a_lesson():
    app = visit()
    app.slider(key="c").set_value(77).run()
    app.selectbox(key="lesson").set_value(4).run()
    assert not app.exception
    assert app.title[0].value == "Activated samples"
    assert app.slider(key="c").value == 30
    press(app, "Next")
    assert (app.session_state["step"], app.slider(key="c").value) == (2, 100)
    app.slider(key="c").set_value(50).run()
    press(app, "Reset to this step")
    assert app.slider(key="c").value == 100
    press(app, "Back")
    assert (app.session_state["step"], app.slider(key="c").value) == (1, 30)
    assert STEPS[4, 1].full_answer in texts(app)
    press(app, "End")
    assert not any(STEPS[4, 1].question in text for text in texts(app))


def test_the_learn_page_starts_lessons_and_has_a_teachers_page():
    app = visit("learn")
    assert [header.value for header in app.main.header] == [
        ui.name(number) for number in ui.NUMBERS
    ]
    app.toggle(key="teacher").set_value(True).run()
    text = "\n".join(texts(app))
    for where, step in STEPS.items():
        assert step.question in text
        assert step.full_answer in text
        assert ui.link(*where) in text
    app.toggle(key="teacher").set_value(False).run()
    app.button(key="start 2").click().run()
    assert app.session_state["lesson"] == 2
    assert not app.exception


def test_the_glossary_names_every_symbol_once():
    app = visit("glossary")
    assert not app.exception
    shown = app.table[0].value
    assert shown.index.tolist() == [term.name for term in GLOSSARY]
    assert len({term.name for term in GLOSSARY}) == len(GLOSSARY)
    assert {"\\alpha_i", "\\sigma", "\\gamma", "\\eta_i", "k", "c", "m", "W"} <= {
        term.symbol for term in GLOSSARY
    }
    assert all(
        1 <= int(number) <= 57 for term in GLOSSARY for number in re.findall(r"\d+", term.equation)
    )
