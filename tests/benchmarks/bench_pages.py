"""Where the seconds of one step of σ or c go on pages with large sets, without a browser.

    OPENBLAS_NUM_THREADS=1 pytest -n 0 tests/benchmarks/bench_pages.py -s

The sets are mixtures of ORL faces with noise. Pages run in this process, fits in its threads.
"""

import os
import time
from collections import defaultdict

import numpy as np
import pytest
from PIL import Image

from epca import experiment, tasks
from epca.data import load_dataset
from epca.plots import samples
from epca.ui.jobs import bars
from epca.ui.jobs.server import runner
from epca.ui.parts import charts, faces, gallery, selection
from tests import visit

SETS = {  # name → (images, height, width)
    "3000x64x64": (3000, 64, 64),
    "400x128x128": (400, 128, 128),
    "5000x32x32": (5000, 32, 32),
    "13000x62x47": (13000, 62, 47),
}
PAGES = ("home", "activated", "compare", "tune")
PARTS = {  # what is timed → where it is called
    "fits": [(experiment, "fit")],
    "of them measures": [(experiment, "measure")],
    "figures": [(samples, "_figure")],
    "charts to JSON": [(charts, "show")],
    "faces": [(faces, "table"), (gallery, "lay_out")],
    "list of images": [(selection, "select")],
}


def mixtures(n_images, height, width, seed=0):
    """Faces mixed of two each, moved, brightened, with noise: uint8 (n, h, w)."""
    people = load_dataset("orl", size=None).images
    generator = np.random.default_rng(seed)
    found = np.empty((n_images, height, width), np.uint8)
    for i in range(n_images):
        first, second = people[generator.integers(len(people), size=2)].astype(np.float32)
        share = generator.uniform(0.6, 1)
        shift = generator.integers(-3, 4, size=2)
        mixed = np.roll(share * first + (1 - share) * second, shift, axis=(0, 1))
        small = np.asarray(Image.fromarray(mixed).resize((width, height)))
        noise = generator.normal(0, 6, small.shape)
        found[i] = np.clip(generator.uniform(0.8, 1.1) * small + noise, 0, 255)
    return found


@pytest.fixture
def spent(monkeypatch):
    """Seconds of processor time by part, of the threads they run in."""
    found = defaultdict(float)

    def timed(part, function):
        def run(*arguments, **options):
            start = time.thread_time()
            try:
                return function(*arguments, **options)
            finally:
                found[part] += time.thread_time() - start

        return run

    for part, places in PARTS.items():
        for module, name in places:
            monkeypatch.setattr(module, name, timed(part, getattr(module, name)))
    return found


@pytest.fixture
def in_turn(monkeypatch):
    """What the bar of a page goes on with, before it runs the page again."""
    found = []

    def note(job, request, then):
        found[:] = then

    monkeypatch.setattr(bars, "_follow_bar", note)
    return found


@pytest.mark.parametrize("name", SETS)
def test_steps(name, tmp_path, monkeypatch, spent, in_turn):
    np.save(tmp_path / f"{name}.npy", mixtures(*SETS[name]))
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    monkeypatch.setattr(tasks, "load_dataset", lambda name: load_dataset(name, size=None))
    print(f"\n{name}, c = 30, seconds of processor time; load {os.getloadavg()[0]:.1f}")
    print("| page | step | shown | exact | " + " | ".join(PARTS) + " |")
    print("|---" * (len(PARTS) + 4) + "|")
    for place, page in enumerate(PAGES):
        start = time.process_time()
        app = visit.at(page, dataset=name, c="30", sigma=f"2^{place}").run()
        tell(page, "opened", app, start, spent, in_turn)
        for step, change in {
            "σ": lambda app, at=place: app.select_slider(key="sigma_shown").set_value(at + 6),
            "c": lambda app, at=place: app.slider(key="c").set_value(31 + at),
        }.items():
            start = time.process_time()
            change(app).run()
            tell(page, step, app, start, spent, in_turn)


def tell(page, step, app, start, spent, in_turn):
    """A line of the table; the exact result is there when nothing is left in the background."""
    assert not app.exception
    shown = time.process_time() - start
    for job in visit.followed(app):
        assert job.wait(visit.PATIENCE)
    for request in in_turn:
        owner = app.session_state["_owner"]
        assert runner().follow(owner, *request.call, **request.options).wait(visit.PATIENCE)
    in_turn.clear()
    visit.settle(app)
    exact = time.process_time() - start
    parts = " | ".join(f"{spent[part]:.2f}" for part in PARTS)
    spent.clear()
    print(f"| {page} | {step} | {shown:.2f} | {exact:.2f} | {parts} |", flush=True)
