"""EPCA beyond memory: peak memory and time per iteration of fits to a file, each in a process.

Run with one BLAS thread: OPENBLAS_NUM_THREADS=1 pytest -n 0 tests/benchmarks/bench_large.py -s
The largest file has 3.1 GB; it is removed in the end.
"""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

N_FEATURES = 784
SIZES = (125_000, 250_000, 500_000, 1_000_000)
MOST_MEMORY = 2.0  # GB
STEP = 25_000  # rows that are drawn at once

FIT = """
import json, re, sys, time, warnings
from pathlib import Path
from epca import EPCA, large

warnings.simplefilter("ignore")  # five iterations need not be enough
seen = [time.process_time()]
samples = large.ChunkedSamples(sys.argv[1])
seen.append(time.process_time())
samples.classical(30)
seen.append(time.process_time())
model = EPCA(30, max_iter=5)
model.fit_reduced(samples, lambda *_: seen.append(time.process_time()))
status = Path("/proc/self/status").read_text()  # rusage would count the parent's peak, too
peak = int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) / 1e6
steps = [later - earlier for earlier, later in zip(seen, seen[1:])]
print(json.dumps({
    "reading": steps[0], "classical": steps[1], "iteration": min(steps[3:]),
    "iterations": model.n_iter_, "k": model.n_activated_, "peak": peak,
}))
"""


def write(path, n_samples):
    """A file of float32: a spectrum like that of images, one sample in ten grossly wrong."""
    generator = np.random.default_rng(0)
    array = np.lib.format.open_memmap(path, "w+", np.float32, (n_samples, N_FEATURES))
    scales = np.geomspace(100, 1, N_FEATURES)
    for start in range(0, n_samples, STEP):
        X = generator.standard_normal((STEP, N_FEATURES)) * scales
        X[::10] += 100 * generator.standard_normal(X[::10].shape)
        array[start : start + STEP] = X
    array.flush()


def test_fits_to_a_file(tmp_path):
    if shutil.disk_usage(tmp_path).free < 2 * 4 * SIZES[-1] * N_FEATURES:
        pytest.skip("the disk has no room for 6 GB")
    print("\n| samples | file, GB | peak memory, GB | an iteration, s | per million |")
    print("|---|---|---|---|---|")
    per_million = []
    for n_samples in SIZES:
        path = tmp_path / "samples.npy"
        write(path, n_samples)
        size = path.stat().st_size / 1e9
        command = [sys.executable, "-c", FIT, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        path.unlink()
        found = json.loads(done.stdout)
        per_million.append(found["iteration"] / n_samples * 1e6)
        row = (n_samples, size, found["peak"], found["iteration"], per_million[-1])
        print("| {:,} | {:.1f} | {:.2f} | {:.1f} | {:.1f} |".format(*row), found, flush=True)
        assert found["peak"] <= MOST_MEMORY
    assert max(per_million) <= 1.3 * min(per_million)
