"""What a lesson is made of."""

from typing import NamedTuple


class Step(NamedTuple):
    page: str  # file's stem
    settings: dict  # what differs from the defaults: the sidebar's in its units, and the page's own
    look: str
    question: str
    hint: str
    answer: str  # with the facts' names in braces
    facts: dict  # name → text

    @property
    def full_answer(self):
        return self.answer.format(**self.facts)


class Lesson(NamedTuple):
    title: str
    aim: str
    steps: tuple
