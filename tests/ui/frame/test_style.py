"""The styles of every page: screen and paper always, larger type for a projector."""

import re
from pathlib import Path

import pytest

from epca import palette, ui
from epca.ui.frame import lesson, style
from tests.visit import visit


def sheets(app):
    return [element.proto.body for element in app.get("html") if "<style>" in element.proto.body]


def test_styles_are_on_the_page():
    app = visit("framework")
    assert sheets(app)[0] == f"<style>{style.STYLE}{style.PRINT}{style.BARE}</style>"


def test_only_a_page_without_an_experiment_hides_the_sidebar():
    assert style.BARE not in sheets(visit())[0]


def test_the_projector_enlarges_the_type_and_only_it():
    app = visit("framework", projector="true")
    assert (
        sheets(app)[0] == f"<style>{style.STYLE}{style.PRINT}{style.BARE}{style.PROJECTOR}</style>"
    )
    app.toggle(key="projector").set_value(False).run()
    assert style.PROJECTOR not in sheets(app)[0]


def test_a_wide_row_says_its_sizes():
    rows = sheets(visit("framework"))[1:]
    assert rows[0] == "<style>.st-key-wide_plane { --least: 21rem; --first: 4; }</style>"


def test_only_a_lesson_brings_its_style():
    assert lesson.STYLE not in sheets(visit("tune"))
    assert lesson.STYLE in sheets(visit("tune", lesson="2"))


SHEETS = sorted(Path(ui.__file__).parent.rglob("*.css"))
OF_ANYTHING = re.compile(r"(^|[\s>+~,(*]|:root|html|body):has\(", re.MULTILINE)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_no_rule_looks_for_parts_of_just_anything(path):
    """`:root:has(…)` has the browser look at the whole page at every change: a chart changes
    it a hundred times while it is drawn, and Compare took twice as long."""
    said = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    # cheap: children of one part, by what they hold themselves; a part that is named before
    others = re.sub(r"> :has\(>|:not\(\s*:has\(", "", said)
    assert OF_ANYTHING.findall(others) == []


def test_style_sheets_have_the_palettes_colours():
    """They cannot read it, so they name its colours again."""
    known = {value.lower() for value in vars(palette).values() if isinstance(value, str)}
    own = {"#ffffff", "#171614"}  # the page's own backgrounds
    for path in SHEETS:
        found = re.findall(r"#[0-9a-f]{3,8}\b", path.read_text(encoding="utf-8").lower())
        assert set(found) <= known | own, path.name
