"""`epca app`, from a checkout and from a wheel, and what the wheel holds."""

import subprocess
import sys
import urllib.request
import zipfile
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from epca.cli import main
from tests.browser.chromium import free_port, running

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("source", ["checkout", "wheel"])
def test_app_starts_and_ends_with_the_command(source, wheel, tmp_path):
    """The real server, on a free port, from another folder."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    port = free_port()
    where = ["--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path)]
    path = str(ROOT if source == "checkout" else tmp_path / "site")
    environment = {"PYTHONPATH": path, "STREAMLIT_SERVER_HEADLESS": "true"}
    health = f"http://127.0.0.1:{port}/_stcore/health"
    command = [sys.executable, "-m", "epca", "app", *where]
    with running(command, port, tmp_path, environment) as process:
        assert urllib.request.urlopen(health, timeout=5).read() == b"ok"
        assert process.poll() is None
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(health, timeout=5)


def test_app_with_no_such_folder(capsys):
    assert main(["app", "--data", "/nowhere"]) == 2
    assert capsys.readouterr().err == "epca: --data /nowhere must be a folder.\n"


def test_app_with_fewer_workers_than_none(capsys):
    assert main(["app", "--workers", "-1"]) == 2
    assert capsys.readouterr().err == "epca: --workers -1 must be 0 or more.\n"


def test_app_hands_its_options_to_the_server(monkeypatch):
    given = {}

    @contextmanager
    def start(command, env):
        given.update(env)
        yield SimpleNamespace(wait=lambda: 0, terminate=None)

    monkeypatch.setattr("epca.cli.subprocess.Popen", start)
    monkeypatch.setattr("epca.cli.signal.signal", lambda *_: None)
    address = "tcp://127.0.0.1:8786"
    assert main(["app", "--workers", "3", "--scheduler", address]) == 0
    assert given["EPCA_WORKERS"] == "3"
    assert given["EPCA_SCHEDULER"] == address


def test_app_on_a_cluster_without_dask(monkeypatch, capsys):
    monkeypatch.setattr("epca.cli.find_spec", lambda name: None)
    assert main(["app", "--scheduler", "tcp://127.0.0.1:8786"]) == 2
    assert "--scheduler needs Dask" in capsys.readouterr().err


def test_wheel_holds_everything(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (points,) = [name for name in names if name.endswith("entry_points.txt")]
        assert "epca = epca.cli:main" in archive.read(points).decode()
    files = [path for path in (ROOT / "epca").rglob("*") if path.is_file()]
    package = {str(path.relative_to(ROOT)) for path in files if path.suffix != ".pyc"}
    pages = {f"epca/_app/pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    assert "epca/paper/deviations.toml" in package
    assert package | pages | {"epca/_app/app.py", "epca/_app/.streamlit/config.toml"} <= names
    assert not [name for name in names if name.endswith((".npz", ".mat", ".png"))]
