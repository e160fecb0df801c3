"""The gallery: images to click, one real button each, drawn from one sprite sheet."""

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from epca.images import data_url
from epca.ui import assets

_component = st.components.v2.component(
    "gallery",
    html='<div class="gallery" role="group"></div>',
    css=assets.read(__package__, "gallery.css"),
    js=assets.read(__package__, "gallery.js"),
)

ZOOM = 2


def gallery(
    sprite: np.ndarray,
    cells: list[dict[str, Any]],
    *,
    label: str,
    shape: tuple[int, int],
    columns: int,
    key: str,
    on_click: Callable[[], None],
) -> None:
    """Show a button per cell; on_click() finds the clicked id in st.session_state[key].

    sprite : uint8 pixels of a sheet with this many columns of images
    cells : per image a dict of id, label, caption and selected
    shape : (height, width) of an image on the sheet
    """
    height, width = shape
    data = {
        "sprite": data_url(sprite),
        "columns": columns,
        "width": width * ZOOM,
        "height": height * ZOOM,
        "label": label,
        "cells": cells,
    }
    _component(key=key, data=data, on_clicked_change=on_click)
