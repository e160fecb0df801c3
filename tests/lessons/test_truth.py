"""No lesson can lie: the library gives every number and every claim at the step's settings."""

import re

import pytest

from tests.lessons.claims import CLAIMS
from tests.lessons.facts import FACTS
from tests.lessons.measured import STEPS, SWEPT, Measured, name


def marked(where):
    return pytest.param(where, marks=pytest.mark.slow) if where in SWEPT else where


@pytest.fixture(scope="module", params=[marked(where) for where in STEPS], ids=name)
def where(request):
    return request.param


@pytest.fixture(scope="module")
def it(where, faces):
    """What the library gives at this step, once for all tests of it."""
    return Measured(STEPS[where], faces)


def test_every_number_holds(where, it):
    assert FACTS[where](it) == STEPS[where].facts


def test_every_claim_holds(where, it):
    checks = {start: check for start, check in CLAIMS[where].items() if callable(check)}
    assert [start for start, check in checks.items() if not check(it)] == []


EXAMPLES = {  # numbers in answers that are no facts: what each is
    (2, 1): {"1"},  # of the factor 1 + σ
    (3, 3): {"1", "2", "3", "9"},  # the sum worked out
    (4, 2): {"1"},  # c + 1 points
    (4, 3): {"100"},  # the rank of the step before
    (5, 5): {"2"},  # the smallest k there is
    (6, 3): {"30"},  # the paper's c
}
KNOWN = r"\{\w+\}|1,050,000 \(2²⁰\)|2(?=[⁰⁻²])|Eq\. \d+|80%|of 400\b"


def test_numbers_in_answers_are_facts(where):
    """The others are powers of two, the number of images, the share 80%, and EXAMPLES."""
    step = STEPS[where]
    rest = re.sub(KNOWN, "", step.answer)
    assert set(re.findall(r"\d+", rest)) <= EXAMPLES.get(where, set())
    assert set(re.findall(r"\{(\w+)\}", step.answer)) == set(step.facts)


def sentences(step):
    """Those of what to look at, of the hint and of the answer."""
    return [
        part
        for text in (step.look, step.hint, step.answer)
        for part in re.split(r"(?<=[.?])(?<!Eq\.) ", text)
    ]


def test_every_sentence_is_accounted_for(where):
    said = sentences(STEPS[where])
    starts = CLAIMS[where]
    without = [part for part in said if sum(map(part.startswith, starts)) != 1]
    unused = [start for start in starts if not any(part.startswith(start) for part in said)]
    assert (without, unused) == ([], [])
