"""The folder of a run: its tasks in run.json, a file for each finished fit, one run at a time."""

import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isfinite, nan
from pathlib import Path
from typing import Any
from uuid import uuid4

from epca.paper.protocol import Task

RESULTS = ("raw.csv", "summary.csv", "report.html")
NEEDED = {"dataset", "seed", "n_components", "method", "rule", "failure"}  # of every row


@contextmanager
def occupied(folder: Path, *, resume: bool) -> Iterator[None]:
    """Hold the folder for one run; ValueError says why it cannot be had."""
    (folder / "fits").mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        if not resume and any((folder / "fits").iterdir()):
            raise ValueError(
                f"{folder} holds an earlier run; go on with it by --resume, "
                "or choose another folder."
            )
        if not (folder / "run.json").exists():
            for name in RESULTS:
                if (folder / name).exists():
                    raise ValueError(
                        f"{folder} holds a {name} that is of no run; choose another folder."
                    )
        yield


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """However the process ends, the system lets go of the lock. Windows has no such one."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(
            f"another run is at work in {folder}; wait for it, or choose another folder."
        ) from None
    else:
        yield
    finally:
        os.close(handle)


def save(path: Path, text: str) -> None:
    """Write the whole file or nothing."""
    draft = path.with_name(f"{path.name}.{uuid4().hex[:8]}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def protocol(folder: str | Path) -> dict[str, Any]:
    """The tasks of a run and the versions it was made with; ValueError where there are none."""
    path = Path(folder) / "run.json"
    if not path.exists():
        raise ValueError(f"{folder} holds no run: it lacks run.json.")
    found = _read(path)
    with suppress(TypeError, KeyError, AttributeError):
        tasks = [Task(*fields) for fields in found["tasks"]]
        versions = [dict(part) for part in found["versions"]]
        are_texts = all(isinstance(text, str) for part in versions for text in part.values())
        if tasks and versions and are_texts and all(map(_is_task, tasks)):
            return {"tasks": tasks, "versions": versions}
    raise ValueError(f"{path} is damaged; run it again with --resume and the same options.")


def _is_task(task):
    """Whether its fields are of the kinds that they are written as."""
    texts = (task.dataset, task.fingerprint, task.method, task.rule)
    counts = (task.seed, task.n_components, task.clustering_runs)
    return (
        all(isinstance(value, str) for value in texts)
        and all(type(value) is int for value in counts)
        and (task.exponent is None or isinstance(task.exponent, int | float))
    )


def save_protocol(folder: Path, tasks: Sequence[Task], now: dict[str, str]) -> None:
    """Write down the tasks and the versions at work, after those of earlier parts of the run.

    ValueError where the tasks leave out some that the folder has results of.
    """
    versions = []
    if (folder / "run.json").exists():
        try:
            former = protocol(folder)
        except ValueError:
            _say_damaged(folder / "run.json")
        else:
            _require_all(folder, former["tasks"], tasks)
            versions = former["versions"]
    if now not in versions:
        versions = [*versions, now]
    save(folder / "run.json", json.dumps({"versions": versions, "tasks": tasks}))


def _require_all(folder, former, tasks):
    """A run may grow. A smaller one would take the place of the folder's tables."""
    if not (any((folder / "fits").iterdir()) or (folder / "raw.csv").exists()):
        return
    fixed = [task for task in tasks if task.rule == "fixed"]
    curve = [task._replace(rule="curve", clustering_runs=0) for task in fixed]  # told by these, too
    planned = {*tasks, *curve}
    if missing := [task for task in former if task not in planned]:
        raise ValueError(
            f"the fits of these options leave out {len(missing)} of the {len(former)} that "
            f"{folder} holds; resume it with its own options and images, or with more, "
            "or choose another folder."
        )


def stored(folder: Path, tasks: Sequence[Task]) -> Iterator[tuple[Task, dict[str, Any]]]:
    """Every finished task and its row. A damaged file counts as missing."""
    for task in tasks:
        path = folder / "fits" / f"{task.key}.json"
        if not path.exists():
            continue
        row = _read(path)
        if _is_row(row, task):
            yield task, row
        else:
            _say_damaged(path)


def _is_row(row, task):
    """Whether this is a row of the task, with texts where texts belong, else numbers or nothing.

    The oracle and every table need the error and σ of a fit that did not fail.
    """
    if not (isinstance(row, dict) and set(row) >= NEEDED):
        return False
    is_its = all(row[name] == getattr(task, name) for name in NEEDED - {"failure"})
    others = {name: value for name, value in row.items() if name not in NEEDED}
    given = {name: value for name, value in others.items() if value is not None}
    are_numbers = all(isinstance(value, int | float) for value in given.values())
    if not (is_its and are_numbers and isinstance(row["failure"], str)):
        return False
    measured = ["error", "sigma"] if task.rule else ["error"]
    return bool(row["failure"]) or all(isfinite(given.get(name, nan)) for name in measured)


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # no JSON, or not even text, or nested without end
        return None


def _say_damaged(path: Path) -> None:
    logging.getLogger(__name__).warning("%s is damaged and taken as missing.", path)
