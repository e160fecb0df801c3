"""A room on the pages: who leads is followed, the class votes, nobody else steers."""

import csv
import io

from epca.classroom import codes
from epca.ui.frame import classroom
from tests.files import npy, pictures
from tests.lessons.measured import STEPS
from tests.ui.frame.rooms import CODE, follow, labels, look, page_of, said, teach
from tests.visit import press, texts, turn_to, upload, visit

HOSTILE = "**bold** <b>x</b> :red[y] [l](http://a.b) $z$"


def test_a_room_opens_on_learn_and_its_secret_stays_out_of_the_address(rooms):
    app = visit("learn")
    press(app, "Open a room")
    room = classroom.rooms().get(app.session_state["_led_code"])
    assert f"Room **{codes.show(room.code)}** · 0 follow" in said(app)
    assert room.secret not in str(dict(app.query_params))
    assert "room" not in app.query_params
    assert any(room.secret in block.value for block in app.code)


def test_the_secret_link_opens_the_room_and_leaves_the_address(rooms):
    app = teach()
    assert "room_secret" not in app.query_params
    assert rooms.get(CODE).leader
    assert f"Room **{codes.show(CODE)}**" in said(app)


def test_who_follows_sees_page_settings_selection_and_step():
    teacher = teach("home", c="44")
    student = follow("tune", c="5", sigma="2^3")
    assert page_of(student) == "home"
    state = student.session_state
    assert (state["c"], state["sigma"]) == (44, 0)
    assert student.slider(key="c").value == 44
    assert student.query_params["room"] == CODE
    teacher.selectbox(key="lesson").set_value(2).run()
    press(teacher, "Next")
    look(student)
    assert (state["lesson"], state["step"], page_of(student)) == (2, 2, "tune")
    assert any(STEPS[2, 2].question in text for text in texts(student))
    turn_to(teacher, "activated")
    teacher.multiselect(key="sel").set_value([5]).run()
    look(student)
    assert (page_of(student), student.session_state["sel"]) == ("activated", [5])


def test_a_students_link_gives_way_and_what_the_teacher_has_not_set_is_at_its_default():
    teacher = teach("home", c="44")
    other = follow("home", c="5", kind="band")  # the page that the teacher shows already
    assert (other.slider(key="c").value, "kind" in other.query_params) == (44, False)
    student = follow(samples="33", pinned="c=5")
    assert student.session_state["samples"] == 20
    assert student.session_state["pinned"] == ""
    assert "losses" not in student.session_state  # nobody has touched it
    student.slider(key="samples").set_value(50).run()
    turn_to(teacher, "activated")
    assert look(student).slider(key="samples").value == 20


def test_only_the_teacher_steers(rooms):
    teach("home", c="44")
    student = look(follow())
    before = rooms.get(CODE).version
    student.slider(key="c").set_value(7).run()
    assert rooms.get(CODE).version == before
    assert not {"Ask", "Reveal", "End the room"} & set(labels(student))
    stranger = visit("home", c="9")
    assert rooms.get(CODE).version == before
    assert codes.show(CODE) not in said(stranger)


def test_who_opens_the_room_last_leads_it(rooms, monkeypatch):
    """Also of two windows of the same browser."""
    monkeypatch.setattr(classroom, "seat", lambda: "one browser")
    first = teach("home", c="44")
    second = teach("home", c="55")
    first.slider(key="c").set_value(7).run()
    assert rooms.get(CODE).view.values["c"] == 55
    assert "led in another window" in said(first)
    press(first, "Lead it from here")
    first.run()
    assert rooms.get(CODE).view.values["c"] == 7
    assert "led in another window" in said(second.run())


def test_an_upload_stays_private_and_followers_are_told(rooms):
    teacher = teach("data")
    student = follow()
    upload(teacher, "mine.npy", npy(pictures(12)))
    assert rooms.get(CODE).view.is_private
    assert rooms.get(CODE).view.values == {}
    look(student)
    assert "which stay private" in said(student)
    assert student.session_state["dataset"] == "orl"


def test_answers_and_choices_wait_for_the_teacher():
    teach("home", lesson="1")
    student = follow()
    answer = STEPS[1, 1].full_answer
    assert answer not in texts(student)
    assert student.session_state["lesson"] == 1
    press(look(student), "Explore on my own")
    look(student)
    assert answer in texts(student)


def test_a_class_votes_on_the_steps_question(rooms):
    teacher = teach("home", lesson="1")
    students = [follow() for _ in range(3)]
    press(teacher, "Ask this step's question")
    for student, choice in zip(students, (1, 1, 2), strict=True):
        look(student)
        ballot = student.radio(key=f"vote_{CODE}_1")
        assert ballot.options == list(STEPS[1, 1].full_choices)
        ballot.set_value(0).run()
        ballot.set_value(choice).run()
    assert rooms.get(CODE).vote.counts == [0, 2, 1]
    teacher.run()
    assert "3 answers" in said(teacher)
    press(teacher, "Reveal")
    look(students[0])
    assert not [part for part in students[0].radio if part.key == f"vote_{CODE}_1"]
    bars = [part.proto.text for part in students[0].get("progress")]
    assert bars[1] == "Hardly · **2, right, yours**"
    press(teacher, "Put away")
    press(teacher, "End the room")
    rows = list(csv.reader(io.StringIO(teacher.session_state["_summary"])))
    assert [row[-2:] for row in rows[1:]] == [["no", "0"], ["yes", "2"], ["no", "1"]]
    assert rooms.get(CODE) is None


def test_a_question_of_the_teachers_own_is_shown_as_text(rooms):
    teacher = teach("home")
    student = follow()
    teacher.text_input(key="own_question_text").set_value(HOSTILE)
    teacher.text_input(key="own_choice_1").set_value("*a*")
    press(teacher, "Ask")
    assert "There is 1 choice: give 2 to 4" in " ".join(part.value for part in teacher.warning)
    assert rooms.get(CODE).vote is None
    teacher.text_input(key="own_choice_3").set_value("<i>b</i>")
    press(teacher, "Ask")
    look(student)
    ballot = student.radio(key=f"vote_{CODE}_1")
    assert ballot.options == [r"\*a\*", r"\<i\>b\</i\>"]
    assert ballot.label.startswith(r"\*\*bold\*\* \<b\>x\</b\>")
    assert teacher.text_input(key="own_question_text").value == ""


def test_a_room_that_is_not_open_is_waited_for(rooms):
    """As after the server was started anew: the teacher's link opens it under the same code."""
    student = follow("home", c="7")
    assert f"Room **{codes.show(CODE)}** is not open now." in said(student)
    assert student.session_state["c"] == 7
    teach("home", c="44")
    look(student)
    assert f"You follow room **{codes.show(CODE)}**" in said(student)
    assert student.slider(key="c").value == 44


def test_the_end_of_a_room_is_told():
    teacher = teach("home")
    student = follow()
    press(teacher, "End the room")
    look(student)
    assert "is closed now" in said(student)
    assert "Open a room" not in labels(teacher)
    turn_to(teacher, "learn")
    assert "Open a room" in labels(teacher)


def type_code(app, text):
    app.text_input(key="typed_code").set_value(text)
    press(app, "Join")


def test_a_code_can_be_typed_and_a_wrong_one_is_said():
    teach("home", c="44")
    student = visit("learn")
    type_code(student, "hello")
    assert "A code has eight letters and digits" in student.warning[0].value
    type_code(student, "ABCD-EFGH")
    assert student.warning[0].value == "There is no room ABCD-EFGH now."
    type_code(student, codes.show(CODE).lower())
    assert student.session_state["c"] == 44


def test_trying_codes_is_limited_also_by_links():
    teach("home")
    app = visit("learn")
    for number in range(10):
        type_code(app, f"ABCDEFG{number + 2 if number < 8 else 'XY'[number - 8]}")
    type_code(app, CODE)
    assert "Too many codes were wrong" in app.warning[0].value
    app.text_input(key="room").set_value(CODE).run()
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
        pairs.append((teacher, follow(code=codes.code_of(secret))))
    for (teacher, _), c in zip(pairs, (33, 44), strict=True):
        teacher.slider(key="c").set_value(c).run()
    assert [look(student).slider(key="c").value for _, student in pairs] == [33, 44]


def test_a_late_look_does_not_undo_a_change_of_page():
    """It brings the controls' values of before, and calls what their change calls."""
    teacher = teach("home")
    teacher.session_state["_held"] = {"c": 44}
    teacher.session_state["_goto"] = "tune"
    teacher.slider(key="c").set_value(7).run()
    assert (teacher.slider(key="c").value, page_of(teacher)) == (44, "home")
