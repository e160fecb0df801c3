"""What a page lets one take away: tables, pictures, and the Python that makes its numbers."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from epca.literal import literal_cell
from epca.ui.frame import images
from epca.ui.frame.settings import Setup
from epca.views import scripts


def script(title: str, body: str, setup: Setup, **values: Any) -> str:
    """The script of a page on this setup."""
    upload = {}
    if setup.images is images.uploaded():
        upload = {"upload_name": images.upload_name()} | images.upload_options()
    return scripts.script(title, body, setup.scenario, setup.images, **upload, **values)


def offer(
    name: str,
    code: str,
    *,
    table: pd.DataFrame | None = None,
    raw: pd.DataFrame | None = None,
    pictures: Mapping[str, Callable[[], bytes]] | None = None,
) -> None:
    """A button for each thing given: the script, the table, a row per fit, pictures as PNG.

    Tables and pictures are made when their button is clicked.
    """
    row = st.container(horizontal=True)

    def button(label: str, content: Any, file: str, kind: str, text: str) -> None:
        row.download_button(label, content, file, kind, on_click="ignore", help=text)

    text = "Computes the main numbers of this page."
    button("Python script", code, f"{name}.py", "text/x-python", text)
    if table is not None:
        text = "The numbers of this page, unrounded."
        button("Table (CSV)", _csv(table), f"{name}.csv", "text/csv", text)
    if raw is not None:
        text = "A row per fit; this page reads it again."
        button("All fits (raw.csv)", _csv(raw), "raw.csv", "text/csv", text)
    for label, content in (pictures or {}).items():
        text = "The pictures above as one, with their labels."
        button(f"{label} (PNG)", content, f"{name}-{label.lower()}.png", "image/png", text)


def _csv(table: pd.DataFrame) -> Callable[[], str]:
    return lambda: table.map(literal_cell).rename(columns=literal_cell).to_csv(index=False)
