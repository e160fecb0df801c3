"""Who may import whom. This table is the architecture document."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# room: the rooms of `epca` it may import (itself always)
ROOMS = {
    "linalg": set(),
    "losses": set(),
    "activation": set(),
    "solver": {"linalg", "activation"},
    "base": {"linalg", "activation", "solver"},
    "estimator": {"linalg", "losses", "activation", "solver", "base"},
    "regression": {"linalg", "losses", "activation", "solver", "base"},
    "baselines": {"linalg", "losses", "activation", "solver", "base"},
    "registry": {"base", "estimator", "baselines"},
    "data": set(),
    "corruption": set(),
    "metrics": set(),
    "palette": set(),
    "images": {"palette"},
    "experiment": {"linalg", "losses", "registry", "data", "corruption", "metrics"},
    "history": {"linalg", "losses", "activation", "metrics"},
    "plots": {"palette"},
    "lessons": set(),
    "glossary": set(),
    "paper": {"losses", "registry", "data", "metrics", "experiment", "plots"},
    "cli": {"paper"},
    "__main__": {"cli"},
}
ROOMS["ui"] = set(ROOMS) - {"cli", "__main__"}  # sees everything else
PAGES = {"ui", "images", "data"}  # what app.py and pages/ may import
TOP_LEVEL = {"README.md", "pyproject.toml", "app.py", "epca", "pages", "tests", "datasets"}


def imports(path):
    """Modules a file imports anywhere in it, as (rooms of epca, other top-level packages)."""
    rooms, others = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            names = ["epca.RELATIVE"] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            package, *inner = name.split(".")
            if package == "epca":
                rooms.add(inner[0] if inner else "__init__")
            else:
                others.add(package)
    return rooms, others


def room(path):
    return path.relative_to(ROOT / "epca").with_suffix("").parts[0]


def rooms_of(folder):
    """The modules and packages that a package holds."""
    return {
        path.stem
        for path in folder.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"__init__"}


def test_the_table_lists_every_room_and_no_other():
    assert set(ROOMS) == rooms_of(ROOT / "epca")


@pytest.mark.parametrize("new", ["new.py", "new/__init__.py"])
def test_a_room_missing_from_the_table_is_noticed(new, tmp_path):
    (tmp_path / new).parent.mkdir(exist_ok=True)
    (tmp_path / new).touch()
    (tmp_path / "orl.csv").touch()
    (tmp_path / "__init__.py").touch()
    assert rooms_of(tmp_path) == {"new"}


def test_a_room_imports_only_rooms_above_it_in_the_table():
    """So there are no circles."""
    for at, allowed in enumerate(ROOMS.values()):
        assert allowed <= set(list(ROOMS)[:at])


SOURCES = sorted(
    path
    for path in (ROOT / "epca").rglob("*.py")
    if path.parent != ROOT / "epca" or path.stem != "__init__"
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    rooms, others = imports(path)
    assert room(path) in ROOMS, "a new room needs a line in the table"
    assert rooms - {room(path)} <= ROOMS[room(path)]
    if room(path) != "ui":
        assert "streamlit" not in others


@pytest.mark.parametrize(
    "path", [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))], ids=lambda path: path.name
)
def test_pages_are_thin(path):
    rooms, others = imports(path)
    assert rooms <= PAGES
    assert others <= {"streamlit"}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80


def test_baselines_do_not_import_each_other():
    for path in (ROOT / "epca" / "baselines").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "epca.baselines" not in text.split('"""', 2)[-1]


def test_files_and_functions_stay_small():
    for path in (*SOURCES, *(ROOT / "tests").rglob("*.py")):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, path
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                assert length <= 40, f"{path.name}: {node.name} has {length} lines"


def test_top_level():
    """Nothing but the agreed rooms and dotfiles, among what git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} == TOP_LEVEL


def test_import_is_light():
    code = "import sys, epca; sys.exit(bool({'streamlit', 'plotly', 'pandas'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_public_names():
    import epca

    assert set(epca.__all__) == {"EPCA", "METHODS", "load_dataset"} <= set(dir(epca))
    with pytest.raises(
        AttributeError, match="has no attribute 'PCA'; it has EPCA, METHODS, load_dataset"
    ):
        epca.PCA  # noqa: B018
