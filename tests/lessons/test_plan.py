"""The plan of a first class fits its time and names steps that there are."""

from epca.lessons.plan import PLAN
from epca.lessons.step import MINUTES
from tests.lessons.measured import STEPS


def test_it_takes_45_minutes():
    assert sum(part.minutes for part in PLAN) == 45


def test_its_steps_are_there_in_order_and_have_their_time():
    steps = [where for part in PLAN for where in part.steps]
    assert set(steps) <= set(STEPS)
    assert steps == sorted(set(steps))
    assert all(part.minutes >= MINUTES * len(part.steps) for part in PLAN)
