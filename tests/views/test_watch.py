"""What the page Watch shows, without the page: steps, pictures, moves, sentences, tables."""

import json
from dataclasses import replace

import numpy as np
import pytest

from epca import EPCA
from epca.data import read_bytes
from epca.experiment import Occlusion, Scenario, prepare
from epca.history import State, record
from epca.views import runs, watch
from tests.files import npy, pictures


@pytest.fixture(scope="module")
def prepared():
    return prepare(Scenario())


@pytest.fixture(scope="module")
def found(prepared):
    return record(EPCA(30), prepared.reduction)


@pytest.fixture(scope="module")
def view(found, prepared):
    return watch.View(prepared, found)


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
    was = set(np.flatnonzero(before.alpha))
    is_now = set(np.flatnonzero(state.alpha))
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
    model = view.history.model
    face = 7
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
    farthest_from_grey = np.abs(shown[:, 1:-1] - 127.5).max(axis=(0, 2))
    np.testing.assert_allclose(farthest_from_grey, 127.5)
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
    assert levels[2] == pytest.approx(np.log(20) / np.log(2000))
    assert watch.heights([5.0, 5.0])[0] == [0.0, 0.0]
    assert watch.heights([5.0, 4.0, 4.0 + 1e-12])[0][1] == 0.0  # rounding is no height


def test_no_truth_no_marks():
    images = read_bytes("mine.npy", npy(pictures(12)), is_occluded=True)
    prepared = prepare(Scenario(dataset="mine", n_components=3), images)
    view = watch.View(prepared, record(EPCA(3), prepared.reduction))
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
        Scenario(dataset="digits", n_components=63, occlusion=Occlusion(samples=0.0)),
    ],
)
def test_extreme_ranks(scenario):
    prepared = prepare(scenario)
    view = watch.View(prepared, record(scenario.model("EPCA"), prepared.reduction))
    data, sprite, shape, columns = view.replay_data(0)
    assert sprite.shape[:2] == ((data["steps"][-1]["row"] + 2) * shape[0], columns * shape[1])
    json.dumps(data)


def test_a_rank_that_fits_everything_is_not_called_healthy():
    images = read_bytes("mine.npy", npy(pictures(4)))
    prepared = prepare(Scenario(dataset="mine", n_components=3), images)
    made = record(EPCA(3), prepared.reduction)
    assert "after 1 iteration with k = 4. Every image is fitted exactly" in runs.sentence(made)
    data, *_ = watch.View(prepared, made).replay_data(0)
    assert [step["height"] for step in data["steps"]][-1] == 0


def test_the_table_has_every_iteration(found):
    table = runs.table({"first run": found})
    np.testing.assert_array_equal(table["objective"], found.model.objective_history_)
    np.testing.assert_allclose(
        table[["not_activated", "activated", "added"]].sum(axis=1), table["objective"], rtol=1e-13
    )


def test_both_runs_are_drawn_by_iteration(found):
    figures = runs.figures({"first run": found})
    assert list(figures) == ["run_objective", "run_activated", "run_residual"]
    objective, activated, smallest = (figure.data[0].y for figure in figures.values())
    history = found.model.objective_history_
    np.testing.assert_allclose(objective, history / history[0])
    assert list(activated) == [item.n_activated for item in found.iterations]
    assert list(smallest) == [item.smallest_residual for item in found.iterations]


def test_what_becomes_of_a_run_is_said(found, prepared):
    model = found.model
    least = min(item.smallest_residual for item in found.iterations)
    assert runs.sentence(found) == (
        f"σ = 1 (2⁰), tol = 1e-6: came to rest after {model.n_iter_} iterations "
        f"with k = {model.n_activated_}. "
        f"No collapse: the smallest residual never falls below {least:.0%} of the median."
    )
    stopped = record(EPCA(30, max_iter=2), prepared.reduction)
    assert "was stopped by the limit after 2 iterations" in runs.sentence(stopped)
    assert watch.View(prepared, stopped).sentence.startswith(
        "EPCA reached its limit of iterations after **2 iterations**"
    )


def test_moves_name_who_joins_and_who_leaves():
    occluded = np.array([False, True, False, False])
    before = State(1, np.array([0.5, 0.5, 0.0, 0.0]), *[None] * 4)
    after = State(2, np.array([0.5, 0.0, 0.25, 0.25]), *[None] * 4)
    assert watch.moves(before, after, occluded) == [
        "3 of 4 images activated, 0 of them occluded (◆).",
        "join: 2, 3",
        "leave: 1 ◆",
    ]
    assert watch.moves(None, before, occluded) == [
        "2 of 4 images activated, 1 of them occluded (◆)."
    ]
    assert watch.moves(before, before, np.zeros(4, bool)) == [
        "2 of 4 images activated.",
        "join: none",
        "leave: none",
    ]


def test_what_is_not_recorded_is_said(view):
    assert "not recorded" not in view.memory
    thinned = view._replace(history=view.history._replace(states=view.history.states[::3]))
    assert "An iteration after one that is not recorded is a single step." in thinned.memory


def test_large_pictures_are_thinned_on_the_sheet(view):
    shape = view.images.image_shape
    _, small, _ = view.sheet(0, view.pictures(0))
    assert small == shape == (32, 32)
    large = np.repeat(np.repeat(view.images.images[:10], 3, axis=1), 3, axis=2)
    images = replace(view.images, images=large, labels=view.images.labels[:10])
    prepared = prepare(Scenario(n_components=2), images)
    wide = watch.View(prepared, record(EPCA(2), prepared.reduction))
    _, thinned, _ = wide.sheet(0, wide.pictures(0))
    assert thinned == (48, 48)
