"""A result is cached by all that its work depends on."""

from dataclasses import fields, replace

import numpy as np
import pytest

from epca.experiment import Scenario
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.request import Request


def work(*arguments):
    yield 0.0, ""
    return arguments


def other(*arguments):
    yield 0.0, ""
    return arguments


def test_every_argument_counts_and_the_title_does_not():
    asked = Request("Work", work, 1, "x", source="s")
    assert asked.key == Request("Other words", work, 1, "x", source="s").key
    others = [
        Request("Work", other, 1, "x", source="s"),
        Request("Work", work, 2, "x", source="s"),
        Request("Work", work, 1, "y", source="s"),
        Request("Work", work, 1, source="s"),
        Request("Work", work, 1, "x", source="t"),
    ]
    assert len({asked.key, *(request.key for request in others)}) == 6


def test_what_is_keyed_counts_by_its_key():
    pixels = np.zeros(3)
    asked = Request("Work", work, Keyed("a", pixels))
    assert asked.key == Request("Work", work, Keyed("a", pixels + 1)).key
    assert asked.key != Request("Work", work, Keyed("b", pixels)).key


def test_what_no_value_tells_from_others_must_be_keyed():
    with pytest.raises(TypeError, match="unhashable"):
        Request("Work", work, np.zeros(3))


@pytest.mark.parametrize("field", [field.name for field in fields(Scenario)])
def test_every_field_of_a_scenario_counts(field):
    changed = {
        "dataset": "digits",
        "occlusion": replace(Scenario().occlusion, seed=1),
        "n_components": 7,
        "sigma": 2.0,
        "left_out": True,
        "parameters": (("EPCA", "gamma", 2.0),),
    }[field]
    given = Scenario()
    assert Request("Work", work, given).key == Request("Work", work, Scenario()).key
    there = replace(given, **{field: changed})
    assert Request("Work", work, there).key != Request("Work", work, given).key
