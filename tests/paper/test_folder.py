"""The folder of a run: damaged files, two runs at once, and files that are of no run."""

import json
import shutil

import pytest

from epca import paper
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


def test_two_runs_do_not_share_a_folder(folder, small_options):
    tasks = paper.plan(small_options)
    steps = paper.steps(tasks, folder, print, resume=True)
    next(steps)
    with pytest.raises(ValueError, match="another run is at work in"):
        paper.run(tasks, folder, resume=True)
    steps.close()
    paper.run(tasks, folder, resume=True)


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
