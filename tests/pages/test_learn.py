"""Lessons on the pages: links that restore a step, the bar, the page Learn."""

from urllib.parse import parse_qs, urlparse

import pytest

from epca.literal import literal
from epca.registry import METHODS
from epca.relatives import NOT_HERE
from epca.ui.frame import lesson as ui
from epca.ui.frame.settings import SETTINGS
from tests.lessons.measured import STEPS, SWEPT, name
from tests.visit import at, leave, press, texts, turn_to, visit


def marked(where):
    return pytest.param(where, marks=pytest.mark.slow) if where in SWEPT else where


def query_of(where):
    return parse_qs(urlparse(ui.link(*where)).query)


def state(app, step):
    """What the session has of the step's settings."""
    return {key: app.session_state[key] for key in step.settings}


@pytest.mark.parametrize("where", [marked(where) for where in STEPS], ids=name)
def test_every_link_restores_its_step(where):
    """The address opens the page with all settings and the bar, and nothing complains.

    What it computes in the background is not waited for: others check it.
    """
    step = STEPS[where]
    app = at(step.page, **query_of(where)).run()
    leave(app)
    assert not app.exception
    assert not [warning.value for warning in app.main.warning if "must be" in warning.value]
    assert state(app, step) == step.settings
    assert (app.session_state["lesson"], app.session_state["step"]) == where
    said = set(texts(app))
    assert {f"{step.look} **{step.question}**", step.hint, step.full_answer} <= said
    disabled = {button.label: button.disabled for button in app.main.button}
    lesson, number = where
    assert disabled["Back"] == (number == 1)
    assert disabled["Next"] == ((lesson, number + 1) not in STEPS)
    page = urlparse(ui.link(*where)).path.rsplit("/", 1)[-1]
    assert page == ("" if step.page == "home" else step.page)


def test_what_is_set_before_its_control_is_drawn_is_in_the_address():
    app = at("learn").run()
    app.button(key="start 5").click().run()
    leave(app)
    assert app.query_params["sweep"] == "true"


@pytest.mark.slow
def test_the_bar_leads_through_a_lesson():
    app = visit()
    app.slider(key="c").set_value(77).run()
    app.selectbox(key="lesson").set_value(2).run()
    press(app, "Reset step")
    assert not app.exception
    assert app.slider(key="c").value == 30
    press(app, "Next")
    assert (app.session_state["step"], app.session_state["sigma"]) == (2, 20)
    app.slider(key="c").set_value(50).run()
    press(app, "Reset step")
    assert app.slider(key="c").value == 30
    press(app, "Back")
    assert (app.session_state["step"], app.session_state["sigma"]) == (1, 0)
    assert STEPS[2, 1].full_answer in texts(app)
    press(app, "End lesson")
    assert not any(STEPS[2, 1].question in text for text in texts(app))


def outlined(app):
    """The keys that rules of style outline."""
    rules = [part.proto.body for part in app.get("html")]
    return [rule.split("-key-")[1].split()[0] for rule in rules if "var(--spotlight); }" in rule]


def test_only_the_steps_own_page_is_outlined():
    """Another page may have a part of the same key."""
    app = visit("framework", **query_of((3, 3)))
    assert outlined(app) == [STEPS[3, 3].target]
    turn_to(app, "home")
    assert outlined(app) == []
    press(app, "Reset step")
    assert outlined(app) == [STEPS[3, 3].target]
    press(app, "End lesson")
    assert outlined(app) == []


def test_learn_lists_the_lessons_and_starts_them():
    app = visit("learn")
    assert [header.value for header in app.main.header] == [ui.name(i) for i in ui.NUMBERS]
    said = "\n".join(texts(app))
    for lesson in ui.LESSONS:
        assert f"{lesson.goal} *{len(lesson.steps)} steps, about {lesson.minutes} minutes.*" in said
    app.button(key="start 1").click().run()
    assert app.session_state["lesson"] == 1
    assert state(app, STEPS[1, 1]) == STEPS[1, 1].settings
    assert not app.exception


def test_a_choice_is_right_or_leads_back_to_the_hint():
    step = STEPS[1, 2]
    app = visit(step.page, **query_of((1, 2)))
    choices = app.radio(key="choice_1_2")
    assert choices.options == list(step.full_choices)
    assert not app.success
    choices.set_value(1).run()
    assert app.warning[0].value == f"Not yet. Look again: {step.hint}"
    choices.set_value(step.right).run()
    assert [part.value for part in app.success] == ["Right."]
    assert not app.warning


def changes(app):
    return [part.value for part in app.warning if part.value == ui.CHANGED]


def test_an_answer_says_whose_numbers_it_has():
    """Below choices and answer: the page shows others once its settings are changed."""
    step = STEPS[1, 3]
    app = visit(step.page, **query_of((1, 3)))
    assert changes(app) == []
    app.slider(key="c").set_value(15).run()
    assert step.full_answer in texts(app)
    assert changes(app) == [ui.CHANGED] * 2
    press(app, "Reset step")
    assert changes(app) == []


def test_a_room_is_asked_about_the_steps_own_setting():
    teacher = visit("home", **query_of((1, 3)), room_secret="t" * 32)
    assert changes(teacher) == []
    teacher.slider(key="c").set_value(15).run()
    assert changes(teacher) == [ui.CHANGED] * 3
    press(teacher, "End the room")


def test_a_set_of_other_images_is_another_setting():
    query = query_of((1, 3)) | {"dataset": "digits"}
    assert changes(visit("home", **query)) == [ui.CHANGED] * 2


def test_the_teachers_page_has_every_question_answer_and_whole_link():
    app = visit("learn", teacher="true")
    said = "\n".join(texts(app))
    pictures = [image.alt for part in app.main.image for image in part.proto.imgs]
    assert pictures == [f"QR code of the link to step {i}.{j}" for i, j in STEPS]
    plan = app.table[0].value
    assert plan["minutes"].sum() == 45
    for where, step in STEPS.items():
        assert f"**{literal(step.full_choices[step.right])}** ✓" in said
        assert step.question in said
        assert step.full_answer in said
        assert f"]({ui.link(*where)})" in said
        assert set(SETTINGS) <= set(query_of(where))


def test_the_glossary_opens_by_its_key():
    app = visit("learn")
    assert not app.table
    app = visit("learn", glossary="true")
    assert len(app.table) == 1


def test_methods_in_other_words_and_those_left_out_open_by_their_key():
    app = visit("learn", relatives="true")
    words, not_here = (table.value for table in app.table)
    assert words.index.tolist() == list(METHODS)
    assert words.loc["Cauchy PCA", "judges"] == "pixels"
    assert len(not_here) == len(NOT_HERE)


def test_the_old_address_of_the_glossary_leads_to_it():
    app = visit("glossary", c="44", methods=["EPCA", "PCA"])
    assert not app.exception
    assert app.title[0].value == "Learn"
    assert len(app.table) == 1
    assert app.session_state["c"] == 44
    turn_to(app, "home")
    assert app.slider(key="c").value == 44
    turn_to(app, "glossary")
    assert app.title[0].value == "Learn"
    assert app.session_state["c"] == 44
