"""Every control of every page says what it does."""

import pytest

from epca.ui.frame.router import PAGES
from tests.visit import press, visit

LINKS = {  # what a page shows only when asked to
    "activated": {"try": "true", "face": "own", "pinned": "dataset=orl"},
    "compare": {"cluster": "true", "runs": "1", "repeat": "true", "seeds": "2", "methods": "EPCA"},
    "tune": {"sweep": "true", "fine": "true"},
    "paper": {"source": "here"},
    "learn": {"lesson": "1"},
}


def parts(block):
    for child in getattr(block, "children", {}).values():
        yield child
        yield from parts(child)


def mute(app):
    """Labels of the controls and numbers without a tooltip; links to pages need none."""
    protos = [
        part.proto
        for part in parts(app._tree)
        if hasattr(part, "proto") and part.type != "page_link"
    ]
    found = [proto for proto in protos if hasattr(proto, "label") and hasattr(proto, "help")]
    assert len(found) > 10  # the sidebar's, at least
    return [proto.label for proto in found if not proto.help]


def marked(name):
    """The page Tune sweeps."""
    return pytest.param(name, marks=pytest.mark.slow) if name == "tune" else name


@pytest.mark.parametrize("name", ["room_secret", "room"])
def test_every_control_of_a_rooms_bar_has_a_tooltip(name):
    """Of a teacher's with a question that is asked, and of one who follows."""
    teacher = visit("learn", lesson="1", room_secret="t" * 32)
    press(teacher, "Ask this step's question")
    student = visit("learn", room=teacher.session_state["_led_code"])
    app = teacher if name == "room_secret" else student
    assert not app.exception
    assert mute(app) == []
    press(teacher, "End the room")


@pytest.mark.parametrize("name", map(marked, PAGES))
def test_every_control_has_a_tooltip(name):
    app = visit(name, **LINKS.get(name, {}))
    assert not app.exception
    assert mute(app) == []
