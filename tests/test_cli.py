"""The command: what it does, what it says when it cannot, and that nothing finished is lost when it is killed."""

import errno
import io
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from epca import paper
from epca.cli import Progress, main, parse

ROOT = Path(__file__).resolve().parents[1]
SMALL = [
    "--ranks",
    "3",
    "--seeds",
    "1",
    "--clustering-runs",
    "1",
    "--methods",
    "EPCA",
    "PCA",
    "LpPCA",
]


@pytest.fixture(scope="module")
def whole(forty_faces, tmp_path_factory):
    """The raw.csv of a run that nothing disturbed."""
    out = tmp_path_factory.mktemp("whole")
    assert main(["reproduce", "--datasets", forty_faces, *SMALL, "--out", str(out)]) == 0
    return out / "raw.csv"


def text_without_times(path):
    return pd.read_csv(path, dtype=str).drop(columns="seconds").to_csv()


def start(*arguments):
    """The command in a process that hears Ctrl-C, also where these tests run in the background and do not."""
    command = [sys.executable, "-m", "epca", *map(str, arguments)]
    options = {
        "stderr": subprocess.PIPE,
        "stdout": subprocess.DEVNULL,
        "text": True,
        "start_new_session": True,
    }
    return subprocess.Popen(
        command,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_reproduce(whole, capsys):
    files = {path.name for path in whole.parent.iterdir()}
    assert files == {"fits", "run.json", "raw.csv", "summary.csv", "report.html"}
    raw = paper.read(whole)
    assert len(raw) == len(list((whole.parent / "fits").iterdir())) == 2 + 3 + 2 * 41 + 6 + 7
    summary = pd.read_csv(whole.parent / "summary.csv")
    assert summary["method"].tolist() == ["EPCA", "EPCA", "EPCA", "PCA", "LpPCA"]
    assert summary["error"].tolist() == paper.summary(raw)["error"].tolist()


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_midway_and_resumed(forty_faces, whole, tmp_path, jobs):
    """SIGKILL to the command and its workers: the final table is that of an undisturbed run, nothing finished is redone."""
    call = ["reproduce", "--datasets", forty_faces, *SMALL, "--out", tmp_path, "--jobs", jobs]
    process = start(*call)
    fits = tmp_path / "fits"
    wait_for(lambda: fits.is_dir() and len(list(fits.glob("*.json"))) >= 20)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = {path.name: path.read_bytes() for path in fits.glob("*.json")}
    assert 20 <= len(kept) < len(paper.read(whole))
    assert not (tmp_path / "raw.csv").exists()
    assert len(paper.read(tmp_path)) == len(kept)
    resumed = start(*call, "--resume")
    _, said = resumed.communicate()
    assert resumed.returncode == 0, said
    assert said.startswith(f"{len(kept)}/")
    assert text_without_times(tmp_path / "raw.csv") == text_without_times(whole)
    assert {name: (fits / name).read_bytes() for name in kept} == kept


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted(forty_faces, tmp_path, jobs):
    process = start(
        "reproduce", "--datasets", forty_faces, *SMALL, "--out", tmp_path, "--jobs", jobs
    )
    wait_for(lambda: (tmp_path / "fits").is_dir() and len(list((tmp_path / "fits").iterdir())) >= 5)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said.splitlines()[-1] == "epca: interrupted; what is done is kept, go on with --resume."
    assert "Traceback" not in said


def test_disk_full(forty_faces, tmp_path, monkeypatch, capsys):
    """One line; the half-written file is gone; with room again the run goes on."""
    call = ["reproduce", "--datasets", forty_faces, *SMALL, "--out", str(tmp_path)]
    write, written = Path.write_text, []

    def write_until_full(path, *arguments, **options):
        write(path, *arguments, **options)
        written.append(path)
        if len(written) > 10:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_text", write_until_full)
    assert main(call) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("epca: No space left on device")
    assert said.endswith("what is done is kept, go on with --resume.")
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
    yield ["--seeds", "0"], 2, "seeds=0 must be an integer >= 1"
    yield ["--jobs", "0"], 2, "n_jobs == 0"
    yield ["--backend", "dask"], 2, "--backend dask and --scheduler ADDRESS"
    yield ["--scheduler", "tcp://127.0.0.1:1"], 2, "--backend dask and --scheduler ADDRESS"
    yield ["--unknown"], 2, "unrecognized arguments: --unknown"
    yield ["--out", "/dev/null/here"], 1, "Not a directory (/dev/null/here"


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


def test_an_error_of_ours_is_not_taken_for_the_users(forty_faces, tmp_path, monkeypatch):
    def finish(folder):
        raise ValueError("ours")

    monkeypatch.setattr(paper, "finish", finish)
    with pytest.raises(ValueError, match="ours"):
        main(
            [
                "reproduce",
                "--datasets",
                forty_faces,
                "--methods",
                "PCA",
                "--ranks",
                "3",
                "--seeds",
                "1",
                "--out",
                str(tmp_path),
            ]
        )


def test_defaults(capsys):
    """The library's, said in the help."""
    assert not set(vars(parse(["reproduce"]))) & set(paper.Options.__dataclass_fields__)
    with pytest.raises(SystemExit):
        parse(["reproduce", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    default = paper.Options()
    ends = {
        "ranks": " ".join(map(str, default.ranks)),
        "seeds": default.seeds,
        "clustering-runs": default.clustering_runs,
    }
    for name, end in ends.items():
        assert re.search(rf" --{name} [^-]*(-[^-]+)*?: {end} ", said.split("what to run")[1]), name
    assert parse([]).command is parse(["app"]).command
    assert (
        (parse([]).host, parse([]).port)
        == (parse(["app"]).host, parse(["app"]).port)
        == ("localhost", 8501)
    )


def test_paper_is_another_name_for_the_oracle(forty_faces, tmp_path):
    assert (
        main(
            [
                "reproduce",
                "--datasets",
                forty_faces,
                *SMALL,
                "--sigma",
                "paper",
                "--out",
                str(tmp_path),
            ]
        )
        == 0
    )
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


# The dashboard, and the wheel that carries it


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
    )
    (path,) = folder.glob("*.whl")
    return path


@pytest.mark.parametrize("source", ["checkout", "wheel"])
def test_app_starts(source, wheel, tmp_path):
    """The real server, on a free port, from another folder."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "epca",
        "app",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--data",
        str(tmp_path),
    ]
    path = str(ROOT if source == "checkout" else tmp_path / "site")
    environment = os.environ | {"PYTHONPATH": path, "STREAMLIT_SERVER_HEADLESS": "true"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, start_new_session=True, **quiet
    )

    def is_up():
        assert process.poll() is None
        try:
            return (
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).read()
                == b"ok"
            )
        except OSError:
            return False

    try:
        wait_for(is_up)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def test_app_with_no_such_folder(capsys):
    assert main(["app", "--data", "/nowhere"]) == 2
    assert capsys.readouterr().err == "epca: --data /nowhere must be a folder.\n"


def test_wheel_holds_everything(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (points,) = [name for name in names if name.endswith("entry_points.txt")]
        assert "epca = epca.cli:main" in archive.read(points).decode()
    pages = {f"epca/_app/pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    data = {f"epca/paper/{name}" for name in ("orl.csv", "tables.json", "deviations.toml")}
    assert pages | data | {"epca/_app/app.py", "epca/_app/.streamlit/config.toml"} <= names
    assert not [name for name in names if name.endswith((".npz", ".mat", ".png"))]
