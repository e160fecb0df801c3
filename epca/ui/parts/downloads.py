"""What a page lets one take away: one menu, whose parts are made when they are clicked."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.literal import literal_cell
from epca.ui.frame import images, sharing
from epca.ui.frame.fragments import fragment
from epca.ui.frame.settings import DATASET, Setup
from epca.views import dataset, scripts
from epca.views.notebook import notebook
from epca.views.report import Content, Origin, html

OFFER = "_offer"  # where the session has what the page offers
FRAME = (
    '<iframe src="{}" title="EPCA Lab" width="100%" height="{}" style="border: 0" '
    'allow="clipboard-write; fullscreen"></iframe>'
)
HEIGHT = 720  # of the frame, in pixels: sliders, faces and numbers need no scrolling
CHARTS = "Charts: the camera above a chart saves it as SVG."


class Offer(NamedTuple):
    """What a page offers under its name: a script and more, if there is more."""

    name: str
    code: str
    table: pd.DataFrame | None = None
    raw: pd.DataFrame | None = None  # a row per fit
    pictures: Mapping[str, Callable[[], bytes]] | None = None  # label → PNG
    report: Callable[[], Content] | None = None
    settings: Sequence[tuple[str, str]] | None = None  # its own, not the experiment's
    has_charts: bool = True


class File(NamedTuple):
    """A file of the menu, by the names of a download button's arguments."""

    label: str
    data: Callable[[], str | bytes]
    file_name: str
    mime: str
    help: str


def script(title: str, body: str, setup: Setup, **values: Any) -> str:
    """The script of a page on this setup."""
    upload = {}
    if setup.images is images.uploaded():
        upload = {"upload_name": images.upload_name()} | images.upload_options()
    return scripts.script(title, body, setup.scenario, setup.images, **upload, **values)


def offer(name: str, code: str, **parts: Any) -> None:
    """Have the page's menu offer this; parts as an Offer has them.

    A part of the page that runs again alone calls it again.
    """
    st.session_state[OFFER] = Offer(name, code, **parts)


def show_menu(place: DeltaGenerator) -> None:
    """Show the menu at the place, once the page has said what it offers, if it could."""
    if OFFER in st.session_state:
        with place:
            _show_menu(st.session_state[OFFER].name)


@fragment
def _show_menu(name: str) -> None:
    """Opening it runs it alone: it has the offer and the address of that moment."""
    text = "Take this result home, or show it elsewhere."
    menu = st.popover("Export", key=f"export_{name}", on_change="rerun", help=text)
    if menu.open:
        found = st.session_state[OFFER]
        with menu.container(key="export_menu"):
            files = st.container(key="export_files")
            for file in _files(found):
                files.download_button(**file._asdict(), on_click="ignore", width="stretch")
            if found.has_charts:
                st.caption(CHARTS)
            _show_frame()


def _files(found: Offer) -> list[File]:
    name, code = found[:2]
    text = "Computes the main numbers of this page."
    files = [File("Python script", lambda: code, f"{name}.py", "text/x-python", text)]
    text = "The same as cells with text between them, for Jupyter."
    kind = "application/x-ipynb+json"
    files.append(File("Notebook (.ipynb)", lambda: notebook(code), f"{name}.ipynb", kind, text))
    if found.table is not None:
        text = "The numbers of this page, unrounded."
        files.append(File("Table (CSV)", _csv(found.table), f"{name}.csv", "text/csv", text))
    if found.raw is not None:
        text = "A row per fit; this page reads it again."
        files.append(File("All fits (raw.csv)", _csv(found.raw), "raw.csv", "text/csv", text))
    for label, content in (found.pictures or {}).items():
        text = "The pictures of this page as one, with their labels."
        file = f"{name}-{label.lower()}.png"
        files.append(File(f"{label} (PNG)", content, file, "image/png", text))
    if found.report is not None:
        text = "One file with faces, charts, numbers and settings. It opens without a network."
        content = _report(found.report, found.settings)
        files.append(File("Report (HTML)", content, f"{name}.html", "text/html", text))
    return files


def _csv(table: pd.DataFrame) -> Callable[[], str]:
    return lambda: table.map(literal_cell).rename(columns=literal_cell).to_csv(index=False)


def _report(
    content: Callable[[], Content], settings: Sequence[tuple[str, str]] | None
) -> Callable[[], str]:
    """What writes the report; the address and the experiment's settings are those of now."""
    if settings is not None:
        origin = Origin(settings, "", sharing.address())
        return lambda: html(content(), origin)
    setup = st.session_state["_experiment"]
    source = dataset.source(setup.images, images.known(setup.images))
    settings = [(DATASET.label, setup.images.name), *setup.texts[1:]]
    is_upload = setup.images is images.uploaded()
    origin = Origin(settings, source, sharing.address(), is_upload)
    return lambda: html(content(), origin)


def _show_frame() -> None:
    """The page as a frame for a page elsewhere."""
    st.markdown("**Embed** this page with its settings in a course or in slides:")
    address = escape(sharing.address(is_embedded=True))
    st.code(FRAME.format(address, HEIGHT), None, wrap_lines=True)
    text = "Everything but uploads works in the frame."
    if st.session_state["_experiment"].images is images.uploaded():
        text += f" Yours stays in your session; the frame shows {DATASET.default} in its place."
    st.caption(text)
