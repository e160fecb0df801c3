"""Several pieces of work at once: awaited, or in the background with one bar."""

import pytest

from epca.ui.jobs import bars
from epca.ui.jobs.executors import Cancelled
from epca.ui.jobs.request import Request
from tests.ui.jobs import samples
from tests.ui.jobs.samples import Gate
from tests.ui.jobs.test_bars import Watched, gates, numbers, page, pass_gate, texts
from tests.ui.jobs.waiting import LONG, until
from tests.visit import followed, settle


def following_all_page(*names):
    import streamlit as st

    from epca.ui.jobs import bars
    from epca.ui.jobs.request import Request
    from tests.ui.jobs.test_bars import pass_gate

    asked = [Request(f"Work {name}", pass_gate, name) for name in names]
    st.markdown(f"ready {bars.follow_all(asked)}")


@pytest.fixture
def two():
    """The names of two gates, which no other test uses."""
    names = [f"gate {next(numbers)}" for _ in range(2)]
    gates.update({name: Gate() for name in names})
    yield names
    for name in names:
        gates.pop(name).opened.set()


def test_the_page_runs_again_when_the_last_work_is_finished(two, monkeypatch):
    events = []

    def timer(draw, run_every):
        """Draw as often as there is work, which ends in between; either may come first."""

        def run():
            left = list(two)
            while left:
                draw()
                name = until(lambda: next((n for n in left if gates[n].begun.is_set()), None))
                left.remove(name)
                gates[name].opened.set()
                _, job = bars.st.session_state["_followed"][f"Work {name}"]
                assert job.wait(LONG)
                events.append("end of work")
            draw()

        return run

    monkeypatch.setattr(bars.st, "fragment", timer)
    monkeypatch.setattr(bars.st, "rerun", lambda: events.append("page"))
    monkeypatch.setattr(bars.st, "progress", lambda share, text: events.append("bar"))
    app = page(following_all_page, *two).run()
    assert not app.exception
    assert events[:5] == ["bar", "end of work", "bar", "end of work", "page"]


def test_all_stand_in_the_line_at_once(two):
    app = page(following_all_page, *two).run()
    jobs = [job for _, job in app.session_state["_followed"].values()]
    until(lambda: any(gates[name].begun.is_set() for name in two))
    until(lambda: sorted(job.place for job in jobs) == [0, 1])


def test_work_that_failed_is_said_once(two, monkeypatch, caplog):
    monkeypatch.setattr(gates[two[1]], "work", lambda name: samples.fail())
    gates[two[0]].opened.set()
    app = page(following_all_page, *two).run()
    settle(app)
    assert [error.value.partition("Change")[0] for error in app.error] == [
        f"Work {two[1]} failed: no. "
    ]
    assert texts(app) == ["ready False"]


def test_cancelling_ends_all_and_all_start_again(two):
    app = page(following_all_page, *two).run()
    jobs = [job for _, job in app.session_state["_followed"].values()]
    app.button[0].click().run()
    assert all(job.wait(LONG) for job in jobs)
    for job in jobs:
        with pytest.raises(Cancelled):
            job.outcome()
    assert [info.value[:10] for info in app.info] == ["Cancelled."]
    assert [button.label for button in app.button] == ["Start again"]
    for name in two:
        gates[name].opened.set()
    app.button[0].click().run()
    settle(app)
    assert not app.info
    assert texts(app) == ["ready True"]


def beginning_page(name):
    import streamlit as st

    from epca.ui.jobs import bars
    from epca.ui.jobs.request import Request
    from tests.ui.jobs.test_bars import pass_gate

    bars.begin([Request(f"Work {name}", pass_gate, name)])
    st.markdown("drawn")


@pytest.mark.parametrize("was_cancelled", [False, True])
def test_work_begins_without_a_bar_unless_it_was_cancelled(was_cancelled, two):
    app = page(beginning_page, two[0])
    asked = Request(f"Work {two[0]}", pass_gate, two[0])
    if was_cancelled:
        app.session_state["_cancelled"] = {asked.key: asked.title}
    app.run()
    assert texts(app) == ["drawn"]
    assert not app.button
    assert len(followed(app)) == (not was_cancelled)


def awaiting_page(*names):
    import streamlit as st

    from epca.ui.jobs import bars
    from epca.ui.jobs.request import Request
    from tests.ui.jobs.test_bars import pass_gate

    asked = [Request(f"Work {name}", pass_gate, name) for name in names]
    with bars.together(asked) as found:
        for result in found:
            if result is None:
                st.stop()
            st.markdown(result)


def test_results_are_given_in_turn_while_the_others_are_wanted_already(two, monkeypatch):
    app = page(awaiting_page, *two)
    run = Watched(app, monkeypatch)
    run.wait_until(lambda: all(gates[name].calls for name in two))
    gates[two[1]].opened.set()
    gates[two[0]].opened.set()
    run.join()
    assert texts(app) == two
    assert [gates[name].calls for name in two] == [1, 1]
    assert not app.button
    again = page(awaiting_page, *two).run()  # cached
    assert texts(again) == two
    assert [gates[name].calls for name in two] == [1, 1]


def test_where_the_page_ends_nobody_waits_for_the_others(two):
    app = page(awaiting_page, *two)
    asked = Request(f"Work {two[0]}", pass_gate, two[0])
    app.session_state["_cancelled"] = {asked.key: asked.title}
    app.run()
    assert [info.value[:10] for info in app.info] == ["Cancelled."]
    assert texts(app) == []
    assert gates[two[1]].closed.wait(LONG) or not gates[two[1]].calls
    assert not gates[two[1]].opened.is_set()
