"""What a lesson is made of."""

from typing import NamedTuple

MINUTES = 2  # for a step: to read, look, think, and read the answer

# The paper's setting. A step says what it changes of it, so that its numbers do not move with the
# setting that the dashboard opens with.
PAPER = {
    "kind": "shared-pixels",
    "samples": 20,
    "pixels": 20,
    "c": 30,
    "sigma": 0,
    "left_out": False,
    "seed": 0,
}


class Step(NamedTuple):
    """One page with its settings, and a question about what it shows.

    `settings` holds the paper's setting, with what the step changes of it, in the sidebar's units,
    and what the page's own controls have besides their defaults. All else has its default.
    """

    page: str  # the stem of its file
    settings: dict
    look: str
    question: str
    hint: str
    answer: str  # with the names of facts in braces
    facts: dict  # name → text
    choices: tuple  # two to four answers to choose from, which may have names of facts, too
    right: int  # the place of the only right one
    target: str = "main_picture"  # the key of what it speaks of

    @property
    def full_answer(self):
        """The answer with its facts."""
        return self.answer.format(**self.facts)

    @property
    def full_choices(self):
        """The choices with their facts."""
        return tuple(choice.format(**self.facts) for choice in self.choices)


class Lesson(NamedTuple):
    """Steps towards one goal."""

    title: str
    goal: str
    steps: tuple

    @property
    def minutes(self):
        return MINUTES * len(self.steps)
