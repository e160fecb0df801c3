"""The run that the page Paper shows: the shipped one, a visitor's file, or one made here."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from epca import paper, tasks
from epca.data import DataError, catalogue
from epca.literal import literal
from epca.ui.frame import links
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.rules import Among
from epca.ui.jobs import bars
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.request import Request
from epca.ui.jobs.server import private_cache
from epca.ui.parts import results
from epca.views.paper import TABS, Run, script


def choose() -> Run | None:
    """Ask where the figures come from, and say what they are; None where there is no run yet."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    source = draw(CONTROLS["source"], place=row, required=True, width="content")
    place = row.empty()
    run = {"shipped": _shipped, "file": _from_file, "here": _from_here}[source]()
    if run is not None:
        place.caption(run.sentence)
    return run


@st.cache_resource(show_spinner=False)
def _shipped() -> Run:
    raw = paper.shipped()
    seeds = raw["seed"].nunique()
    text = f"This run comes with the package and has {seeds} seeds."
    return Run(raw, text, script("shipped"))


def _from_file() -> Run | None:
    """The run in a visitor's file, shown until another one comes.

    If a file cannot be read, say why and stay with the former run.
    """
    text = "`epca reproduce` writes it into its folder."
    file = st.file_uploader("The raw.csv of a finished run", key="raw", help=text)
    if file is not None and st.session_state.get("_raw_id") != file.file_id:
        try:
            raw = _read(file)
            st.session_state.update(_raw=(file.name, raw), _raw_id=file.file_id)
        except ValueError as error:
            st.error(literal(error))
    if "_raw" not in st.session_state:
        return None
    name, raw = st.session_state["_raw"]
    return Run(raw, f"{len(raw)} fits read from your file.", script("file", name))


def _read(file: UploadedFile) -> pd.DataFrame:
    """The raw table in the visitor's file; ValueError says why there is none."""
    options = {"cache": private_cache(), "is_cachable": lambda _: False}  # the session keeps it
    arguments = (file.name, Keyed(file.file_id, file.getvalue()))
    return bars.demand(Request("Reading", tasks.read_run, *arguments, is_here=True, **options))


def _from_here() -> Run | None:
    """The run that was asked for last, once it is ready."""
    _ask()
    options = st.session_state.get("_reproduce")
    if options is None:
        return None
    try:
        raw = results.reproduce(options)
    except DataError as error:
        st.error(literal(error))
        return None
    return None if raw is None else Run(raw, "This run was made here.", script("here", options))


def _ask() -> None:
    """Controls for a run that is not too long, and the button that starts it."""
    names = [name for name, entry in catalogue()[0].items() if entry.is_available]
    row = st.container(horizontal=True, vertical_alignment="bottom")
    dataset = draw(CONTROLS["paper_set"], rule=Among(tuple(names)), place=row, width=200)
    seeds = draw(CONTROLS["paper_seeds"], place=row, width=150)
    runs = draw(CONTROLS["paper_runs"], place=row, width=150)
    ranks = draw(CONTROLS["paper_ranks"], place=row)
    methods = draw(CONTROLS["paper_methods"])
    options = paper.Options((dataset,), tuple(methods), tuple(ranks), seeds, clustering_runs=runs)
    st.button(
        "Run",
        type="primary",
        on_click=_start,
        args=(options,),
        disabled=not (ranks and methods),
        help="Every fit waits for its turn, so that others can work meanwhile.",
    )


def _start(options: paper.Options) -> None:
    st.session_state["_reproduce"] = options
    bars.begin_again(results.PROTOCOL)


DEVIATION = "deviation_"  # and its id: the key of a link


def check_link(ids: Sequence[str]) -> None:
    """Say which deviation a new visitor's link asks for that has none of these ids."""
    for key in list(st.query_params):
        if key.startswith(DEVIATION) and key.removeprefix(DEVIATION) not in ids:
            asked = links.quoted(key, st.query_params[key])
            links.drop(key, f"The link has {asked}, which is none of the deviations here.")


def deviation(id: str, label: str) -> Any:
    """An expander that a link opens."""
    return st.expander(label, key=f"{DEVIATION}{id}", bind="query-params")


def tabs() -> dict[str, Any]:
    """Code → tab. Only the open one is to be made; a link opens it."""
    setting = CONTROLS["paper_tab"]
    place = links.carrier(setting.key)
    label = TABS[draw(setting, place=place, carrier=place)]
    shown = f"{setting.key}_shown"
    if st.session_state.get(shown) != label:
        st.session_state[shown] = label
    return dict(zip(TABS, st.tabs(list(TABS.values()), key=shown, on_change=_open), strict=True))


def _open() -> None:
    """Have the link carry the code of the tab that was opened."""
    key = CONTROLS["paper_tab"].key
    codes = {label: code for code, label in TABS.items()}
    st.session_state[key] = codes[st.session_state[f"{key}_shown"]]
