"""Time and error of EPCA, its relatives here, and robust PCA elsewhere, on the same occluded faces.

    OPENBLAS_NUM_THREADS=1 pytest -n 0 tests/benchmarks/bench_peers.py -s

Processor time, the best of several rounds. robpy and R with rrcov are timed where they are there.
"""

import json
import shutil
import subprocess
import time

import numpy as np
import pytest
from sklearn.decomposition import PCA

from epca import METHODS, load_dataset
from epca.corruption import occlude
from epca.data import DataError

ROUNDS = 5
RANK = 30
OURS = (
    "EPCA", "EPCA, left-out", "PCA-AN", "PCA-OM", "Spherical PCA", "ROBPCA", "PCP", "Cauchy PCA",
)  # fmt: skip

R_SCRIPT = """
arguments <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(rrcov))
connection <- file(arguments[1], "rb")
X <- matrix(readBin(connection, "double", n = as.integer(arguments[2]) * as.integer(arguments[3])),
            nrow = as.integer(arguments[2]), byrow = TRUE)
seconds <- c()
for (round in 1:3) {
    set.seed(0)
    start <- proc.time()
    rank <- as.integer(arguments[5])
    model <- match.fun(arguments[4])(X, k = rank, kmax = rank)
    taken <- proc.time() - start
    seconds <- c(seconds, taken[["user.self"]] + taken[["sys.self"]])
}
back <- file(arguments[6], "wb")
writeBin(as.vector(getCenter(model)), back)
writeBin(as.vector(getLoadings(model)), back)
close(back)
cat("\\n", sprintf('{"seconds": %f, "rank": %d}', min(seconds), ncol(getLoadings(model))))
"""


class Absent(Exception):
    """A peer is not on this machine; the message says what is missing."""


def best_time(fit, X):
    """The least processor time of several fits, and the last model."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        model = fit(X)
        seconds.append(time.process_time() - start)
    return min(seconds), model


def project(X, mean, components):
    """The nearest points (n, d) of m + span(Wᵀ) to X (n, d), for orthonormal rows Wᵀ (c, d)."""
    return mean + (X - mean) @ components.T @ components


def scikit_learn(solver):
    def run(X, folder):
        fit = PCA(RANK, svd_solver=solver, random_state=0).fit
        seconds, model = best_time(fit, X)
        return seconds, project(X, model.mean_, model.components_)

    return run


def here(label):
    def run(X, folder):
        seconds, model = best_time(METHODS[label](RANK).fit, X)
        return seconds, model.reconstruct(X)

    return run


def robpy(name):
    def run(X, folder):
        try:
            from robpy import pca
        except ImportError as error:
            raise Absent(f"no robpy: {error}") from None

        def fit(X):
            options = {"random_seed": 0} if name == "ROBPCA" else {}
            return getattr(pca, name)(n_components=RANK, **options).fit(X)

        try:
            seconds, model = best_time(fit, X)
        except AttributeError as error:
            raise Absent(f"robpy does not go with this scikit-learn: {error}") from None
        return seconds, project(X, model.location_, model.components_.T)

    return run


def rrcov(name):
    def run(X, folder):
        if shutil.which("Rscript") is None:
            raise Absent("no Rscript")
        given, found, script = folder / "given", folder / "found", folder / "script.R"
        X.tofile(given)
        script.write_text(R_SCRIPT, encoding="utf-8")
        arguments = [given, *X.shape, name, RANK, found]
        command = ["Rscript", script, *arguments]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode:
            raise Absent(f"R with rrcov: {done.stderr.strip().splitlines()[-1]}")
        told = json.loads(done.stdout.splitlines()[-1])
        numbers = np.fromfile(found)
        mean, loadings = np.split(numbers, [X.shape[1]])
        return told["seconds"], project(X, mean, loadings.reshape(told["rank"], -1))

    return run


PEERS = {
    "scikit-learn PCA, full": scikit_learn("full"),
    "scikit-learn PCA, randomized": scikit_learn("randomized"),
    "scikit-learn PCA, covariance_eigh": scikit_learn("covariance_eigh"),
    **{label: here(label) for label in OURS},
    "robpy ROBPCA": robpy("ROBPCA"),
    "robpy PCALocantore": robpy("PCALocantore"),
    "R rrcov PcaHubert": rrcov("PcaHubert"),
    "R rrcov PcaLocantore": rrcov("PcaLocantore"),
}


@pytest.mark.filterwarnings("ignore")  # the peers' own
@pytest.mark.parametrize("name", ["orl", "orl-cai"])
def test_peers(name, tmp_path):
    try:
        clean = load_dataset(name).X
    except DataError:
        pytest.skip(f"{name}.npz is in no folder of EPCA_DATASETS")
    X = occlude(clean, random_state=0).X
    unit, _ = best_time(PCA(RANK, svd_solver="full").fit, X)
    print(f"\n`{name}`, c = {RANK}\n\n| method | time in PCA, full | error (Eq. 57) / 1e8 |")
    print("|---|---|---|")
    for label, run in PEERS.items():
        try:
            seconds, reconstructed = run(X, tmp_path)
        except Absent as reason:
            print(f"| {label} | skipped | {reason} |")
            continue
        error = np.square(clean - reconstructed).sum() / 1e8
        print(f"| {label} | {seconds / unit:.2f} | {error:.3f} |", flush=True)
