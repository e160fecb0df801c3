"""A pinned setting whose images are gone, or cannot be compared."""

import numpy as np
import pytest

from epca.ui.frame import pinning
from epca.ui.parts.pinned import NEEDS_KNOWN
from tests.files import faces_of, npy, pictures
from tests.visit import press, texts, turn_to, upload, visit_with_upload

HEADER = "A, pinned, beside B, now"


@pytest.fixture
def holes():
    """A visitor whose upload has unknown pixels, with A pinned on it."""
    faces = faces_of(1).astype(float)
    faces[::3, 2:4, 2:5] = np.nan
    app = visit_with_upload("mine.npy", npy(faces), unknown="nan")
    press(app, "Pin A")
    return app


def headers(app):
    return [header.value for header in app.main.header]


def test_what_was_pinned_of_an_upload_goes_with_it_which_is_said():
    """Else A would silently be the next upload."""
    app = visit_with_upload("first.npy", npy(faces_of(5)))
    press(app, "Pin A")
    assert app.session_state["pinned"].startswith("dataset=your-upload|")
    turn_to(app, "data")
    upload(app, "second.npy", npy(pictures(20)))
    assert app.session_state["pinned"] == ""
    assert any("was of your former upload" in caption.value for caption in app.main.caption)
    turn_to(app, "home")
    assert not app.exception
    assert HEADER not in headers(app)


def test_nothing_is_pinned_before_all_settings_are_there(monkeypatch):
    state = {"_drawn": {}, "dataset": "orl"}
    monkeypatch.setattr(pinning.st, "session_state", state)
    pinning.pin()
    assert state == {"_drawn": {}, "dataset": "orl"}


def test_what_was_pinned_of_other_images_stays_with_a_new_upload():
    app = visit_with_upload("first.npy", npy(faces_of(5)))
    app.session_state["pinned"] = "dataset=orl|c=5"
    turn_to(app, "data")
    upload(app, "second.npy", npy(pictures(20)))
    assert app.session_state["pinned"] == "dataset=orl|c=5"


@pytest.mark.parametrize("other", ["your-upload", "digits"])
def test_unknown_pixels_on_either_side_are_said_and_a_can_be_unpinned(holes, other):
    if other == "digits":
        holes.session_state["_switch_to"] = other
        turn_to(holes, "home")
    else:
        holes.session_state["methods"] = ["Cauchy PCA"]
        turn_to(holes, "compare")
    assert not holes.exception
    assert not holes.error
    assert HEADER in headers(holes)
    assert NEEDS_KNOWN in [info.value for info in holes.info]
    press(holes, "Unpin A")
    assert HEADER not in headers(holes)
    assert texts(holes)
