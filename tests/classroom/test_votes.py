"""Votes: every answer is counted once, and the summary holds counts alone."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor

import pytest

from epca.classroom.room import MOST_QUESTIONS, Room
from epca.classroom.votes import LONGEST_CHOICE, LONGEST_QUESTION, Question, question

WHO = Question("Who wins?", ("EPCA", "PCA", "nobody"), right=0)


@pytest.fixture
def room():
    return Room("secret", "ABCDEFGH", lambda: 0.0)


def test_all_answers_are_counted_and_none_twice(room):
    """Many threads at once, each seat answering several times: its last answer counts."""
    room.ask(WHO)
    vote = room.vote

    def answer(number):
        for choice in (0, 1, number % 3):
            assert room.answer(f"seat {number}", vote.number, choice)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(answer, range(400)))
    assert vote.counts == [134, 133, 133]
    assert sum(vote.counts) == 400


def test_an_answer_changes_until_it_is_revealed(room):
    room.ask(WHO)
    assert room.answer("a", room.vote.number, 1)
    assert room.answer("a", room.vote.number, 2)
    assert (room.vote.counts, room.vote.answer_of("a")) == ([0, 0, 1], 2)
    room.reveal()
    assert not room.answer("a", room.vote.number, 0)
    assert not room.answer("b", room.vote.number, 0)
    assert room.vote.counts == [0, 0, 1]


def test_the_next_question_ends_the_last(room):
    room.ask(WHO)
    first = room.vote
    room.ask(Question("And now?", ("yes", "no")))
    assert not room.answer("a", first.number, 0)
    assert first.counts == [0, 0, 0]
    assert not first.is_open


@pytest.mark.parametrize("choice", [-1, 3, None, "0"])
def test_what_is_no_choice_is_not_counted(room, choice):
    room.ask(WHO)
    assert not room.answer("a", room.vote.number, choice)
    assert room.vote.counts == [0, 0, 0]


def test_answers_and_questions_are_bounded(room, monkeypatch):
    monkeypatch.setattr("epca.classroom.room.MOST_SEATS", 2)
    room.ask(WHO)
    assert [room.answer(seat, room.vote.number, 0) for seat in "abca"] == [True, True, False, True]
    assert all(room.ask(WHO) for _ in range(MOST_QUESTIONS - 1))
    assert not room.ask(WHO)


def test_a_question_that_is_put_away_takes_no_answer_and_stays_in_the_summary(room):
    room.ask(WHO)
    room.answer("a", 1, 0)
    room.put_away()
    assert room.vote is None
    assert not room.answer("b", 1, 0)
    assert "EPCA,yes,1" in room.summary()


def test_the_summary_has_every_question_and_its_counts(room):
    room.ask(WHO)
    for seat, choice in zip("abc", (0, 0, 2), strict=True):
        room.answer(seat, room.vote.number, choice)
    room.ask(question("=HYPERLINK(1)", ["@cmd", '"quoted", and more']))
    rows = list(csv.reader(io.StringIO(room.summary())))
    assert rows[1:] == [
        ["1", "Who wins?", "EPCA", "yes", "2"],
        ["1", "Who wins?", "PCA", "no", "0"],
        ["1", "Who wins?", "nobody", "no", "1"],
        ["2", "'=HYPERLINK(1)", "'@cmd", "", "0"],
        ["2", "'=HYPERLINK(1)", '"quoted", and more', "", "0"],
    ]


WRONG = {
    "empty": (" ", ["a", "b"]),
    "has 201 characters": ("x" * (LONGEST_QUESTION + 1), ["a", "b"]),
    "There is 1 choice: give 2": ("x", ["a", " "]),
    "There are 5 choices: give 2": ("x", list("abcde")),
    "the same": ("x", ["a", " a"]),
    "80 characters": ("x", ["a", "b" * (LONGEST_CHOICE + 1)]),
}


@pytest.mark.parametrize("why", WRONG)
def test_a_question_that_cannot_be_asked_is_refused(why):
    with pytest.raises(ValueError, match=why):
        question(*WRONG[why])
