"""A question to the class, and its answers."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from epca.literal import literal_cell

FEWEST = 2  # choices
MOST = 4
LONGEST_QUESTION = 200  # characters
LONGEST_CHOICE = 80


class Question(NamedTuple):
    text: str
    choices: tuple[str, ...]
    right: int | None = None  # the place of the right choice, where it is known


def question(text: str, choices: Iterable[str]) -> Question:
    """A question of the teacher's own; ValueError says what it lacks. Empty choices are left out.

    >>> question("Who wins?", ["EPCA", "", " PCA "])
    Question(text='Who wins?', choices=('EPCA', 'PCA'), right=None)
    """
    asked = " ".join(text.split())
    given = tuple(" ".join(choice.split()) for choice in choices if choice.strip())
    if not asked:
        raise ValueError("The question is empty: type one.")
    if len(asked) > LONGEST_QUESTION:
        raise ValueError(f"The question has {len(asked)} characters of {LONGEST_QUESTION}.")
    if not FEWEST <= len(given) <= MOST:
        choices = "is 1 choice" if len(given) == 1 else f"are {len(given)} choices"
        raise ValueError(f"There {choices}: give {FEWEST} to {MOST}.")
    if len(set(given)) < len(given):
        raise ValueError("Two choices are the same: change one.")
    if max(map(len, given)) > LONGEST_CHOICE:
        raise ValueError(f"A choice may have {LONGEST_CHOICE} characters: shorten the longest.")
    return Question(asked, given)


class Vote:
    """The answers to one question, one of each seat; they may change until they are revealed."""

    def __init__(self, asked: Question, number: int) -> None:
        self.question = asked
        self.number = number  # among the questions of its room
        self.is_open = True
        self._answers: dict[str, int] = {}

    def answer(self, seat: str, choice: int, most: int) -> bool:
        """Whether the answer is taken; at most so many seats have one."""
        is_new = seat not in self._answers
        is_full = is_new and len(self._answers) >= most
        if not self.is_open or is_full or choice not in range(len(self.question.choices)):
            return False
        self._answers[seat] = choice
        return True

    def answer_of(self, seat: str) -> int | None:
        return self._answers.get(seat)

    @property
    def counts(self) -> list[int]:
        """The answers for each choice."""
        given = list(self._answers.values())
        return [given.count(place) for place in range(len(self.question.choices))]


def summary(votes: Sequence[Vote]) -> str:
    """All questions with their counts as CSV, a row per choice."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["question", "asked", "choice", "right", "answers"])
    for vote in votes:
        asked = vote.question
        known = "" if asked.right is None else "no"
        for place, (choice, count) in enumerate(zip(asked.choices, vote.counts, strict=True)):
            is_right = "yes" if place == asked.right else known
            texts = [literal_cell(asked.text), literal_cell(choice)]
            writer.writerow([vote.number, *texts, is_right, count])
    return text.getvalue()
