"""Rows of faces with their labels and numbers: one table that shares the screen with controls."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from epca.images import data_url
from epca.ui import assets
from epca.views.pictures import Pictures, count, laid_out

_component = st.components.v2.component(
    "faces",
    html='<div class="box"><table></table></div>',
    css=assets.read(__package__, "faces.css"),
    js=assets.read(__package__, "faces.js"),
)

GAP = 1  # pixels around each picture, before it is enlarged
MOST_PIXELS = 96  # of a picture's longer side; of larger ones every second, third, … is sent


def show_faces(
    stages: Mapping[str, Pictures],
    ids: Iterable,
    *,
    key: str,
    spare: float,
    what: str = "images",
    largest: float = 7.0,
    label_width: float = 5.6,
    lines: Mapping[str, dict[str, Any]] | None = None,
    measures: Sequence[dict[str, str]] = (),
    n_sticky: int = 0,
) -> None:
    """Show a line of the table per stage: its label, its pictures, and its numbers, if any.

    The pictures are as large as the window allows. `spare` is the height that the page needs
    besides these lines, `largest` bounds a picture's height; all sizes are in units of the type.
    Where the lines cannot share the screen, the table scrolls and its first `n_sticky` stay.

    stages : label → Pictures
    ids : what stands above the pictures
    lines : label → what else its line has: `note`, `colour` and `cells`, a dict each of
        text, share (from −1 to 1, drawn as a bar) and best
    measures : heading and help of each cell
    """
    names = list(map(str, ids))
    rows = []
    for place, (label, images) in enumerate(stages.items()):
        pixels = laid_out(images, gap=GAP, zoom=1, most=MOST_PIXELS)
        row = {
            "label": label,
            "picture": data_url(pixels),
            "alt": f"{label}: {what} {', '.join(names)}",
            "sticky": place < n_sticky,
        }
        rows.append(row | (lines or {}).get(label, {}))
    height, width = pixels.shape[:2]
    data = {
        "heads": names,
        "measures": list(measures),
        "rows": rows,
        "columns": max(count(images) for images in stages.values()),
        "aspect": width / height,
        "spare": spare,
        "largest": largest,
        "labelWidth": label_width,
    }
    _component(key=key, data=data)
