"""Where fits take long, a preview is shown first, marked, and replaced by the exact fits."""

from types import SimpleNamespace

import pytest

from epca import EPCA, METHODS
from epca.data import load_dataset
from epca.experiment import Scenario, fit, prepare, preview
from epca.preview import FewAxes
from epca.ui.jobs import bars
from epca.ui.jobs.server import runner
from epca.views import texts
from epca.views.compare import FITTING
from epca.views.preview import difference
from tests.compared import lines
from tests.visit import at, followed, metrics, offered, press, settle, visit
from tests.visit import texts as texts_of

SEEDS = iter(range(500, 600))  # no result of these is cached


@pytest.fixture
def always_large(monkeypatch, nothing_cached):
    monkeypatch.setattr("epca.preview.LONG", 0)


@pytest.fixture(scope="module")
def opening():
    return Scenario(n_components=20).at(kind="salt-and-pepper", pixels=0.4)


def shown_by(data, scenario):
    """The rows of PCA and EPCA by label, and what Home says of them."""
    rows = {label: fit(data, scenario, label).row for label in ("PCA", "EPCA")}
    change = texts.change(rows["EPCA"]["error"] / rows["PCA"]["error"] - 1)
    return rows, change, f"{rows['EPCA']['n_activated']} of 400"


def hold(monkeypatch):
    """Have exact fits wait until it is let go."""
    follow_all = bars.follow_all
    is_held = [True]
    monkeypatch.setattr(bars, "follow_all", lambda asked: not is_held[0] and follow_all(asked))
    return is_held


@pytest.mark.parametrize("name", ["home", "activated", "tune"])
@pytest.mark.slow
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
    told_at = place_of(app, "**Preview**")
    is_held[0] = False
    settle(app.run())
    assert not marked(app)
    assert parts(app) == before  # else the page would be there twice while it runs again
    assert place_of(app, "Exact. ") == told_at  # else both would be said meanwhile
    exact, change, k = shown_by(data, scenario)
    assert said(app, name) in ([change, k], [k])
    assert difference(soon, exact) in [caption.value for caption in app.main.caption]
    again = visit(name, seed=str(scenario.occlusion.seed))  # somebody else: it is cached
    assert not marked(again)
    assert not [text for text in again.main.caption if "preview" in text.value.lower()]


def place_of(app, text):
    """The way to the element that says this: a number at each level."""

    def search(block):
        for i, child in block.children.items():
            if text in str(getattr(child, "value", "")):
                return [i]
            if found := search(child) if hasattr(child, "children") else None:
                return [i, *found]
        return None

    return search(app.main)


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
    if name == "tune":
        change, _, k, *_ = metrics(app).values()
        return [change, k]
    sentence = next(text for text in texts_of(app) if " activated; " in text)
    return [sentence.strip("*").split(" activated")[0]]


def errors_in(app):
    """Method → its error in the matrix of Compare, and whether it is said to be a preview."""
    return {
        label: (
            line["cells"][0]["text"] if line["cells"] else line["text"],
            line["note"].startswith("preview"),
        )
        for label, line in lines(app).items()
        if label in METHODS
    }


def errors_of(data, scenario, labels):
    rows = {label: fit(data, scenario, label).row for label in labels}
    return rows, {label: f"{row['error'] / 1e6:,.1f}" for label, row in rows.items()}


def test_methods_without_a_preview_are_awaited(always_large, opening):
    scenario = opening.at(seed=next(SEEDS))
    _, late = errors_of(prepare(scenario, load_dataset("orl")), scenario, ["L1PCA-NG"])
    app = visit("compare", seed=str(scenario.occlusion.seed), methods=["L1PCA-NG"])
    assert not app.exception
    assert not marked(app)
    assert errors_in(app) == {label: (text, False) for label, text in late.items()}


def test_a_fit_that_nobody_waits_for_is_left(always_large):
    """After the exact fits have come, and back at settings whose fits are ready."""
    app = visit("compare", seed=str(next(SEEDS)), methods=["PCA", "EPCA"])
    assert not followed(app)
    app.slider(key="c").set_value(21).run()
    assert followed(app)
    app.slider(key="c").set_value(20).run()
    assert not followed(app)


def test_a_fit_of_a_method_no_longer_chosen_is_left(always_large):
    """Else the fits that are wanted now would stand behind it in the line."""
    app = visit("compare", seed=str(next(SEEDS)), methods=["R1PCA"])
    left = []
    long = SimpleNamespace(is_finished=False, leave=left.append)
    app.session_state["_followed"] = {"Fitting EPCA": ("its key", long)}
    app.run()
    assert len(left) == 1
    assert "Fitting EPCA" not in app.session_state["_followed"]


@pytest.mark.slow
def test_compare_shows_previews_without_stars_until_all_are_exact(
    always_large, monkeypatch, opening
):
    scenario = opening.at(seed=next(SEEDS))
    data = prepare(scenario, load_dataset("orl"))
    previewed = ["PCA", "EPCA", "R1PCA"]
    soon, early = errors_of(preview(data), scenario, previewed)
    exact, late = errors_of(data, scenario, [*previewed, "L1PCA-NG"])
    is_held = hold(monkeypatch)
    app = at("compare", seed=str(scenario.occlusion.seed), methods=list(late)).run()
    assert not app.exception
    assert marked(app) == [
        ":blue-background[**Preview**] 3 methods within 240 of the images' 1,024 dimensions. "
        "The exact fits replace it when they are ready."
    ]
    found = {label: (text, True) for label, text in early.items()}
    assert errors_in(app) == found | {"L1PCA-NG": (FITTING, False)}
    assert not stars(app)
    assert offered(app)["table"]["preview"].all()
    is_held[0] = False
    settle(app.run())
    assert not marked(app)
    assert errors_in(app) == {label: (text, False) for label, text in late.items()}
    assert stars(app)
    assert "preview" not in offered(app)["table"]
    exact = {label: exact[label] for label in previewed}
    assert difference(soon, exact) in [caption.value for caption in app.main.caption]


@pytest.mark.parametrize("is_apart", [True, False])
def test_exact_fits_begin_beside_the_previews_where_these_need_not_wait(
    always_large, monkeypatch, is_apart
):
    followed_by_then = []
    outcome = bars._outcome

    def note(job, request):
        if request.title.startswith("Preview"):
            followed_by_then.append([*bars.st.session_state.get("_followed", {})])
        return outcome(job, request)

    monkeypatch.setattr(bars, "_outcome", note)
    monkeypatch.setattr(type(runner()), "is_apart", is_apart)
    app = at(seed=str(next(SEEDS))).run()
    assert not app.exception
    exact = ["Fitting PCA", "Fitting EPCA"] if is_apart else []
    assert followed_by_then == [exact, exact]
    settle(app)
    assert not marked(app)


@pytest.mark.slow
def test_a_step_of_sigma_on_compare_previews_epca_alone(always_large, monkeypatch):
    app = visit("compare", seed=str(next(SEEDS)), methods=["PCA", "EPCA"])
    before = errors_in(app)
    place = parts(app)
    is_held = hold(monkeypatch)
    app.select_slider(key="sigma_shown").set_value(12).run()
    assert "**Preview** EPCA within" in marked(app)[0].replace("]", "")
    assert errors_in(app)["PCA"] == before["PCA"]
    assert errors_in(app)["EPCA"][1]
    assert not stars(app)
    assert parts(app) == place
    is_held[0] = False
    settle(app.run())
    assert not errors_in(app)["EPCA"][1]


def test_nothing_of_a_preview_is_cached_for_the_exact_fits(always_large, monkeypatch):
    """Clustering takes the scores of a fit, and waits for the exact one."""
    is_held = hold(monkeypatch)
    query = {"seed": str(next(SEEDS)), "methods": ["PCA", "EPCA"], "cluster": "true", "runs": "1"}
    app = at("compare", **query).run()
    assert not app.exception
    assert "accuracy" not in offered(app)["table"]
    is_held[0] = False
    settle(app.run())
    assert "accuracy" in offered(app)["table"]


def stars(app):
    return [cell for line in lines(app).values() for cell in line.get("cells", []) if cell["best"]]


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
    jobs = followed(app)
    press(app, "Cancel")
    assert all(job.wait(10) for job in jobs)
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
