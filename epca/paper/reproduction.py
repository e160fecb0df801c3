"""Run the protocol's fits on one machine or a Dask cluster, and read the results again.

Each row is saved as soon as its fit is done, so a run can be resumed after any interruption.
"""

import json
import os
import platform
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed

from epca.experiment import closing
from epca.paper.folder import occupied, protocol, save, save_protocol, stored
from epca.paper.protocol import COLUMNS, STAGES, Task, choose_sigma, fit
from epca.paper.report import report
from epca.paper.tables import summary

MOST_JOBS = 256
PATIENCE = 5.0  # seconds in which a scheduler must answer
PACKAGES = ("epca", "numpy", "scipy", "scikit-learn", "pandas", "joblib", "threadpoolctl", "plotly")


def run(
    tasks: Sequence[Task],
    folder: str | Path,
    callback: Callable[[int, int, str], None] | None = None,
    *,
    resume: bool = False,
    n_jobs: int = 1,
    scheduler: str | None = None,
) -> pd.DataFrame:
    """Do the tasks of `plan`, and return the raw table.

    Parameters
    ----------
    folder : each row is saved in its own file, in the folder's `fits/`
    callback : callback(done, total, text) is called at the start, after every fit and, if n_jobs=1,
        in every iteration; an exception from it ends the run, and finished fits stay saved
    resume : go on with the folder's earlier run; finished fits are not done again, failed ones are
    n_jobs : how many fits run at a time, in processes of this machine
    scheduler : the address of a Dask scheduler, whose workers do the fits instead
    """
    callback = callback or (lambda *_: None)
    options = {"resume": resume, "n_jobs": n_jobs, "scheduler": scheduler}
    for progress in steps(tasks, folder, callback, **options):
        callback(*progress)
    return read(folder)


def steps(
    tasks: Sequence[Task],
    folder: str | Path,
    callback: Callable[[int, int, str], None],
    *,
    resume: bool = False,
    n_jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[tuple[int, int, str]]:
    """Do the tasks as `run` does, and yield (done, total, text) at the start and after every fit.

    callback is called in the iterations of a fit.
    """
    if n_jobs != -1 and not 1 <= n_jobs <= MOST_JOBS:
        raise ValueError(
            f"jobs={n_jobs} must be an integer between 1 and {MOST_JOBS}, or -1 for one per core."
        )
    folder = Path(folder)
    with occupied(folder, resume=resume):
        save_protocol(folder, tasks, _versions())
        yield from _steps(tasks, folder, callback, n_jobs, scheduler)


def _steps(tasks, folder, callback, n_jobs, scheduler):
    """`steps` in a folder that is ours."""
    rows = {task: row for task, row in stored(folder, tasks) if not row["failure"]}

    def tick(iteration, *_):
        callback(len(rows), len(tasks), f"iteration {iteration}")

    yield len(rows), len(tasks), "starting"
    for stage in (0, *STAGES.values()):
        searched = _searched(rows, stage)
        todo = [task for task in tasks if task.stage == stage and task not in rows]
        chosen = [
            (task, choose_sigma(task, searched[task.search]) if stage else None) for task in todo
        ]
        with closing(_results(chosen, n_jobs, scheduler, tick)) as results:
            for task, row in results:
                save(folder / "fits" / f"{task.key}.json", json.dumps(row))
                rows[task] = row
                yield len(rows), len(tasks), task.text


def finish(folder: str | Path) -> pd.DataFrame:
    """Write raw.csv, summary.csv and report.html of a run, and return the summary."""
    raw = read(folder)
    table = summary(raw)
    found = protocol(folder)
    about = {
        name: ", ".join(dict.fromkeys(versions.get(name, "?") for versions in found["versions"]))
        for name in found["versions"][0]
    }
    runs = max(task.clustering_runs for task in found["tasks"])
    about["runs of k-means per fit"] = str(runs)
    save(Path(folder) / "raw.csv", raw.to_csv(index=False))
    save(Path(folder) / "summary.csv", table.to_csv(index=False))
    save(Path(folder) / "report.html", report(raw, about))
    return table


def read(path: str | Path) -> pd.DataFrame:
    """The raw table, one row per fit, of a run's folder (finished or not) or of its raw.csv."""
    if Path(path).is_dir():
        tasks = protocol(path)["tasks"]
        raw = pd.DataFrame([row for _, row in stored(Path(path), tasks)], columns=COLUMNS)
    else:
        raw = pd.read_csv(path, dtype={"rule": str, "failure": str})
        if missing := [name for name in COLUMNS if name not in raw]:
            lacking = ", ".join(missing)
            raise ValueError(f"{path} is no table of a reproduction: it lacks {lacking}.")
    return raw.fillna({"rule": "", "failure": ""})


def _searched(rows, stage):
    """task.search → [(error, σ)] of the oracle's search in earlier stages."""
    searched = defaultdict(list)
    for task, row in rows.items():
        if task.rule in ("coarse", "fine") and task.stage < stage and not row["failure"]:
            searched[task.search].append((row["error"], row["sigma"]))
    return searched


def _results(chosen, n_jobs, scheduler, tick):
    """(task, row) as the fits finish: in this process, in several, or on a cluster."""
    if scheduler is not None:
        yield from _from_cluster(chosen, scheduler)
    elif n_jobs == 1:
        for task, sigma in chosen:
            yield task, fit(task, sigma, tick)
    else:
        options = {"initializer": _end_with, "initargs": (os.getpid(),)}
        parallel = Parallel(n_jobs, batch_size=1, return_as="generator_unordered", **options)
        yield from parallel(delayed(_labelled)(task, sigma) for task, sigma in chosen)


def _from_cluster(chosen, scheduler):
    """The same from a Dask cluster. If a worker is lost, the others do its fits."""
    try:
        from distributed import Client, KilledWorker, as_completed
        from distributed.client import FutureCancelledError
    except ImportError:
        raise ValueError('a cluster needs Dask: pip install "epca[cluster]".') from None
    try:
        with Client(scheduler, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=30)
            futures = [client.submit(_labelled, task, sigma, pure=False) for task, sigma in chosen]
            for future in as_completed(futures, loop=client.loop):
                yield future.result()
    except (KilledWorker, FutureCancelledError) as error:
        raise BrokenExecutor(str(error)) from None


def _end_with(parent):
    """At the start of a worker: have it end with the command, even if that is killed.

    Ctrl-C goes to all of them, and the command alone answers it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def look():
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()


def _labelled(task, sigma):
    return task, fit(task, sigma)


def _versions():
    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed as a package"
    return found
