"""The gate in front of pages: so many inside, and room while one of them waits."""

import threading

import pytest

from epca.ui.jobs.gate import GATE, Gate
from tests.visit import visit


def enter(gate, log, go):
    """A thread that enters, says so, and stays until it may go."""

    def run():
        with gate.entered():
            log.append("in")
            arrived.set()
            go.wait(60)

    arrived = threading.Event()
    thread = threading.Thread(target=run)
    thread.start()
    return thread, arrived


def test_so_many_are_inside_at_a_time():
    gate = Gate(1)
    go = threading.Event()
    log = []
    with gate.entered():
        thread, arrived = enter(gate, log, go)
        assert not arrived.wait(0.05)
    assert arrived.wait(60)
    go.set()
    thread.join()


def test_who_waits_makes_room_and_comes_back():
    gate = Gate(1)
    go = threading.Event()
    go.set()
    log = []
    with gate.entered():
        with gate.left():
            thread, arrived = enter(gate, log, go)
            assert arrived.wait(60)
            thread.join()
        log.append("back")
    assert log == ["in", "back"]


def test_outside_there_is_no_room_to_make():
    """A fragment runs outside: it must not free somebody else's place."""
    gate = Gate(1)
    with gate.left():
        assert gate._places._value == 1


@pytest.mark.parametrize("stem", ["learn", "home"])
def test_a_page_gives_its_place_back(stem):
    before = GATE._places._value
    visit(stem)
    assert GATE._places._value == before > 0
