"""Images to click, one real button each, drawn from one sprite sheet: a gallery, or a strip."""

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from epca import assets
from epca.images import data_url
from epca.palette import BLUE, VERMILION

_component = st.components.v2.component(
    "gallery",
    html='<div class="gallery" role="group"></div>',
    css=assets.read(__package__, "gallery.css"),
    js=assets.read(__package__, "gallery.js"),
)


def show(data: dict[str, Any], key: str, on_click: Callable[[], None]) -> None:
    """Show what `lay_out` gives; on_click() finds the clicked id in st.session_state[key]."""
    _component(key=key, data=data, on_clicked_change=on_click)


def lay_out(
    sprite: np.ndarray,
    cells: list[dict[str, Any]],
    *,
    label: str,
    shape: tuple[int, int],
    columns: int,
    is_strip: bool = False,
) -> dict[str, Any]:
    """What is sent of images with a button per cell.

    sprite : uint8 pixels of a sheet with this many columns of images
    cells : per image a dict of id, label, caption and selected; it may have a note, is_occluded,
        and a bar from 0 to 1
    shape : (height, width) of an image on the sheet
    is_strip : one line that scrolls sideways, instead of lines that wrap
    """
    height, width = shape
    return {
        "sprite": data_url(sprite),
        "columns": columns,
        "aspect": width / height,
        "rows": sprite.shape[0] // height,
        "label": label,
        "cells": cells,
        "strip": is_strip,
        "colours": {"clean": BLUE, "occluded": VERMILION},
    }


def clicked(key: str) -> int | None:
    """The id that was clicked in a gallery; for its on_click()."""
    found = st.session_state[key].clicked
    return None if found is None else int(found)
