"""The wheel as a user gets it: installed into an empty environment and opened in a browser."""

import os
import subprocess
import sys
import urllib.request
import venv
from pathlib import Path

import pytest

from tests.browser import chromium
from tests.browser.chromium import free_port, metric, open_page, running
from tests.files import npy, pictures

ROOT = Path(__file__).resolve().parents[1]
HAS_BLUE = """[...document.querySelectorAll("*")].some(
    element => getComputedStyle(element).backgroundColor === "rgb(0, 114, 178)"
)"""  # the theme's colour
pytestmark = [
    pytest.mark.browser,
    pytest.mark.registry,
    pytest.mark.slow,
    pytest.mark.skipif(
        not (chromium.CHROMIUM or chromium.REQUIRED), reason="no Chromium on this machine"
    ),
]


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": chromium.CHROMIUM, "args": ["--no-sandbox"]}


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """The command `epca` of a new environment with nothing but the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True)
    venv.create(folder / "new", with_pip=True)
    (wheel,) = folder.glob("*.whl")
    scripts = folder / "new" / ("Scripts" if os.name == "nt" else "bin")
    pip = [scripts / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    pip += ["--no-compile"]  # of the many modules a page needs few
    environment = os.environ | {"PYTHONPATH": ""}
    done = subprocess.run(
        [*pip, wheel], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode and "No matching distribution" in done.stderr and not chromium.REQUIRED:
        pytest.skip(f"pip reaches no registry: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return str(scripts / "epca")


def test_installed_anywhere_it_opens_with_theme_and_data(command, page, tmp_path):
    """ORL comes along; `datasets/` of the working folder and the folder of --data are searched."""
    for folder, count in (("datasets", 12), ("elsewhere", 15)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}-set.npy").write_bytes(npy(pictures(count)))
    port = free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "--data", "elsewhere"]
    environment = {"STREAMLIT_SERVER_HEADLESS": "true", "PYTHONPATH": "", "EPCA_DATASETS": ""}
    address = f"http://127.0.0.1:{port}"
    with running([command, "app", *options], port, tmp_path, environment):
        open_page(page, address)
        assert metric(page, "Activated images").endswith(" of 400")
        assert page.evaluate(HAS_BLUE)
        for name, count in (("datasets-set", 12), ("elsewhere-set", 15)):
            open_page(page, f"{address}/?dataset={name}&c=3")
            assert metric(page, "Activated images").endswith(f" of {count}")
        assert page.get_by_test_id("stException").count() == 0
    with pytest.raises(OSError, match="refused"):  # ended with the command
        urllib.request.urlopen(address, timeout=5)
