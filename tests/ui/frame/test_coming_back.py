"""A teacher whose page was loaded again: the room, its page and its settings are found again."""

import pytest

from epca.classroom import codes
from epca.ui.frame import classroom
from tests.ui.frame.rooms import CODE, SECRET
from tests.visit import at, press, settle, visit


@pytest.fixture(autouse=True)
def seat(monkeypatch):
    """All sessions are of one browser."""
    monkeypatch.setattr(classroom, "seat", lambda: "one browser")


def shown(app):
    return app.session_state["_stem"], app.session_state["c"]


def test_the_secret_link_leads_to_what_the_class_looks_at():
    visit("tune", room_secret=SECRET, c="44", lesson="2", step="3")
    app = visit("learn", room_secret=SECRET)
    assert shown(app) == ("tune", 44)
    assert (app.session_state["lesson"], app.session_state["step"]) == (2, 3)


@pytest.mark.parametrize("page", ["learn", "home", "compare"])
def test_every_page_offers_the_room_of_this_browser(page):
    visit("activated", room_secret=SECRET, c="44")
    app = visit(page)
    press(app, f"Lead room {codes.show(CODE)} again")
    assert shown(app) == ("activated", 44)
    assert classroom.rooms().get(CODE).leader == app.session_state["_session"]


def test_who_does_not_want_the_room_is_not_asked_again():
    visit("activated", room_secret=SECRET)
    app = visit("learn")
    press(app, "Not now")
    assert not [button.label for button in app.button if button.label.startswith("Lead room")]
    assert "Open a room" in [button.label for button in app.button]


def test_another_browser_is_offered_nothing(monkeypatch):
    visit("activated", room_secret=SECRET)
    monkeypatch.setattr(classroom, "seat", lambda: "another browser")
    app = settle(at("learn").run())
    assert not [button.label for button in app.button if button.label.startswith("Lead room")]


def test_the_room_that_was_led_last_is_offered(rooms):
    other = "2" * 32
    for secret in (SECRET, other, SECRET):
        visit("activated", room_secret=secret)
    assert rooms.led_by("one browser").secret == SECRET
    rooms.end(SECRET)
    assert rooms.led_by("one browser").secret == other


def test_why_a_room_cannot_be_led_again_is_said(monkeypatch):
    visit("activated", room_secret=SECRET)
    app = visit("learn")
    monkeypatch.setattr(classroom, "lead", lambda secret: "All rooms are taken.")
    press(app, f"Lead room {codes.show(CODE)} again")
    assert "All rooms are taken." in [warning.value for warning in app.warning]


def test_why_a_room_cannot_be_led_from_this_window_is_said(monkeypatch):
    app = visit("home", room_secret=SECRET)
    visit("home", room_secret=SECRET)  # a second window takes it over
    monkeypatch.setattr(classroom, "lead", lambda secret: "All rooms are taken.")
    press(app.run(), "Lead it from here")
    assert "All rooms are taken." in [warning.value for warning in app.warning]


def test_a_room_that_was_ended_is_not_offered(rooms):
    visit("activated", room_secret=SECRET)
    rooms.end(SECRET)
    assert rooms.led_by("one browser") is None
