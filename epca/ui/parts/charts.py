"""How every chart is put on a page: its alternative text, its download as SVG, its type size."""

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.ui.frame import style

CONFIG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
SIZE = 14  # of type, in pixels
PROJECTED_SIZE = 20
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
    if fills:
        size = PROJECTED_FILLING_SIZE if style.is_projected() else FILLING_SIZE
        figure.update_layout(font_size=size, title_font_size=size + 2, height=None)
    elif style.is_projected():
        _enlarge(figure)
    else:
        figure.update_layout(font_size=SIZE, title_font_size=SIZE + 2)
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


def _enlarge(figure: go.Figure) -> None:
    margin = figure.layout.margin
    figure.update_layout(
        font_size=PROJECTED_SIZE,
        title_font_size=PROJECTED_SIZE + 2,
        legend_font_size=PROJECTED_SIZE - 4,
        annotationdefaults_font_size=PROJECTED_SIZE,
        height=1.4 * (figure.layout.height or 450),
        margin={
            "l": 1.5 * (margin.l or 60),
            "t": 1.5 * (margin.t or 40),
            "b": 1.5 * (margin.b or 50),
        },
    )


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
