"""What the tests of the frame share."""

import pytest

from epca.classroom.rooms import Rooms
from epca.ui.frame import classroom


@pytest.fixture(autouse=True)
def rooms(monkeypatch):
    """The rooms of a server: none yet."""
    made = Rooms()
    monkeypatch.setattr(classroom, "rooms", lambda: made)
    return made
