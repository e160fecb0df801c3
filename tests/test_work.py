"""The line in front of the cores: order, places, and leaving it."""

import itertools
import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from epca.ui import memory, store, work
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
    assert all(
        abs(served.index(i) - i) <= 1 for i in range(8)
    )  # two start at once: their order may differ


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


counter = itertools.count()


def _slow(digest, _progress, _images):
    with _progress.turn():
        for done in range(12):
            time.sleep(0.1)
            _progress(done, 12, "working")
    return next(counter)


kept_slow = store.cached(_slow, shared=2, private=1)


def shared_work():
    """A page with long work that all visitors share."""
    import streamlit as st

    from epca.ui import store, work
    from tests.test_work import kept_slow

    st.markdown(str(work.run("slow", "Slow work", kept_slow, store.load("orl"))))


def visit_twice(monkeypatch):
    """What two visitors are shown who ask at nearly the same time, and the texts of all bars."""
    shown, apps = [], [AppTest.from_function(shared_work, default_timeout=60) for _ in range(2)]
    monkeypatch.setattr(work.Progress, "_show", lambda self, share, text: shown.append(text))
    threads = [threading.Thread(target=app.run) for app in apps]
    for thread in threads:
        thread.start()
        time.sleep(0.6)
    for thread in threads:
        thread.join()
    return [app.markdown[0].value for app in apps], shown


WAITING = "Slow work: the same is being computed already, waiting for the result"


def test_who_asks_for_what_another_is_computing_waits_with_a_bar(monkeypatch):
    memory.free()
    answers, shown = visit_twice(monkeypatch)
    assert answers[0] == answers[1]
    assert "Slow work: working" in shown
    assert WAITING in shown
    assert not work.UNDER_WAY


def test_what_is_kept_is_not_waited_for(monkeypatch):
    first = visit_twice(monkeypatch)[0]
    answers, shown = visit_twice(monkeypatch)
    assert answers == first
    assert shown == []


def failing_task():
    """A page with work that breaks."""
    from epca.ui import work

    def task(_, progress):
        with progress.turn():
            raise ValueError("no")

    work.run("broken", "Trying", task, None)


def test_work_that_breaks_is_no_longer_under_way():
    app = AppTest.from_function(failing_task, default_timeout=30).run()
    assert app.error[0].value.startswith("Trying failed: no.")
    assert not work.UNDER_WAY
