"""The page Watch: its replay, runs and sentences are the fit's own."""

from itertools import pairwise

import numpy as np
import pytest

from epca import EPCA
from epca.experiment import Scenario, prepare
from epca.history import BUDGET, FEWEST, MOST, record
from epca.metrics import COLLAPSED
from epca.plots.watch import LOOKS, runs_figure
from epca.ui.jobs import bars
from epca.views import scripts
from tests.visit import PAPER, charts, components, execute, press, visit

COLLAPSING = 60  # the rank that the button sets


@pytest.fixture(scope="module")
def defaults():
    """The page at the paper's setting, to read only."""
    return visit("watch", **PAPER)


@pytest.fixture(scope="module")
def prepared():
    return prepare(Scenario())


@pytest.fixture(scope="module")
def found(prepared):
    return record(EPCA(30), prepared.reduction)


def sent(app):
    """What the player got."""
    return components(app)["player"]


def test_the_replay_is_the_fits_own_history(defaults, occluded, prepared):
    assert not defaults.exception
    model = EPCA(30).fit(occluded.X)
    steps = sent(defaults)["steps"]
    full = [steps[0], *steps[2::2]]
    np.testing.assert_allclose(
        [step["objective"] for step in full], model.objective_history_, rtol=1e-14
    )
    assert full[-1]["alpha"] == sorted(model.alpha_[model.alpha_ > 0], reverse=True)
    assert all(
        later["objective"] <= before["objective"] * (1 + 1e-12) for before, later in pairwise(steps)
    )
    assert (
        f"after **{model.n_iter_} iterations**, k = {model.n_activated_} of 400"
        in defaults.main.markdown[0].value
    )
    for i in (1, 4):
        stopped = EPCA(30, max_iter=i).fit_reduced(prepared.reduction)
        assert steps[2 * i]["alpha"] == sorted(stopped.alpha_[stopped.alpha_ > 0], reverse=True)
        assert steps[2 * i]["moves"][0].startswith(
            f"{stopped.n_activated_} of 400 images activated"
        )


def test_memory_is_said(defaults, found):
    said = next(caption.value for caption in defaults.main.caption if "Recorded" in caption.value)
    assert (
        f"{len(found.states)} of {len(found.iterations)} states, {found.n_bytes / 2**20:.1f} MB"
        in said
    )
    assert f"Up to {MOST} states are recorded: as many as fit in {BUDGET // 2**20} MB," in said
    assert f"at least {FEWEST}." in said


def test_the_face_is_chosen(occluded):
    app = visit("watch", **PAPER)
    assert [cell["caption"] for cell in sent(app)["cells"]][-3:] == [
        f"image {occluded.samples[0]}, {what}" for what in ("as given", "reconstructed", "clean")
    ]
    app.number_input(key="watch").set_value(12).run()
    assert not app.exception
    assert sent(app)["cells"][5]["caption"] == "image 12, as given"


def test_both_runs_are_compared(occluded):
    app = visit("watch", **PAPER)
    first = EPCA(30).fit(occluded.X)
    second = EPCA(30, tol=1e-3).fit(occluded.X)
    assert second.n_iter_ < first.n_iter_
    objective, activated, smallest = charts(app).values()
    for traces in (objective["data"], activated["data"], smallest["data"]):
        assert [len(trace["x"]) for trace in traces] == [first.n_iter_ + 1, second.n_iter_ + 1]
    for i, tol, model in ((1, "1e-6", first), (2, "1e-3", second)):
        assert ending(tol, model) in app.main.markdown[i].value
    app.selectbox(key="sigma2").set_value(12).run()
    app.selectbox(key="tol2").set_value("1e-6").run()
    other = EPCA(30, sigma=2.0**12).fit(occluded.X)
    assert f"σ = 4,100 (2¹²), {ending('1e-6', other)}" in app.main.markdown[2].value


def test_a_run_with_left_out_residuals_beside_the_plain_one(occluded):
    app = visit("watch", **PAPER, left_out2="true", tol2="1e-6")
    assert not app.exception
    guarded = EPCA(30, left_out=True).fit(occluded.X)
    first, second = (markdown.value for markdown in app.main.markdown[1:3])
    assert first.startswith("**First run**, ")
    assert second.startswith("**Second run, left-out**, ")
    assert ending("1e-6", guarded) in second
    objective, activated, smallest = charts(app).values()
    for traces in (objective["data"], activated["data"], smallest["data"]):
        assert [trace["name"] for trace in traces] == ["first run", "second run, left-out"]
    assert activated["data"][1]["y"][-1] == guarded.n_activated_
    residuals = guarded.residuals(occluded.X)
    assert smallest["data"][1]["y"][-1] == pytest.approx(residuals.min() / np.median(residuals))
    assert sent(app)["method"] == "Algorithm 3"


def test_the_sidebars_switch_is_for_the_first_run(occluded):
    app = visit("watch", **PAPER, left_out="true")
    guarded = EPCA(30, left_out=True).fit(occluded.X)
    assert (
        f"EPCA, left-out, came to rest after **{guarded.n_iter_} it" in app.main.markdown[0].value
    )
    assert app.main.markdown[1].value.startswith("**First run, left-out**, ")
    assert app.main.markdown[2].value.startswith("**Second run**, ")
    steps = sent(app)["steps"]
    assert steps[-1]["alpha"] == sorted(guarded.alpha_[guarded.alpha_ > 0], reverse=True)
    assert steps[0]["title"] == "Start: classical PCA"
    assert sent(app)["method"] == "Algorithm 3, left-out"
    assert any("leverage" in line["text"] for line in sent(app)["code"])
    assert "The objective J falls in both." not in app.main.caption[0].value


@pytest.mark.slow
def test_see_the_cure():
    app = visit("watch")
    press(app, "See its cure")
    assert (app.slider(key="c").value, app.selectbox(key="tol2").value) == (COLLAPSING, "1e-6")
    first, second = (markdown.value for markdown in app.main.markdown[1:3])
    assert "**Collapse at iteration" in first
    assert second.startswith("**Second run, left-out**, ")
    assert "No collapse" in second


def ending(tol, model):
    rest = f"came to rest after {model.n_iter_} iterations"
    return f"tol = {tol}: {rest} with k = {model.n_activated_}"


@pytest.mark.slow
def test_see_a_collapse():
    app = visit("watch")
    press(app, "See a collapse")
    assert not app.exception
    assert app.slider(key="c").value == COLLAPSING
    made = record(EPCA(COLLAPSING), prepare(Scenario()).reduction)
    objective = made.model.objective_history_
    fallen = (objective[0] - objective[made.collapse - 1]) / (objective[0] - objective[-1])
    first, second = (markdown.value for markdown in app.main.markdown[1:3])
    assert f"**Collapse at iteration {made.collapse}**" in first
    assert f"{fallen:.1%} of the objective's whole fall came before that." in first
    assert "No collapse" in second
    assert any("collapsed" in step["smallest"] for step in sent(app)["steps"])


def test_a_link_restores_the_view():
    app = visit("watch", watch="12", sigma2="2^12", tol2="1e-6")
    assert not app.main.warning
    assert sent(app)["cells"][5]["caption"] == "image 12, as given"
    assert "σ = 4,100 (2¹²), tol = 1e-6" in app.main.markdown[2].value


def test_two_long_runs_show_two_bars(monkeypatch):
    """Each bar has a button of its own to cancel with: two of one key would be an error."""
    drawn = []

    def draw(request):
        drawn.append(request.title)
        return cancel_button(request)

    cancel_button = bars._cancel_button
    monkeypatch.setattr(bars, "_cancel_button", draw)
    monkeypatch.setattr(bars, "PATIENCE", 0.0)
    app = visit("watch", seed="77")
    assert not app.exception
    assert {"Recording the first run", "Recording the second run"} <= set(drawn)
    assert len(charts(app)) == 3


def test_figures_tell_runs_apart_without_colour():
    figure = runs_figure(
        {"a": [1.0, 0.5], "b": [1.0]}, "Title", "y", threshold=COLLAPSED, is_log=True
    )
    assert [(trace.line.dash, trace.marker.symbol) for trace in figure.data] == [
        look[1:] for look in LOOKS
    ]
    assert figure.layout.shapes[0].y0 == COLLAPSED
    assert figure.layout.yaxis.type == "log"


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([400, 25], [10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000]),
        ([25, 25], [10, 20, 30, 50, 100, 200, 300, 500]),
        ([1.0, 1e-5], None),  # powers of ten do
        ([1.0, 0.0], None),
    ],
)
def test_a_log_axis_has_ticks_enough_to_read_a_value(values, ticks):
    axis = runs_figure({"a": values}, "Title", "k", is_log=True).layout.yaxis
    assert axis.tickvals == (ticks and tuple(ticks))
    assert axis.dtick == (None if ticks else 1)


def test_the_ticks_of_a_log_axis_reach_the_threshold():
    figure = runs_figure({"a": [0.6, 0.5]}, "Title", "t", threshold=0.01, is_log=True)
    assert min(figure.layout.yaxis.tickvals) == 0.01


@pytest.mark.slow
def test_the_script_prints_the_pages_numbers(found, tmp_path, faces):
    runs = [("first run", 1.0, 1e-6, False), ("second run, left-out", 4096.0, 1e-3, True)]
    code = scripts.script("Watch", scripts.WATCH, Scenario(), faces, runs=runs)
    printed = execute(code, tmp_path).splitlines()
    model = found.model
    assert printed[0] == (
        f"first run: {model.n_iter_} iterations, k = {model.n_activated_}, "
        "collapse at iteration None"
    )
    assert printed[1 + model.n_iter_].split()[:3] == [
        str(model.n_iter_),
        f"{model.objective_history_[-1]:.8g}",
        str(model.n_activated_),
    ]
    guarded = EPCA(30, sigma=4096.0, tol=1e-3, left_out=True).fit_reduced(
        prepare(Scenario()).reduction
    )
    assert printed[2 + model.n_iter_].startswith(
        f"second run, left-out: {guarded.n_iter_} iterations, k = {guarded.n_activated_}, "
    )
