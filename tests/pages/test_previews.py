"""Where fits take long, a preview is shown first, marked, and replaced by the exact fits."""

import pytest

from epca import EPCA
from epca.data import load_dataset
from epca.experiment import Scenario, fit, prepare, preview
from epca.preview import FewAxes
from epca.views import texts
from epca.views.preview import difference
from tests.visit import at, followed, metrics, press, settle, visit
from tests.visit import texts as texts_of

SEEDS = iter(range(500, 600))  # no result of these is cached


@pytest.fixture
def always_large(monkeypatch, nothing_cached):
    monkeypatch.setattr("epca.ui.frame.images.LARGE", 0)


@pytest.fixture(scope="module")
def opening():
    return Scenario(n_components=20).at(kind="salt-and-pepper", pixels=0.4)


def shown_by(data, scenario):
    """The rows of PCA and EPCA, and what Home says of them."""
    pca, epca = [fit(data, scenario, label).row for label in ("PCA", "EPCA")]
    return epca, texts.change(epca["error"] / pca["error"] - 1), f"{epca['n_activated']} of 400"


def hold(monkeypatch):
    """Have exact fits wait until it is let go."""
    from epca.ui.jobs import bars

    follow = bars.follow
    is_held = [True]
    monkeypatch.setattr(bars, "follow", lambda asked: None if is_held[0] else follow(asked))
    return is_held


@pytest.mark.parametrize("name", ["home", "activated"])
def test_a_preview_comes_first_and_the_exact_fits_replace_it(
    name, always_large, monkeypatch, opening
):
    scenario = opening.at(seed=next(SEEDS))
    data = prepare(scenario, load_dataset("orl"))
    soon, change, k = shown_by(preview(data), scenario)
    is_held = hold(monkeypatch)
    app = at(name, seed=str(scenario.occlusion.seed)).run()
    assert not app.exception
    assert marked(app) == [
        ":blue-background[**Preview**] PCA and EPCA within 240 of the images' 1,024 dimensions. "
        "The exact fits replace it when they are ready."
    ]
    assert said(app, name)[-1:] == [k]
    before = parts(app)
    is_held[0] = False
    settle(app.run())
    assert not marked(app)
    assert parts(app) == before  # else the page would be there twice while it runs again
    exact, change, k = shown_by(data, scenario)
    assert said(app, name) in ([change, k], [k])
    assert difference(soon, exact) in [caption.value for caption in app.main.caption]
    again = visit(name, seed=str(scenario.occlusion.seed))  # somebody else: it is cached
    assert not marked(again)
    assert not [text for text in again.main.caption if "preview" in text.value.lower()]


def parts(app):
    """What stands at each place of the page, and of what is around it."""
    *_, page = around = list(app.main.children.values())
    return [[part.type for part in parts] for parts in (around, page.children.values())]


def marked(app):
    """What marks a preview."""
    return [text for text in texts_of(app) if "**Preview**" in text]


def said(app, name):
    if name == "home":
        return list(metrics(app).values())[:2]
    sentence = next(text for text in texts_of(app) if " activated; " in text)
    return [sentence.strip("*").split(" activated")[0]]


def test_a_cancelled_exact_fit_leaves_the_preview(always_large, monkeypatch):
    solve = EPCA._solve

    def stay(model, reduction, callback):
        """Solve previews; with exact fits, go on until they are cancelled."""
        while not isinstance(reduction, FewAxes):
            callback(1, 0.0, None)
        return solve(model, reduction, callback)

    monkeypatch.setattr(EPCA, "_solve", stay)
    app = at(seed=str(next(SEEDS))).run()
    before = metrics(app)
    (job,) = followed(app)
    press(app, "Cancel")
    assert job.wait(10)
    assert [info.value for info in app.main.info] == [
        "Cancelled. Change a setting, or start again."
    ]
    assert marked(app)
    assert metrics(app) == before


def test_a_small_set_has_no_preview(nothing_cached):
    app = visit(seed=str(next(SEEDS)))
    assert not marked(app)
    assert not [text for text in app.main.caption if "preview" in text.value.lower()]


def test_the_pinned_setting_waits_for_the_exact_fits(always_large, monkeypatch):
    is_held = hold(monkeypatch)
    app = at(seed=str(next(SEEDS))).run()
    press(app, "Pin A")
    assert not [header for header in app.main.header if "pinned" in header.value]
    is_held[0] = False
    settle(app.run())
    assert [header for header in app.main.header if "pinned" in header.value]
