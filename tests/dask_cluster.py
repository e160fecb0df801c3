"""A real Dask cluster on this machine."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def start(folder):
    """The address of a scheduler, its process, and those of two workers with a thread each."""
    contact = folder / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def dask(*arguments):
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    scheduler = dask(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(contact)
    )
    end = time.monotonic() + 60
    while not contact.exists() or not contact.read_text().endswith("}"):
        assert time.monotonic() < end, "no scheduler"
        time.sleep(0.05)
    address = json.loads(contact.read_text())["address"]
    workers = [dask("worker", address, "--nthreads", "1", "--no-nanny") for _ in range(2)]
    try:
        yield address, scheduler, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def wait_for_two(address):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
