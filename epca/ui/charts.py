"""How every chart is put on a page: its alternative text, its download as SVG, its type size."""

import streamlit as st

CONFIG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
SIZES = {False: 14, True: 20}  # of type in pixels, by projector mode


def show(figure, key, *, alt="", on_select="ignore", modes=("points", "box", "lasso"), width="stretch", place=st):
    """Draw the figure; on_select is called without arguments when samples or points are chosen in it."""
    figure.update_layout(font_size=SIZES[is_projected()], title_font_size=SIZES[is_projected()] + 2)
    place.plotly_chart(
        figure, key=key, width=width, on_select=on_select, selection_mode=modes, config=CONFIG, alt=alt or figure.layout.title.text
    )


def chosen(key):
    """The customdata of the points chosen in the chart, those of helping lines left out."""
    points = st.session_state[key]["selection"]["points"]
    return [point["customdata"] for point in points if point.get("customdata") is not None]


def is_projected():
    return bool(st.session_state.get("projector"))


def style():
    """Less empty margin, no sidebar on paper, and in projector mode larger type: Streamlit's sizes are relative to the root's."""
    size = "html { font-size: 21px; }" if is_projected() else ""
    st.html(
        f"""<style>{size}
        [data-testid="stMainBlockContainer"] {{ padding: 3.5rem 2.5rem 3rem; }}
        @media (max-width: 640px) {{ [data-testid="stMainBlockContainer"] {{ padding: 3.5rem 1rem 3rem; }} }}
        .st-key-lesson_panel {{ position: sticky; top: 4rem; }}
        @media print {{ [data-testid="stSidebar"], [data-testid="stHeader"] {{ display: none; }} }}
        </style>"""
    )
