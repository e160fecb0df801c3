"""Runs of the paper's protocol: the same in parallel, resumed, never mixed, saved to the digit."""

import json
import shutil

import pandas as pd
import pytest

from epca import paper


def assert_same(again, raw):
    """To the last digit, except for the time it took."""
    first, second = (rows.drop(columns="seconds").reset_index(drop=True) for rows in (again, raw))
    pd.testing.assert_frame_equal(first, second, check_exact=True)


@pytest.fixture(scope="module")
def tasks(small_options):
    """The tasks of the first seed."""
    return [task for task in paper.plan(small_options) if task.seed == 0]


@pytest.mark.slow
def test_parallel_gives_the_same(tasks, raw, tmp_path):
    assert_same(paper.run(tasks, tmp_path, n_jobs=2), raw[raw["seed"] == 0])


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_cancelled_run_goes_on_where_it_ended(tasks, raw, tmp_path, n_jobs):
    class Cancelled(BaseException):
        pass

    def cancel(done, total, text):
        if done == 80:
            raise Cancelled

    with pytest.raises(Cancelled):
        paper.run(tasks, tmp_path, cancel, n_jobs=n_jobs)
    half = paper.read(tmp_path)
    assert len(half) == 80
    seen = []
    again = paper.run(tasks, tmp_path, lambda *call: seen.append(call), resume=True, n_jobs=n_jobs)
    assert seen[0] == (80, len(tasks), "starting")
    assert seen[-1][:2] == (len(tasks), len(tasks))
    assert_same(again, raw[raw["seed"] == 0])
    assert set(half["seconds"]) <= set(again["seconds"])  # measured once, not again


def test_cancelling_within_a_fit(small_options, tmp_path):
    def cancel(done, total, text):
        if text == "iteration 2":
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        paper.run(paper.plan(small_options), tmp_path, cancel)


@pytest.mark.parametrize("rule", ["", "coarse", "fine", "oracle", "residual"])
def test_what_failed_or_was_cut_short_is_done_again(
    rule, small_options, finished_run, raw, tmp_path
):
    folder = shutil.copytree(finished_run, tmp_path / "run")
    rows = {path: json.loads(path.read_text()) for path in (folder / "fits").iterdir()}
    chosen = sorted(
        (row["seed"], row["n_components"], row["error"], path)
        for path, row in rows.items()
        if row["rule"] == rule
    )
    first = chosen[0][-1]
    last = chosen[-1][-1]
    first.write_text(first.read_text()[:20])
    last.write_text(json.dumps(rows[last] | {"failure": "no memory"}))
    assert len(paper.read(folder)) == len(raw) - 1
    seen = []
    tasks = paper.plan(small_options)
    again = paper.run(tasks, folder, lambda *call: seen.append(call), resume=True)
    assert seen[0][0] == len(raw) - 2
    assert_same(again, raw)


def test_other_images_under_the_same_name_are_not_mixed(small_options, tmp_path):
    tasks = [task._replace(fingerprint="other") for task in paper.plan(small_options)[:1]]
    with pytest.raises(ValueError, match="is not the same here as where the run was planned"):
        paper.run(tasks, tmp_path)


def test_an_earlier_run_is_not_overwritten(small_options, finished_run, tmp_path):
    with pytest.raises(ValueError, match="holds an earlier run; go on with it by --resume"):
        paper.run(paper.plan(small_options), finished_run)
    with pytest.raises(ValueError, match="holds no run"):
        paper.read(tmp_path)


def test_csv_holds_every_digit(finished_run, raw, tmp_path):
    pd.testing.assert_frame_equal(paper.read(finished_run / "raw.csv"), raw, check_exact=True)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    message = r"other\.csv is no table of a reproduction: it lacks dataset, seed"
    with pytest.raises(ValueError, match=message):
        paper.read(tmp_path / "other.csv")
