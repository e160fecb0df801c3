"""Who may import whom. This table is the architecture document."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# room: the rooms of `epca` it may import (itself always)
MATHS = {"cells", "linalg", "losses", "activation", "solver", "base"}
ROOMS = {
    "literal": set(),
    "cells": set(),
    "eigen": set(),
    "rows": set(),
    "weighted": {"eigen", "rows"},
    "linalg": {"cells", "eigen", "rows", "weighted"},  # with the names of these that others use
    "preview": {"rows", "linalg"},
    "parallel": set(),
    "losses": set(),
    "activation": set(),
    "nonconvex": {"activation"},
    "solver": {"cells", "linalg", "activation"},
    "base": {"cells", "linalg", "activation", "solver"},
    "sources": set(),
    "large": {"rows", "weighted", "linalg", "base", "sources"},
    "estimator": MATHS,
    "regression": MATHS,
    "baselines": MATHS,
    "registry": {"base", "estimator", "baselines"},
    "metrics": set(),
    "choosing": {"linalg", "parallel", "base", "estimator", "registry", "metrics"},
    "data": set(),
    "corruption": set(),
    "assets": set(),
    "palette": set(),
    "images": {"palette"},
    "scenario": {"linalg", "preview", "base", "registry", "data", "corruption"},
    "distances": {"metrics", "parallel", "scenario"},
    "experiment": {
        "parallel", "base", "estimator", "registry", "choosing", "metrics", "scenario", "distances",
    },
    "history": {"linalg", "losses", "activation", "estimator", "metrics"},
    "plots": {"palette"},
    "lessons": set(),
    "glossary": set(),
    "relatives": set(),
    "classroom": {"literal"},
    "paper": {
        "losses", "registry", "choosing", "data", "metrics", "scenario", "experiment", "assets",
        "plots",
    },
    "tasks": {
        "linalg", "choosing", "data", "metrics", "scenario", "experiment", "history", "paper",
    },
    "progress": set(),
    "cli": {"paper", "progress"},
    "__main__": {"cli"},
}  # fmt: skip
LIBRARY = set(ROOMS) - {"cli", "progress", "__main__"}
ROOMS["views"] = LIBRARY - {"tasks"}
ROOMS["ui.jobs"] = {"literal"}  # knows neither the rest of the library nor pages
ROOMS["ui.frame"] = {*LIBRARY, "views", "ui.jobs"}
ROOMS["ui.parts"] = {*ROOMS["ui.frame"], "ui.frame"}
PAGES = {  # and app.py
    "literal", "views", "ui.frame", "ui.parts", "data", "images", "paper", "plots",
}  # fmt: skip
TOP_LEVEL = {"README.md", "pyproject.toml", "app.py", "epca", "pages", "tests", "datasets"}


def imports(path):
    """Modules a file imports anywhere in it, as (rooms of epca, other top-level packages)."""
    rooms = set()
    others = set()
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
                rooms.add(room_of(inner) if inner else "__init__")
            else:
                others.add(package)
    return rooms, others


def room_of(parts):
    """The room of a module by its path within epca: a folder of ui, else the first part."""
    return ".".join(parts[:2]) if parts[0] == "ui" and len(parts) > 1 else parts[0]


def room(path):
    return room_of(path.relative_to(ROOT / "epca").with_suffix("").parts)


def rooms_of(folder):
    """The modules and packages that a package holds."""
    return {
        path.stem
        for path in folder.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"__init__"}


def test_the_table_lists_every_room_and_no_other():
    inner = {f"ui.{name}" for name in rooms_of(ROOT / "epca" / "ui")}
    assert set(ROOMS) == (rooms_of(ROOT / "epca") - {"ui"}) | inner


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


def module(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_no_module_imports_itself_by_a_detour():
    """Not even within a room."""
    known = {module(path) for path in (ROOT / "epca").rglob("*.py")}
    graph = {}
    for path in (ROOT / "epca").rglob("*.py"):
        names = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                full = {f"{node.module}.{alias.name}" for alias in node.names}
                names |= (full & known) or ({node.module} & known)
        graph[module(path)] = names - {module(path)}
    TopologicalSorter(graph).prepare()  # raises CycleError


SOURCES = sorted(
    path
    for path in (ROOT / "epca").rglob("*.py")
    if path.parent not in (ROOT / "epca", ROOT / "epca" / "ui") or path.stem != "__init__"
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    rooms, others = imports(path)
    assert room(path) in ROOMS, "a new room needs a line in the table"
    assert rooms - {room(path)} <= ROOMS[room(path)]
    if not room(path).startswith("ui"):
        assert "streamlit" not in others


@pytest.mark.parametrize(
    "path", [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))], ids=lambda path: path.name
)
def test_pages_are_thin(path):
    rooms, others = imports(path)
    assert rooms <= PAGES
    assert others <= {"streamlit"}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 140


HINTED = ("scenario", "distances", "experiment", "choosing", "tasks", "paper", "views", "ui")


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if room(path).split(".")[0] in HINTED],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_public_functions_have_type_hints(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.Module):
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                    arguments = [*item.args.posonlyargs, *item.args.args, *item.args.kwonlyargs]
                    bare = [a.arg for a in arguments if a.annotation is None and a.arg != "self"]
                    assert bare == [], f"{item.name}, line {item.lineno}"
                    assert item.returns is not None, f"{item.name}, line {item.lineno}"


def test_baselines_do_not_import_each_other():
    for path in (ROOT / "epca" / "baselines").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "epca.baselines" not in text.split('"""', 2)[-1]


def test_files_and_functions_stay_small():
    parts = [path for path in (ROOT / "epca").rglob("*") if path.suffix in {".css", ".js"}]
    for path in (*SOURCES, *parts, *(ROOT / "tests").rglob("*.py")):
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
