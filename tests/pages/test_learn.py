"""Lessons on the pages: links that restore a step, the panel, the page Learn."""

from urllib.parse import parse_qs, urlparse

import pytest

from epca.lessons import LESSONS
from epca.ui.frame import lesson as ui
from tests.visit import press, texts, visit

STEPS = {
    (i, j): step for i, lesson in enumerate(LESSONS, 1) for j, step in enumerate(lesson.steps, 1)
}


SWEPT = [(2, 5), (5, 1), (5, 5)]  # by many fits


def marked(where):
    return pytest.param(where, marks=pytest.mark.slow) if where in SWEPT else where


@pytest.mark.parametrize(
    "where", [marked(where) for where in STEPS], ids=lambda where: f"{where[0]}.{where[1]}"
)
def test_every_link_restores_its_step(where):
    """The address opens the page with the settings and the panel, and nothing complains."""
    step = STEPS[where]
    address = urlparse(ui.link(*where))
    app = visit(step.page, **parse_qs(address.query))
    assert not app.exception
    assert not [warning.value for warning in app.main.warning if "must be" in warning.value]
    assert {key: app.session_state[key] for key in step.settings} == step.settings
    assert (app.session_state["lesson"], app.session_state["step"]) == where
    assert any(step.question in text for text in texts(app))
    assert {step.look, step.hint, step.full_answer} <= set(texts(app))
    disabled = {button.label: button.disabled for button in app.main.button}
    lesson, number = where
    assert disabled["Back"] == (number == 1)
    assert disabled["Next"] == ((lesson, number + 1) not in STEPS)
    assert address.path.rsplit("/", 1)[-1] == ("" if step.page == "home" else step.page)


@pytest.mark.slow
def test_the_panel_leads_through_a_lesson():
    app = visit()
    app.slider(key="c").set_value(77).run()
    app.selectbox(key="lesson").set_value(4).run()
    assert not app.exception
    assert app.title[0].value == "Activated samples"
    assert app.slider(key="c").value == 30
    press(app, "Next")
    assert (app.session_state["step"], app.slider(key="c").value) == (2, 100)
    app.slider(key="c").set_value(50).run()
    press(app, "Reset to this step")
    assert app.slider(key="c").value == 100
    press(app, "Back")
    assert (app.session_state["step"], app.slider(key="c").value) == (1, 30)
    assert STEPS[4, 1].full_answer in texts(app)
    press(app, "End")
    assert not any(STEPS[4, 1].question in text for text in texts(app))


def test_the_learn_page_starts_lessons_and_has_a_teachers_page():
    app = visit("learn")
    titles = [header.value for header in app.main.header]
    assert titles == [ui.name(number) for number in ui.NUMBERS]
    app.toggle(key="teacher").set_value(True).run()
    text = "\n".join(texts(app))
    for where, step in STEPS.items():
        assert step.question in text
        assert step.full_answer in text
        assert ui.link(*where) in text
    app.toggle(key="teacher").set_value(False).run()
    app.button(key="start 1").click().run()
    assert app.session_state["lesson"] == 1
    settings = STEPS[1, 1].settings
    assert {key: app.session_state[key] for key in settings} == settings
    assert not app.exception
