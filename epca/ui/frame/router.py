"""The list of pages, the sidebar they share, and the guard that sends every page by `app.py`."""

import gc
from typing import NamedTuple, NoReturn

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage
from threadpoolctl import threadpool_limits

from epca import assets
from epca.images import favicon
from epca.ui.frame import (
    browser,
    classroom,
    lesson,
    links,
    messages,
    roombar,
    sidebar,
    sockets,
    style,
    visitors,
)
from epca.ui.frame.settings import Setup
from epca.ui.jobs import bars, memory
from epca.ui.jobs.gate import GATE
from epca.ui.jobs.server import runner

TITLE = "EPCA Lab"
LOGO = assets.read(__package__, "logo.svg")


class Page(NamedTuple):
    title: str
    has_experiment: bool = True  # and so the sidebar
    is_listed: bool = True


PAGES = {  # file's stem, which is also the address
    "home": Page("Home"),
    "data": Page("Data"),
    "activated": Page("Activated"),
    "compare": Page("Compare"),
    "tune": Page("Tune"),
    "watch": Page("Watch"),
    "framework": Page("Framework", has_experiment=False),
    "paper": Page("Paper", has_experiment=False),
    "learn": Page("Learn", has_experiment=False),
    "glossary": Page("Glossary", has_experiment=False, is_listed=False),
}


def build() -> StreamlitPage:
    """Declare the pages and name the window.

    The icon is our own and comes first: a page's would be fetched from another host.
    """
    st.set_page_config(page_title=TITLE, page_icon=favicon(), layout="wide")
    pages = [
        st.Page(
            path(stem),
            title=page.title,
            default=stem == "home",
            visibility="visible" if page.is_listed else "hidden",
        )
        for stem, page in PAGES.items()
    ]
    page = st.navigation(pages, position="top")
    st.logo(LOGO, size="large")
    st.set_page_config(page_title=f"{page.title} · {TITLE}")
    return page


def path(stem: str) -> str:
    return f"pages/{stem}.py"


@st.cache_resource
def warm_up() -> threadpool_limits:
    """Once per process: prepare it for many sessions.

    BLAS and k-means get one thread: two are slower at these sizes, and sessions share the cores.
    What is imported is exempt from garbage collection, which stops all sessions.
    """
    gc.freeze()
    memory.share_arenas()
    sockets.send_at_once()
    messages.restrict()
    if runtime.exists():
        visitors.bound_uploads(runtime.get_instance().uploaded_file_mgr)
    return threadpool_limits(1)


def run() -> None:
    """Run the page the user asked for, with the sidebar (called by `app.py` alone)."""
    visitors.pace()
    with memory.watched(), GATE.entered():
        _run()


def _run() -> None:
    warm_up()
    if not st.session_state.pop(bars.RESUMED, False):
        st.session_state["_said"] = []
    page = build()
    visitors.admit()
    stem = page.url_path or "home"
    links.note_base(stem)
    classroom.enter()
    asked = st.session_state.pop("_goto", stem)
    if asked != stem:
        classroom.hold()
        st.switch_page(path(asked), query_params={})  # the controls write their own again
    if stem == "glossary":
        _lead_to_glossary()
    st.session_state[links.MOVED] = st.session_state.get("_stem") not in (None, stem)
    st.session_state["_stem"] = stem
    style.inject(has_sidebar=PAGES[stem].has_experiment)
    browser.watch()
    if text := st.session_state.pop("_toast", ""):
        st.toast(text)
    if (notice := runner().notice) and notice not in st.session_state["_said"]:
        st.session_state["_said"].append(notice)
    st.session_state["_experiment"] = sidebar.show(is_hidden=not PAGES[stem].has_experiment)
    notices = st.empty()
    _tell(notices)  # what the sidebar has to say, even if the page ends early
    lesson.show(stem, is_guided=classroom.is_guided())
    if lesson.current() is None:
        links.ignore(lesson.STEP.key)
    roombar.show()
    main = st.container()
    st.session_state["_routed"] = True
    with main, classroom.drawing():
        page.run()
    classroom.publish()
    classroom.note_taken()
    _tell(notices)
    if st.session_state.pop("_run_again", False):
        st.session_state[bars.RESUMED] = True
        st.rerun()


def _lead_to_glossary() -> NoReturn:
    """From its old address to the page Learn, with a new visitor's settings.

    What the session has already, its controls write into the address themselves.
    """
    query = st.query_params
    new = {key: query.get_all(key) for key in query if key not in st.session_state}
    st.switch_page(path("learn"), query_params=new | {"glossary": "true"})


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
