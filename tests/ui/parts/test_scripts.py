"""Scripts and styles: files that parse as they stand, and that the wheel carries."""

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from epca import assets

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "epca"
UI = PACKAGE / "ui"
SCRIPTS = sorted(PACKAGE.rglob("*.js"))
STYLES = sorted(PACKAGE.rglob("*.css"))
FRAGMENTS = sorted(PACKAGE.rglob("*.html"))
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(--)?[a-z-]+:[^:]+")
CODE = re.compile(
    r"export default|document\.|\{\s*[a-z-]+:[^{}]*;\s*\}"
)  # scripts, rules of styles
node = shutil.which("node")


def name(path):
    return path.relative_to(PACKAGE).as_posix()


def complaint(script):
    """What node says against a script as a module; nothing if it parses."""
    command = [node, "--check", "--input-type=module", "-"]
    return subprocess.run(command, input=script, capture_output=True, text=True).stderr


def faults(style):
    """Unbalanced braces and what is no declaration within a rule."""
    style = COMMENT.sub("", style)
    rest = style
    while (outer := re.sub(r"\{[^{}]*\}", "", rest)) != rest:
        rest = outer
    unbalanced = [brace for brace in rest if brace in "{}"]
    rules = re.findall(r"\{([^{}]*)\}", style)
    declarations = [text.strip() for rule in rules for text in rule.split(";")]
    return unbalanced + [text for text in declarations if text and not DECLARATION.fullmatch(text)]


def code_strings(source):
    """The strings of a Python file that hold scripts or styles."""
    nodes = ast.walk(ast.parse(source))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and CODE.search(text)]


@pytest.mark.skipif(node is None, reason="no node on this machine")
@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_scripts_parse(path):
    assert complaint(path.read_text(encoding="utf-8")) == ""


@pytest.mark.skipif(node is None, reason="no node on this machine")
def test_a_script_that_does_not_parse_is_noticed():
    assert "SyntaxError" in complaint("export default function ( {}")


@pytest.mark.parametrize("path", STYLES, ids=name)
def test_styles_parse(path):
    assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("a { color: red; } /* } */", []),
        ("@media print { a { color: red; } }", []),
        ("@media print { a { color: red; }", ["{"]),
        ("a { color: red; } }", ["}"]),
        ("a { color red; }", ["color red"]),
        ("a { color: red\n width: 1px; }", ["color: red\n width: 1px"]),
        ("a { color: $BLUE; $NAME: 1px; }", ["$NAME: 1px"]),
    ],
)
def test_a_style_that_does_not_parse_is_noticed(style, expected):
    assert faults(style) == expected


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES, *FRAGMENTS], ids=name)
def test_lines_are_short_and_nothing_is_filled_in(path):
    text = path.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 100
    assert not re.search(r"\$[A-Z]", text)


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=name)
def test_python_holds_no_scripts_or_styles(path):
    assert code_strings(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('JS = "export default function () {}"', 1),
        ('CSS = ".cell { padding: 0; }"', 1),
        ('st.html(f"<style>.st-key-{name} {{ --least: {least}; }}</style>")', 0),
        ("HTML = '<div style=\"height: 6px; width: 1px;\"></div>'", 0),
    ],
)
def test_scripts_and_styles_in_python_are_noticed(source, count):
    assert len(code_strings(source)) == count


def test_a_file_is_read_as_it_stands():
    text = (UI / "parts" / "replay.css").read_text(encoding="utf-8")
    assert assets.read("epca.ui.parts", "replay.css") == text
    assert "▶" in text


def test_the_wheel_carries_them(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert SCRIPTS
    for path in (*SCRIPTS, *STYLES, *FRAGMENTS):
        assert path.relative_to(ROOT).as_posix() in inside
