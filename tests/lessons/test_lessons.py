"""What a lesson is made of: every step names its whole experiment, and says little at a time."""

import pytest

from epca.lessons import LESSONS
from epca.lessons.step import PAPER
from epca.ui.frame import controls, presets, settings
from epca.ui.frame.lesson import SHARED
from epca.ui.frame.router import PAGES
from tests.lessons.claims import CLAIMS
from tests.lessons.facts import FACTS
from tests.lessons.measured import STEPS, name

OWN = {**controls.CONTROLS, **{row.key: row for row in SHARED}}  # settings of pages
LONGEST = 210  # characters above a page, so that the bar stays slim


def test_shape_of_the_lessons():
    assert len(LESSONS) == 7
    assert all(4 <= len(lesson.steps) <= 8 for lesson in LESSONS)
    assert all(step.page in PAGES for step in STEPS.values())
    assert set(FACTS) == set(CLAIMS) == set(STEPS)


def test_every_lesson_has_a_goal_and_its_minutes():
    assert all(lesson.goal.endswith(".") for lesson in LESSONS)
    assert [lesson.minutes for lesson in LESSONS] == [10, 10, 10, 16, 10, 12, 12]


def test_the_papers_setting_is_the_presets():
    assert presets.PRESETS["paper"].named == PAPER


@pytest.mark.parametrize("where", STEPS, ids=name)
def test_a_step_names_its_whole_experiment(where, faces):
    """Then no number of a lesson moves with the setting that the dashboard opens with."""
    chosen = STEPS[where].settings
    assert set(PAPER) <= set(chosen) <= {*settings.SETTINGS, *OWN}
    rows = settings.SETTINGS | OWN
    assert [key for key in chosen if not rows[key].rule_for(faces).allows(chosen[key])] == []


@pytest.mark.parametrize("where", STEPS, ids=name)
def test_a_step_is_short(where):
    step = STEPS[where]
    assert len(f"{step.look} {step.question}") <= LONGEST


WORDS = ("damage", "undamaged", "corrupt", "2^", "outlier images", "who tells")


@pytest.mark.parametrize("where", STEPS, ids=name)
def test_a_step_speaks_as_the_pages_do(where):
    """In the paper's words, with σ as people read it and the true minus."""
    step = STEPS[where]
    text = " ".join([step.look, step.question, step.hint, step.full_answer])
    assert [word for word in (*WORDS, " -") if word in text.lower()] == []
    assert step.question.endswith("?")
