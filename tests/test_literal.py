"""Text from outside means nothing to Markdown, HTML or a spreadsheet."""

import pytest

from epca.literal import JOINER, literal, literal_cell, literal_html
from tests.outside import HOSTILE, is_active


@pytest.mark.parametrize("text", HOSTILE)
def test_literal(text):
    assert is_active(text)
    assert not is_active(literal(text))
    assert literal(text).replace("\\", "").replace(JOINER, "") == text.replace("\\", "")


def test_line_breaks_are_blanks():
    assert literal("a\n\n# b\n    c") == r"a \# b c"


def test_plain_names_stay_as_they_are():
    for text in ("mine.npy: 12 images of 8 × 8 pixels", "s1", "Ann-Marie (2)", "50%, a/b"):
        assert literal(text) == text


def test_html():
    assert literal_html("<a href='x'>&") == "&lt;a href=&#x27;x&#x27;&gt;&amp;"


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-x", "@sum", " =1", "＝1", "\u200b=1", "\ufeff ＠a"]
)
def test_formulas_are_no_formulas_in_a_csv(text):
    assert literal_cell(text) == f"'{text}"
    assert literal_cell(-1.5) == -1.5
    assert literal_cell("a-b") == "a-b"
