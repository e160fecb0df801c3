"""A row of the settings table is all there is to a setting: presets and lessons put it back."""

from urllib.parse import parse_qs, urlparse

import pytest

from epca.ui.frame import lesson, presets, settings
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.rules import Whole
from tests.visit import press, visit


@pytest.fixture(autouse=True)
def _new_setting(monkeypatch):
    row = settings.Setting("new", "New", 3, "", Whole(0, 9), field="seed", unit=lambda value: 0)
    monkeypatch.setitem(settings.SETTINGS, "new", row)


def test_a_preset_puts_a_new_setting_to_its_default():
    app = visit(new="5")
    assert app.session_state["new"] == 5
    app.button(key="preset_paper").click().run()
    assert not app.exception
    assert app.session_state["new"] == 3
    assert app.main.caption[0].value.startswith("Shown: the paper's setting;")


def test_a_preset_is_not_shown_where_a_new_setting_is_another():
    values = PRESETS["paper"].values
    assert values["new"] == 3
    assert presets.shown_preset(values) == "the paper's setting"
    assert presets.shown_preset(values | {"new": 5}) == "a setting of your own"


def test_a_step_of_a_lesson_puts_a_new_setting_to_its_default():
    app = visit(lesson="2", step="1", new="5")
    assert app.session_state["new"] == 5
    press(app, "Reset step")
    assert not app.exception
    assert app.session_state["new"] == 3


def test_a_link_to_a_step_names_a_new_setting():
    assert parse_qs(urlparse(lesson.link(1, 1)).query)["new"] == ["3"]
