"""Run the protocol's fits, each kept on disk as soon as it is done, on one machine or a Dask cluster; read them again."""

import json
import platform
from collections import defaultdict
from concurrent.futures import BrokenExecutor
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed

from epca.experiment import closing
from epca.paper.protocol import COLUMNS, Task, choose_sigma, fit
from epca.paper.report import report
from epca.paper.tables import summary

PACKAGES = ("epca", "numpy", "scipy", "scikit-learn", "pandas", "joblib", "threadpoolctl", "plotly")


def run(tasks, folder, callback=None, *, resume=False, n_jobs=1, scheduler=None):
    """Do the tasks of `plan`, and return the raw table.

    Parameters
    ----------
    folder : where each row is kept as a file of its own, in `fits/`
    callback : callback(done, total, text) first, after every fit, and (n_jobs=1) in every iteration; what it raises ends the run,
        and what is done stays
    resume : go on with the folder's earlier run: its finished fits are not done again, failed ones are
    n_jobs, scheduler : fits at a time, in processes of this machine; or the address of a Dask scheduler, whose workers do them
    """
    folder, callback = Path(folder), callback or (lambda *_: None)
    (folder / "fits").mkdir(parents=True, exist_ok=True)
    if not resume and any((folder / "fits").iterdir()):
        raise ValueError(
            f"{folder} holds an earlier run; go on with it by --resume, or choose another folder."
        )
    earlier = _protocol(folder)["versions"] if (folder / "run.json").exists() else []
    versions = [*earlier, *([now] if (now := _versions()) not in earlier else [])]
    save(folder / "run.json", json.dumps({"versions": versions, "tasks": tasks}))
    rows = {task: row for task, row in _stored(folder, tasks) if not row["failure"]}
    callback(len(rows), len(tasks), "starting")
    for stage in range(3):
        searched = _searched(rows, stage)
        todo = [task for task in tasks if task.stage == stage and task not in rows]
        chosen = [
            (task, choose_sigma(task, searched[task[:4]]) if stage else None) for task in todo
        ]
        with closing(
            _results(chosen, n_jobs, scheduler, lambda text: callback(len(rows), len(tasks), text))
        ) as results:
            for task, row in results:
                save(folder / "fits" / f"{task.key}.json", json.dumps(row))
                rows[task] = row
                callback(len(rows), len(tasks), task.text)
    return read(folder)


def finish(folder):
    """Write raw.csv, summary.csv and report.html of a run, and return the summary."""
    raw, protocol = read(folder), _protocol(folder)
    table = summary(raw)
    about = {
        name: ", ".join(dict.fromkeys(versions[name] for versions in protocol["versions"]))
        for name in protocol["versions"][0]
    }
    about["runs of k-means per fit"] = str(
        max(Task(*fields).clustering_runs for fields in protocol["tasks"])
    )
    save(Path(folder) / "raw.csv", raw.to_csv(index=False))
    save(Path(folder) / "summary.csv", table.to_csv(index=False))
    save(Path(folder) / "report.html", report(raw, about))
    return table


def read(path):
    """The raw table of a run's folder, finished or not, or of its raw.csv: one row per fit."""
    if Path(path).is_dir():
        tasks = [Task(*fields) for fields in _protocol(path)["tasks"]]
        raw = pd.DataFrame([row for _, row in _stored(Path(path), tasks)], columns=COLUMNS)
    else:
        raw = pd.read_csv(path, dtype={"rule": str, "failure": str})
        if missing := [name for name in COLUMNS if name not in raw]:
            raise ValueError(
                f"{path} is no table of a reproduction: it lacks {', '.join(missing)}."
            )
    return raw.fillna({"rule": "", "failure": ""})


def shipped():
    """The raw table of a finished run over the built-in `orl`: what `epca reproduce` wrote, but for the oracle's search rows that
    no table or figure shows."""
    return read(files("epca.paper").joinpath("orl.csv"))


def save(path, text):
    """Write all of a file or nothing."""
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def _protocol(folder):
    try:
        return json.loads((Path(folder) / "run.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no run: it lacks run.json.") from None


def _stored(folder, tasks):
    """(task, row) of every task that has one; a file cut short by a power failure counts as none."""
    for task in tasks:
        try:
            yield (
                task,
                json.loads((folder / "fits" / f"{task.key}.json").read_text(encoding="utf-8")),
            )
        except (FileNotFoundError, json.JSONDecodeError):
            continue


def _searched(rows, stage):
    """(data set, fingerprint, seed, rank) → [(error, σ)] of the oracle's search in earlier stages."""
    searched = defaultdict(list)
    for task, row in rows.items():
        if task.rule in ("coarse", "fine") and task.stage < stage and not row["failure"]:
            searched[task[:4]].append((row["error"], row["sigma"]))
    return searched


def _results(chosen, n_jobs, scheduler, tick):
    """(task, row) as they come: from here, from processes beside this one, or from a cluster."""
    if scheduler is not None:
        yield from _from_cluster(chosen, scheduler)
    elif n_jobs == 1:
        for task, sigma in chosen:
            yield task, fit(task, sigma, lambda done, total, text: tick(text))
    else:
        parallel = Parallel(n_jobs, batch_size=1, return_as="generator_unordered")
        yield from parallel(delayed(_labelled)(task, sigma) for task, sigma in chosen)


def _from_cluster(chosen, scheduler):
    """The same from a Dask cluster, which gives the fits of a worker that is lost to the others."""
    try:
        from distributed import Client, KilledWorker, as_completed
        from distributed.client import FutureCancelledError
    except ImportError:
        raise ValueError('a cluster needs Dask: pip install "epca[cluster]".') from None
    try:
        with Client(scheduler, timeout=5, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=30)
            futures = [client.submit(_labelled, task, sigma, pure=False) for task, sigma in chosen]
            for future in as_completed(futures, loop=client.loop):
                yield future.result()
    except (KilledWorker, FutureCancelledError) as error:
        raise BrokenExecutor(str(error)) from None


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
