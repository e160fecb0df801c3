"""The player: one clock that shows every step of a recorded fit, without running the page again."""

from typing import Any

import numpy as np
import streamlit as st

from epca import assets, palette
from epca.images import data_url

_component = st.components.v2.component(
    "replay",
    html=assets.read(__package__, "replay.html"),
    css=assets.read(__package__, "replay.css"),
    js=assets.read(__package__, "replay.js"),
)

COLOURS = {"activated": palette.BLUE, "occluded": palette.VERMILION, "axis": palette.GREY}


def replay(
    sprite: np.ndarray,
    data: dict[str, Any],
    *,
    shape: tuple[int, int],
    columns: int,
    key: str,
) -> None:
    """Show the player for the data: label, code, cells, steps and the rest that replay.js reads.

    sprite : uint8 pixels of a sheet with this many columns of images
    shape : (height, width) of an image on the sheet
    """
    height, width = shape
    longer = max(shape)
    pictures = {
        "sprite": data_url(sprite),
        "columns": columns,
        "rows": sprite.shape[0] // height,
        "width": width / longer,
        "height": height / longer,
    }
    _component(key=key, data=data | pictures | {"colours": COLOURS})
