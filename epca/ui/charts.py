"""How every chart is put on a page: its alternative text, its download as SVG, its type size."""

import streamlit as st

CONFIG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
SIZES = {False: 14, True: 20}  # of type in pixels, by projector mode
STYLE = """
[data-testid="stMainBlockContainer"] { padding: 3.5rem 2.5rem 3rem; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 3.5rem 1rem 3rem; } }
[data-testid="stMain"] :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]) :is(p, li) { max-width: 60rem; }
[data-testid="stTable"] td > div { width: auto !important; max-width: 60rem !important; }
[data-testid="stTable"] tbody th { min-width: 5.5rem; }
[data-testid="stElementContainer"]:has([data-testid="stPlotlyChart"]) { max-width: 960px; }
[data-testid="stSidebarNavLink"]:focus-visible { outline: 2px solid; outline-offset: -2px; }
.st-key-lesson_panel { position: sticky; top: 4rem; }
"""
PRINT = """
@page { margin: 12mm; }
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stButton"], [data-testid="stDownloadButton"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 0; zoom: 0.7; }  /* a chart keeps its width of the screen and must fit */
[class*="st-key-wide_"] { display: block; }
[class*="st-key-wide_"] > * { width: 100% !important; break-inside: avoid; }
[data-testid="stLayoutWrapper"], [data-testid="stVerticalBlock"] { height: auto !important; overflow: visible; }
.st-key-lesson_panel { position: static; }
[data-testid="stPlotlyChart"], [data-testid="stImage"], [data-testid="stMetric"], [data-testid="stExpander"], tr {
  break-inside: avoid; }
[data-testid="stElementContainer"]:has(h1, h2, h3),
[data-testid="stElementContainer"]:has(+ [data-testid="stElementContainer"] [data-testid="stImage"]) { break-after: avoid; }
"""


def show(figure, key, *, alt="", on_select="ignore", modes=("points", "box", "lasso"), place=st):
    """Draw the figure; on_select is called without arguments when samples or points are chosen in it.

    Streamlit makes a chart anew when its figure changes: zoom and the tool in hand do not outlast a selection, with uirevision
    or without.
    """
    size, margin = SIZES[is_projected()], figure.layout.margin
    figure.update_layout(font_size=size, title_font_size=size + 2)
    if is_projected():
        figure.update_layout(
            height=(figure.layout.height or 450) * 1.4,
            legend_font_size=size - 4,
            annotationdefaults_font_size=size,
        )
        figure.update_layout(
            margin={
                "l": (margin.l or 60) * 1.5,
                "t": (margin.t or 40) * 1.5,
                "b": (margin.b or 50) * 1.5,
            }
        )
    place.plotly_chart(
        figure,
        key=key,
        on_select=on_select,
        selection_mode=modes,
        config=CONFIG,
        alt=alt or figure.layout.title.text,
    )


def chosen(key):
    """The customdata of the points chosen in the chart, those of helping lines left out."""
    points = st.session_state[key]["selection"]["points"]
    return [point["customdata"] for point in points if point.get("customdata") is not None]


def is_projected():
    return bool(st.session_state.get("projector"))


def wide_row(name, least="26rem", first=1):
    """A row whose parts share its width, the first `first` times as much, and stand below each other where one would get less."""
    row, parts = st.container(horizontal=True, key=f"wide_{name}"), f".st-key-wide_{name} >"
    st.html(f"""<style>
    {parts} * {{ flex: 1 1 {least} !important; width: auto !important; min-width: min({least}, 100%) !important; }}
    {parts} :first-child {{ flex-grow: {first} !important; }}
    </style>""")
    return row


def style():
    """The sizes and the print of every page, and in projector mode larger type: Streamlit's sizes are relative to the root's."""
    size = "html { font-size: 21px; }" if is_projected() else ""
    st.html(f"<style>{size} {STYLE} @media print {{ {PRINT} }}</style>")
