"""Of the choices of a step exactly one is right: facts and claims, which are computed, decide."""

import re
from collections import Counter

import pytest

from epca.classroom.votes import FEWEST, LONGEST_CHOICE, LONGEST_QUESTION, MOST
from tests.lessons.claims import CLAIMS
from tests.lessons.measured import STEPS, name

NUMBER = re.compile(r"[+−]?[\d.]+%?")


class Known:
    """What is known at a step: its facts as numbers, and which of its claims hold."""

    def __init__(self, where):
        self._where = where
        for key, text in STEPS[where].facts.items():
            setattr(self, key, number(text))

    def holds(self, start):
        """test_claims.py computes the claim of this sentence."""
        assert callable(CLAIMS[self._where][start]), "nobody computes this claim"
        return True


def number(text):
    """That of a fact; of “13 of 13” both; a text that is no number stays."""
    if " of " in text:
        return tuple(map(int, text.split(" of ")))
    plain = text.replace("−", "-").rstrip("%")
    return float(plain) if NUMBER.fullmatch(text) else plain


def leader(it):
    """The method with the smallest error against PCA's."""
    errors = {"EPCA": it.epca, "PCA-AN": it.an, "PCA": 0}
    return min(errors, key=errors.get)


BEFORE = {where: Known(where) for where in [(1, 3), (3, 1)]}  # of steps that others look back at

# which of the choices are true
CHOICES = {
    (1, 1): lambda it: [it.change > 5, abs(it.change) < 1, it.change < -5],
    (1, 2): lambda it: [
        it.holds("{occluded} of") and it.occluded < it.n,
        not it.holds("{occluded} of"),
        it.occluded == it.n,
    ],
    (1, 3): lambda it: [-1 < it.change < 0, -60 < it.change < -40, -20 < it.change < -10],
    (1, 4): lambda it: [
        it.first == 1,
        min(it.most, it.next) > 1.3 * max(it.epca, it.an),
        it.most < it.share,
    ],
    (1, 5): lambda it: [
        it.change > 0,
        it.change < 0 and it.times < 1.2,
        it.change < 0 and it.times > 2,
    ],
    (2, 1): lambda it: [abs(it.ratio - 1) < 0.01, abs(2 * it.ratio / it.median - 1) < 0.01],
    (2, 2): lambda it: [
        not it.holds("EPCA is"),
        abs(it.ratio - 1) < 0.01 and it.holds("EPCA is"),
    ],
    (2, 3): lambda it: [
        it.change < 1.8 * BEFORE[1, 3].change,
        0.6 * BEFORE[1, 3].change < it.change < 0.4 * BEFORE[1, 3].change,
        abs(it.change) < 1,
    ],
    (2, 4): lambda it: [30 < it.ratio < 37, 95 < it.ratio < 105, it.ratio > 105],
    (2, 5): lambda it: [
        it.flat > it.rise / 2,
        it.holds("It changes") and it.flat < it.rise / 100,
        it.flat > it.rise,
    ],
    (3, 1): lambda it: [it.clean == (it.k, it.k), it.clean[0] < 0.9 * it.k, it.k == 320],
    (3, 2): lambda it: [
        it.k < BEFORE[3, 1].k,
        it.k == BEFORE[3, 1].k,
        it.k > BEFORE[3, 1].k and it.holds("The more"),
    ],
    (3, 3): lambda it: [it.k == count for count in (1, 2, 3, 5)],
    (3, 4): lambda it: [it.weight == 1, 1 < it.weight < 2, 9 < it.weight < 11],
    (3, 5): lambda it: [it.difference < 1, it.difference > 40, 9 < it.difference < 11],
    (4, 1): lambda it: [it.ratio < 1, it.ratio > 90, 34 < it.ratio < 90],
    (4, 2): lambda it: [it.clean == (0, it.k), it.clean == (2, 2), it.k == 101],
    (4, 3): lambda it: [it.first == 1, it.last / 2 < it.first <= it.last, it.first > it.last],
    (4, 4): lambda it: [it.change < 0, it.change > 0],
    (4, 5): lambda it: [
        not it.holds("The notice"),
        it.holds("The notice") and it.change < -5,
        it.holds("The notice") and abs(it.change) < 1,
    ],
    (4, 6): lambda it: [it.clean[0] == 0, 0 < it.k == it.clean[0], it.k == 0],
    (4, 7): lambda it: [
        it.clean[0] == it.clean[1],
        not it.holds("They all"),
        it.holds("They all") and it.copies > it.clean[0],
    ],
    (4, 8): lambda it: [
        it.holds("No:"),
        it.clean[0] == it.clean[1],
        2 * it.clean[0] == it.clean[1],
    ],
    (5, 1): lambda it: [not it.holds("Here"), it.holds("It needs")],
    (5, 2): lambda it: [leader(it) == label for label in ("EPCA", "PCA-AN", "PCA")],
    (5, 3): lambda it: [leader(it) == label for label in ("EPCA", "PCA", "PCA-AN")],
    (5, 4): lambda it: [
        it.difference > 5 * it.spread,
        it.spread / 2 < it.difference < 2 * it.spread,
        it.spread > 5 * it.difference,
    ],
    (5, 5): lambda it: [it.holds("The error is smallest"), it.best == 30, it.best == 100],
    (6, 1): lambda it: [not it.holds("A fit"), it.holds("A fit"), not it.holds("Above")],
    (6, 2): lambda it: [it.holds("Yes"), not it.holds("Yes"), not it.holds("Yes")],
    (6, 3): lambda it: [
        it.chosen == it.best,
        it.regret > it.fixed,
        it.chosen != it.best and 0 < it.regret < it.fixed,
    ],
    (6, 4): lambda it: [it.k == 320, it.k != 320 and it.holds("From the"), it.k == 400],
    (6, 5): lambda it: [
        it.holds("The estimated"),
        it.found == it.occluded,
        it.regret < 5,
    ],
    (6, 6): lambda it: [
        it.hits > it.occluded / 2,
        it.holds("Now a fifth") and it.hits < it.occluded / 10,
    ],
    (7, 1): lambda it: [
        max(it.epca, it.an) < min(it.cauchy, 0),
        it.cauchy < min(it.epca, it.an, 0),
        min(it.epca, it.an, it.cauchy) > 0,
    ],
    (7, 2): lambda it: [it.n == 80, it.n == 400 and it.share == 10, it.n == 400 and it.share > 50],
    (7, 3): lambda it: [
        min(it.epca, it.an) < it.cauchy,
        abs(it.epca) < 1 and it.an > 0,
        abs(it.epca - it.cauchy) < 5,
    ],
    (7, 4): lambda it: [it.far > 80, it.hit > 99, it.false > it.hit / 2],
    (7, 5): lambda it: [it.left < 1, it.gain < 1, it.left > 5 and it.gain > 1],
    (7, 6): lambda it: [
        it.epca < it.an,
        it.cauchy < it.an,
        it.times > 2 and it.holds("All four"),
    ],
}


@pytest.mark.parametrize("where", STEPS, ids=name)
def test_the_right_choice_alone_is_true(where):
    step = STEPS[where]
    truths = [bool(truth) for truth in CHOICES[where](Known(where))]
    assert truths == [place == step.right for place in range(len(step.choices))]


@pytest.mark.parametrize("where", STEPS, ids=name)
def test_choices_can_be_voted_on(where):
    step = STEPS[where]
    assert FEWEST <= len(set(step.full_choices)) == len(step.choices) <= MOST
    assert max(map(len, step.full_choices)) <= LONGEST_CHOICE
    assert len(step.question) <= LONGEST_QUESTION
    assert not any(choice.endswith(".") for choice in step.choices)


def test_the_place_of_a_choice_does_not_give_it_away():
    counts = Counter(step.right for step in STEPS.values())
    assert max(counts.values()) < len(STEPS) / 2
