"""Rules of settings: what is written into a link is read again, everything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.registry import METHODS
from epca.ui.frame import controls
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.rules import Among, Decimal, Several, Switch, Whole, Words
from epca.ui.frame.settings import SETTINGS
from epca.views.texts import sigma_text

RULES = {
    "whole": (Whole(-3, 40), st.integers(-3, 40)),
    "decimal": (
        Decimal(0.5, 9.0, 0.5),
        st.floats(0.5, 9.0).map(lambda value: float(f"{value:.15g}")),
    ),
    "whole steps": (Decimal(1, 50, 1), st.integers(1, 50)),
    "switch": (Switch(), st.booleans()),
    "among": (Among((-1, 0, 5), label=str, code=sigma_text), st.sampled_from((-1, 0, 5))),
    "several": (
        Several(("a", "b", "c")),
        st.lists(st.sampled_from("abc"), min_size=1, unique=True),
    ),
    "words": (Words(20), st.text(max_size=20)),
}


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
def test_what_is_written_is_read_again(name, data):
    rule, values = RULES[name]
    value = data.draw(values)
    assert rule.allows(value)
    assert rule.nearest(value) == value
    assert rule.read(rule.write(value)) == value


@pytest.mark.parametrize("name", [name for name in RULES if name != "words"])
@given(text=st.text(max_size=40))
def test_any_other_text_is_refused(name, text):
    rule, _ = RULES[name]
    try:
        value = rule.read([text])
    except (ValueError, KeyError):
        return
    assert rule.allows(value)


NO_NUMBERS = ["1e999", "nan", "inf", "-inf", "0.49", "9.01", "", "9" * 5000, "1_0", "٣"]


@pytest.mark.parametrize("text", NO_NUMBERS)
@pytest.mark.parametrize("rule", [Decimal(0.5, 9.0), Decimal(1, 9, 1), Whole(1, 9)])
def test_numbers_that_are_none_or_too_large_are_refused(rule, text):
    with pytest.raises(ValueError):  # noqa: PT011, whatever it says
        rule.read([text])


def test_the_nearest_allowed_value():
    assert Whole(1, 11).nearest(80) == 11
    assert Whole(1, 11).nearest(0) == 1
    assert Whole(1, 11).nearest(None) is None
    assert Decimal(1.0, 5.0).nearest(9.0) == 5.0
    assert Decimal(1.0, None).nearest(0.5) == 1.0
    assert Among(("a", "b")).nearest("c") == "a"
    assert Several((0, 1, 2)).nearest([1, 7, 2]) == [1, 2]
    assert Words(3).nearest("abcd") == "abc"


def test_what_a_link_has_twice_is_chosen_once():
    assert Several((0, 1, 2)).read(["2", "1", "2"]) == [2, 1]


@pytest.mark.parametrize("key", [*SETTINGS, *CONTROLS])
def test_the_default_of_every_setting_is_allowed(key, faces):
    setting = (SETTINGS | CONTROLS)[key]
    rule = setting.rule_for(faces)
    if key != "paper_set":  # what is there is known on the page
        assert rule.allows(setting.default)
    assert setting.help
    assert setting.label


def test_keys_are_unique():
    assert not set(SETTINGS) & set(CONTROLS)


def rows():
    """Every row of the settings and controls, and of the methods' own parameters."""
    own = [
        controls.parameter_setting(label, name)
        for label in METHODS
        for name in controls.own_parameters(label)
    ]
    return [*SETTINGS.values(), *CONTROLS.values(), *own]


NUMBERS = st.sampled_from(
    ["inf", "-inf", "nan", "1e999", "-1e999", "9" * 400, "1e-99", "١٢", "0x1"]
)


@given(text=st.one_of(NUMBERS, st.text(max_size=30), st.floats().map(str), st.integers().map(str)))
def test_whatever_stands_in_a_link_is_an_allowed_value_or_refused(faces, text):
    for row in rows():
        rule = row.rule_for(faces)
        try:
            value = rule.read([text])
        except (ValueError, KeyError):
            continue
        assert rule.allows(value), row.key
