"""`epca reproduce`: what it writes, what it refuses, and that a kill loses no finished fit."""

import errno
import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from epca import paper
from epca.cli import main, parse
from epca.progress import Progress
from epca.registry import PAPER_METHODS

ROOT = Path(__file__).resolve().parents[1]
SMALL = [
    *("--methods", "EPCA", "PCA", "LpPCA"),
    *("--ranks", "3", "--seeds", "1", "--clustering-runs", "1"),
]
HINT = "finished fits are saved, go on with --resume."


@pytest.fixture(scope="module")
def whole(forty_faces, tmp_path_factory):
    """The raw.csv of a run that nothing disturbed."""
    out = tmp_path_factory.mktemp("whole")
    assert main(["reproduce", "--datasets", forty_faces, *SMALL, "--out", str(out)]) == 0
    return out / "raw.csv"


def text_without_times(path):
    return pd.read_csv(path, dtype=str).drop(columns="seconds").to_csv()


def start(*arguments):
    """The command in a process that hears Ctrl-C, even if these tests run in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", "epca", *map(str, arguments)],
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.mark.slow
def test_reproduce(whole):
    files = {path.name for path in whole.parent.iterdir()}
    assert files == {"fits", "run.json", "raw.csv", "summary.csv", "report.html"}
    raw = paper.read(whole)
    assert len(raw) == len(list((whole.parent / "fits").iterdir())) == 2 + 3 + 2 * 41 + 6 + 7
    summary = pd.read_csv(whole.parent / "summary.csv")
    assert summary["method"].tolist() == ["EPCA", "EPCA", "EPCA", "PCA", "LpPCA"]
    assert summary["error"].tolist() == paper.summary(raw)["error"].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_midway_and_resumed(forty_faces, whole, tmp_path, jobs):
    """After SIGKILL to the command and its workers, the resumed run gives an undisturbed table.

    No finished fit is done again.
    """
    call = ["reproduce", "--datasets", forty_faces, *SMALL, "--out", tmp_path, "--jobs", jobs]
    process = start(*call)
    fits = tmp_path / "fits"
    wait_for(lambda: fits.is_dir() and len(list(fits.glob("*.json"))) >= 20)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    saved = {path.name: path.read_bytes() for path in fits.glob("*.json")}
    assert 20 <= len(saved) < len(paper.read(whole))
    assert not (tmp_path / "raw.csv").exists()
    assert len(paper.read(tmp_path)) == len(saved)
    resumed = start(*call, "--resume")
    _, said = resumed.communicate()
    assert resumed.returncode == 0, said
    assert said.startswith(f"{len(saved)}/")
    assert text_without_times(tmp_path / "raw.csv") == text_without_times(whole)
    assert {name: (fits / name).read_bytes() for name in saved} == saved


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted(forty_faces, tmp_path, jobs):
    call = ["reproduce", "--datasets", forty_faces, *SMALL, "--out", tmp_path, "--jobs", jobs]
    process = start(*call)
    fits = tmp_path / "fits"
    wait_for(lambda: fits.is_dir() and len(list(fits.iterdir())) >= 5)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said.splitlines()[-1] == f"epca: interrupted; {HINT}"
    assert "Traceback" not in said


@pytest.mark.slow
def test_disk_full(forty_faces, tmp_path, monkeypatch, capsys):
    """The command says so in one line and leaves no half-written file; with room it goes on."""
    call = ["reproduce", "--datasets", forty_faces, *SMALL, "--out", str(tmp_path)]
    write = Path.write_text
    written = []

    def write_until_full(path, *arguments, **options):
        write(path, *arguments, **options)
        written.append(path)
        if len(written) > 10:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_text", write_until_full)
    assert main(call) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("epca: No space left on device")
    assert said.endswith(HINT)
    monkeypatch.undo()
    assert len(paper.read(tmp_path)) == 9  # run.json was the first, the eleventh failed
    assert not list(tmp_path.rglob("*.part"))
    assert main([*call, "--resume"]) == 0


def bad_calls():
    yield ["--methods", "QPCA"], 2, "methods=QPCA must be among EPCA, PCA"
    yield ["--datasets", "nowhere"], 2, "name='nowhere' is neither a data set nor a path"
    yield ["--ranks", "500"], 2, "ranks=500 must be between 1 and 399 for orl"
    yield ["--ranks", "ten"], 2, "argument --ranks: invalid int value: 'ten'"
    yield ["--sigma", "best"], 2, "invalid choice: 'best'"
    yield ["--seeds", "0"], 2, "seeds=0 must be an integer between 1 and 1000"
    yield ["--seeds", "99999999999"], 2, "seeds=99999999999 must be an integer between 1 and"
    for jobs in ("0", "-2", "257", "999999999999"):
        yield ["--jobs", jobs], 2, f"jobs={jobs} must be an integer between 1 and 256, or -1 for"
    yield ["--backend", "dask"], 2, "--backend dask and --scheduler ADDRESS"
    yield ["--scheduler", "tcp://127.0.0.1:1"], 2, "--backend dask and --scheduler ADDRESS"
    yield ["--unknown"], 2, "unrecognized arguments: --unknown"
    for address in ("nonsense", "tcp://here", "http://127.0.0.1:8786", "tcp://:8786", "tcp://a:0"):
        message = f"argument --scheduler: {address} must have the form tcp://HOST:PORT or tls://"
        yield ["--backend", "dask", "--scheduler", address], 2, message
    message = "must have the form tcp://HOST:PORT or tls://HOST:PORT with a port from 1 to 65535"
    yield ["--backend", "dask", "--scheduler", "tcp://127.0.0.1:65536"], 2, message
    yield ["--out", ""], 2, "--out must name a folder, such as results."
    yield ["--out", "/dev/null/here"], 1, "Not a directory (/dev/null/here"
    yield ["--out", "x" * 300, "--ranks", "2"], 1, f"File name too long ({'x' * 300}"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    bad_calls(),
    ids=lambda value: " ".join(value) if type(value) is list else "",
)
def test_what_is_wrong_is_said_in_one_line(arguments, code, message, tmp_path, capsys):
    try:
        returned = main(["reproduce", "--out", str(tmp_path / "new"), *arguments])
    except SystemExit as ended:  # by argparse
        returned = ended.code
    assert returned == code
    said = capsys.readouterr().err.splitlines()
    assert len([line for line in said if not line.startswith("0/")]) == 1
    assert message in said[-1]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_unwritable_folder(tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert main(["reproduce", "--out", str(tmp_path / "new")]) == 1
    assert capsys.readouterr().err.startswith("epca: Permission denied")


def test_unwritable_for_anybody(capsys):
    """/proc takes no folders, not even from root."""
    if not Path("/proc/self").is_dir():
        pytest.skip("no /proc here")
    assert main(["reproduce", "--out", "/proc/reproduction"]) == 1
    assert capsys.readouterr().err.startswith("epca: No such file or directory (/proc/reproduction")


def test_an_earlier_run_is_not_overwritten(forty_faces, whole, capsys):
    assert main(["reproduce", "--datasets", forty_faces, *SMALL, "--out", str(whole.parent)]) == 2
    assert "holds an earlier run; go on with it by --resume" in capsys.readouterr().err


@pytest.mark.slow
def test_an_error_of_ours_is_not_taken_for_the_users(forty_faces, tmp_path, monkeypatch):
    def finish(folder):
        raise ValueError("ours")

    monkeypatch.setattr(paper, "finish", finish)
    with pytest.raises(ValueError, match="ours"):
        main(["reproduce", "--datasets", forty_faces, *SMALL, "--out", str(tmp_path)])


def test_defaults(capsys):
    """They are the library's, and the help names them."""
    assert not set(vars(parse(["reproduce"]))) & set(paper.Options.__dataclass_fields__)
    with pytest.raises(SystemExit):
        parse(["reproduce", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    what = said.split("what to run")[1].split(" how to run it")[0]
    defaults = {
        text.split()[0]: text.rsplit(": ", 1)[1] for text in re.split(r" (?=--\w)", what)[1:]
    }
    default = paper.Options()
    assert defaults == {
        "--datasets": " ".join(default.datasets),
        "--methods": "the paper's",
        "--ranks": " ".join(map(str, default.ranks)),
        "--seeds": str(default.seeds),
        "--sigma": "all",
        "--clustering-runs": str(default.clustering_runs),
    }
    assert (default.methods, default.sigma) == (PAPER_METHODS, tuple(paper.RULES))
    assert parse([]).command is parse(["app"]).command
    for options in (parse([]), parse(["app"])):
        assert (options.host, options.port) == ("localhost", 8501)


@pytest.mark.slow
def test_paper_is_another_name_for_the_oracle(forty_faces, tmp_path):
    call = ["reproduce", "--datasets", forty_faces, *SMALL, "--sigma", "paper"]
    assert main([*call, "--out", str(tmp_path)]) == 0
    assert set(paper.read(tmp_path)["rule"]) == {"", "oracle", "coarse", "fine", "curve"}


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_progress():
    now = [0.0]
    for stream in (Screen(), io.StringIO()):
        progress = Progress(stream, lambda: now[0])
        now[0] = 0.0
        progress(100, 1000, "starting")
        for done in range(101, 1001):
            now[0] = 4.0 * (done - 100)
            progress(done, 1000, f"fit {done}")
        progress.close()
        lines = stream.getvalue().replace("\r\x1b[K", "\n").strip().splitlines()
        assert lines[0].endswith("100/1000, starting")
        bar = "█" * 11 + "░" * 9 + " " if stream.isatty() else ""
        assert f"{bar}550/1000, 0:30:00 left, fit 550" in lines
        assert "1000/1000, 0:00:00 left" in lines[-1]
        assert len(lines) == (901 if stream.isatty() else 19)
