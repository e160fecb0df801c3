"""The list of pages, the sidebar they share, and the guard that sends every page through `app.py`."""

import streamlit as st

from epca.images import favicon
from epca.ui import beside, charts, experiment, lesson, memory, settings

TITLE = "EPCA Lab"
PAGES = {  # file's stem, which is also the address → title, icon
    "home": ("Home", ":material/home:"),
    "data": ("Data", ":material/photo_library:"),
    "activated": ("Activated samples", ":material/bolt:"),
    "compare": ("Compare", ":material/compare:"),
    "tune": ("Tune", ":material/tune:"),
    "watch": ("Watch", ":material/play_circle:"),
    "framework": ("Framework", ":material/scatter_plot:"),
    "paper": ("Paper", ":material/article:"),
    "learn": ("Learn", ":material/school:"),
    "glossary": ("Glossary", ":material/menu_book:"),
}


def build():
    """Declare the pages and name the window. The icon is our own and comes first: a page's would be fetched from another host."""
    st.set_page_config(page_title=TITLE, page_icon=favicon(), layout="wide")
    pages = [
        st.Page(_path(stem), title=title, icon=icon, default=stem == "home")
        for stem, (title, icon) in PAGES.items()
    ]
    page = st.navigation(pages)
    st.set_page_config(page_title=f"{page.title} · {TITLE}")
    return page


def _path(stem):
    return f"pages/{stem}.py"


def run():
    """Run the page the user asked for, with the sidebar (called by `app.py` alone)."""
    with memory.watched():
        _run()


def _run():
    experiment.warm_up()
    link = (
        {} if "_experiment" in st.session_state else st.query_params.to_dict()
    )  # what a new visitor came with
    page = build()
    stem = st.session_state.pop("_goto", None)
    if stem and PAGES[stem][0] != page.title:
        st.switch_page(_path(stem), query_params={})  # the controls write their own again
    setup = settings.sidebar()
    number = lesson.choose()
    charts.style()
    st.session_state["_experiment"] = setup._replace(kept=beside.restore())
    notices = st.container()
    main, side = (st, None) if number is None else st.columns([3, 1])
    if side is not None:
        with side.container(key="lesson_panel", border=True):
            lesson.panel(number)
    st.session_state["_routed"] = True
    with main.container():
        page.run()
    if texts := [*st.session_state.pop("_said", []), *settings.ignored(link)]:
        notices.warning("  \n".join(texts))


def enter():
    """First line of every page: return the sidebar's Setup.

    A deep link to a fresh server runs the page's file alone; then go back through `app.py`.
    """
    if not st.session_state.pop("_routed", False):
        build()
        st.rerun()
    return st.session_state["_experiment"]


def link(stem, text):
    """A link to a page with what one finds there."""
    title, icon = PAGES[stem]
    st.page_link(_path(stem), label=f"**{title}**: {text}", icon=icon)
