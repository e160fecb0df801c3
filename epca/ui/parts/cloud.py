"""The cloud of points that a visitor edits: in the plane, by typing, or by a link."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from epca import assets, palette
from epca.data.clouds import FEWEST, LIMITS, MOST, check_cloud, decode_cloud, encode_cloud
from epca.literal import literal
from epca.ui.frame import links
from epca.ui.frame.controls import POINTS

_component = st.components.v2.component(
    "cloud",
    html='<div class="plane"><svg role="application" tabindex="-1"></svg>'
    '<ul class="legend"></ul></div>',
    css=assets.read(__package__, "cloud.css"),
    js=assets.read(__package__, "cloud.js"),
)

WIDTH, HEIGHT = LIMITS
LABEL = f"Cloud of points, x within ±{WIDTH:g}, y within ±{HEIGHT:g}; {FEWEST} to {MOST} points"
CHOSEN = "point"  # the key of the number of the point that was clicked, added or moved last
HOW = (
    "Dot size: α; filled: activated, open: not activated; ring: the chosen point. Click to add a "
    "point, drag it to move it, Shift-click it to remove it. Keyboard: Tab reaches the points, "
    "Page Up and Page Down choose one, the arrow keys move it (ten times as far with Shift), "
    "Delete removes it."
)


def current(preset: np.ndarray) -> np.ndarray:
    """The points (n, 2) of the visitor or of the link, else those of the preset.

    The address carries them. A warning says why a link cannot be read.
    """
    points = links.carry(
        POINTS,
        decode_cloud,
        lambda _, why: f"The link's points cannot be shown: {why} Showing the preset instead.",
    )
    return preset if points is None else points


def is_edited() -> bool:
    """Whether the visitor or the link has changed the preset's points."""
    return bool(st.session_state.get(POINTS))


def forget() -> None:
    """Drop all changes; for callbacks."""
    st.session_state.update({POINTS: "", CHOSEN: 1})


def show_plane(points: np.ndarray, dots: list[dict[str, Any]], lines: list[dict[str, Any]]) -> None:
    """Show the points (n, 2) and the lines in a plane where points are added, moved and removed.

    dots : per point a dict of radius, activated and text
    lines : dicts of name, text, colour, dash, mean and direction
    """
    values = points.tolist()
    data = {
        "points": values,
        "chosen": st.session_state[CHOSEN] - 1,
        "dots": dots,
        "lines": lines,
        "limits": LIMITS,
        "label": LABEL,
        "colour": palette.BLUE,
        # The last change we know of: a late answer must not undo what was done since.
        "serial": st.session_state.get("_serial", 0),
    }
    _component(key="plane", data=data, on_points_change=partial(_hear, values))
    st.caption(HOW)


def _hear(shown: list) -> None:
    """Take the plane's message: its points, the chosen one, the serial number.

    Who only chooses one of the preset's points, which were shown, has not edited them.
    """
    message = st.session_state["plane"].points
    if not isinstance(message, dict):
        return
    st.session_state["_serial"] = int(message["serial"])
    number = int(message["chosen"]) + 1
    if message["points"] == shown and not is_edited():
        st.session_state[CHOSEN] = number
    else:
        _change(message["points"], number)


def _change(values: list, number: int) -> None:
    """Take these points and choose the one of this number, or remember why they are refused."""
    try:
        st.session_state[POINTS] = encode_cloud(check_cloud(values))
    except ValueError as error:
        st.session_state["_refusal"] = literal(error)
    else:
        st.session_state[CHOSEN] = number


def show_controls(points: np.ndarray) -> None:
    """Show the number inputs and buttons that do what the plane does, and why a change failed."""
    x, y, number = st.columns(3)
    place = "Of the point to add or move."
    x.number_input("x", -WIDTH, WIDTH, -3.0, 0.1, key="point_x", help=place)
    y.number_input("y", -HEIGHT, HEIGHT, 3.0, 0.1, key="point_y", help=place)
    where = "The ringed point, by its number: what was clicked, added or moved last, or any other."
    chosen = number.number_input("Point", 1, MOST, key=CHOSEN, help=where)
    row = st.container(horizontal=True)

    def button(label: str, key: str, action: Callable, text: str) -> None:
        row.button(label, key=key, on_click=action, args=(points.tolist(),), help=text)

    button("Add x, y", "add_point", _add, "Adds a point at the x and y above.")
    moved = f"Moves point {chosen} to the x and y above."
    button(f"Move point {chosen} to x, y", "move_point", _move, moved)
    button(f"Remove point {chosen}", "remove_point", _remove, f"Removes point {chosen}.")
    row.button(
        "Undo all changes",
        on_click=forget,
        disabled=not is_edited(),
        help="Returns to the cloud's own points.",
    )
    if refusal := st.session_state.pop("_refusal", None):
        st.error(refusal)


def _add(values: list) -> None:
    _change([*values, _typed_place()], len(values) + 1)


def _move(values: list) -> None:
    _replace(values, [_typed_place()])


def _remove(values: list) -> None:
    _replace(values, [])


def _typed_place() -> list[float]:
    return [st.session_state["point_x"], st.session_state["point_y"]]


def _replace(values: list, others: list) -> None:
    """Put other points where the chosen point is, and choose what is there then."""
    number = st.session_state[CHOSEN]
    if number <= len(values):
        changed = [*values[: number - 1], *others, *values[number:]]
        _change(changed, min(number, len(changed)))
        return
    st.session_state["_refusal"] = (
        f"There is no point {number}; they are numbered from 1 to {len(values)}."
    )
