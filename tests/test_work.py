"""The line in front of the cores: order, places, and leaving it."""

import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from epca.ui import work
from epca.ui.work import Line


def test_no_more_than_the_slots_work_at_a_time_and_first_come_is_first_served():
    line, lock, served, at_work, most = Line(2), threading.Lock(), [], 0, 0

    def visit(number):
        nonlocal at_work, most
        with line.turn(lambda place: None):
            with lock:
                at_work += 1
                most = max(most, at_work)
                served.append(number)
            time.sleep(0.02)
            with lock:
                at_work -= 1

    threads = [threading.Thread(target=visit, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
        time.sleep(0.005)
    for thread in threads:
        thread.join()
    assert most == 2
    assert sorted(served) == list(range(8))
    assert all(abs(served.index(i) - i) <= 1 for i in range(8))  # two start at once: their order may differ


def test_those_who_wait_learn_their_place_and_may_leave():
    line, places = Line(1), []

    class Left(BaseException):
        pass

    def leave(place):
        places.append(place)
        if len(places) == 2:
            raise Left

    with line.turn(lambda place: None):
        with pytest.raises(Left), line.turn(leave):
            pass
        assert places == [1, 1]
    with line.turn(lambda place: pytest.fail("the line is empty")):
        pass


def two_tasks():
    """A page with two pieces of long work, one after the other."""
    import time

    import streamlit as st

    from epca.ui import work

    def task(name, progress):
        for done in range(5):
            time.sleep(0.1)
            progress(done, 5, str(done))
        return name

    for name in ("first", "second"):
        st.markdown(work.run((name, 1), name, task, name))


def test_two_pieces_of_work_in_one_run_each_have_their_cancel():
    app = AppTest.from_function(two_tasks, default_timeout=30).run()
    assert not app.exception
    assert [markdown.value for markdown in app.markdown] == ["first", "second"]


def test_who_asks_for_what_another_is_computing_waits_with_a_bar(monkeypatch):
    shown = []
    monkeypatch.setattr(work.Progress, "_show", lambda self, share, text: shown.append(text))
    work.UNDER_WAY.add(("first", 1))
    threading.Timer(1, work.UNDER_WAY.discard, [("first", 1)]).start()
    app = AppTest.from_function(two_tasks, default_timeout=30).run()
    assert "first: another visitor asked for the same just before, waiting for the result" in shown
    assert [markdown.value for markdown in app.markdown] == ["first", "second"]
    assert not work.UNDER_WAY


def failing_task():
    """A page with work that breaks."""
    from epca.ui import work

    def task(_):
        raise ValueError("no")

    work.run("broken", "Trying", task)


def test_work_that_breaks_is_no_longer_under_way():
    app = AppTest.from_function(failing_task, default_timeout=30).run()
    assert app.error[0].value.startswith("Trying failed: no.")
    assert not work.UNDER_WAY
