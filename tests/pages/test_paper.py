"""The page Paper: its numbers are the library's, files are checked, runs leave nothing behind."""

import csv
import io
import re
import tempfile

import numpy as np
import pytest

from epca import paper, tasks
from epca.paper.protocol import COLUMNS
from epca.paper.tables import signed
from epca.registry import PAPER_METHODS
from epca.ui.jobs.executors import Cancelled
from epca.views import paper as page
from tests.driven import finish
from tests.raw_csv import SHIPPED, changed, text_of
from tests.views.test_paper import plain
from tests.visit import ROOT, execute, followed, leave, press, texts, visit

SMALL = {
    "source": "here",
    "paper_set": "orl",
    "paper_seeds": "1",
    "paper_ranks": ["10"],
    "paper_methods": ["PCA", "PCA-OM"],
}


def said(app):
    return " ".join([*texts(app), *(caption.value for caption in app.main.caption)])


def tables(app):
    """Table I or III, a part for each rank."""
    return [table.value for table in app.table if "paper" in table.value]


# What is shown


def test_the_first_screen_says_what_holds_and_what_does_not():
    app = visit("paper")
    assert not app.exception
    assert app.title[0].value == "Paper"
    claims, places, *_ = [table.value for table in app.table]
    expected = paper.findings(paper.summary(paper.shipped()))
    columns = ["what the paper reports", "what we find", "verdict"]
    rows = [tuple(map(plain, row)) for row in claims[columns].to_numpy().tolist()]
    assert rows == [tuple(finding) for finding in expected]
    assert places.index.tolist() == ["orl-cai", "yale", "coil20", "jaffe", "umist"]
    assert places.loc["orl-cai", "c = 10"] == "9 of 9"
    assert set(places.loc["umist"]) == {"0 of 9"}
    assert "sidebar" not in said(app)
    assert not app.sidebar.button  # its controls are hidden


def test_the_page_does_not_depend_on_the_experiment():
    """A link's experiment is carried along, but the same is shown."""
    first, second = (
        [table.value.to_csv() for table in visit("paper", **query).table]
        for query in ({}, {"dataset": "digits", "c": "5", "samples": "50"})
    )
    assert first == second


def test_the_shipped_run_is_shown_beside_the_paper():
    app = visit("paper")
    parts = tables(app)
    assert len(parts) == 15
    table = paper.summary(paper.shipped()).set_index(["dataset", "n_components", "method", "rule"])
    for c, error in zip((10, 30, 50), parts, strict=False):
        assert error.index.name == plain(f"c = {c}")
        row = table.loc[("orl-cai", c, "EPCA", "oracle")]
        shown = {key: plain(text) for key, text in error.loc["EPCA, oracle"].items()}
        assert shown["ours"] == f"{row['error'] / 1e8:.2f} ± {row['error_sd'] / 1e8:.2f}"
        assert shown["paper"] == f"{paper.published('error', 'orl-cai', c, 'EPCA') / 1e8:.2f}"
        assert shown["difference"].split()[0] == signed(row["error_difference"], ".1%")
        rules = [f"EPCA, {rule}" for rule in paper.RULES]
        assert list(error.index) == [*rules, *PAPER_METHODS[1:]]
    assert "**Not to be compared one to one: the paper's crop is not known.**" in said(app)
    assert "77 of 99 mean errors are within 5% of the paper's." in said(app)


@pytest.mark.parametrize(
    ("tab", "count"), [("Table III", 15), ("Figures", 0), ("How EPCA fared", 0)]
)
def test_a_link_opens_a_tab_and_only_that_is_made(tab, count):
    app = visit("paper", paper_tab=tab)
    assert not app.exception
    assert len(tables(app)) == count
    assert len(app.get("plotly_chart")) == (4 if tab == "Figures" else 0)
    fared = [table.value for table in app.table if "activated" in table.value]
    assert [len(table) for table in fared] == ([45] if tab == "How EPCA fared" else [])


def test_every_deviation_and_the_lines_that_show_it_are_listed():
    app = visit("paper")
    titles = [expander.label for expander in app.expander]
    assert sum(title.startswith("**") for title in titles) == len(paper.deviations())
    codes = [code.value for code in app.code]
    for item in paper.deviations():
        assert f"**{item.place}.** {item.what}" in titles
        assert f"**Here:** {item.ours}" in said(app)
        for place in item.shown:
            found = paper.source(place)
            path, name = place.split("::")
            assert found.text in codes
            assert f"`{name}` in `{path}`, line {found.line}:" in said(app)
            lines = (ROOT / path).read_text().splitlines()
            assert lines[found.line - 1] == found.text.splitlines()[0]
            assert re.search(rf"^(def|class) {name}\b|^{name} =", found.text, re.MULTILINE)
    assert all(part in said(app) for part in ("Eq. 57", "oracle", "The baselines are not tuned"))


def test_where_tests_are_not_installed_their_names_are_said(monkeypatch, tmp_path):
    monkeypatch.setattr("epca.paper.shown.ROOT", tmp_path)
    app = visit("paper")
    assert not app.exception
    assert not app.code
    place = "`test_kkt` in `tests/test_activation.py`"
    assert f"{place} of the source, which is not installed here." in said(app)


def test_a_link_restores_the_view():
    app = visit("paper", **SMALL, paper_runs="2")
    assert app.selectbox(key="paper_set").value == "orl"
    assert app.number_input(key="paper_seeds").value == 1
    assert app.number_input(key="paper_runs").value == 2
    assert app.multiselect(key="paper_ranks").value == [10]
    assert not app.main.warning


def test_bad_values_in_a_link_are_said():
    app = visit(
        "paper",
        source="here",
        paper_set="nowhere",
        paper_seeds="99",
        paper_runs="x",
        paper_ranks=["11"],
        paper_methods=["Q"],
    )
    assert not app.exception
    keys = ["paper_set", "paper_seeds", "paper_runs", "paper_ranks", "paper_methods"]
    said_once = app.main.warning[0].value.split("  \n")
    assert {text.split("=")[0] for text in said_once} == {f"The link has `{key}" for key in keys}
    assert "The link has `source=none`" in visit("paper", source="none").main.warning[0].value


# A run made here


def test_a_run_here_gives_the_library_s_rows_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    app = visit("paper", **SMALL)
    assert not tables(app)
    press(app, "Run")
    assert not app.exception
    error, *_ = tables(app)
    options = paper.Options(("orl",), ("PCA", "PCA-OM"), (10,), 1, clustering_runs=0)
    raw = paper.run(paper.plan(options), tmp_path / "mine")
    expected = {
        row["method"]: f"{row['error'] / 1e8:.2f}" for row in paper.summary(raw).to_dict("records")
    }
    assert error["ours"].to_dict() == expected
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("tab", "text"),
    [
        ("Table III", "Nothing was clustered in this run."),
        ("Figures", "Fig. 3: error over σ at c = 10: nothing of it was run."),
        ("How EPCA fared", "No method of this run activates samples."),
    ],
)
def test_what_a_run_lacks_is_said(tab, text):
    app = visit("paper", **SMALL, paper_tab=tab)
    press(app, "Run")
    assert not app.exception
    assert text in said(app)


def test_sets_that_the_paper_has_not_get_no_difference():
    app = visit("paper", **SMALL | {"paper_set": "digits"})
    press(app, "Run")
    assert not app.exception
    error, *_ = tables(app)
    assert set(error["difference"]) == set(error["paper"]) == {"–"}
    assert "The paper has no figures for these images." in said(app)


def test_without_ranks_or_methods_nothing_can_be_started():
    app = visit("paper", **SMALL)
    app.multiselect(key="paper_ranks").set_value([]).run()
    assert next(button for button in app.button if button.label == "Run").disabled


def test_what_cannot_be_run_is_said_in_one_sentence(monkeypatch, tmp_path, faces):
    np.savez(tmp_path / "few.npz", images=faces.images[:8], labels=faces.labels[:8])
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    app = visit("paper", **SMALL | {"paper_set": "few"})
    press(app, "Run")
    assert not app.exception
    assert app.error[0].value.startswith(
        "The paper's protocol failed: ranks=10 must be between 1 and 7 for few. Change a setting"
    )


@pytest.mark.slow
def test_a_cancelled_run_leaves_no_files(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    held = []

    def cancel(share, text):
        held.append(list(tmp_path.iterdir()))
        if text.startswith("2 of 3 fits done"):
            raise Cancelled

    options = paper.Options(("orl",), ("PCA", "PCA-OM", "R1PCA"), (10,), 1)
    with pytest.raises(Cancelled):
        finish(tasks.reproduce(options), tell=cancel)
    assert any(held)
    assert list(tmp_path.iterdir()) == []


def test_every_fit_of_a_run_is_a_step_before_which_others_may_come():
    steps = []
    options = paper.Options(("orl",), ("PCA", "PCA-OM", "R1PCA"), (10,), 1, clustering_runs=0)
    raw = finish(tasks.reproduce(options), at_step=lambda *report: steps.append(report))
    assert steps == [(i / 3, f"{i} of 3 fits done") for i in range(3)]
    assert len(raw) == 3


def test_the_page_can_be_read_while_a_run_is_made():
    app = visit("paper", **SMALL | {"paper_seeds": "9", "paper_methods": ["R1PCA", "EPCA"]})
    next(button for button in app.button if button.label == "Run").click().run()
    assert not app.exception
    assert len(followed(app)) == 1
    assert "What we changed and why" in [header.value for header in app.main.header]
    assert not tables(app)
    leave(app)


@pytest.mark.slow
def test_a_file_is_shown_a_bad_one_after_it_is_refused_and_the_former_stays():
    app = visit("paper", source="file")
    assert not tables(app)
    lines = SHIPPED.splitlines(keepends=True)
    content = "".join([lines[0], *(line for line in lines if line.startswith("yale,"))]).encode()
    app.file_uploader(key="raw").upload("mine.csv", content).run()
    assert not app.exception
    assert "810 fits read from your file." in said(app)
    agreement = paper.agreement(paper.summary(paper.read_bytes("mine.csv", content)))
    assert agreement in said(app)
    assert re.fullmatch(r"\d+ of 33 mean errors are within 5% of the paper's\.", agreement)
    app.file_uploader(key="raw").upload("other.csv", b"a,b\n1,2\n").run()
    assert app.error[0].value.startswith("other.csv has 2 columns and must have 23.")
    assert len(tables(app)) == 3


@pytest.mark.slow
def test_a_file_is_not_read_by_the_server_itself(monkeypatch):
    monkeypatch.setattr("epca.paper.received._checked", None)  # its child has another
    app = visit("paper", source="file")
    app.file_uploader(key="raw").upload("mine.csv", SHIPPED.encode()).run()
    assert not app.exception
    assert "4050 fits read from your file." in said(app)


@pytest.mark.slow
def test_failed_fits_are_told():
    app = visit("paper", source="file")
    rows = list(csv.reader(io.StringIO(changed("failure", "no **memory**").decode())))
    rows[1][COLUMNS.index("error")] = ""
    app.file_uploader(key="raw").upload("mine.csv", text_of(rows)).run()
    assert "1 of 4050 fits failed" in app.main.warning[0].value
    assert any("no **memory**" in code.value for code in app.code)


# What one takes away


@pytest.mark.slow
@pytest.mark.parametrize("source", page.SOURCES)
def test_scripts_print_the_summary(source, tmp_path):
    options = paper.Options(("orl",), ("PCA", "EPCA"), (10,), 1, ("fixed",), 0)
    (tmp_path / "mine.csv").write_text(SHIPPED)
    arguments = {"shipped": (), "file": ("mine.csv",), "here": (options,)}
    printed = execute(page.script(source, *arguments[source]), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]
    raw = paper.shipped()
    if source == "here":
        raw = paper.run(paper.plan(options), tmp_path / "run")
    expected = paper.summary(raw).drop(columns="seconds").to_string(index=False)
    assert printed.split() == expected.split()
