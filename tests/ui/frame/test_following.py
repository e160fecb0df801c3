"""Who follows a room may step aside, is told when they have moved away, and may leave."""

import pytest

from epca.classroom import codes
from tests.ui.frame.rooms import CODE, follow, labels, look, page_of, said, teach
from tests.visit import press, turn_to


def test_who_steps_aside_keeps_what_they_set_and_may_come_back():
    teacher = teach("home", c="44")
    student = follow()
    press(look(student), "Explore on my own")
    student.slider(key="c").set_value(7).run()
    teacher.slider(key="c").set_value(55).run()
    look(student)
    assert student.slider(key="c").value == 7
    assert "On your own" in said(student)
    assert "0 follow · 1 on their own" in said(teacher.run())
    press(student, "Come back")
    assert student.slider(key="c").value == 55
    assert "1 follows" in said(teacher.run())


@pytest.mark.parametrize("depart", ["a setting", "a page", "a step"])
def test_who_sets_or_opens_something_else_is_told_and_may_come_back(depart):
    teacher = teach("home", lesson="1", c="44")
    student = look(follow())
    assert f"You follow room **{codes.show(CODE)}**" in said(student).splitlines()
    assert "Come back" not in labels(student)
    assert "1 follows" in said(teacher.run())
    if depart == "a setting":
        student.slider(key="c").set_value(7).run()
    elif depart == "a page":
        turn_to(student, "data")
    else:
        press(student, "Next")
    assert "but have set or opened something else" in said(student)
    assert "0 follow · 1 on their own" in said(teacher.run())
    press(student, "Come back")
    assert (page_of(student), student.session_state["c"]) == ("home", 44)
    assert student.session_state["step"] == 1
    assert "Come back" not in labels(look(student))
    assert "1 follows" in said(teacher.run())


def test_what_the_teacher_shows_next_brings_back_who_has_departed():
    teacher = teach("home", c="44")
    student = look(follow())
    student.slider(key="c").set_value(7).run()
    teacher.slider(key="c").set_value(45).run()
    look(student)
    assert student.slider(key="c").value == 45
    assert "Come back" not in labels(look(student))


def test_who_leaves_is_in_no_room():
    teacher = teach()
    student = follow()
    press(look(student), "Leave")
    look(student)
    assert "room" not in student.query_params
    assert codes.show(CODE) not in said(student)
    assert "0 follow" in said(teacher.run())
