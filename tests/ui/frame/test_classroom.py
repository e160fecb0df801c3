"""A room on the pages: who leads is followed, who steps aside is left alone, nobody else steers."""

import csv
import io

import pytest

from epca.classroom import codes
from epca.classroom.rooms import Rooms
from epca.ui.frame import classroom
from tests.files import npy, pictures
from tests.lessons.measured import STEPS
from tests.visit import press, texts, turn_to, upload, visit

SECRET = "0" * 32
HOSTILE = "**bold** <b>x</b> :red[y] [l](http://a.b) $z$"


@pytest.fixture(autouse=True)
def rooms(monkeypatch):
    """A server's own, empty."""
    made = Rooms()
    monkeypatch.setattr(classroom, "rooms", lambda: made)
    return made


@pytest.fixture(scope="module")
def code():
    return codes.code_of(SECRET)


def teach(page="learn", **query):
    app = visit(page, room_secret=SECRET, **query)
    assert not app.exception
    return app


def follow(code, page="learn", **query):
    app = visit(page, room=code, **query)
    assert not app.exception
    return app


def page_of(app):
    return app.session_state["_stem"]


def look(app):
    """The page again, as its bar has it run when the teacher shows something new."""
    return app.switch_page(f"pages/{page_of(app)}.py").run()


def said(app):
    return "\n".join(part.value for part in app.markdown)


def labels(app):
    return [button.label for button in app.button]


def test_a_room_opens_on_learn_and_its_secret_stays_out_of_the_address(rooms):
    app = visit("learn")
    press(app, "Open a room")
    room = classroom.rooms().get(app.session_state["_led_code"])
    assert f"Room **{codes.show(room.code)}** · 0 follow" in said(app)
    assert room.secret not in str(dict(app.query_params))
    assert "room" not in app.query_params
    assert any(room.secret in block.value for block in app.code)


def test_the_secret_link_opens_the_room_and_leaves_the_address(rooms, code):
    app = teach()
    assert "room_secret" not in app.query_params
    assert rooms.get(code).leader
    assert f"Room **{codes.show(code)}**" in said(app)


def test_who_follows_sees_page_settings_selection_and_step(code):
    teacher = teach("home", c="44")
    student = follow(code, "tune", c="5", sigma="2^3")
    assert page_of(student) == "home"
    state = student.session_state
    assert (state["c"], state["sigma"]) == (44, 0)
    assert student.slider(key="c").value == 44
    assert student.query_params["room"] == code
    teacher.selectbox(key="lesson").set_value(2).run()
    press(teacher, "Next")
    look(student)
    assert (state["lesson"], state["step"], page_of(student)) == (2, 2, "tune")
    assert any(STEPS[2, 2].question in text for text in texts(student))
    turn_to(teacher, "activated")
    teacher.multiselect(key="sel").set_value([5]).run()
    look(student)
    assert (page_of(student), student.session_state["sel"]) == ("activated", [5])


def test_a_students_link_gives_way_and_what_the_teacher_has_not_set_is_at_its_default(code):
    teacher = teach("home", c="44")
    other = follow(code, "home", c="5", kind="band")  # the page that the teacher shows already
    assert (other.slider(key="c").value, "kind" in other.query_params) == (44, False)
    student = follow(code, samples="33", pinned="c=5")
    assert student.session_state["samples"] == 20
    assert student.session_state["pinned"] == ""
    assert "losses" not in student.session_state  # nobody has touched it
    student.slider(key="samples").set_value(50).run()
    turn_to(teacher, "activated")
    assert look(student).slider(key="samples").value == 20


def test_who_steps_aside_keeps_what_they_set_and_may_come_back(code):
    teacher = teach("home", c="44")
    student = follow(code)
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
def test_who_sets_or_opens_something_else_is_told_and_may_come_back(code, depart):
    teacher = teach("home", lesson="1", c="44")
    student = look(follow(code))
    assert f"You follow room **{codes.show(code)}**" in said(student).splitlines()
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


def test_what_the_teacher_shows_next_brings_back_who_has_departed(code):
    teacher = teach("home", c="44")
    student = look(follow(code))
    student.slider(key="c").set_value(7).run()
    teacher.slider(key="c").set_value(45).run()
    look(student)
    assert student.slider(key="c").value == 45
    assert "Come back" not in labels(look(student))


def test_who_leaves_is_in_no_room(code):
    teacher = teach()
    student = follow(code)
    press(look(student), "Leave")
    look(student)
    assert "room" not in student.query_params
    assert codes.show(code) not in said(student)
    assert "0 follow" in said(teacher.run())


def test_only_the_teacher_steers(rooms, code):
    teach("home", c="44")
    student = look(follow(code))
    before = rooms.get(code).version
    student.slider(key="c").set_value(7).run()
    assert rooms.get(code).version == before
    assert not {"Ask", "Reveal", "End the room"} & set(labels(student))
    stranger = visit("home", c="9")
    assert rooms.get(code).version == before
    assert codes.show(code) not in said(stranger)


def test_who_opens_the_room_last_leads_it(rooms, code, monkeypatch):
    """Also of two windows of the same browser."""
    monkeypatch.setattr(classroom, "seat", lambda: "one browser")
    first = teach("home", c="44")
    second = teach("home", c="55")
    first.slider(key="c").set_value(7).run()
    assert rooms.get(code).view.values["c"] == 55
    assert "led in another window" in said(first)
    press(first, "Lead it from here")
    first.run()
    assert rooms.get(code).view.values["c"] == 7
    assert "led in another window" in said(second.run())


def test_an_upload_stays_private_and_followers_are_told(rooms, code):
    teacher = teach("data")
    student = follow(code)
    upload(teacher, "mine.npy", npy(pictures(12)))
    assert rooms.get(code).view.is_private
    assert rooms.get(code).view.values == {}
    look(student)
    assert "which stay private" in said(student)
    assert student.session_state["dataset"] == "orl"


def test_answers_and_choices_wait_for_the_teacher(code):
    teach("home", lesson="1")
    student = follow(code)
    answer = STEPS[1, 1].full_answer
    assert answer not in texts(student)
    assert student.session_state["lesson"] == 1
    press(look(student), "Explore on my own")
    look(student)
    assert answer in texts(student)


def test_a_class_votes_on_the_steps_question(rooms, code):
    teacher = teach("home", lesson="1")
    students = [follow(code) for _ in range(3)]
    press(teacher, "Ask this step's question")
    for student, choice in zip(students, (1, 1, 2), strict=True):
        look(student)
        ballot = student.radio(key=f"vote_{code}_1")
        assert ballot.options == list(STEPS[1, 1].full_choices)
        ballot.set_value(0).run()
        ballot.set_value(choice).run()
    assert rooms.get(code).vote.counts == [0, 2, 1]
    teacher.run()
    assert "3 answers" in said(teacher)
    press(teacher, "Reveal")
    look(students[0])
    assert not [part for part in students[0].radio if part.key == f"vote_{code}_1"]
    bars = [part.proto.text for part in students[0].get("progress")]
    assert bars[1] == "Hardly · **2, right, yours**"
    press(teacher, "Put away")
    press(teacher, "End the room")
    rows = list(csv.reader(io.StringIO(teacher.session_state["_summary"])))
    assert [row[-2:] for row in rows[1:]] == [["no", "0"], ["yes", "2"], ["no", "1"]]
    assert rooms.get(code) is None


def test_a_question_of_the_teachers_own_is_shown_as_text(rooms, code):
    teacher = teach("home")
    student = follow(code)
    teacher.text_input(key="own_question_text").set_value(HOSTILE)
    teacher.text_input(key="own_choice_1").set_value("*a*")
    press(teacher, "Ask")
    assert "There is 1 choice: give 2 to 4" in " ".join(part.value for part in teacher.warning)
    assert rooms.get(code).vote is None
    teacher.text_input(key="own_choice_3").set_value("<i>b</i>")
    press(teacher, "Ask")
    look(student)
    ballot = student.radio(key=f"vote_{code}_1")
    assert ballot.options == [r"\*a\*", r"\<i\>b\</i\>"]
    assert ballot.label.startswith(r"\*\*bold\*\* \<b\>x\</b\>")
    assert teacher.text_input(key="own_question_text").value == ""


def test_a_room_that_is_not_open_is_waited_for(rooms, code):
    """As after the server was started anew: the teacher's link opens it under the same code."""
    student = follow(code, "home", c="7")
    assert f"Room **{codes.show(code)}** is not open now." in said(student)
    assert student.session_state["c"] == 7
    teach("home", c="44")
    look(student)
    assert f"You follow room **{codes.show(code)}**" in said(student)
    assert student.slider(key="c").value == 44


def test_the_end_of_a_room_is_told(code):
    teacher = teach("home")
    student = follow(code)
    press(teacher, "End the room")
    look(student)
    assert "is closed now" in said(student)
    assert "Open a room" not in labels(teacher)
    turn_to(teacher, "learn")
    assert "Open a room" in labels(teacher)


def type_code(app, text):
    app.text_input(key="typed_code").set_value(text)
    press(app, "Join")


def test_a_code_can_be_typed_and_a_wrong_one_is_said(code):
    teach("home", c="44")
    student = visit("learn")
    type_code(student, "hello")
    assert "A code has eight letters and digits" in student.warning[0].value
    type_code(student, "ABCD-EFGH")
    assert student.warning[0].value == "There is no room ABCD-EFGH now."
    type_code(student, codes.show(code).lower())
    assert student.session_state["c"] == 44


def test_trying_codes_is_limited_also_by_links(code):
    teach("home")
    app = visit("learn")
    for number in range(10):
        type_code(app, f"ABCDEFG{number + 2 if number < 8 else 'XY'[number - 8]}")
    type_code(app, code)
    assert "Too many codes were wrong" in app.warning[0].value
    app.text_input(key="room").set_value(code).run()
    assert "Too many codes were wrong" in said(app)
    assert "You follow" not in said(app)


def test_a_link_without_a_code_is_said_and_dropped():
    app = visit("learn", room="<b>")
    assert "which is no room's code" in app.warning[0].value
    assert "room" not in app.query_params


def test_two_rooms_never_mix(rooms):
    pairs = []
    for number, c in ((1, "11"), (2, "22")):
        secret = f"{number}" * 32
        teacher = visit("home", room_secret=secret, c=c)
        pairs.append((teacher, follow(codes.code_of(secret))))
    for (teacher, _), c in zip(pairs, (33, 44), strict=True):
        teacher.slider(key="c").set_value(c).run()
    assert [look(student).slider(key="c").value for _, student in pairs] == [33, 44]


def test_a_late_look_does_not_undo_a_change_of_page(code):
    """It brings the controls' values of before, and calls what their change calls."""
    teacher = teach("home")
    teacher.session_state["_held"] = {"c": 44}
    teacher.session_state["_goto"] = "tune"
    teacher.slider(key="c").set_value(7).run()
    assert (teacher.slider(key="c").value, page_of(teacher)) == (44, "home")
