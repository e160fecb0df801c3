"""The wheel as a user gets it: installed into an empty environment and opened in a browser."""

import os
import subprocess
import sys
import urllib.request
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.browser import chromium
from tests.browser.chromium import free_port, metric, open_page, running
from tests.files import npy, pictures

ROOT = Path(__file__).resolve().parents[1]
HAS_BLUE = """[...document.querySelectorAll("*")].some(
    element => getComputedStyle(element).backgroundColor === "rgb(0, 114, 178)"
)"""  # the theme's colour
pytestmark = [
    pytest.mark.browser,
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
    venv.create(folder / "new", with_pip=False)
    (wheel,) = folder.glob("*.whl")
    scripts = folder / "new" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", scripts / "python", "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], cwd=folder, check=True)
    (packages,) = (folder / "new").rglob("site-packages")
    (about,) = packages.glob("epca-*.dist-info")
    for name in needed(metadata.Distribution.at(about)):
        link(metadata.distribution(name), packages)
    return str(scripts / "epca")


def needed(distribution, extras=("",)):
    """The names of all that it requires, and what they require."""
    found = set()
    for text in distribution.requires or ():
        wanted = Requirement(text)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": e}) for e in extras):
            further = needed(metadata.distribution(wanted.name), ("", *wanted.extras))
            found |= {wanted.name} | further
    return found


def link(distribution, packages):
    """Have the environment use what is installed here, which takes less time than another copy."""
    for name in {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}:
        if not (packages / name).exists():
            (packages / name).symlink_to(distribution.locate_file(name))


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
