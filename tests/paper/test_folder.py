"""The folder of a run: damaged files, two runs at once, and files that are of no run."""

import json
import shutil
from dataclasses import replace

import pytest

from epca import paper
from epca.paper.folder import NEEDED, protocol, save_protocol, stored
from tests.paper.test_reproduction import assert_same

DAMAGE = {"empty": b"", "not text": b"\xff\xfe\x00", "{}": b"{}", "null": b"null", "list": b"[1]"}


@pytest.fixture
def folder(finished_run, tmp_path):
    return shutil.copytree(finished_run, tmp_path / "run")


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.slow
def test_damaged_files_are_named_and_taken_as_missing(damage, folder, small_options, raw, caplog):
    files = [sorted((folder / "fits").iterdir())[0], folder / "run.json"]
    for path in files:
        path.write_bytes(DAMAGE[damage])
    with pytest.raises(ValueError, match=r"run\.json is damaged; run it again with --resume"):
        paper.read(folder)
    again = paper.run(paper.plan(small_options), folder, resume=True)
    assert_same(again, raw)
    said = [record.getMessage() for record in caplog.records]
    assert said[:2] == [f"{path} is damaged and taken as missing." for path in reversed(files)]
    paper.finish(folder)


def tasks_with(field, value):
    """A run.json whose first task has another value in one field."""

    def damage(text):
        found = json.loads(text)
        found["tasks"][0][field] = value
        return json.dumps(found)

    return damage


WRONG = {  # what a run.json may hold that is JSON all the same
    "a data set that is a list": tasks_with(0, []),
    "images that are a table": tasks_with(1, {}),
    "a rank that is a text": tasks_with(3, "3"),
    "an exponent that is a text": tasks_with(6, "x"),
    "versions that are tables": lambda text: text.replace(
        '"versions": [{', '"versions": [{"a": {}, '
    ),
    "lists without end": lambda text: "[" * 100_000,
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_run_json_with_wrong_values_is_damaged(kind, folder):
    path = folder / "run.json"
    path.write_text(WRONG[kind](path.read_text()))
    with pytest.raises(ValueError, match=r"run\.json is damaged; run it again with --resume"):
        protocol(folder)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("error", "x"), ("error", [1]), ("auc", {}), ("failure", None), ("dataset", ["few"]),
        ("method", "R1PCA"), ("seed", 77), ("n_components", "3"),
    ],
)  # fmt: skip
def test_a_fit_with_a_wrong_value_is_taken_as_missing(column, value, folder, caplog):
    tasks = protocol(folder)["tasks"]
    task, row = next(stored(folder, tasks))
    assert row[column] != value
    (folder / "fits" / f"{task.key}.json").write_text(json.dumps(row | {column: value}))
    assert task not in [found for found, _ in stored(folder, tasks)]
    assert "is damaged and taken as missing." in caplog.text


@pytest.mark.parametrize("damage", [{}, {"error": None}, {"error": float("nan")}, {"sigma": None}])
@pytest.mark.parametrize("rule", ["", "coarse"])
def test_a_fit_without_its_error_or_sigma_is_taken_as_missing(damage, rule, folder, caplog):
    """The oracle chooses by both; a method without σ has none."""
    tasks = protocol(folder)["tasks"]
    task, row = next(pair for pair in stored(folder, tasks) if pair[0].rule == rule)
    row = row | damage if damage else {name: row[name] for name in NEEDED}
    (folder / "fits" / f"{task.key}.json").write_text(json.dumps(row))
    is_read = task in [found for found, _ in stored(folder, tasks)]
    assert is_read == (rule == "" and "sigma" in damage)
    assert is_read == ("is damaged and taken as missing." not in caplog.text)


def test_a_failed_fit_needs_no_error(folder):
    tasks = protocol(folder)["tasks"]
    task, row = next(stored(folder, tasks))
    row |= {"failure": "No.", "error": None, "sigma": None}
    (folder / "fits" / f"{task.key}.json").write_text(json.dumps(row))
    assert task in [found for found, _ in stored(folder, tasks)]


def test_two_runs_do_not_share_a_folder(folder, small_options):
    tasks = paper.plan(small_options)
    steps = paper.steps(tasks, folder, print, resume=True)
    next(steps)
    with pytest.raises(ValueError, match="another run is at work in"):
        paper.run(tasks, folder, resume=True)
    steps.close()
    paper.run(tasks, folder, resume=True)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_is_not_resumed_with_fewer_tasks(folder, small_options):
    """It would take its tables' place."""
    before = contents(folder)
    fewer = paper.plan(replace(small_options, methods=("PCA",), clustering_runs=0))
    message = r"fits of these options leave out \d+ of the \d+ that .* holds; resume it with "
    with pytest.raises(ValueError, match=message):
        paper.run(fewer, folder, resume=True)
    assert contents(folder) == before


def test_a_run_is_resumed_with_more_tasks(small_options, tmp_path):
    fewer = replace(small_options, methods=("PCA",), ranks=(3,))
    first = paper.run(paper.plan(fewer), tmp_path)
    more = paper.plan(replace(fewer, ranks=(3, 5)))
    paper.finish(tmp_path)
    grown = paper.run(more, tmp_path, resume=True)
    assert len(grown) == len(more) > len(first)
    assert set(first["seconds"]) <= set(grown["seconds"])  # measured once


def test_a_rank_that_only_a_curve_had_may_become_one_of_the_tables(small_options, tmp_path):
    """Its fits with fixed σ take the place of the curve's."""
    options = replace(small_options, methods=("EPCA",), ranks=(3,), seeds=1)
    (tmp_path / "fits").mkdir()
    (tmp_path / "raw.csv").write_text("")
    save_protocol(tmp_path, paper.plan(options), {})
    more = paper.plan(replace(options, ranks=(3, 5)))
    assert not {*paper.plan(options)} <= {*more}
    save_protocol(tmp_path, more, {})
    assert protocol(tmp_path)["tasks"] == more


def test_a_run_without_results_may_become_another(small_options, tmp_path):
    """As after an interruption before the first fit."""
    (tmp_path / "fits").mkdir()
    save_protocol(tmp_path, paper.plan(small_options), {})
    other = paper.plan(replace(small_options, methods=("PCA",)))
    save_protocol(tmp_path, other, {})
    assert protocol(tmp_path)["tasks"] == other


@pytest.mark.parametrize("name", ["raw.csv", "summary.csv", "report.html"])
def test_files_of_no_run_are_not_overwritten(name, small_options, tmp_path):
    (tmp_path / name).write_text("mine")
    with pytest.raises(ValueError, match=f"holds a {name} that is of no run; choose another"):
        paper.run(paper.plan(small_options), tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_run_json_is_as_before(finished_run):
    """Tasks as lists of fields, versions as dicts: other programs may read it."""
    found = json.loads((finished_run / "run.json").read_text())
    assert len(found["tasks"][0]) == 8
    assert "Python" in found["versions"][0]
