"""Settings: the table fills the scenario; Reset sets all; one setting is pinned."""

import pandas as pd
import pytest

from epca import EPCA
from epca.corruption import occlude
from epca.data import load_dataset
from epca.scenario import Occlusion, Scenario
from epca.ui.frame import settings
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.settings import DATASET, SETTINGS
from tests.files import npy, pictures
from tests.visit import PAPER, at, press, visit, visit_with_upload


def test_every_setting_fills_its_field(faces):
    values = {"kind": "band", "samples": 40, "pixels": 30, "seed": 7, "c": 5, "sigma": -2}
    values["left_out"] = True
    setup = settings.setup_of(settings.defaults() | values, faces)
    occlusion = Occlusion("band", 0.4, 0.3, 7)
    assert setup.scenario == Scenario("orl", occlusion, n_components=5, sigma=0.25, left_out=True)
    assert settings.setup_of(PRESETS["paper"].values, faces).scenario == Scenario()
    labels = [row.label for row in (DATASET, *SETTINGS.values())]
    assert [label for label, _ in setup.texts] == labels


def test_every_field_of_the_experiment_has_its_setting():
    fields = {row.field for row in SETTINGS.values()}
    assert fields == set(Scenario().axes)


def test_reset():
    app = visit("activated", sel=["3"], sort="sample", tab="all")
    app.slider(key="c").set_value(10).run()
    press(app, "Pin A")
    press(app, "Reset")
    assert not app.exception
    assert app.slider(key="c").value == settings.SETTINGS["c"].default
    assert app.multiselect(key="sel").value == []
    assert not app.main.header
    assert app.query_params == {}
    assert app.session_state["sort"] == "alpha"


def test_a_setting_pinned_beside_the_next(faces):
    app = visit(**PAPER | {"c": "10"})
    press(app, "Pin A")
    assert app.toast[0].value.startswith("Pinned as A.")
    assert not app.table  # A and B are still the same
    app.slider(key="c").set_value(20).run()
    assert not app.exception
    shown = app.table[0].value
    assert shown.loc["Rank c"].tolist() == ["10", "20"]
    assert "Occluded images (%)" not in shown.index  # only what differs
    occluded = occlude(faces.X, random_state=0)
    for column, c in (("A", 10), ("B", 20)):
        k = EPCA(c).fit(occluded.X).n_activated_
        assert shown.loc["Activated images", column] == f"{k} of 400"
    text = app.query_params["pinned"]
    given = "dataset=orl|samples=20|pixels=20|c=10|sigma=2^0|left_out=false"
    given += "|kind=shared-pixels|seed=0"
    assert set(given.split("|")) <= set(text.split("|"))
    copy = at(**PAPER | {"c": "20"}, pinned=text).run()
    assert any("See A beside B below" in caption.value for caption in copy.sidebar.caption)
    pd.testing.assert_frame_equal(copy.table[0].value, shown)
    press(app, "Unpin A")
    assert not app.table
    assert "pinned" not in app.query_params


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x", "part of it is no setting; settings are dataset, samples, pixels"),
        ("strength=3", "part of it is no setting"),
        ("kind=what", "kind must be one of shared-pixels, own-pixels"),
        ("c=999", "c must be a whole number from 1 to 100."),
        ("sigma=7", "sigma must be one of 2^-20, …, 2^20."),
        ("dataset=gone", "the data set is not in the catalogue"),
        ("dataset=your-upload", "it was an upload, and uploads stay in their owner's session."),
    ],
)
def test_a_bad_pinned_setting_is_said(text, reason):
    app = visit(pinned=text)
    assert not app.exception
    said = app.main.warning[0].value
    assert said.startswith(f"What was pinned cannot be shown. `pinned={text}`: {reason}")
    assert not app.table
    assert "pinned" not in app.query_params
    app.run()
    assert not app.main.warning


def test_a_pinned_setting_has_defaults_for_what_it_does_not_name():
    setup = settings.unpin("c=4", load_dataset)
    named = settings.setup_of(settings.defaults() | {"c": 4}, load_dataset("orl"))
    assert setup.scenario == named.scenario


def test_a_link_reads_no_file_of_the_server(tmp_path):
    """Names of the catalogue only: paths are for scripts."""
    path = tmp_path / "secret.npy"
    path.write_bytes(npy(pictures(12)))
    app = visit(pinned=f"dataset={path}|c=5")
    assert "is not in the catalogue" in app.main.warning[0].value
    assert not app.table


def test_a_pinned_kind_that_the_images_do_not_allow_is_said():
    app = visit_with_upload("mine.npy", npy(pictures(12)))
    app.session_state["pinned"] = "dataset=your-upload|kind=other-class|c=3"
    app.switch_page("pages/home.py").run()
    assert not app.exception
    assert "kind must be one of" in app.main.warning[0].value


@pytest.mark.parametrize("kind", ["noise-images", "own-pixels"])
def test_pixels_cannot_be_set_where_they_do_not_matter(kind):
    app = visit(kind=kind, pixels="30")
    assert app.slider(key="pixels").disabled == (kind == "noise-images")
    assert app.slider(key="pixels").value == 30
