"""How a control is drawn: bound to the address, its labels apart from the codes of links."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.ui.frame import links
from epca.ui.frame.rules import Rule
from epca.ui.frame.settings import Setting


def draw(
    setting: Setting,
    *,
    images: Any = None,
    rule: Rule | None = None,
    place: DeltaGenerator | None = None,
    carrier: DeltaGenerator | None = None,
    **options: Any,
) -> Any:
    """Draw the control of a setting, bound to the address; return its value.

    images, rule : what the images at hand, or the page, allow where the row does not say it
    carrier : a hidden place for the codes of what shows labels; None makes one. Where it is the
        place itself, nobody sees the control, and there are no labels
    options : further arguments of Streamlit's control
    """
    rule = rule or setting.rule_for(images)
    former = st.session_state.get(setting.key)
    binding = links.check(setting, rule)
    _hand_over(setting, rule)
    value = _draw(setting, rule, place, carrier, binding, options)
    links.say_changed(setting, rule, former, value)
    return value


def _draw(
    setting: Setting,
    rule: Rule,
    place: DeltaGenerator | None,
    carrier: DeltaGenerator | None,
    binding: dict[str, str],
    options: dict[str, Any],
) -> Any:
    name = setting.control or rule.control
    control = getattr(st if place is None else place, name)
    arguments = rule.options(setting.default, name) | {"help": setting.help} | options
    if not rule.has_labels:
        return control(setting.label, key=setting.key, **binding, **arguments)
    hidden = links.carrier(setting.key, place) if carrier is None else carrier
    changed = arguments.pop("on_change", None)
    codes = rule.options(setting.default, "selectbox") | {"format_func": rule.code} | binding
    codes |= {"help": setting.help, "on_change": changed}
    value = hidden.selectbox(setting.label, key=setting.key, **codes)
    if hidden is not place:
        _show_labels(setting, value, control, arguments, changed)
    return value


def _show_labels(
    setting: Setting,
    value: Any,
    control: Callable,
    arguments: dict[str, Any],
    changed: Callable[[], None] | None,
) -> None:
    """The control that users see, beside the hidden one with codes for the link."""
    shown = f"{setting.key}_shown"

    def choose() -> None:
        st.session_state[setting.key] = st.session_state[shown]
        if changed is not None:
            changed()

    if st.session_state.get(shown) != value:
        st.session_state[shown] = value
    arguments.pop("default", None)  # the session has it
    control(setting.label, key=shown, on_change=choose, **arguments)


def _hand_over(setting: Setting, rule: Rule) -> None:
    """Other bounds make another control: hand the value over to it."""
    drawn = st.session_state.setdefault("_drawn", {})
    if setting.key in st.session_state and drawn.get(setting.key, rule) != rule:
        st.session_state[setting.key] = st.session_state[setting.key]
    drawn[setting.key] = rule


def chosen(*settings: Setting) -> list[tuple[str, str]]:
    """Label and value of settings whose controls are drawn, as users read them."""
    values = st.session_state
    return [(row.label, row.rule_for(None).show(values[row.key])) for row in settings]
