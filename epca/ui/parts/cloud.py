"""The cloud of points that a visitor edits: in the plane, by typing, or by a link."""

from collections.abc import Callable
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
HOW = (
    "Dot size: α; filled: activated, open: not activated. Click to add a point, drag it to move "
    "it, Shift-click it to remove it. Keyboard: Tab reaches the points, Page Up and Page Down "
    "choose one, the arrow keys move it (ten times as far with Shift), Delete removes it."
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
    st.session_state[POINTS] = ""


def show_plane(points: np.ndarray, dots: list[dict[str, Any]], lines: list[dict[str, Any]]) -> None:
    """Show the points (n, 2) and the lines in a plane where points are added, moved and removed.

    dots : per point a dict of radius, activated and text
    lines : dicts of name, text, colour, dash, mean and direction
    """
    data = {
        "points": points.tolist(),
        "dots": dots,
        "lines": lines,
        "limits": LIMITS,
        "label": LABEL,
        "colour": palette.BLUE,
        # The last change we know of: a late answer must not undo what was done since.
        "serial": st.session_state.get("_serial", 0),
    }
    _component(key="plane", data=data, on_points_change=_hear)
    st.caption(HOW)


def _hear() -> None:
    """Take the points that the plane sends, and the serial number of its message."""
    message = st.session_state["plane"].points
    if isinstance(message, dict):
        st.session_state["_serial"] = int(message["serial"])
        _change(message["points"])


def _change(values: list) -> None:
    """Take these points, or remember why they are refused."""
    try:
        st.session_state[POINTS] = encode_cloud(check_cloud(values))
    except ValueError as error:
        st.session_state["_refusal"] = literal(error)


def show_controls(points: np.ndarray) -> None:
    """Show the number inputs and buttons that do what the plane does, and why a change failed."""
    x, y, number = st.columns(3)
    place = "Of the point to add or move."
    x.number_input("x", -WIDTH, WIDTH, -3.0, 0.1, key="point_x", help=place)
    y.number_input("y", -HEIGHT, HEIGHT, 3.0, 0.1, key="point_y", help=place)
    where = "The point's number: see the table of points, or hover over the point."
    number.number_input("Point", 1, MOST, 1, key="point", help=where)
    row = st.container(horizontal=True)

    def button(label: str, action: Callable, text: str) -> None:
        row.button(label, on_click=action, args=(points.tolist(),), help=text)

    button("Add x, y", _add, "Adds a point at the x and y above.")
    button("Move point to x, y", _move, "Moves the point of this number to the x and y above.")
    button("Remove point", _remove, "Removes the point of this number.")
    row.button(
        "Undo all changes",
        on_click=forget,
        disabled=not is_edited(),
        help="Returns to the cloud's own points.",
    )
    if refusal := st.session_state.pop("_refusal", None):
        st.error(refusal)


def _add(values: list) -> None:
    _change([*values, _typed_place()])


def _move(values: list) -> None:
    _replace(values, [_typed_place()])


def _remove(values: list) -> None:
    _replace(values, [])


def _typed_place() -> list[float]:
    return [st.session_state["point_x"], st.session_state["point_y"]]


def _replace(values: list, others: list) -> None:
    """Put other points where the point of the typed number is."""
    number = st.session_state["point"]
    if number <= len(values):
        _change([*values[: number - 1], *others, *values[number:]])
        return
    st.session_state["_refusal"] = (
        f"There is no point {number}; they are numbered from 1 to {len(values)}."
    )
