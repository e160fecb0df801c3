"""Worker processes end with their server, however that ends, and leave nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.jobs import samples
from tests.ui.jobs.waiting import LONG, until

ROOT = Path(__file__).resolve().parents[3]
SERVER = """
import sys
from tests.ui.jobs.test_workers import samples, started, until_it_says
runner = started(2)
with runner.waiting("endless", samples.endless) as job:
    until_it_says(job, "goes on")
    print("at work", flush=True)
    job.wait()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_workers_end_with_the_server_even_if_it_is_killed(tmp_path):
    """Both workers have the server's stderr: it ends when the last of them has."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as server:
        try:
            assert server.stdout.readline() == b"at work\n"
            until(lambda: len([*tmp_path.glob("epca-*")]) == 2)  # where steps write, one for each
        finally:
            server.kill()
        assert server.communicate(timeout=LONG)[1] == b""
    assert not [*tmp_path.iterdir()]


def test_a_worker_that_nobody_reads_ends_in_silence():
    command = [sys.executable, "-m", "epca.ui.jobs.worker", samples.__name__, "4096"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as worker:
        worker.stdout.close()
        assert worker.stderr.read() == b""
        assert worker.wait(LONG) == 0
