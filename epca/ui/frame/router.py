"""The list of pages, the sidebar they share, and the guard that sends every page by `app.py`."""

import gc
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage
from threadpoolctl import threadpool_limits

from epca.images import favicon
from epca.ui.frame import lesson, pinning, sidebar, style
from epca.ui.frame.settings import Setup
from epca.ui.jobs import bars, memory

TITLE = "EPCA Lab"


class Page(NamedTuple):
    title: str
    icon: str


PAGES = {  # file's stem, which is also the address
    "home": Page("Home", ":material/home:"),
    "data": Page("Data", ":material/photo_library:"),
    "activated": Page("Activated samples", ":material/bolt:"),
    "compare": Page("Compare", ":material/compare:"),
    "tune": Page("Tune", ":material/tune:"),
    "watch": Page("Watch", ":material/play_circle:"),
    "framework": Page("Framework", ":material/scatter_plot:"),
    "paper": Page("Paper", ":material/article:"),
    "learn": Page("Learn", ":material/school:"),
    "glossary": Page("Glossary", ":material/menu_book:"),
}


def build() -> StreamlitPage:
    """Declare the pages and name the window.

    The icon is our own and comes first: a page's would be fetched from another host.
    """
    st.set_page_config(page_title=TITLE, page_icon=favicon(), layout="wide")
    pages = [
        st.Page(_path(stem), title=title, icon=icon, default=stem == "home")
        for stem, (title, icon) in PAGES.items()
    ]
    page = st.navigation(pages)
    st.set_page_config(page_title=f"{page.title} · {TITLE}")
    return page


def _path(stem: str) -> str:
    return f"pages/{stem}.py"


@st.cache_resource
def warm_up() -> threadpool_limits:
    """Once per process: prepare it for many sessions.

    BLAS and k-means get one thread: two are slower at these sizes, and sessions share the cores.
    What is imported is exempt from garbage collection, which stops all sessions.
    """
    gc.freeze()
    return threadpool_limits(1)


def run() -> None:
    """Run the page the user asked for, with the sidebar (called by `app.py` alone)."""
    with memory.watched():
        _run()


def _run() -> None:
    warm_up()
    if not st.session_state.pop(bars.RESUMED, False):
        st.session_state["_said"] = []
    page = build()
    stem = st.session_state.pop("_goto", None)
    if stem and PAGES[stem].title != page.title:
        st.switch_page(_path(stem), query_params={})  # the controls write their own again
    setup = sidebar.show()
    number = lesson.choose()
    style.inject()
    st.session_state["_experiment"] = setup._replace(pinned=pinning.restore())
    notices = st.empty()
    _tell(notices)  # what the sidebar has to say, even if the page ends early
    main = st.container()
    if number is not None:
        main, side = st.columns([3, 1])
        with side.container(key="lesson_panel", border=True):
            lesson.panel(number)
    st.session_state["_routed"] = True
    with main:
        page.run()
    _tell(notices)
    if st.session_state.pop("_run_again", False):
        st.session_state[bars.RESUMED] = True
        st.rerun()


def _tell(place: DeltaGenerator) -> None:
    """Show what has been said in this run."""
    if texts := st.session_state["_said"]:
        place.warning("  \n".join(texts))


def enter() -> Setup:
    """First line of every page: return the sidebar's Setup.

    A deep link to a fresh server runs the page's file alone; then go back through `app.py`.
    """
    if not st.session_state.pop("_routed", False):
        build()
        st.rerun()
    return st.session_state["_experiment"]


def link(stem: str, text: str) -> None:
    """A link to a page with what one finds there."""
    page = PAGES[stem]
    st.page_link(_path(stem), label=f"**{page.title}**: {text}", icon=page.icon)
