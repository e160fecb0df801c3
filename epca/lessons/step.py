"""What a lesson is made of."""

from typing import NamedTuple


class Step(NamedTuple):
    """One page with its settings, and a question about what it shows.

    `settings` holds what differs from the defaults: the sidebar's settings in its units, and the
    page's own.
    """

    page: str  # the stem of its file
    settings: dict
    look: str
    question: str
    hint: str
    answer: str  # with the names of facts in braces
    facts: dict  # name → text
    target: str = "main_picture"  # the key of what it speaks of

    @property
    def full_answer(self):
        """The answer with its facts."""
        return self.answer.format(**self.facts)


class Lesson(NamedTuple):
    """Steps towards one aim."""

    title: str
    aim: str
    steps: tuple
