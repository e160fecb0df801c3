"""Presets: each sets the whole experiment, and shows what it says it shows."""

import re

import pytest

from epca.experiment import Scenario, run
from epca.ui.frame import presets, settings
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.settings import SETTINGS
from tests.visit import visit


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_set_several_settings_at_once(preset):
    app = visit()
    app.slider(key="pixels").set_value(33).run()
    app.button(key=f"preset_{preset}").click().run()
    assert not app.exception
    expected = PRESETS[preset].values
    assert {key: app.session_state[key] for key in expected} == expected
    assert bool(app.warning) == (preset == "collapse")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_names_every_setting(preset, faces):
    values = PRESETS[preset].values
    assert set(values) == set(SETTINGS)
    assert all(SETTINGS[key].rule_for(faces).allows(value) for key, value in values.items())


def test_presets_differ_and_are_known_by_their_values():
    for preset in PRESETS.values():
        assert presets.shown_preset(preset.values) == preset.label
        assert presets.preset_of(preset.values | {"seed": 1}) is None


def test_the_opening_setting_is_the_default_and_has_a_name():
    assert PRESETS["opening"].values == settings.defaults()
    assert presets.shown_preset(settings.defaults()) == "the opening setting"
    assert presets.shown_preset(settings.defaults() | {"c": 3}) == "a setting of your own"


class Shown:
    """What the library gives at a preset."""

    def __init__(self, preset, faces):
        labels = ["PCA", "EPCA", "PCA-AN", *([preset.witness] if preset.witness else [])]
        scenario = settings.setup_of(preset.values, faces).scenario
        self.rows = run(scenario, labels).table.set_index("method")

    def change(self, label="EPCA"):
        return self.rows.loc[label, "error"] / self.rows.loc["PCA", "error"] - 1

    def percent(self, label="EPCA"):
        return f"{abs(self.change(label)):.0%}"


def nobody_wins(it):
    """Even the best error is three times that of PCA without occlusion."""
    clean = run(Scenario(n_components=30).at(samples=0.0), ["PCA"]).table["error"][0]
    return (
        max(abs(it.change()), abs(it.change("Cauchy PCA"))) < 0.02
        and it.rows["error"].idxmin() == "PCA-AN"
        and round(it.rows.loc["PCA-AN", "error"] / clean, 1) == 3.0
    )


CLAIMS = {  # preset → what must hold, and the numbers it gives
    "paper": (lambda it: it.change() < 0, lambda it: [it.percent()]),
    "opening": (lambda it: it.change() < 0, lambda it: [it.percent()]),
    "fifth": (
        lambda it: it.change() < 0 < it.change("Cauchy PCA"),
        lambda it: [it.percent(), it.percent("Cauchy PCA")],
    ),
    "pixels": (
        lambda it: abs(it.change()) < 0.005 and it.change("Cauchy PCA") < 0,
        lambda it: [it.percent("Cauchy PCA")],
    ),
    "squares": (nobody_wins, lambda it: ["2%"]),
    "heavy": (
        lambda it: it.change() < 0 and it.rows.loc["EPCA", "clean_among_activated"] == 1,
        lambda it: [it.percent()],
    ),
    "collapse": (
        lambda it: (
            it.rows.loc["EPCA", "collapsed"] and it.rows.loc["EPCA", "clean_among_activated"] == 0
        ),
        lambda it: [],
    ),
    "nearly-pca": (lambda it: abs(it.change()) < 0.002, lambda it: ["0.2%"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_shows_what_it_says(preset, faces):
    it = Shown(PRESETS[preset], faces)
    holds, numbers = CLAIMS[preset]
    assert holds(it)
    assert re.findall(r"[\d.]+%", PRESETS[preset].shows) == numbers(it)
