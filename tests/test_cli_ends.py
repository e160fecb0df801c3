"""`epca reproduce` where a terminal is poor or the command is ended: one line, nothing left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_cli import ROOT, SMALL, start, wait_for

pytestmark = pytest.mark.slow


def test_a_terminal_without_unicode(forty_faces, tmp_path):
    out = tmp_path / "Gesichter ñ"
    call = [sys.executable, "-m", "epca", "reproduce", "--datasets", forty_faces]
    call += ["--methods", "PCA", "--ranks", "3", "--seeds", "1", "--clustering-runs", "0"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*call, "--out", str(out)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith(r"Gesichter \xf1/report.html")


def test_closed_streams(forty_faces, tmp_path):
    call = f'"{sys.executable}" -m epca reproduce --datasets "{forty_faces}" --methods PCA'
    call += f' --ranks 3 --seeds 1 --clustering-runs 0 --out "{tmp_path}/out" >&- 2>&-'
    assert subprocess.run(call, shell=True, cwd=ROOT).returncode == 0
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_is_left(end, forty_faces, tmp_path):
    """The signal goes to the command alone."""
    call = ["reproduce", "--datasets", forty_faces, *SMALL, "--out", tmp_path, "--jobs", 2]
    process = start(*call)
    fits = tmp_path / "fits"
    wait_for(lambda: fits.is_dir() and len(list(fits.iterdir())) >= 1)
    workers = of_group(process.pid) - {process.pid}
    assert workers
    process.send_signal(end)
    process.communicate()
    wait_for(lambda: not of_group(process.pid))
    assert process.returncode == (130 if end == signal.SIGTERM else -end)


def of_group(group):
    """The processes of a group that live."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, own = path.read_text().rsplit(")", 1)[1].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(own) == group and state != "Z":
            found.add(int(path.parent.name))
    return found
