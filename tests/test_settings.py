"""Settings: links restore them or say why not, presets and Reset set several, one setting is kept beside the next."""

import pandas as pd
import pytest

from epca import EPCA
from epca.corruption import occlude
from epca.ui import settings
from tests.files import npy, pictures
from tests.visit import press, visit, visit_with_upload


def test_link_restores_settings():
    app = visit(c="10", samples="40", sigma="2^12")
    assert (app.slider(key="c").value, app.slider(key="samples").value) == (10, 40)
    assert app.select_slider(key="sigma").value == 12


@pytest.mark.parametrize("value", ["99999", "-1", "x", "", "--5", "9" * 5000, "1e999"])
def test_bad_values_in_a_link_fall_back_and_that_is_said_once(value):
    keys = ("dataset", "kind", "samples", "pixels", "seed", "c", "sigma", "methods")
    app = visit(**dict.fromkeys(keys, value))
    assert not app.exception
    assert app.slider(key="c").value == 30
    assert app.select_slider(key="sigma").value == 0
    said = app.main.warning[0].value.split("  \n")
    assert [text.split("=")[0] for text in said] == [f"The link has `{key}" for key in keys]
    assert (
        said[5]
        == f"The link has `c={value[:40]}`, which must be a whole number from 1 to 100. Showing 30 instead."
    )
    app.run()
    assert not app.main.warning


def test_good_values_in_a_link_are_not_complained_of():
    assert not visit(
        dataset="digits", kind="black square", seed="7", sigma="2^-20", methods="EPCA"
    ).main.warning


PAGE_CONTROLS = {
    "activated": {"sort": "size", "show": "everything", "face": "mine", "try": "perhaps"},
    "compare": {"pictures": "all", "runs": "0", "seeds": "x", "cluster": "yes please"},
    "tune": {"sweep": "maybe"},
    "watch": {"watch": "400", "sigma2": "2^99", "tol2": "5"},
    "framework": {"cloud": "none", "sigma_2d": "2^99", "gamma": "0", "learner": "x"},
    "learn": {"teacher": "me", "lesson": "9"},
}
NEEDED = {"face": "try", "runs": "cluster", "seeds": "repeat"}  # control: the switch that brings it


@pytest.mark.parametrize(
    ("name", "key"), [(page, key) for page, controls in PAGE_CONTROLS.items() for key in controls]
)
def test_bad_values_for_a_pages_own_controls_are_said_once_too(name, key):
    needed = {NEEDED[key]: "true"} if key in NEEDED else {}
    app = visit(name, **needed, **{key: PAGE_CONTROLS[name][key]})
    assert not app.exception
    said = f"The link has `{key}={PAGE_CONTROLS[name][key]}`, which is not offered here. The default is shown instead."
    assert [warning.value for warning in app.main.warning] == [said]
    app.run()
    assert not app.main.warning


@pytest.mark.parametrize("preset", settings.PRESETS)
def test_presets_set_several_settings_at_once(preset):
    app = visit()
    app.slider(key="pixels").set_value(33).run()
    app.selectbox(key="_preset").set_value(preset).run()
    assert not app.exception
    expected = {
        key: setting.default for key, setting in settings.SETTINGS.items()
    } | settings.PRESETS[preset]
    assert {key: app.session_state[key] for key in expected} == expected
    assert app.selectbox(key="_preset").value is None
    assert bool(app.warning) == (preset == "collapse")


def test_reset():
    app = visit()
    app.slider(key="c").set_value(10).run()
    app.multiselect(key="methods").set_value(["PCA"]).run()
    press(app, "Keep beside")
    press(app, "Reset")
    assert not app.exception
    assert (app.slider(key="c").value, app.multiselect(key="methods").value) == (
        30,
        settings.METHODS_SETTING.default,
    )
    assert not app.table
    assert "kept" not in app.query_params


def test_a_setting_kept_beside_the_next(faces):
    app = visit()
    app.slider(key="c").set_value(10).run()
    press(app, "Keep beside")
    app.slider(key="c").set_value(20).run()
    assert not app.exception
    shown = app.table[0].value
    assert shown.loc["Rank c"].tolist() == ["10", "20"]
    occluded = occlude(faces.X, random_state=0)
    for column, c in (("A, kept", 10), ("B, now", 20)):
        assert (
            shown.loc["Activated images", column]
            == f"{EPCA(c).fit(occluded.X).n_activated_} of 400"
        )
    assert "".join(app.query_params["kept"]) == "orl|shared-pixels|20|20|0|10|0"
    copy = visit(kept="orl|shared-pixels|20|20|0|10|0", c="20")
    pd.testing.assert_frame_equal(copy.table[0].value, shown)
    press(app, "Keep A no longer")
    assert not app.table


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "orl|band|20|20|0|30",
        "orl|what|20|20|0|30|0",
        "orl|band|20|20|0|999|0",
        "gone|band|20|20|0|30|0",
        "your upload|band|20|20|0|30|0",
    ],
)
def test_a_bad_kept_setting_is_said(text):
    app = visit(kept=text)
    assert not app.exception
    assert app.main.warning[0].value.startswith(
        f"What was kept beside cannot be shown. `kept={text}"
    )
    assert not app.table
    app.run()
    assert not app.main.warning


def test_a_link_reads_no_file_of_the_server(tmp_path):
    """Names of the catalogue only: paths are for scripts."""
    path = tmp_path / "secret.npy"
    path.write_bytes(npy(pictures(12)))
    app = visit(kept=f"{path}|band|20|20|0|5|0")
    assert "is not in the catalogue" in app.main.warning[0].value
    assert not app.table


def test_nothing_in_a_link_is_taken_for_markdown():
    said = visit(c="![](//elsewhere/x)`![](//elsewhere/y)").main.warning[0].value
    assert said.count("`") == 2
    assert said.index("`") < said.index("![](") < said.rindex("`")


def test_a_kept_kind_that_the_images_do_not_allow_is_said():
    app = visit_with_upload("mine.npy", npy(pictures(12)))
    app.query_params["kept"] = "your upload|other-class|20|20|0|3|0"
    app.session_state["_kept"] = "your upload|other-class|20|20|0|3|0"
    app.switch_page("pages/home.py").run()
    assert not app.exception
    assert "kind=other-class must be one of" in app.main.warning[0].value
