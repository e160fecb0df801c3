"""Several pieces of work in the background, one after the other, with one bar."""

import pytest

from epca.ui.jobs import bars
from tests.ui.jobs.samples import Gate
from tests.ui.jobs.test_bars import LONG, gates, numbers, page, texts


def following_all_page(*names):
    import streamlit as st

    from epca.ui.jobs import bars
    from tests.ui.jobs.test_bars import pass_gate

    asked = [bars.Request(f"Work {name}", name, pass_gate, name) for name in names]
    st.markdown(f"ready {bars.follow_all(asked)}")


@pytest.fixture
def two():
    """The names of two gates, which no other test uses."""
    names = [f"gate {next(numbers)}" for _ in range(2)]
    gates.update({name: Gate() for name in names})
    yield names
    for name in names:
        gates.pop(name).opened.set()


def test_one_bar_goes_on_from_work_to_work_before_the_page_runs_again(two, monkeypatch):
    events = []
    begin = bars._begin

    def noted(request):
        events.append(request.title)
        return begin(request)

    def timer(draw, run_every):
        """Draw as often as there is work, which ends in between."""

        def run():
            for name in two:
                draw()
                gates[name].opened.set()
                _, job = bars.st.session_state["_followed"][f"Work {name}"]
                assert job.wait(LONG)
            draw()

        return run

    monkeypatch.setattr(bars, "_begin", noted)
    monkeypatch.setattr(bars.st, "fragment", timer)
    monkeypatch.setattr(bars.st, "rerun", lambda: events.append("page"))
    app = page(following_all_page, *two).run()
    assert not app.exception
    assert events == [f"Work {two[0]}", f"Work {two[1]}", "page"]


def test_cancelling_ends_what_the_bar_has_come_to_and_all_start_again(two, monkeypatch):
    first, second = [gates[name] for name in two]

    def timer(draw, run_every):
        def run():
            first.opened.set()
            assert all(job.wait(LONG) for _, job in bars.st.session_state["_followed"].values())
            draw()
            assert second.begun.wait(LONG)

        return run

    with monkeypatch.context() as patch:
        patch.setattr(bars.st, "fragment", timer)
        app = page(following_all_page, *two).run()
    app.button[0].click().run()
    assert second.closed.wait(LONG)
    assert [info.value[:10] for info in app.info] == ["Cancelled."]
    assert [button.label for button in app.button] == ["Start again"]
    second.opened.set()
    app.button[0].click().run()
    while app.session_state["_followed"]:
        assert all(job.wait(LONG) for _, job in app.session_state["_followed"].values())
        app.run()
    assert not app.info
    assert texts(app) == ["ready True"]
