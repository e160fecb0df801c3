"""`epca app`, from a checkout and from a wheel, and what the wheel holds."""

import socket
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from epca.cli import main, parse, server_command
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


def test_new_visitors_do_not_wait_for_a_look_at_all_modules():
    """The setting comes with the checkout and the wheel; a developer turns the watcher on."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["fileWatcherType"] == "none"
    assert not any("fileWatcher" in word for word in server_command(parse(["app"])))
    watching = server_command(parse(["app", "--watch"]))
    assert "--server.fileWatcherType=auto" in watching


def test_pages_are_not_parsed_for_bare_expressions():
    """Python 3.11 at times fails where two threads parse; `epca.paper.shown` does, too."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["runner"]["magicEnabled"] is False


def test_app_hands_its_options_to_the_server(monkeypatch):
    given = {}
    monkeypatch.setattr("epca.cli.os.name", "posix")
    monkeypatch.setattr("epca.cli.os.execve", lambda *call: given.update(call[-1]))
    monkeypatch.setattr("epca.cli.subprocess.run", lambda *_, **__: SimpleNamespace(returncode=0))
    address = "tcp://127.0.0.1:8786"
    call = ["app", "--port", str(free_port()), "--workers", "3", "--visitors", "50"]
    assert main([*call, "--scheduler", address]) == 0
    names = ("EPCA_WORKERS", "EPCA_VISITORS", "EPCA_SCHEDULER")
    assert [given[name] for name in names] == ["3", "50", address]


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
    assert any(name.endswith("licenses/.licence/MIT.txt") for name in names)
    assert not [name for name in names if name.endswith((".npz", ".mat", ".png"))]


def refused_hosts():
    yield "nosuch.invalid"
    yield "a..b"
    yield "x" * 300
    yield "192.0.2.1"  # of nobody's machine
    yield "2001:db8::1"


@pytest.mark.parametrize("host", refused_hosts())
def test_a_host_that_cannot_be_is_said_in_one_line(host, capsys, monkeypatch):
    monkeypatch.setattr("epca.cli.os.execve", None)
    port = str(free_port())
    assert main(["app", "--host", host, "--port", port]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"epca: no server can listen at --host {host} --port {port}: ")
    assert said.count("\n") == 1


def test_a_host_or_a_folder_without_a_name_is_not_taken_for_all(capsys, monkeypatch):
    """As of a variable of the shell that is not set."""
    monkeypatch.setattr("epca.cli.os.execve", None)
    assert main(["app", "--host", ""]) == 2
    assert "--host must be an address or a name, such as localhost" in capsys.readouterr().err
    assert main(["app", "--data", ""]) == 2
    assert "--data  must be a folder." in capsys.readouterr().err


def test_a_port_that_is_taken_is_said_in_one_line(capsys, monkeypatch):
    monkeypatch.setattr("epca.cli.os.execve", None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["app", "--host", "127.0.0.1", "--port", port]) == 2
    said = capsys.readouterr().err
    assert f"--port {port}: Address already in use" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("port", ["99999", "0000000099999", "0", "-1", "x", "9" * 400])
def test_a_port_that_cannot_be_is_said_in_one_line(port, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["app", f"--port={port}"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "must be a number between 1 and 65535" in said
    assert said.count("\n") == 1
