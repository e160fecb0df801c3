"""Paper: its tables and figures beside what this code gives, and everything we changed."""

import streamlit as st

from epca import paper
from epca.literal import literal
from epca.paper.published import NOTES, unit_text
from epca.paper.tables import TITLES, TOLERANCE
from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import chosen
from epca.ui.frame.fragments import fragment
from epca.ui.frame.heading import head
from epca.ui.parts import charts, downloads, reproduction
from epca.views import reported
from epca.views.paper import DEVIATIONS, coloured, has_data, legend, named, places, verdicts

FIGURES = ("paper_difference", "paper_loss", "paper_sigma", "paper_rank")

router.enter()


def show_findings(run):
    """The first screen: what holds and what does not, and how many errors are near by place."""
    if run.n_failed:
        count = f"{run.n_failed} of {len(run.raw)}"
        st.warning(f"{count} fits failed; they are left out of the means.")
        st.code(run.failed_text, None, height=150)
    if not run.findings:
        st.markdown("The paper has no figures for these images.")
        return
    with st.container(key="findings"):
        st.table(verdicts(run.findings), hide_index=True)
        row = st.container(horizontal=True, vertical_alignment="center")
        row.table(places(run.table), width="content")
        row.markdown(
            f"Mean errors within {TOLERANCE:.0%} of Table I, EPCA with σ as in the paper; green "
            "where all are. A place is a data set at one rank c. Colours only where the images are "
            "the paper's own."
        )


def show_tables(run, measure):
    """Table I or III, a part for each data set."""
    st.header(TITLES[measure])
    st.markdown(legend(measure))
    for dataset in run.datasets:
        show_table(run, measure, dataset)


def show_table(run, measure, dataset):
    """One data set's part of Table I or III."""
    is_error = measure == "error"
    name = literal(dataset)
    st.subheader(f"{name}, in {unit_text(dataset)}" if is_error else name)
    if dataset in NOTES:
        st.markdown(f"**Not to be compared one to one: {NOTES[dataset]}.**")
    if not run.has(measure, dataset):
        st.markdown("No error is known." if is_error else "Nothing was clustered in this run.")
        return
    row = st.container(horizontal=True)
    for part in coloured(run.table, measure, dataset):
        row.table(part, width="content")


def show_figures(run):
    """Table I as a picture where there is something to compare, and Figs. 2, 3 and 4."""
    for key, figure in zip(FIGURES, paper.figures(run.raw), strict=True):
        if has_data(figure):
            charts.show(figure, key)
        else:
            st.markdown(f"{figure.layout.title.text}: nothing of it was run.")


def show_activation(run):
    """How many samples were activated, whether they are clean, whether fits collapsed."""
    rows = paper.activation(run.table)
    if rows:
        st.table(named(rows), hide_index=True)
    else:
        st.markdown("No method of this run activates samples.")


PARTS = {
    "Table I": lambda run: show_tables(run, "error"),
    "Table III": lambda run: show_tables(run, "accuracy"),
    "Figures": show_figures,
    "How EPCA fared": show_activation,
    "What was run": lambda run: st.table(named(paper.extent(run.raw)), hide_index=True),
}


@fragment
def show_changes():
    """The protocol, then every deviation by kind."""
    st.header("Protocol")
    st.markdown(paper.PROTOCOL)
    st.header("What we changed and why")
    items = paper.deviations()
    reproduction.check_link([item.id for item in items])
    for kind, title in DEVIATIONS.items():
        found = [item for item in items if item.kind == kind]
        st.subheader(f"{title} ({len(found)})")
        for item in found:
            with reproduction.deviation(item.id, f"**{item.place}.** {item.what}"):
                show_deviation(item)


def show_deviation(item):
    """What we do, and the lines of code that show it."""
    st.markdown(f"**Here:** {item.ours}")
    for place in item.shown:
        found = paper.source(place)
        path, name = place.split("::")
        if found is None:
            st.markdown(f"`{name}` in `{path}` of the source, which is not installed here.")
        else:
            st.markdown(f"`{name}` in `{path}`, line {found.line}:")
            st.code(found.text, None, wrap_lines=True)  # its colours are too pale to read


top = head(
    "Paper",
    "What R. Zhang, H. Zhang, X. Li, *Enhanced Principal Component Analysis under a "
    "Collaborative-Robust Framework*, report, and what this code gives.",
)
place = st.container()
show_changes()
with place:  # last, for a run takes its time, and what stands below is worth reading meanwhile
    run = reproduction.choose()
    if run is not None:
        show_findings(run)
        for code, tab in reproduction.tabs().items():
            if tab.open:
                with tab:
                    PARTS[code](run)
        parts = {"table": run.table, "raw": run.raw, "report": lambda: reported.of_paper(run)}
        downloads.offer("paper", run.code, **parts, settings=chosen(CONTROLS["source"]))
        downloads.show_menu(top.export)
