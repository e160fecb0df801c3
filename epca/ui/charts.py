"""How every chart is put on a page: its alternative text, its download as SVG, its type size."""

import streamlit as st

CONFIG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
SIZES = {False: 14, True: 20}  # of type in pixels, by projector mode


def show(figure, key, *, alt="", on_select="ignore", modes=("points", "box", "lasso"), width="stretch", place=st):
    """Draw the figure; on_select is called without arguments when samples or points are chosen in it."""
    size, margin = SIZES[is_projected()], figure.layout.margin
    figure.update_layout(font_size=size, title_font_size=size + 2, uirevision=_revision(figure))
    if is_projected():
        figure.update_layout(
            height=(figure.layout.height or 450) * 1.4, legend_font_size=size - 4, annotationdefaults_font_size=size
        )
        figure.update_layout(margin={"l": (margin.l or 60) * 1.5, "t": (margin.t or 40) * 1.5, "b": (margin.b or 50) * 1.5})
    place.plotly_chart(
        figure, key=key, width=width, on_select=on_select, selection_mode=modes, config=CONFIG, alt=alt or figure.layout.title.text
    )


def _revision(figure):
    """The same as long as the points stay: then zoom and the tool in hand survive a selection."""
    return str(hash(str([(trace.x, trace.y) for trace in figure.data[:1]])))


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
