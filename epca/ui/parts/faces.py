"""Rows of faces with their labels and numbers: one table that shares the screen with controls."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from epca import assets
from epca.images import data_url
from epca.ui.parts import results
from epca.views.comparison import Comparison
from epca.views.pictures import Pictures, count, laid_out

_component = st.components.v2.component(
    "faces",
    html='<div class="box" role="group" aria-label="faces"><table></table></div>',
    css=assets.read(__package__, "faces.css"),
    js=assets.read(__package__, "faces.js"),
)

GAP = 1  # pixels around each picture, before it is enlarged
WIDTH = 4.6  # of a column of numbers, in units of the type
MOST_PIXELS = 96  # of a picture's longer side; of larger ones every second, third, … is sent


def show_faces(
    stages: Mapping[str, Pictures | str], ids: Iterable, *, key: str, **look: Any
) -> None:
    """Show the `table` of these stages."""
    _component(key=key, data=table(stages, ids, **look))


def show_stages(result: Comparison, *, key: str, **look: Any) -> None:
    """Show the table of a result's stages."""

    def make() -> dict[str, Any]:
        return table(result.named_stages, result.shown, **look)

    show_remembered(result, ("stages", *look.items()), make, key=key)


def show_remembered(
    result: Comparison, what: Hashable, make: Callable[[], dict[str, Any]], *, key: str
) -> None:
    """Show the `table` that make() makes, which is made once for all who see the result.

    what : see `results.remember`
    """
    _component(key=key, data=results.remember(result, what, make))


def table(
    stages: Mapping[str, Pictures | str],
    ids: Iterable,
    *,
    spare: float | None = None,
    what: str = "images",
    largest: float = 7.0,
    label_width: float = 5.6,
    corner: str = "",
    lines: Mapping[str, dict[str, Any]] | None = None,
    measures: Sequence[dict[str, Any]] = (),
    n_sticky: int = 0,
) -> dict[str, Any]:
    """What is sent of a table with a line per stage: its label, pictures, and numbers, if any.

    The pictures are as large as the window allows. `spare` is the height that the page needs
    besides these lines; None: what is above the table, which takes the rest of the window.
    `largest` bounds a picture's height; all sizes are in units of the type. Where the lines cannot
    share the screen, the table scrolls and its first `n_sticky` lines stay.

    stages : label → Pictures, or a text in their place
    ids : what stands above the pictures
    corner : what stands beside the ids
    lines : label → what else its line has: `note`, `help`, `colour` and `cells`, a dict each of
        text, share (from −1 to 1, drawn as a bar) and best
    measures : heading, help and width of each cell; whether it is minor, and left out of a
        narrow window
    """
    names = list(map(str, ids))
    rows = []
    for place, (label, images) in enumerate(stages.items()):
        row = {"label": label, "sticky": place < n_sticky}
        if isinstance(images, str):
            row["text"] = images
        else:
            pixels = laid_out(images, gap=GAP, zoom=1, most=MOST_PIXELS)
            row["picture"] = data_url(pixels)
            row["alt"] = f"{label}: {what} {', '.join(names)}"
        rows.append(row | (lines or {}).get(label, {}))
    height, width = pixels.shape[:2]
    return {
        "heads": names,
        "corner": corner,
        "measures": [{"width": WIDTH, "minor": False} | measure for measure in measures],
        "rows": rows,
        "columns": max(count(row) for row in stages.values() if not isinstance(row, str)),
        "aspect": width / height,
        "spare": spare,
        "largest": largest,
        "labelWidth": label_width,
    }
