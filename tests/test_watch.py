"""The page Watch without a browser: its steps, pictures and sentences are the fit's own."""

import json
from itertools import pairwise

import numpy as np
import pytest

from epca import EPCA
from epca.data import read_bytes
from epca.experiment import Scenario, prepare
from epca.history import BUDGET, MOST, record
from epca.metrics import COLLAPSED
from epca.plots.watch import LOOKS, runs_figure
from epca.ui import downloads, runs, store, watch, work
from epca.ui.settings import Setup
from tests.files import npy, pictures
from tests.visit import charts, execute, press, visit


@pytest.fixture(scope="module")
def defaults():
    """The page at its defaults, to read only."""
    return visit("watch")


@pytest.fixture(scope="module")
def prepared():
    return prepare(Scenario())


@pytest.fixture(scope="module")
def found(prepared):
    return record(EPCA(30), prepared.reduction)


@pytest.fixture(scope="module")
def view(found, prepared):
    return watch.View(Setup(Scenario(), prepared.images), prepared, found)


def sent(app):
    """What the player got."""
    (player,) = [element for element in app.main if element.type == "bidi_component"]
    return json.loads(player.proto.json)


def test_the_replay_is_the_fits_own_history(defaults, occluded, prepared):
    assert not defaults.exception
    model, steps = EPCA(30).fit(occluded.X), sent(defaults)["steps"]
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


def test_halves_mark_their_lines(view):
    steps = watch.steps(view.history, view.occluded, [""] * len(view.history.states))
    assert len(steps) == 2 * len(view.history.states) - 1
    assert [step["phases"] for step in steps[:3]] == [["start"], ["model"], ["weights"]]
    assert steps[-1]["phases"] == ["weights", "end"]
    assert steps[1]["alpha"] == steps[0]["alpha"]
    assert steps[1]["row"] == steps[2]["row"] == 1
    marked = {phase for step in steps for phase in step["phases"]}
    assert marked == {phase for phase, *_ in watch.CODE} - {""}
    assert [line[2] for line in watch.CODE if line[0] == "model"] == ["(28)", "(34)", "(38, 39)"]


def test_a_state_without_the_one_before_it_is_one_step(view):
    thinned = view.history._replace(states=view.history.states[::3])
    steps = watch.steps(thinned, view.occluded, [""] * len(thinned.states))
    assert [step["phases"] for step in steps[:2]] == [["start"], ["model", "weights"]]
    assert steps[1]["objective"] == pytest.approx(
        view.history.model.objective_history_[3], rel=1e-14
    )


def test_parts_add_up(view):
    for step in watch.steps(view.history, view.occluded, [""] * len(view.history.states)):
        assert sum(part[1] for part in step["terms"]) == pytest.approx(1, rel=1e-12)


def test_who_joins_and_leaves(view):
    before, state = view.history.states[1:3]
    was, is_now = set(np.flatnonzero(before.alpha)), set(np.flatnonzero(state.alpha))
    _, joined, left = watch.moves(before, state, view.occluded)
    for text, expected in ((joined, is_now - was), (left, was - is_now)):
        named = [
            int(word.rstrip(","))
            for word in text.split(": ")[1].replace(" ◆", "").split()
            if word.rstrip(",").isdecimal()
        ]
        assert named == sorted(expected)[: watch.MOST_NAMED]
    start = watch.moves(view.history.states[0], before, view.occluded)
    assert start[2].endswith(f" and {400 - len(was) - watch.MOST_NAMED} more")
    assert " ◆" in start[2]


def test_pictures_are_those_of_the_final_model_at_the_end(view, prepared):
    model, face = view.history.model, 7
    shown = view.pictures(face)
    assert shown.shape == (len(view.history.states), 6, 1024)
    np.testing.assert_allclose(shown[-1, 0], model.mean_, atol=1e-2)
    np.testing.assert_allclose(
        shown[-1, -1], model.reconstruct(prepared.occluded.X[[face]])[0], atol=1e-2
    )
    for k in range(4):
        assert np.corrcoef(shown[-1, 1 + k], model.components_[k])[0, 1] == pytest.approx(
            1, abs=1e-6
        )
    np.testing.assert_allclose(shown[0, 0], prepared.occluded.X.mean(axis=0), atol=1e-2)


def test_the_distance_to_the_clean_face(view, prepared):
    face = int(prepared.occluded.samples[3])
    remarks = view.remarks(face, view.pictures(face))
    back = view.history.model.reconstruct(prepared.occluded.X[[face]])[0]
    apart = np.sqrt(np.mean((back - prepared.clean[face]) ** 2))
    assert f"{apart:.1f} grey levels" in remarks[-1]
    clean = int(np.argmin(view.occluded))
    assert set(view.remarks(clean, view.pictures(clean))) == {
        f"Distance to the clean image: – (image {clean} is not occluded)."
    }


def test_heights_fall_from_one_to_zero():
    levels, top, floor = watch.heights([1010.0, 110.0, 20.0, 11.0, 10.0])
    assert (levels[0], levels[-1], top, floor) == (1.0, 0.0, 1000.0, 0.5)
    assert levels == sorted(levels, reverse=True)
    assert watch.heights([5.0, 5.0])[0] == [0.0, 0.0]


def test_memory_is_said(defaults, found):
    said = next(
        caption.value for caption in defaults.main.caption if caption.value.startswith("Recorded")
    )
    assert (
        f"{len(found.states)} of {len(found.iterations)} states, {found.n_bytes / 2**20:.1f} MB"
        in said
    )
    assert f"at most {MOST} states and {BUDGET // 2**20} MB" in said


def test_the_face_is_chosen(occluded):
    app = visit("watch")
    assert [cell["caption"] for cell in sent(app)["cells"]][-3:] == [
        f"image {occluded.samples[0]}, {what}" for what in ("as given", "reconstructed", "clean")
    ]
    app.number_input(key="watch").set_value(12).run()
    assert not app.exception
    assert sent(app)["cells"][5]["caption"] == "image 12, as given"


def test_both_runs_are_compared(occluded):
    app = visit("watch")
    first, second = EPCA(30).fit(occluded.X), EPCA(30, tol=1e-3).fit(occluded.X)
    assert second.n_iter_ < first.n_iter_
    objective, activated, smallest = charts(app).values()
    for traces in (objective["data"], activated["data"], smallest["data"]):
        assert [len(trace["x"]) for trace in traces] == [first.n_iter_ + 1, second.n_iter_ + 1]
    for i, tol, model in ((1, "1e-6", first), (2, "1e-3", second)):
        ending = f"tol = {tol}: came to rest after {model.n_iter_} iterations with k = {model.n_activated_}"
        assert ending in app.main.markdown[i].value
    app.selectbox(key="sigma2").set_value("2^12").run()
    app.selectbox(key="tol2").set_value("1e-6").run()
    other = EPCA(30, sigma=2.0**12).fit(occluded.X)
    assert (
        f"σ = 2^12, tol = 1e-6: came to rest after {other.n_iter_} iterations with k = {other.n_activated_}"
        in app.main.markdown[2].value
    )


def test_see_a_collapse():
    app = visit("watch")
    press(app, "See a collapse")
    assert not app.exception
    assert app.slider(key="c").value == runs.COLLAPSE["c"]
    made = record(EPCA(60), prepare(Scenario()).reduction)
    objective = made.model.objective_history_
    fallen = (objective[0] - objective[made.collapse - 1]) / (objective[0] - objective[-1])
    first, second = (markdown.value for markdown in app.main.markdown[1:3])
    assert f"**Collapse at iteration {made.collapse}**" in first
    assert f"Before it the objective had made {fallen:.1%} of its whole fall" in first
    assert "No collapse" in second
    assert any("collapsed" in step["smallest"] for step in sent(app)["steps"])


def test_a_link_restores_the_view():
    app = visit("watch", watch="12", sigma2="2^12", tol2="1e-6")
    assert not app.main.warning
    assert sent(app)["cells"][5]["caption"] == "image 12, as given"
    assert "σ = 2^12, tol = 1e-6" in app.main.markdown[2].value


def test_two_long_runs_show_two_bars(monkeypatch):
    """Each bar has a button of its own to cancel with: a second one of the same key would be an error."""
    monkeypatch.setattr(work, "PATIENCE", -1.0)
    app = visit("watch", seed="77")
    assert not app.exception
    assert len(charts(app)) == 3


def test_no_truth_no_marks():
    images = read_bytes("mine.npy", npy(pictures(12)), is_occluded=True)
    prepared = prepare(Scenario(dataset="mine", n_components=3), images)
    view = watch.View(Setup(Scenario(), images), prepared, record(EPCA(3), prepared.reduction))
    assert not view.occluded.any()
    data, *_ = view.replay_data(view.first_face)
    assert "clean" not in data["cells"][-1]["caption"]
    assert (
        data["steps"][0]["remark"]
        == "Distance to the clean image: – (which images are occluded is not known)."
    )
    assert "◆" not in json.dumps(data, ensure_ascii=False)


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario(dataset="digits", n_components=1),
        Scenario(dataset="digits", n_components=63, samples=0.0),
    ],
)
def test_extreme_ranks(scenario):
    prepared = prepare(scenario)
    view = watch.View(
        Setup(scenario, prepared.images),
        prepared,
        record(scenario.model("EPCA"), prepared.reduction),
    )
    data, sprite, shape, columns = view.replay_data(0)
    assert sprite.shape[:2] == ((data["steps"][-1]["row"] + 2) * shape[0], columns * shape[1])
    json.dumps(data)


def test_a_rank_that_fits_everything_is_not_called_healthy():
    images = read_bytes("mine.npy", npy(pictures(4)))
    prepared = prepare(Scenario(dataset="mine", n_components=3), images)
    made = record(EPCA(3), prepared.reduction)
    assert "after 1 iteration with k = 4. Every image is fitted exactly" in runs.sentence(made)
    data, *_ = watch.View(Setup(Scenario(), images), prepared, made).replay_data(0)
    assert [step["height"] for step in data["steps"]][-1] == 0


def test_figures_tell_runs_apart_without_colour():
    figure = runs_figure(
        {"a": [1.0, 0.5], "b": [1.0]}, "Title", "y", threshold=COLLAPSED, is_log=True
    )
    assert [(trace.line.dash, trace.marker.symbol) for trace in figure.data] == [
        look[1:] for look in LOOKS
    ]
    assert figure.layout.shapes[0].y0 == COLLAPSED
    assert figure.layout.yaxis.type == "log"


def test_the_script_prints_the_pages_numbers(found, tmp_path, faces, monkeypatch):
    monkeypatch.setattr(store, "uploaded", lambda: None)
    code = downloads.script(
        "Watch",
        runs.SCRIPT,
        Setup(Scenario(), faces),
        runs=[("first run", 1.0, 1e-6), ("second run", 4096.0, 1e-3)],
    )
    printed = execute(code, tmp_path).splitlines()
    model = found.model
    assert (
        printed[0]
        == f"first run: {model.n_iter_} iterations, k = {model.n_activated_}, collapse at iteration None"
    )
    assert printed[1 + model.n_iter_].split()[:3] == [
        str(model.n_iter_),
        f"{model.objective_history_[-1]:.8g}",
        str(model.n_activated_),
    ]
    assert printed[2 + model.n_iter_].startswith("second run: ")


def test_the_table_has_every_iteration(found):
    table = runs.table({"first run": found})
    np.testing.assert_array_equal(table["objective"], found.model.objective_history_)
    np.testing.assert_allclose(
        table[["inactive", "activated", "added"]].sum(axis=1), table["objective"], rtol=1e-13
    )
