"""The address of a page: it carries every setting that is not at its default.

Streamlit binds a control to the address: it restores it from a link and on Back and Forward, and
keeps it from page to page. What a link asks for and cannot have is said here.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from epca.literal import literal
from epca.ui.frame.rules import Rule
from epca.ui.frame.settings import Setting
from epca.ui.jobs import bars

HELD = {"persist_state": "session"}  # a control's value stays from page to page
MOVED = "_has_moved"  # whether this run is the first on its page
BOUND = HELD | {"bind": "query-params"}  # and the address has it


def check(setting: Setting, rule: Rule) -> dict[str, str]:
    """Before a control is drawn: have it hold an allowed value; return what binds it to the link.

    The visitor is told which value of a new link is not allowed.
    """
    state = st.session_state
    if setting.key not in state:
        return _check_link(setting, rule)
    if not rule.allows(state[setting.key]):
        state[setting.key] = rule.nearest(state[setting.key])
    _write_first(setting, rule)
    return BOUND


def say_changed(setting: Setting, rule: Rule, former: Any, value: Any) -> None:
    """After it is drawn: say that its former value was not allowed, and which one it has now.

    Back and Forward may have brought another one: then nobody asked for the former.
    """
    if former is None or rule.allows(former) or value != rule.nearest(former):
        return
    say(
        f"“{setting.label}” was set to {rule.show(former)}, but must be {rule.text} here. "
        f"It is set to {rule.show(value)} now."
    )


def _write_first(setting: Setting, rule: Rule) -> None:
    """Have the address carry what was set before its control was drawn on this page.

    Streamlit writes the address for controls of this page alone. It remembers the value of one that
    it does not know yet, or knows from another page, but a reload would lose that.
    """
    key = setting.key
    value = st.session_state[key]
    if value == setting.default or key in st.query_params or is_turned_to():
        return
    is_known = key in st.session_state.get("_drawn", {})
    if is_known and not st.session_state.get(MOVED):
        return
    _write(key, rule.write(value))


def is_turned_to() -> bool:
    """Whether Back or Forward has brought this run: then the address decides, not the session."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _write(key: str, value: str | list[str]) -> None:
    """Have the address carry this value of the session."""
    try:
        st.query_params[key] = value
    except StreamlitAPIException:  # another page's control has it still: set once more, it writes
        st.session_state[key] = st.session_state[key]


def _check_link(setting: Setting, rule: Rule) -> dict[str, str]:
    """Say which value of a new visitor's link is not allowed: the control leaves it out."""
    texts = st.query_params.get_all(setting.key)
    bad = [text for text in texts if not _is_readable(rule, text)]
    if not bad:
        return BOUND
    instead = f"Showing {rule.show(rule.nearest(setting.default))} instead."
    if len(bad) < len(texts):
        instead = "It takes the others."
    say(f"The link has {quoted(setting.key, bad[0])}, which must be {rule.text}. {instead}")
    return BOUND if len(bad) < len(texts) else _unbound(setting.key)


def _unbound(key: str) -> dict[str, str]:
    """Take a bad value out of the address, since Streamlit would drop it without a word.

    The control is bound to the address in the next run, which follows at once.
    """
    del st.query_params[key]
    st.session_state["_run_again"] = True
    return HELD


def drop(key: str, why: str) -> None:
    """Say why a new visitor's link cannot have this, and begin again without it."""
    if key in st.session_state:
        return
    say(why)
    del st.query_params[key]
    st.session_state[bars.RESUMED] = True
    st.rerun()


def ignore(key: str) -> None:
    """Take out of a new visitor's link what means nothing without another of its parts."""
    if key not in st.session_state and key in st.query_params:
        del st.query_params[key]


def _is_readable(rule: Rule, text: str) -> bool:
    try:
        rule.read([text])
    except (ValueError, KeyError):
        return False
    return True


def carrier(key: str, place: DeltaGenerator | None = None) -> DeltaGenerator:
    """A place that nobody sees, for a control that carries a value in the address."""
    return (st if place is None else place).container(key=f"carrier_{key}")


def text_of(key: str) -> str:
    """The text that the session or a new visitor's link has under this key."""
    return st.session_state.get(key, st.query_params.get(key, ""))


def carry(key: str, read: Callable[[str], Any], refuse: Callable[[str, str], str]) -> Any:
    """What `read` makes of the session's or the link's text under this key; None without one.

    The address carries the text. One for which `read` raises a ValueError is dropped, and
    `refuse(text, reason)` is said.
    """

    def attempt(text: str) -> Any:
        try:
            return read(text) if text else None
        except ValueError as error:
            say(refuse(text, literal(error)))
            return None

    text = text_of(key)
    value = attempt(text)
    carried = st.session_state.setdefault("_carried", set())
    is_new = key not in carried or st.session_state.get(MOVED)  # as in `_write_first`
    is_new = is_new and not is_turned_to()
    if st.session_state.get(key) and key not in st.query_params and is_new:
        _write(key, st.session_state[key])
    carried.add(key)
    binding = BOUND
    if value is None:
        if key in st.session_state:
            st.session_state[key] = ""
        elif key in st.query_params:
            binding = _unbound(key)
    shown = carrier(key).text_input(key, key=key, help="For the address alone.", **binding)
    if shown != text:  # Back and Forward bring another
        value = attempt(shown)
        if shown and value is None:
            st.session_state["_run_again"] = True  # which drops it
    return value


def note_base(stem: str) -> None:
    """In a visitor's first run, on the page of this stem: note the dashboard's own address."""
    address = (st.context.url or ".").rstrip("/").removesuffix(f"/{stem}")
    st.session_state.setdefault("_base", address)


def base() -> str:
    """The dashboard's address, to which a page's stem is added."""
    return st.session_state["_base"]


def quoted(key: str, text: str) -> str:
    """A part of a link as code, so that nothing in it is taken for Markdown."""
    return f"`{_inline(key)}={_inline(text)}`"


def _inline(text: str) -> str:
    return " ".join(text.replace("`", " ").split())[:40]


def say(text: str) -> None:
    """Have the router show this above the page, until the visitor acts."""
    st.session_state.setdefault("_said", []).append(text)
