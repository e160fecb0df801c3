"""The address of a page to give away: its settings, and nothing that is the visitor's own."""

import html

import pytest

from tests.files import npy, pictures
from tests.visit import open_menu, press, turn_to, visit, visit_with_upload


def frame(app, name):
    """The frame that the menu offers, as its text."""
    open_menu(app, name)
    return html.unescape(app.get("code")[-1].value)


@pytest.mark.slow
def test_the_frame_has_the_settings_and_a_height():
    app = visit("compare", c="25", sel=["3", "7"], methods=["EPCA", "PCP"])
    text = frame(app, "compare")
    for part in ("c=25", "sel=3&sel=7", "methods=EPCA&methods=PCP", "embed=true"):
        assert part in text
    assert 'height="720"' in text
    assert 'title="EPCA Lab"' in text


def test_what_is_no_setting_is_left_out():
    """As a room's secret, or the lesson that is on."""
    app = visit("home", c="25", secret="hush", lesson="1", step="2", projector="true")
    assert 'src="/?c=25&embed=true"' in frame(app, "home")


def test_an_upload_is_left_out_and_the_menu_says_so():
    app = visit_with_upload("mine.npy", npy(pictures(40)))
    press(app, "Pin A")
    turn_to(app, "home")
    text = frame(app, "home")
    assert app.query_params["pinned"]
    assert "upload" not in text
    assert "embed=true" in text
    assert any("Yours stays in your session" in caption.value for caption in app.main.caption)


@pytest.mark.parametrize("value", ['"><script>', "`</code>"])
def test_no_value_of_a_link_ends_the_frame(value):
    app = visit("framework", losses=value)
    open_menu(app, "framework")
    (text,) = [part.value for part in app.get("code") if "iframe" in part.value]
    assert text.count("<") == 2
    assert text.count('"') == 12
