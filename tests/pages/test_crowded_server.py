"""A server that holds as many of its visitors' images as it can."""

from weakref import WeakValueDictionary

import pytest

from epca.ui.frame.visitors import CROWDED
from tests.files import npy, pictures
from tests.visit import upload, visit, visit_with_upload

CONTENT = npy(pictures(12))
FILE = len(CONTENT)
IMAGES = pictures(12).nbytes


@pytest.fixture
def room(monkeypatch):
    """room(n_bytes): the server takes no more; its visitors have brought nothing yet."""
    monkeypatch.setattr("epca.ui.frame.visitors._brought", WeakValueDictionary())
    return lambda n_bytes: monkeypatch.setattr("epca.ui.frame.visitors.MOST_IN_ALL", n_bytes)


@pytest.mark.parametrize("n_bytes", [FILE - 1, FILE + IMAGES - 1])
def test_what_it_has_no_room_for_is_refused_in_a_sentence(n_bytes, room):
    """A small file may hold large images."""
    room(n_bytes)
    app = visit_with_upload("mine.npy", CONTENT)
    assert app.error[0].value == CROWDED
    assert app.title[0].value == "ORL faces"


def test_one_visitor_s_images_count_for_the_next_until_the_session_ends(room):
    room(FILE + IMAGES)
    first = visit_with_upload("mine.npy", CONTENT)
    assert first.title[0].value == "mine.npy"
    second = visit("data")
    assert upload(second, "mine.npy", CONTENT).error[0].value == CROWDED
    del first
    assert upload(second, "mine.npy", CONTENT).title[0].value == "mine.npy"
