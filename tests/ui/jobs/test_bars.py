"""How pages ask for work: bars, Cancel and Start again, errors, work in the background."""

import itertools
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from epca.ui.jobs import bars
from epca.ui.jobs.request import Request
from epca.ui.jobs.server import runner
from tests.ui.jobs.samples import Gate
from tests.ui.jobs.waiting import LONG

gates: dict[str, Gate] = {}
numbers = itertools.count()


@pytest.fixture
def gate():
    """A gate under a name that no other test uses."""
    name = f"gate {next(numbers)}"
    gates[name] = Gate()
    gates[name].name = name
    yield gates[name]
    gates.pop(name).opened.set()


def pass_gate(name):
    return (yield from gates[name].work(name))


def waiting_page(*names):
    import streamlit as st

    from epca.ui.jobs import bars
    from epca.ui.jobs.request import Request
    from tests.ui.jobs.test_bars import pass_gate

    for name in names:
        st.markdown(str(bars.get(Request(f"Work {name}", pass_gate, name))))
    st.toggle("other", key="other")


def following_page(name):
    import streamlit as st

    from epca.ui.jobs import bars
    from epca.ui.jobs.request import Request
    from tests.ui.jobs.test_bars import pass_gate

    found = bars.follow(Request("Long work", pass_gate, name))
    st.markdown(f"found {found}")


def page(function, *names):
    return AppTest.from_function(function, args=names, default_timeout=LONG)


def texts(app):
    return [markdown.value for markdown in app.markdown]


class Watched:
    """Runs a page in a thread and collects what its bars say meanwhile."""

    def __init__(self, app, monkeypatch):
        self.said = []
        self.changed = threading.Condition()
        say = bars._text

        def note(job, request):
            text = say(job, request)
            with self.changed:
                self.said.append(text)
                self.changed.notify_all()
            return text

        monkeypatch.setattr(bars, "_text", note)
        self.thread = threading.Thread(target=app.run)
        self.thread.start()

    def wait_for(self, text):
        self.wait_until(lambda: text in self.said)

    def wait_until(self, is_so):
        """Asked again whenever a bar says something."""
        with self.changed:
            assert self.changed.wait_for(is_so, LONG), self.said

    def join(self):
        self.thread.join(LONG)
        assert not self.thread.is_alive()


def test_a_page_waits_with_a_bar_and_shows_the_result(gate, monkeypatch):
    app = page(waiting_page, gate.name)
    run = Watched(app, monkeypatch)
    run.wait_for(f"Work {gate.name}: within step 0")
    gate.opened.set()
    run.join()
    assert not app.exception
    assert texts(app) == [gate.name]
    assert not app.button  # the bar is gone, its Cancel too


def test_what_is_cached_is_shown_without_a_bar(gate, monkeypatch):
    gate.opened.set()
    page(waiting_page, gate.name).run()
    app = page(waiting_page, gate.name)
    run = Watched(app, monkeypatch)
    run.join()
    assert texts(app) == [gate.name]
    assert run.said == []
    assert gate.calls == 1


def test_two_visitors_wait_for_one_computation(gate, monkeypatch):
    """The other one asks the runner: two AppTests at once would share one Streamlit runtime."""
    app = page(waiting_page, gate.name)
    run = Watched(app, monkeypatch)
    run.wait_for(f"Work {gate.name}: within step 0")
    request = Request("Other", pass_gate, gate.name)
    with runner().waiting(*request.call, **request.options) as job:
        gate.opened.set()
        assert job.wait(LONG)
    run.join()
    assert texts(app) == [job.outcome()] == [gate.name]
    assert gate.calls == 1


def test_two_pieces_of_work_in_one_run_each_have_their_cancel(gate, monkeypatch):
    """While each is at work its own button is there."""
    other = Gate()
    other.name = f"{gate.name} other"
    gates[other.name] = other
    shown = []
    draw = bars._cancel_button
    monkeypatch.setattr(
        bars, "_cancel_button", lambda request: (shown.append(request.title), draw(request))
    )
    app = page(waiting_page, gate.name, other.name)
    run = Watched(app, monkeypatch)
    run.wait_for(f"Work {gate.name}: within step 0")
    assert shown == [f"Work {gate.name}"]
    gate.opened.set()
    run.wait_for(f"Work {other.name}: within step 0")
    assert shown == [f"Work {gate.name}", f"Work {other.name}"]
    other.opened.set()
    run.join()
    assert not app.exception
    assert texts(app) == [gate.name, other.name]


def test_cancelled_work_is_said_and_can_be_started_again(gate):
    gate.opened.set()
    app = page(waiting_page, gate.name)
    request = Request(f"Work {gate.name}", pass_gate, gate.name)
    app.session_state["_cancelled"] = {request.key: request.title}
    app.run()
    assert texts(app) == ["None"]
    assert app.info[0].value == "Cancelled. Change a setting, or start again."
    assert gate.calls == 0
    app.button[0].click().run()
    assert texts(app) == [gate.name]
    assert not app.info


def test_works_of_one_title_are_cancelled_apart(monkeypatch):
    """As the fits of A, pinned, and of B."""
    monkeypatch.setattr(bars.st, "session_state", {})
    works = [Request("Fitting", pass_gate, name) for name in "ab"]
    for request in works:
        bars._cancel(request)
    assert [bars._was_cancelled(request) for request in works] == [True, True]
    bars._cancel(Request("Sweeping", pass_gate, "c"))
    bars.begin_again("Fitting")
    asked = [*works, Request("Sweeping", pass_gate, "c")]
    assert [bars._was_cancelled(request) for request in asked] == [False, False, True]


def test_work_that_breaks_is_said_and_the_page_goes_on(gate, monkeypatch):
    gate.opened.set()
    monkeypatch.setattr(gate, "work", breaking)
    app = page(waiting_page, gate.name).run()
    assert app.error[0].value.startswith(f"Work {gate.name} failed: no. Change a setting")
    assert texts(app) == ["None"]
    assert app.toggle(key="other") is not None


def breaking(_):
    yield 0.0, ""
    raise ValueError("no")


def test_a_page_is_complete_while_its_work_goes_on_in_the_background(gate):
    app = page(following_page, gate.name).run()
    assert texts(app) == ["found None"]
    assert [button.label for button in app.button] == ["Cancel"]
    ((_, job),) = app.session_state["_followed"].values()
    gate.opened.set()
    assert job.wait(LONG)
    app.run()
    assert texts(app) == [f"found {gate.name}"]
    assert not app.button
    assert app.session_state["_followed"] == {}


def test_work_that_ends_while_the_page_waits_to_go_on_is_shown_at_once(gate, monkeypatch):
    """On a busy server it takes longer to come back to the page than to do the work."""

    @contextmanager
    def left():
        yield
        gate.opened.set()
        (job,) = runner()._jobs.values()
        assert job.wait(LONG)

    monkeypatch.setattr(bars, "PATIENCE", 0)
    monkeypatch.setattr(bars, "GATE", SimpleNamespace(left=left))
    app = page(following_page, gate.name).run()
    assert not app.exception
    assert texts(app) == [f"found {gate.name}"]


def test_a_bar_whose_work_has_just_ended_runs_the_page_again(monkeypatch):
    intervals = []
    monkeypatch.setattr(
        bars.st, "fragment", lambda draw, run_every: lambda: intervals.append(run_every)
    )
    job = SimpleNamespace(place=0, is_finished=True)
    bars._show_bar([job], [Request("Work", pass_gate, "ended")], bars.WAITING)
    assert intervals == [bars.WAITING]


def test_cancelling_in_the_background_ends_the_work(gate):
    app = page(following_page, gate.name).run()
    ((_, job),) = app.session_state["_followed"].values()
    assert gate.begun.wait(LONG)
    app.button[0].click().run()
    assert job.wait(LONG)
    assert gate.closed.is_set()
    assert app.info[0].value.startswith("Cancelled.")
    assert texts(app) == ["found None"]


def test_the_next_work_of_a_title_takes_the_place_of_the_former(gate):
    app = page(following_page, gate.name).run()
    ((_, job),) = app.session_state["_followed"].values()
    assert gate.begun.wait(LONG)
    other = Gate()
    gates["other"] = other
    other.opened.set()
    app.args = ("other",)
    app.run()
    assert texts(app) == ["found other"]
    assert job.wait(LONG)
    assert gate.closed.is_set()


def test_what_breaks_in_the_background_is_said_once_and_tried_again(gate, monkeypatch):
    right = gate.work
    monkeypatch.setattr(gate, "work", breaking)
    app = page(following_page, gate.name).run()
    assert app.error[0].value.startswith("Long work failed: no.")
    gate.opened.set()
    monkeypatch.setattr(gate, "work", right)
    app.run()
    assert not app.error
    assert texts(app) == [f"found {gate.name}"]


def test_the_place_in_the_line_is_told():
    class Job:
        place = 3
        text = "fit 2 of 5"

    request = Request("Sweeping", pass_gate, "x")
    said = bars._text(Job, request)
    assert said == "Sweeping: fit 2 of 5, waiting for a free core, number 3 in line"


def test_the_longer_the_line_the_less_often_a_bar_is_drawn(monkeypatch):
    intervals = []

    def fragment(draw, run_every):
        return lambda: intervals.append(run_every)

    monkeypatch.setattr(bars.st, "fragment", fragment)
    for place in (0, 1, 1000):
        job = SimpleNamespace(place=place, is_finished=False)
        bars._show_bar([job], [Request("Work", pass_gate, place)], bars.WAITING)
    assert intervals == [bars.WAITING, 2 * bars.WAITING, bars.SELDOM]
