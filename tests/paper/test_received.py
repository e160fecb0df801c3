"""A raw.csv that somebody gives: read as it was written, or refused in one sentence."""

import csv
import io
import re

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from epca import paper
from epca.data import confined
from epca.data.confined import Bounds
from epca.data.limits import MESSAGE_LENGTH
from epca.paper import received
from epca.paper.protocol import COLUMNS
from epca.views import paper as page
from tests.raw_csv import SHIPPED, changed, text_of


def test_a_good_file_is_read_as_it_was_written():
    again = paper.read_bytes("raw.csv", SHIPPED.encode())
    pd.testing.assert_frame_equal(
        paper.summary(again), paper.summary(paper.shipped()), check_dtype=False
    )
    assert len(paper.figures(again)) == 4


def test_what_is_true_or_false_may_be_written_so():
    raw = paper.read_bytes("raw.csv", changed("collapsed", "True"))
    assert raw["collapsed"].iloc[0] == 1
    assert paper.read_bytes("raw.csv", changed("converged", "False"))["converged"].iloc[0] == 0


@pytest.mark.slow
def test_a_child_reads_the_same():
    content = SHIPPED.encode()
    pd.testing.assert_frame_equal(
        paper.read_confined("raw.csv", content), paper.read_bytes("raw.csv", content)
    )
    with pytest.raises(ValueError, match=r"mine\.csv has 2 columns and must have 23\. Choose"):
        paper.read_confined("mine.csv", b"a,b")


@pytest.mark.slow
@pytest.mark.parametrize("bounds", [Bounds(memory=1), Bounds(seconds=0)])
def test_a_child_that_needs_too_much_is_ended(bounds):
    """Whatever ends it first, the answer is one sentence."""
    pytest.importorskip("resource", reason="this system has no limits for processes")
    with pytest.raises(ValueError, match=r"mine\.csv: .*; choose another file\."):
        confined.call(received.columns, "mine.csv", SHIPPED.encode(), bounds=bounds)


def test_a_long_failure_is_shortened():
    """Else a table of text would pad every line to its length."""
    raw = paper.read_bytes("raw.csv", changed("failure", "x" * 130_000))
    assert raw["failure"].str.len().max() == MESSAGE_LENGTH
    assert (raw["failure"] == "").sum() == len(raw) - 1


HEADER = ",".join(COLUMNS)
BAD = [
    (b"", "has 0 columns and must have 23."),
    (b"\x89PNG\r\n\x1a\n\xff", "is no table in CSV."),
    (b'"' + b"x" * 200_000, "is no table in CSV."),
    (SHIPPED.replace("sigma", "sigmb", 1).encode(), "lacks the columns sigma."),
    (HEADER.encode(), "has 0 rows and must have 1 to 20000."),
    (f"{HEADER}\n1,2\n".encode(), "has 2 cells in line 2 and must have 23."),
    (b"," * (received.MAX_BYTES + 2**17), "has 5.1 MB and must have at most 5."),
    (
        (HEADER + "\n" + "\n" * (received.MAX_ROWS + 1)).encode(),
        "has more than 20000 rows and must have 1 to 20000.",
    ),
    (changed("error", "many"), "has error=many in line 2, which must be a number from 0 to 1e+18."),
    (changed("error", "inf"), "has error=inf in line 2"),
    (changed("error", "nan"), "has error=nan in line 2"),
    (changed("error", "True"), "has error=True in line 2"),
    (changed("error", "-1", 7), "has error=-1 in line 7"),
    (changed("error", "1e300"), "has error=1e300 in line 2"),
    (changed("seed", ""), "has seed= in line 2, which must be a number from 0 to 1e+06."),
    (changed("seed", "0.5"), "has seed=0.5 in line 2, which must be a whole number."),
    (changed("sigma", "0"), "has sigma=0 in line 2, which must be above 0 for EPCA."),
    (
        changed("collapsed", "perhaps"),
        "has collapsed=perhaps in line 2, which must be a number from 0 to 1.",
    ),
    (changed("method", "QPCA"), "has method=QPCA in line 2, which must be one of EPCA, PCA"),
    (changed("rule", "best"), "has rule=best in line 2, which must be empty or one of oracle"),
    (
        changed("rule", ""),
        "has rule= in line 2, which must be given for EPCA and empty for the others.",
    ),
    (
        changed("dataset", "![x](http://example.com)"),
        "has dataset=��x��http���example.com� in line 2, which must be a name",
    ),
    (changed("rule", "fixed"), "has the same fit twice."),
]


@pytest.mark.parametrize(("content", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_a_bad_file_is_refused_in_one_sentence(content, message):
    with pytest.raises(ValueError, match=re.escape(f"mine.csv {message}")) as caught:
        paper.read_bytes("mine.csv", content)
    assert str(caught.value).endswith(received.WANTED)


def test_tables_that_nobody_could_read_are_refused():
    rows = list(csv.reader(io.StringIO(SHIPPED)))
    plain = next(row for row in rows if row[3] == "PCA")
    many = [rows[0], *([f"set {i}", *plain[1:]] for i in range(13))]
    with pytest.raises(
        ValueError, match="has 13 different values of dataset for the tables and must have 1 to 12"
    ):
        paper.read_bytes("x", text_of(many))
    search = [row for row in rows if row[4] in ("rule", "coarse")]
    with pytest.raises(ValueError, match="has 0 different values of dataset for the tables"):
        paper.read_bytes("x", text_of(search))


def refusal(content):
    try:
        paper.read_bytes("any.csv", content)
    except ValueError as error:
        return str(error)
    return ""


cells = st.one_of(
    st.sampled_from(["", "nan", "-0", "1e18", "1e-300", "True", "EPCA", "coarse", "=1+1", "<b>"]),
    st.floats().map(repr),
    st.text(),
)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.sampled_from(COLUMNS), st.integers(2, 12), cells), max_size=4),
    st.binary(max_size=20),
)
@example([], b"\xff")
@example([("failure", 2, "no memory")], b"")
def test_whatever_a_file_holds_it_is_shown_or_refused(changes, tail):
    rows = list(csv.reader(io.StringIO(SHIPPED)))[:12]
    for column, line, value in changes:
        rows[line - 1][COLUMNS.index(column)] = value
    content = text_of(rows) + tail
    if message := refusal(content):
        assert message.endswith(received.WANTED)
        assert not set("<>[]!*") & set(message)
        return
    raw = paper.read_bytes("any.csv", content)
    table = paper.summary(raw)
    assert len(paper.figures(raw)) == 4
    for dataset in set(table["dataset"]):
        for part in page.coloured(table, "error", dataset):
            part.to_html()
        assert not set("<>[]!*`") & set(dataset)
    page.verdicts(paper.findings(table)).to_html()
    page.places(table).to_html()
    paper.activation(table)
    paper.extent(raw)
