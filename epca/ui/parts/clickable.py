"""What sets σ and c on the page Tune: points of its charts, and buttons."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from epca.ui.parts import charts
from epca.views.tune import View


def show_clickable(view: View, figure: go.Figure, key: str, **options: Any) -> None:
    """Show a chart whose points set σ and c when they are clicked."""
    options |= {"on_select": lambda: _take(key), "modes": ("points",)}
    show_chart(view, figure, key, **options)


def show_chart(view: View, figure: go.Figure, key: str, **options: Any) -> None:
    """Show a chart that the page's report has, too."""
    view.figures.append(figure)
    charts.show(figure, key, **options)


def _take(chart: str) -> None:
    """Set σ and c to the point clicked in the chart."""
    for exponent, c in charts.chosen(chart):
        st.session_state.update(sigma=int(exponent), c=int(c))


def set_button(label: str, key: str, values: dict[str, Any], *, is_set: bool = False) -> None:
    """A button that sets the sidebar's values; of no use where they are set."""
    st.button(
        label,
        key=key,
        on_click=st.session_state.update,
        args=(values,),
        disabled=is_set,
        help="Sets it in the sidebar.",
    )
