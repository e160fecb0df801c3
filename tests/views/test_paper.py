"""The tables of the page Paper: a mark and a colour where a comparison means something."""

import re

import numpy as np

from epca import paper
from epca.views import paper as page


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_of_many_fits_that_failed_the_first_are_told():
    raw = paper.shipped()
    raw["failure"] = [f"no {i}." for i in range(len(raw))]
    run = page.Run(raw, "", "")
    assert run.n_failed == len(raw)
    head, *lines, last = run.failed_text.splitlines()
    assert "failure" in head
    assert [line.split()[-1] for line in lines] == [f"{i}." for i in range(page.FAILURES_SHOWN)]
    assert last == f"… and {len(raw) - page.FAILURES_SHOWN:,} more; raw.csv has all."
    raw["failure"] = ["no.", *[""] * (len(raw) - 1)]
    assert len(page.Run(raw, "", "").failed_text.splitlines()) == 2


def test_verdicts_are_coloured_only_where_something_is_compared():
    table = paper.summary(paper.shipped())
    styled = page.verdicts(paper.findings(table))
    styled._compute()
    at = styled.data.columns.get_loc("verdict")
    for row, verdict in enumerate(styled.data["verdict"].map(plain)):
        assert dict(styled.ctx[row, at]).get("background-color") == {
            "holds": "#C5E8DB",
            "mostly holds": "#C5E8DB",
            "does not hold": "#F6CBAA",
        }.get(verdict)
    places = page.places(table)
    places._compute()
    counts = places.data.to_numpy()
    is_green = [[bool(places.ctx[row, at]) for at in range(3)] for row in range(5)]
    np.testing.assert_array_equal(is_green[:3], counts[:3] == "9 of 9")
    assert not np.any(is_green[3:])
    for part in page.coloured(table.assign(error_difference=0.2), "error", "umist"):
        part._compute()
        assert not any(part.ctx.values())
        assert set(part.data["difference"]) == {"+20.0%"}


def test_differences_carry_a_mark_and_a_colour():
    table = paper.summary(paper.shipped())
    differences = np.array([0.2, -0.2, 0.03, np.nan, 0.0500001, -0.05])
    table = table[table["n_components"] == 10].head(6).assign(error_difference=differences)
    (styled,) = page.coloured(table, "error", "orl-cai")
    column = "difference"
    assert [plain(text) for text in styled.data[column]] == [
        *("+20.0% ▲", "−20.0% ▼", "+3.0%", "–", "+5.0% ▲", "−5.0%")
    ]
    styled._compute()
    at = styled.data.columns.get_loc(column)
    colours = [dict(styled.ctx[row, at]).get("background-color") for row in range(6)]
    assert colours[3] is None
    assert len({colours[0], colours[1], colours[2]}) == 3
    assert [colours[4], colours[5]] == [colours[0], colours[2]]
    assert {dict(styled.ctx[row, at]).get("color") for row in (0, 1, 2)} == {"#000000"}


def luminance(colour):
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def test_colours_can_be_read():
    for style in (*page.COLOURS.values(), page.NEAR):
        ink, ground = re.findall("#[0-9A-F]{6}", style)
        assert (luminance(ground) + 0.05) / (luminance(ink) + 0.05) > 7


def test_the_legend_names_the_marks_the_colours_and_the_tolerance():
    assert page.legend("error") == (
        "Mean ± standard deviation over the seeds. ▲ orange: more than 5% above the paper's. "
        "▼ blue: more than 5% below. Green, no mark: nearer. –: the paper has no figure. "
        "Where the images are not the paper's own, differences have neither mark nor colour."
    )
    assert "more than 5 points above" in page.legend("accuracy")
