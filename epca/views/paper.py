"""What the page Paper shows of a run: what holds, its tables coloured, its script."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from epca import paper
from epca.literal import literal
from epca.paper.findings import FAILS, HOLDS, MOSTLY, near, one_rule
from epca.paper.published import NOTES
from epca.paper.tables import ABOVE, BELOW
from epca.views.texts import UNKNOWN

INK = "color: #000000; background-color: "  # readable in light and dark alike
COLOURS = {ABOVE: f"{INK}#F6CBAA", BELOW: f"{INK}#B9DBF0"}  # tints of the palette, by the mark
NEAR = f"{INK}#C5E8DB"
VERDICTS = {HOLDS: NEAR, MOSTLY: NEAR, FAILS: COLOURS[ABOVE]}
SOURCES = {"shipped": "shipped run", "file": "your raw.csv", "here": "run here"}  # code → label
TABS = {  # code → label
    "Table I": "Table I",
    "Table III": "Table III",
    "Figures": "Figures",
    "How EPCA fared": "How EPCA fared",
    "What was run": "What was run",
}
FAILURES_SHOWN = 100
DEVIATIONS = {  # kind → title
    "erratum": "Errors in the paper",
    "open": "What the paper leaves open",
    "choice": "What we do otherwise",
}
SCRIPT = (
    '"""Paper, as EPCA Lab showed it. Needs the package epca."""\n\n'
    "{start}\n# What the page's tables are made of.\n"
    'print(paper.summary(raw).drop(columns="seconds").to_string(index=False))\n'
)
STARTS = {
    "shipped": (
        "from epca import paper\n\n# The run that comes with the package.\nraw = paper.shipped()\n"
    ),
    "file": (
        "from epca import paper\n\n# The file you uploaded: give its path.\nraw = paper.read({})\n"
    ),
    "here": (
        "from tempfile import TemporaryDirectory\n\nfrom epca import paper\n\n"
        "# The run with these options.\n"
        "options = paper.{}\n"
        "with TemporaryDirectory() as folder:\n"
        "    raw = paper.run(paper.plan(options), folder)\n"
    ),
}


@dataclass(frozen=True)
class Run:
    """A finished run: its raw table, what it is, and the script that gives it."""

    raw: pd.DataFrame
    text: str
    code: str

    @cached_property
    def table(self) -> pd.DataFrame:
        return paper.summary(self.raw)

    @cached_property
    def findings(self) -> list[paper.Finding]:
        return paper.findings(self.table)

    @property
    def sentence(self) -> str:
        """What it is, and how much of it agrees with the paper."""
        return " ".join(filter(None, [self.text, paper.agreement(self.table)]))

    @property
    def figures(self) -> list[go.Figure]:
        """Those that have something to show."""
        return [figure for figure in paper.figures(self.raw) if has_data(figure)]

    @property
    def n_failed(self) -> int:
        return int((self.raw["failure"] != "").sum())

    @property
    def failed_text(self) -> str:
        """The fits that failed, a line each, the first of many: a page must not grow with them."""
        columns = ["dataset", "seed", "n_components", "method", "failure"]
        failed = self.raw.loc[self.raw["failure"] != "", columns]
        text = failed.head(FAILURES_SHOWN).to_string(index=False)
        more = len(failed) - FAILURES_SHOWN
        return f"{text}\n… and {more:,} more; raw.csv has all." if more > 0 else text

    @property
    def datasets(self) -> list[str]:
        return list(dict.fromkeys(self.table["dataset"]))

    def has(self, measure: str, dataset: str) -> bool:
        """Whether the measure is known of a data set."""
        return self.table.loc[self.table["dataset"] == dataset, measure].notna().any()


def has_data(figure: go.Figure) -> bool:
    return any(len(trace.x) for trace in figure.data)


def named(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Rows of a table in which the data set's name, from somebody's file, is shown as it is."""
    return [row | {"data set": literal(row["data set"])} for row in rows]


def script(source: str, argument: Any = None) -> str:
    """The Python that prints the summary of a run from this source."""
    return SCRIPT.format(start=STARTS[source].format(repr(argument)))


def legend(measure: str) -> str:
    """What the colours and marks of a table mean."""
    unit = "%" if measure == "error" else " points"
    far = f"{100 * paper.TOLERANCE:g}{unit}"
    return (
        f"Mean ± standard deviation over the seeds. {ABOVE} orange: more than {far} above the "
        f"paper's. {BELOW} blue: more than {far} below. Green, no mark: nearer. "
        f"{UNKNOWN}: the paper has no figure. Where the images are not the paper's own, "
        "differences have neither mark nor colour."
    )


def verdicts(findings: list[paper.Finding]) -> Any:
    """What the paper reports beside what a run gives; the verdict has its colour."""
    names = ["what the paper reports", "what we find", "verdict"]
    shown = pd.DataFrame(findings, columns=names)
    shown["verdict"] = shown["verdict"].map(_unbroken)
    colours = {_unbroken(verdict): colour for verdict, colour in VERDICTS.items()}
    return shown.style.map(lambda verdict: colours.get(verdict, ""), subset=["verdict"])


def _unbroken(text: str) -> str:
    """The text on one line."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def places(table: pd.DataFrame) -> Any:
    """By data set and rank: how many mean errors are near the paper's.

    Green where all are. Images that are not the paper's own have no colour.
    """
    rows = one_rule(table)
    rows = rows[rows["error_difference"].notna()]
    cells = {}
    for (dataset, c), part in rows.groupby(["dataset", "n_components"], sort=False):
        cells.setdefault(dataset, {})[f"c = {c}"] = f"{near(part)} of {len(part)}"
    shown = pd.DataFrame.from_dict(cells, orient="index").fillna(UNKNOWN).rename_axis("data set")
    return shown.style.apply(_green, axis=1)


def _green(row: pd.Series) -> list[str]:
    def is_full(text: str) -> bool:
        count, _, whole = text.partition(" of ")
        return row.name not in NOTES and count == whole

    return [NEAR if is_full(text) else "" for text in row]


def coloured(table: pd.DataFrame, measure: str, dataset: str) -> Iterator[Any]:
    """Table I or III of a data set, a part per rank, so that they fit a narrow window.

    Every difference has its mark and its colour, but not where the images are not the paper's own;
    a dash stands where the paper has no figure.
    """
    shown = pd.DataFrame(paper.paper_table(table, measure, dataset))
    shown = shown.replace({"": UNKNOWN, "nan": UNKNOWN})
    labels = shown.pop("method").str.split(":").str[0]
    shown = shown.set_index(labels).map(_unbroken)
    for name in shown.columns[::3]:
        part = shown[[name, f"paper, {name}", f"difference, {name}"]]
        part = part.set_axis(["ours", "paper", "difference"], axis=1).rename_axis(name)
        if dataset in NOTES:
            part["difference"] = part["difference"].str.rstrip(f"{ABOVE}{BELOW}\N{NO-BREAK SPACE}")
            yield part.style
        else:
            yield part.style.map(_colour, subset=["difference"])


def _colour(text: str) -> str:
    return "" if text == UNKNOWN else COLOURS.get(text[-1], NEAR)
