"""What the page Paper shows: the paper's tables and figures beside ours, from a finished run or one made here."""

from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from tempfile import TemporaryDirectory

import pandas as pd
import streamlit as st

from epca import paper
from epca.data import DataError, catalogue
from epca.paper.protocol import forget
from epca.paper.published import NOTES, unit_text
from epca.paper.tables import ABOVE, BELOW, TITLES
from epca.registry import METHODS
from epca.ui import charts, downloads, memory, store, work

SOURCES = ("shipped run", "your raw.csv", "run here")
PAPERS_OWN = "orl-cai"  # compared one to one
WHICH = f"One that is here. Only {PAPERS_OWN} is the paper's own crop of ORL."
RANKS, FIRST_RANKS = (
    (10, 30, 50),
    (10, 30),
)  # of a run here: the paper's, and those that are not slow
SEEDS, CLUSTERINGS = 10, 20  # at most
INK = "color: #000000; background-color: "  # readable in light and dark alike
COLOURS = {
    ABOVE: f"{INK}#F6CBAA",
    BELOW: f"{INK}#B9DBF0",
}  # by a difference's mark: tints of the palette's orange and blue
NEAR = f"{INK}#C5E8DB"  # of its green
KINDS = {
    "erratum": "Errors in the paper",
    "open": "What the paper leaves open",
    "choice": "What we do otherwise",
}
SCRIPT = (
    '"""Paper, as EPCA Lab showed it. Needs the package epca."""\n\n'
    '{start}print(paper.summary(raw).drop(columns="seconds").to_string(index=False))\n'
)
STARTS = {
    "shipped run": "from epca import paper\n\nraw = paper.shipped()\n",
    "your raw.csv": "from epca import paper\n\nraw = paper.read({})  # The file you uploaded: give its path.\n",
    "run here": (
        "from tempfile import TemporaryDirectory\n\nfrom epca import paper\n\noptions = paper.{}\n"
        "with TemporaryDirectory() as folder:\n    raw = paper.run(paper.plan(options), folder)\n"
    ),
}


@dataclass(frozen=True)
class Run:
    """A finished run: its raw table, what it is, and the script that gives it."""

    raw: pd.DataFrame
    text: str
    code: str

    @cached_property
    def table(self):
        return paper.summary(self.raw)


def script(source, argument=None):
    """The Python that prints the summary of a run from this source."""
    return SCRIPT.format(start=STARTS[source].format(repr(argument)))


def choose():
    """Ask where the figures come from; the Run, or None where there is none yet."""
    source = st.segmented_control(
        "Figures from", SOURCES, default=SOURCES[0], required=True, key="source", bind="query-params",
        help="A small run over the built-in faces comes along; `epca reproduce` makes larger ones.",
    )  # fmt: skip
    return {"shipped run": _shipped, "your raw.csv": _from_file, "run here": _from_here}[source]()


def _shipped():
    text = "This run comes with the package; `epca reproduce` makes such runs."
    return Run(_shipped_rows(), text, script("shipped run"))


@st.cache_resource(show_spinner=False)
def _shipped_rows():
    return paper.shipped()


def _from_file():
    """The run in a file, which stays until another one comes; what is wrong with a file is said, and the former run stays."""
    file = st.file_uploader(
        "The raw.csv of a finished run",
        key="raw",
        help="`epca reproduce` writes it into its folder.",
    )
    if file is not None and st.session_state.get("_raw_id") != file.file_id:
        try:
            st.session_state["_raw"] = file.name, paper.read_bytes(file.name, file.getvalue())
            st.session_state["_raw_id"] = file.file_id
        except ValueError as error:
            st.error(str(error))
    if "_raw" not in st.session_state:
        return None
    name, raw = st.session_state["_raw"]
    return Run(raw, f"{len(raw)} fits read from your file.", script("your raw.csv", name))


def _from_here():
    """The run that was asked for last, computed with progress or taken as kept."""
    _ask()
    options = st.session_state.get("_reproduce")
    if options is None:
        return None
    try:
        images = store.load(options.datasets[0])
    except DataError as error:
        st.error(str(error))
        return None
    raw = work.run((images.digest, options), "The paper's protocol", _kept_run, images, options)
    return None if raw is None else Run(raw, "This run was made here.", script("run here", options))


def _ask():
    """Controls for a run of a bearable size, and the button that starts it."""
    names = [name for name, entry in catalogue()[0].items() if entry.is_here]
    first = PAPERS_OWN if PAPERS_OWN in names else names[0]
    row = st.container(horizontal=True, vertical_alignment="bottom")
    dataset = row.selectbox(
        "Data set",
        names,
        names.index(first),
        key="paper_set",
        bind="query-params",
        help=WHICH,
        width=200,
    )
    seeds = _number(row, "Seeds", 1, SEEDS, 2, "paper_seeds", "Each draws its own occlusion.")
    runs = _number(
        row,
        "Runs of k-means",
        0,
        CLUSTERINGS,
        0,
        "paper_runs",
        "For Table III; the paper says 100. 0 leaves it out.",
    )
    ranks = _several(row, "Ranks c", RANKS, FIRST_RANKS, "paper_ranks", "The paper's; 50 is slow.")
    methods = _several(
        st,
        "Methods",
        tuple(METHODS),
        tuple(METHODS),
        "paper_methods",
        "EPCA has three rows: one for each rule of choosing σ.",
    )
    options = paper.Options((dataset,), tuple(methods), tuple(ranks), seeds, clustering_runs=runs)
    st.button(
        "Run", type="primary", on_click=_start, args=(options,), disabled=not (ranks and methods),
        help="Every fit waits for its turn, so that others can work meanwhile.",
    )  # fmt: skip


def _number(place, label, low, high, default, key, text):
    return place.number_input(
        label, low, high, default, key=key, bind="query-params", help=text, width=150
    )


def _several(place, label, options, default, key, text):
    return place.multiselect(
        label, options, default=default, key=key, bind="query-params", help=text
    )


def _start(options):
    st.session_state["_reproduce"] = options
    st.session_state.pop("_cancelled", None)


def _reproduce(digest, options, _progress, _images):
    """The raw table; what a run writes down meanwhile goes with its folder, however it ends."""
    with TemporaryDirectory(prefix="epca-") as folder, ExitStack() as turn:
        raw = paper.run(paper.plan(options), folder, Turns(turn, _progress))
        return work.keep(raw, raw["failure"])


memory.SHARED.append(forget)
_kept_run = store.cached(_reproduce, shared=8, private=1)


class Turns:
    """A run's callback that gives its place in the line away after every fit, and waits for the next."""

    def __init__(self, turn, progress):
        self.turn, self.progress, self.done = turn, progress, None

    def __call__(self, done, total, _):
        if done != self.done:
            self.turn.close()
            self.done = done
            if done < total:
                self.turn.enter_context(self.progress.turn(done / total))
        self.progress(done, total, f"{done} of {total} fits done")


def show(run):
    """All that a run gives, and its downloads."""
    show_tables(run)
    st.header("Figures")
    show_figures(run)
    downloads.offer("paper", run.code, table=run.table, raw=run.raw)


def show_tables(run):
    """What was run, how near it comes, then Tables I and III of each data set."""
    st.markdown(" ".join(filter(None, [run.text, paper.agreement(run.table)])))
    st.table(paper.extent(run.raw), hide_index=True)
    failed = run.raw[run.raw["failure"] != ""]
    if len(failed):
        st.warning(f"{len(failed)} of {len(run.raw)} fits failed; they are left out of the means.")
        st.code(
            failed[["dataset", "seed", "n_components", "method", "failure"]].to_string(index=False),
            None,
            height=150,
        )
    for measure, title in TITLES.items():
        st.header(title)
        st.markdown(
            f"Mean ± standard deviation over the seeds. {ABOVE} orange: more than {_far(measure)} above the paper's. "
            f"{BELOW} blue: more than {_far(measure)} below. Green, no mark: nearer. –: the paper has no figure."
        )
        for dataset in dict.fromkeys(run.table["dataset"]):
            _show_table(run, measure, dataset)


def _far(measure):
    return f"{100 * paper.TOLERANCE:g}{'%' if measure == 'error' else ' points'}"


def _show_table(run, measure, dataset):
    st.subheader(f"{dataset}, in {unit_text(dataset)}" if measure == "error" else dataset)
    if dataset in NOTES:
        st.markdown(f"**Not to be compared one to one: {NOTES[dataset]}.**")
    if run.table.loc[run.table["dataset"] == dataset, measure].isna().all():
        st.markdown(
            "Nothing was clustered in this run." if measure == "accuracy" else "No error is known."
        )
        return
    row = st.container(horizontal=True)
    for part in coloured(run.table, measure, dataset):
        row.table(part, width="content")


def coloured(table, measure, dataset):
    """Table I or III of a data set, a part for each rank, so that they fit a narrow window below each other.

    Every difference has its mark and its colour; a dash stands where the paper has no figure.
    """
    shown = pd.DataFrame(paper.paper_table(table, measure, dataset)).replace({"": "–", "nan": "–"})
    shown = shown.set_index(shown.pop("method").str.split(":").str[0]).map(
        lambda text: text.replace(" ", "\N{NO-BREAK SPACE}")
    )
    for name in shown.columns[::3]:
        part = shown[[name, f"paper, {name}", f"difference, {name}"]].set_axis(
            ["ours", "paper", "difference"], axis=1
        )
        part = part.rename_axis(name)
        yield part.style.map(
            lambda text: "" if text == "–" else COLOURS.get(text[-1], NEAR), subset=["difference"]
        )


def show_figures(run):
    """Table I as a picture where there is something to compare, and Figs. 2, 3 and 4 as far as they were run."""
    for key, figure in zip(
        ("paper_difference", "paper_loss", "paper_sigma", "paper_rank"),
        paper.figures(run.raw),
        strict=True,
    ):
        if any(len(trace.x) for trace in figure.data):
            charts.show(figure, key)
        else:
            st.markdown(f"{figure.layout.title.text}: nothing of it was run.")
    rows = paper.activation(run.table)
    if rows:
        st.header("How EPCA fared")
        st.table(rows, hide_index=True)


@memory.fragment
def show_changes():
    """The protocol, then every deviation by kind; open, it shows what we do and the lines of code that show it."""
    st.header("Protocol")
    st.markdown(paper.PROTOCOL)
    st.header("What we changed and why")
    items = paper.deviations()
    for kind, title in KINDS.items():
        chosen = [(number, item) for number, item in enumerate(items, start=1) if item.kind == kind]
        st.subheader(f"{title} ({len(chosen)})")
        for number, item in chosen:
            with st.expander(
                f"**{item.place}.** {item.what}", key=f"deviation_{number}", bind="query-params"
            ):
                _show_deviation(item)


def _show_deviation(item):
    st.markdown(f"**Here:** {item.ours}")
    for place in item.shown:
        found = paper.source(place)
        path, name = place.split("::")
        if found is None:
            st.markdown(f"`{name}` in `{path}` of the source, which is not installed here.")
        else:
            st.markdown(f"`{name}` in `{path}`, line {found.line}:")
            st.code(
                found.text, None, wrap_lines=True
            )  # uncoloured, for its colours are too pale to read
