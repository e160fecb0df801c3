"""A vote is there once it is asked for, and a room says of its end what holds for the reader."""

from types import SimpleNamespace

import pytest
import streamlit as st

from epca.classroom import codes
from epca.ui.frame import classroom, voting
from tests.lessons.measured import STEPS
from tests.ui.frame.rooms import CODE, SECRET, said
from tests.visit import press, turn_to, visit


@pytest.fixture
def teacher():
    return visit("home", room_secret=SECRET, lesson="1")


@pytest.fixture
def runs(monkeypatch):
    """Counts how often the part that asks has the page run again, as if it ran alone."""
    counted = []
    monkeypatch.setattr(classroom, "is_drawn", lambda: True)
    own = SimpleNamespace(**vars(st) | {"rerun": lambda: counted.append(1)})
    monkeypatch.setattr(voting, "st", own)
    return counted


def test_the_page_runs_again_once_a_question_is_asked(teacher, runs, rooms):
    """Else the vote would wait for the bar's next look, which waits for seconds after a click."""
    press(teacher, "Ask")
    assert any("type one" in part.value for part in teacher.warning)
    assert not runs
    teacher.text_input(key="own_question_text").set_value("Who wins?")
    teacher.text_input(key="own_choice_1").set_value("EPCA")
    teacher.text_input(key="own_choice_4").set_value("PCA")
    press(teacher, "Ask")
    assert rooms.get(CODE).vote.question.choices == ("EPCA", "PCA")
    assert len(runs) == 1
    teacher.run()
    assert len(runs) == 1
    press(teacher, "Ask this step's question")
    assert rooms.get(CODE).vote.question.text == STEPS[1, 1].question
    assert len(runs) == 2


def test_choices_stand_two_in_a_row(teacher):
    form = next(part for part in teacher.main.root if part.type == "form")
    rows = [
        [choice.label for choice in row.children.values()]
        for row in form.children.values()
        if row.type == "flex_container"
    ]
    assert rows == [["Choice 1", "Choice 2"], ["Choice 3", "Choice 4"]]


def test_a_room_that_has_ended_is_told_from_one_that_never_was_open(teacher):
    student = visit("learn", room=CODE)
    assert f"You follow room **{codes.show(CODE)}**" in said(student)
    press(teacher, "End the room")
    assert f"Room **{codes.show(CODE)}** is closed now" in said(student.run())
    assert "check the code" not in said(student)
    stranger = visit("learn", room="ABCDEFGH")
    assert "is not open now. This page waits for it; check the code." in said(stranger)
    student.text_input(key="room").set_value("ABCDEFGH").run()
    assert "check the code" in said(student)


def test_the_summary_is_there_after_the_end_as_the_button_says(teacher):
    assert "The page Learn keeps the summary of its questions" in said(teacher)
    press(teacher, "End the room")
    turn_to(teacher, "learn")
    assert "Summary (CSV)" in [part.proto.label for part in teacher.get("download_button")]


def test_a_question_that_the_room_does_not_take_stays_as_it_was_typed(teacher, monkeypatch):
    monkeypatch.setattr("epca.classroom.room.MOST_QUESTIONS", 0)
    typed = {"own_question_text": "Who wins?", "own_choice_1": "EPCA", "own_choice_2": "PCA"}
    for key, text in typed.items():
        teacher.text_input(key=key).set_value(text)
    press(teacher, "Ask")
    said = [part.value for part in teacher.warning]
    assert "This room takes no more questions: open a new one." in said
    assert {key: teacher.text_input(key=key).value for key in typed} == typed
