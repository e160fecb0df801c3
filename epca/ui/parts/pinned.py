"""The setting pinned as A beside the present one, B: only what differs."""

import pandas as pd
import streamlit as st

from epca.plots.samples import alpha_pair_figure
from epca.ui.frame.pinning import ANCHOR, unpin
from epca.ui.frame.settings import Setup
from epca.ui.parts import charts, results
from epca.ui.parts.faces import show_faces
from epca.views.comparison import OCCLUDED, Comparison

NEEDS_KNOWN = (
    "A and B are compared by PCA and EPCA, which take no unknown pixels. The images of one have "
    "some: unpin A, or choose other images."
)
ALIKE = "A and B are the same so far: change a setting and see what differs."


def show(setup: Setup, now: Comparison | None = None) -> None:
    """Settings, numbers, faces and weights of A and B; nothing where nothing is pinned.

    A preview waits for its exact fits first.

    now : PCA and EPCA of B, if they are at hand
    """
    if setup.pinned is None or (now is not None and now.is_preview):
        return
    row = st.container(horizontal=True, vertical_alignment="bottom")
    row.header("A, pinned, beside B, now", anchor=ANCHOR, width="content")
    row.button("Unpin A", on_click=unpin, help="Ends the comparison; B stays.")
    if any(images.unknown is not None for images in (setup.images, setup.pinned.images)):
        st.info(NEEDS_KNOWN)
        return
    pinned = results.compare(setup.pinned)
    now = results.compare(setup) if now is None else now
    differing = table({"A": (setup.pinned, pinned), "B": (setup, now)})
    if differing.empty:
        st.markdown(ALIKE)
    else:
        st.table(differing)
    row = charts.wide_row("pinned", least="20rem")
    for name, result in {"A": pinned, "B": now}.items():
        stages = result.named_stages
        rows = {f"{name}: {label}": stages[label] for label in (OCCLUDED, result.name)}
        with row.container():
            show_faces(rows, result.shown, key=f"pinned_{name}", spare=20, largest=4.5)
    alphas = [result.models["EPCA"].alpha_ for result in (pinned, now)]
    charts.show(alpha_pair_figure(*alphas), "alpha_pair")


def table(columns: dict[str, tuple[Setup, Comparison]]) -> pd.DataFrame:
    """The settings and numbers that differ, by row, A and B by column; all as text.

    The numbers have B's labels, for A's may speak of EPCA and B's of EPCA, left-out.
    """
    facts = {}
    labels = list(columns["B"][1].numbers)
    for name, (setup, result) in columns.items():
        found = [number for number, _ in result.numbers.values()]
        numbers = dict(zip(labels, found, strict=True))
        further = {
            "The weights' share of the objective": result.weights_share,
            "Iterations": str(result.models["EPCA"].n_iter_),
        }
        facts[name] = dict(setup.texts) | numbers | further
    found = pd.DataFrame(facts).rename_axis("setting or number")
    return found[found["A"] != found["B"]]
