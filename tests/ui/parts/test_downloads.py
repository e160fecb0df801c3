"""What pages offer to take away; the scripts run, and print the page's numbers."""

import numpy as np
import pandas as pd
import pytest

from epca.data import read_bytes
from epca.experiment import Occlusion, Scenario, prepare, run
from epca.images import row
from epca.ui.frame import images as store
from epca.ui.frame.settings import Setup
from epca.ui.parts import downloads
from epca.views import scripts
from epca.views.pictures import as_one
from tests.files import npy, pictures
from tests.visit import execute, open_menu, visit

SCENARIO = Scenario(
    occlusion=Occlusion(kind="block-black", samples=0.3, seed=4), n_components=10, sigma=2.0**9
)
CODE = ["Python script", "Notebook (.ipynb)"]
TABLE = "Table (CSV)"
FACES = "Faces (PNG)"
REPORT = "Report (HTML)"
OFFERED = {
    "home": [*CODE, TABLE, FACES, REPORT],
    "activated": [*CODE, TABLE, FACES, REPORT],
    "compare": [*CODE, TABLE, FACES, "Components (PNG)", REPORT],
    "tune": [*CODE, TABLE, FACES, REPORT],
    "watch": [*CODE, TABLE, FACES, REPORT],
    "framework": [*CODE, TABLE, REPORT],
    "paper": [*CODE, TABLE, "All fits (raw.csv)", REPORT],
}


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.slow
def test_the_menu_of_every_page_with_numbers_has_them(name):
    app = visit(name)
    assert not app.get("download_button")  # nothing is made before it is opened
    assert open_menu(app, name) == OFFERED[name]
    assert not app.exception


def test_every_file_is_made_by_its_click_alone():
    def fail():
        raise AssertionError("made too early")

    offer = downloads.Offer("home", "code", pictures={"Faces": fail})
    script, *_, faces = downloads._files(offer)
    assert script.data() == "code"
    assert faces.file_name == "home-faces.png"
    with pytest.raises(AssertionError, match="early"):
        faces.data()


@pytest.mark.parametrize("pinned", [False, True])
def test_the_camera_is_spoken_of_where_there_is_a_chart(pinned):
    """Home has one only where A is pinned."""
    app = visit(**({"pinned": "dataset=orl|c=10"} if pinned else {}))
    open_menu(app, "home")
    assert (downloads.CHARTS in [caption.value for caption in app.caption]) == pinned


@pytest.mark.slow
def test_home(faces, tmp_path):
    code = scripts.script("Home", scripts.HOME, SCENARIO, faces, shown=[3, 12])
    *printed, said = execute(code, tmp_path).splitlines()
    table, models = run(SCENARIO, ["PCA", "EPCA"])
    columns = ["method", "error", "n_activated", "clean_among_activated"]
    assert " ".join(printed).split() == table[columns].to_string(index=False).split()
    assert said == "faces.png has the faces 3 12"
    prepared = prepare(SCENARIO)
    stages = {"Clean": prepared.clean, "Occluded": prepared.occluded.X}
    stages |= {
        label: model.reconstruct(prepared.occluded.X)
        for label, model in zip(["PCA", "EPCA"], models, strict=True)
    }
    rows = {label: row(X[[3, 12]], (32, 32)) for label, X in stages.items()}
    assert (tmp_path / "faces.png").read_bytes() == as_one(rows, [3, 12])


@pytest.mark.slow
def test_activated(faces, tmp_path):
    body, values = scripts.activated([3, 12], [3, 12], is_robust=False)
    code = scripts.script("Activated", body, SCENARIO, faces, **values)
    printed = execute(code, tmp_path)
    table, (epca,) = run(SCENARIO, ["EPCA"])
    residuals = epca.residuals(prepare(SCENARIO).occluded.X)
    assert f"{epca.n_activated_} of 400 activated" in printed
    assert f"{table['weights_share'][0]:.6f}"[:8] in printed
    for i in (3, 12):
        line = f"image {i}: alpha {epca.alpha_[i]:.6g}, residual {residuals[i]:.6g}"
        assert line in printed.splitlines()
    assert (tmp_path / "faces.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_activated_with_ignored_pixels(faces, tmp_path):
    body, values = scripts.activated([], [3], is_robust=True)
    printed = execute(scripts.script("Activated", body, SCENARIO, faces, **values), tmp_path)
    _, (epca,) = run(SCENARIO, ["EPCA"])
    weights = epca.pixel_weights(prepare(SCENARIO).occluded.X[[3]])
    ignored = np.count_nonzero(weights < 0.5)
    assert printed.splitlines()[-2] == f"image 3: {ignored} of 1024 pixels ignored"


@pytest.fixture
def upload(monkeypatch):
    """Images that came occluded in the visitor's file mine.npy: (content, images)."""
    content = npy(pictures(12))
    images = read_bytes("mine.npy", content, is_occluded=True)
    monkeypatch.setattr(store, "uploaded", lambda: images)
    monkeypatch.setattr(store, "upload_name", lambda: "mine.npy")
    return content, images


@pytest.mark.slow
def test_an_upload_names_its_file(upload, tmp_path):
    content, images = upload
    (tmp_path / "mine.npy").write_bytes(content)
    scenario = Scenario(dataset="mine", n_components=3)
    code = downloads.script("Home", scripts.HOME, Setup(scenario, images), shown=[0])
    assert "# What you uploaded: give its path.\nimages = load_dataset('mine.npy', is_" in code
    table = run(scenario, ["PCA", "EPCA"], prepare=lambda it: prepare(it, images)).table
    assert str(table["n_activated"].dropna().astype(int).iloc[0]) in execute(code, tmp_path)
    assert np.isnan(table["error"]).all()


def test_what_is_no_upload_names_its_set(upload, faces):
    code = downloads.script("Home", scripts.HOME, Setup(SCENARIO, faces))
    assert "load_dataset('orl')" in code
    assert "uploaded" not in code


def test_a_script_has_the_experiment_and_the_values_and_no_more_than_it_needs(faces):
    body, values = scripts.tune(["error"], {})
    code = scripts.script("Tune", body, SCENARIO, faces, **values)
    assert code.startswith('"""Tune, as EPCA Lab showed it. Needs the package epca."""\n')
    assert f"\nscenario = {SCENARIO!r}\n" in code
    assert "\ncolumns = ['error']\nparts = {}\n" in code
    assert "import numpy as np" in code
    assert "import Occlusion, Scenario, prepare, sweep\n" in code
    assert "epca.choosing" not in code
    home = scripts.script("Home", scripts.HOME, SCENARIO, faces)
    assert "numpy" not in home
    assert "import Occlusion, Scenario, prepare, run\n" in home


def test_no_cell_of_a_table_is_a_formula():
    """Class names come from strangers, and spreadsheets compute what begins with a sign."""
    table = pd.DataFrame({"class": ["=1+1", "@x", "ann"], "error": [-1.5, 2.0, 3.0]})
    assert downloads._csv(table)() == "class,error\n'=1+1,-1.5\n'@x,2.0\nann,3.0\n"
