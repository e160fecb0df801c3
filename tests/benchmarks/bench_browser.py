"""How long a visitor waits in Chromium: for the first faces, and for a change to show.

pytest -n 0 tests/benchmarks/bench_browser.py -s
"""

import subprocess
import sys
import time

import numpy as np
import pytest

from epca.registry import PAPER_METHODS
from tests.benchmarks.bench_pages import mixtures
from tests.browser import chromium

pytestmark = pytest.mark.skipif(not chromium.CHROMIUM, reason="no Chromium on this machine")

FACES = {  # page → the table of faces on it, and the row that changes with the fit
    "Home": ("home_faces", 3),
    "Activated": ("inspected", 0),
    "Compare": ("matrix", 2),
    "Tune": ("tune_faces", 1),
}
RESTS = """() => document.querySelector("[data-testid=stApp]").dataset.testScriptState
    === "notRunning" && !document.body.innerText.includes("Preview")"""
CHANGES = {"σ": ("σ", 9), "c": ("Rank c", 9), "occlusion": ("Occluded images (%)", 9)}


def drawn(page_name):
    """JavaScript: the rows of faces that are drawn on this page."""
    root = f"document.querySelector('.st-key-{FACES[page_name][0]} [data-testid]')?.shadowRoot"
    return f"[...({root}?.querySelectorAll('img') ?? [])].filter(i => i.naturalWidth > 0)"


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": chromium.CHROMIUM, "args": ["--no-sandbox"]}


def test_start(page):
    waits = {"import, processor time": [], "first faces of a fresh server": []}
    code = (
        "import time, streamlit.web.bootstrap; t = time.process_time(); "
        "import epca.ui.frame.router; print(time.process_time() - t)"
    )
    for _ in range(5):
        answer = subprocess.run(
            [sys.executable, "-c", code],
            cwd=chromium.ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        waits["import, processor time"].append(float(answer.stdout))
        with chromium.serve() as address:
            start = time.perf_counter()
            page.goto(address)
            page.wait_for_function(f"{drawn('Home')}.length >= 4", timeout=60_000)
            waits["first faces of a fresh server"].append(time.perf_counter() - start)
    tell(waits)


def test_changes(page):
    waits = {}
    with chromium.serve() as address:
        chromium.open_page(page, address)
        for name, (label, count) in CHANGES.items():
            waits[f"a change of {name}"] = [change(page, label)[1] for _ in range(count)]
        waits["all nine methods, opened by a link"] = [
            nine_methods(page, address, seed) for seed in (1, 2, 3)
        ]
        waits["a sweep of 41 σ, switched on"] = [sweep(page, address, seed) for seed in (1, 2, 3)]
    tell(waits)


@pytest.mark.parametrize("name", FACES)
def test_large_set(page, tmp_path, name):
    """3,000 images of 64 × 64, as users have the server: first faces, which may be a preview's."""
    np.save(tmp_path / "large.npy", mixtures(3000, 64, 64))
    waits = {}
    with chromium.serve(EPCA_WORKERS="1") as address:
        chromium.open_page(page, f"{address}/data?upload_size=64&sigma=2%5E9")
        page.locator("input[type=file]").set_input_files(tmp_path / "large.npy")
        page.get_by_role("heading", name="large.npy").wait_for(timeout=60_000)
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_function(f"{drawn(name)}.length > {FACES[name][1]}", timeout=60_000)
        page.wait_for_timeout(15_000)  # until nothing is computed any more
        for what, (label, _) in CHANGES.items():
            pairs = [change(page, label, name) for _ in range(5)]
            waits[f"{name}, a change of {what}, first faces"] = [first for first, _ in pairs]
            waits[f"{name}, a change of {what}, exact ones"] = [last for _, last in pairs]
    tell(waits)


def tell(waits):
    for name, seconds in waits.items():
        ordered = sorted(seconds)
        print(f"{name}: median {ordered[len(ordered) // 2]:.2f} s, slowest {ordered[-1]:.2f} s")


def nine_methods(page, address, seed):
    """Seconds until the row of the ninth method is there; with new occlusion, nothing is cached."""
    query = "&".join(f"methods={label}" for label in PAPER_METHODS)
    start = time.perf_counter()
    page.goto(f"{address}/compare?{query}&seed={seed}")
    count = len(PAPER_METHODS)
    page.wait_for_function(
        f"document.querySelectorAll('[data-testid=stTable] tbody tr').length >= {count}",
        timeout=60_000,
    )
    return time.perf_counter() - start


def sweep(page, address, seed):
    """Seconds from the switch to the curves of all 41 fits."""
    chromium.open_page(page, f"{address}/tune?seed={seed}&part=sigma")
    start = time.perf_counter()
    page.get_by_text("Compute the σ sweep").click()
    page.locator(".st-key-sigma_blind .scatterlayer .point").first.wait_for(timeout=60_000)
    return time.perf_counter() - start


def change(page, label, page_name="Home"):
    """Seconds from a key press to other faces, and until the page rests without a preview."""
    last = f"{drawn(page_name)}.at({FACES[page_name][1]})?.src"
    before = page.evaluate(last)
    start = time.perf_counter()
    page.locator(f"input[type=range][aria-label='{label}']").press("ArrowRight")
    page.wait_for_function(f"{last} && {last} !== '{before}'", timeout=60_000)
    first = time.perf_counter() - start
    page.wait_for_function(RESTS, timeout=60_000)
    exact = time.perf_counter() - start
    page.wait_for_timeout(1500)
    return first, exact
