"""How every chart is put on a page: its alternative text, its download as SVG, its type size."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.plots.samples import Look
from epca.ui.frame import style
from epca.ui.parts import results
from epca.views.comparison import Comparison

CONFIG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
SIZE = 14  # of type, in pixels
PROJECTED_SIZE = 18
FILLING_SIZE = 12  # of type in charts that share one screen with faces
PROJECTED_FILLING_SIZE = 15


def show(
    figure: go.Figure,
    key: str,
    *,
    alt: str = "",
    on_select: Callable[[], None] | str = "ignore",
    modes: tuple[str, ...] = ("points", "box", "lasso"),
    place: DeltaGenerator | None = None,
    fills: bool = False,
) -> None:
    """Draw the figure in a place, else at the end of the page.

    fills : it takes the height that the page's style gives it, not its own
    on_select() is called when the visitor chooses points in the chart. If that changes the figure,
    Streamlit draws it anew: zoom and chosen tool are lost, with or without uirevision.
    """
    set_type(figure, fills)
    draw = st.plotly_chart if place is None else place.plotly_chart
    draw(
        figure,
        key=key,
        on_select=on_select,
        selection_mode=modes,
        config=CONFIG,
        height="stretch" if fills else "content",
        alt=alt or figure.layout.title.text,
    )


def remember(
    result: Comparison,
    what: tuple[Hashable, ...],
    make: Callable[[], dict[str, go.Figure]],
    *,
    fills: bool = False,
) -> dict[str, go.Figure]:
    """The charts of make(), by key; made once for all who see the result.

    what : see `results.remember`
    """

    def settle() -> dict[str, go.Figure]:
        return {key: _settle(set_type(figure, fills)) for key, figure in make().items()}

    return results.remember(result, ("charts", *what, type_size(fills)), settle)


def _settle(figure: go.Figure) -> go.Figure:
    """Nobody changes the figure any more, so that what Streamlit asks of it is copied only once."""
    held = figure.to_dict()
    figure.to_dict = lambda: held
    return figure


def set_type(figure: go.Figure, fills: bool) -> go.Figure:
    """Set its type in the size of the screen; one that has it is left, as others may share it."""
    size = type_size(fills)
    if figure.layout.font.size != size:
        sizes = {"font_size": size, "title_font_size": size + 2}
        sizes["legend_font_size"] = max(size - 2, 12)
        figure.update_layout(**sizes, **({"height": None} if fills else {}))
    return figure


def type_size(fills: bool) -> int:
    """Of charts, in pixels."""
    if style.is_projected():
        return PROJECTED_FILLING_SIZE if fills else PROJECTED_SIZE
    return FILLING_SIZE if fills else SIZE


def legend(looks: Sequence[Look]) -> None:
    """What colours and symbols mean, once for all charts and galleries above it."""
    parts = [
        f'<span><b style="color: {look.colour}">{look.glyph}</b> {look.label}</span>'
        for look in looks
    ]
    st.html(f'<div class="looks">{"".join(parts)}</div>')


def chosen(key: str) -> list[Any]:
    """Return the customdata of the points chosen in the chart; helper lines have none."""
    points = st.session_state[key]["selection"]["points"]
    return [point["customdata"] for point in points if point.get("customdata") is not None]


def wide_row(name: str, least: str = "26rem", first: int = 1) -> DeltaGenerator:
    """Return a row whose parts share its width; the first part gets `first` times as much.

    The parts wrap onto further lines where one of them would be narrower than `least`.
    """
    row = st.container(horizontal=True, key=f"wide_{name}")
    st.html(f"<style>.st-key-wide_{name} {{ --least: {least}; --first: {first}; }}</style>")
    return row
