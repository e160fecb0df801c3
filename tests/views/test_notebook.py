"""Notebooks: valid, the same code as the scripts, and the same numbers when they run."""

import ast
import json
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import nbformat
import numpy as np
import pytest

from epca import paper
from epca.experiment import Occlusion, Scenario
from epca.views import framework, scripts
from epca.views import paper as paper_view
from epca.views.notebook import SHOW, notebook

SCENARIO = Scenario(occlusion=Occlusion(kind="block-black", seed=4), n_components=5)
POINTS = np.array([[0.0, 1.0], [2.0, 3.5], [4.0, 4.0]])
RUN = """  # one kernel for all: to start one takes longer than the cells
import sys, nbclient, nbformat
client = nbclient.NotebookClient(nbformat.v4.new_notebook(), kernel_name="python3")
with client.setup_kernel():
    for name in sys.argv[1:]:
        client.nb = nbformat.read(name, 4)
        for i, cell in enumerate(client.nb.cells):
            client.execute_cell(cell, i)
        nbformat.write(client.nb, name)
"""


def written(faces):
    """Title → script, of every page and with all of its parts."""
    bodies = {
        "Home": (scripts.HOME, {"shown": [3, 12]}),
        "Activated": scripts.activated([3], [3, 12], is_robust=True, judge="Cauchy PCA"),
        "Compare": scripts.compare(["EPCA", "PCA"], [3], runs=2, n_seeds=2, is_robust=True),
        "Tune": scripts.tune(
            ["error"], {"now": ([0], [5])}, has_estimate=True, asked=((), (), ()), shown=[3]
        ),
        "Watch": (scripts.WATCH, {"runs": [("first run", 1.0, 1e-3, False)]}),
    }
    found = {
        title: scripts.script(title, body, SCENARIO, faces, **values)
        for title, (body, values) in bodies.items()
    }
    for learner in framework.LEARNERS:
        found[learner] = framework.script(POINTS, learner, 1.0, 1.0)
    options = paper.Options(("orl",), methods=("PCA",))
    for source, argument in {"shipped": None, "file": "raw.csv", "here": options}.items():
        found[source] = paper_view.script(source, argument)
    found["upload"] = scripts.script(
        "Home", scripts.HOME, SCENARIO, faces, "faces.png\n\n# b.npy", shown=[]
    )
    return found


@pytest.fixture(scope="module")
def codes(faces):
    return written(faces)


TITLES = (
    "Home", "Activated", "Compare", "Tune", "Watch", "subspace", "regression", "shipped", "file",
    "here", "upload",
)  # fmt: skip


def test_every_script_is_tried(codes):
    assert tuple(codes) == TITLES


@pytest.mark.parametrize("title", TITLES)
def test_a_notebook_is_valid_and_has_the_code_of_the_script(codes, title):
    text = notebook(codes[title])
    nbformat.validate(json.loads(text))
    found = nbformat.reads(text, 4)
    cells = [cell.source for cell in found.cells if cell.cell_type == "code"]
    if "faces.png" in codes[title]:
        cells.remove(SHOW)
    script = ast.parse(codes[title])
    del script.body[0]  # the docstring is the heading
    assert ast.dump(ast.parse("\n".join(cells))) == ast.dump(script)


@pytest.mark.parametrize("title", TITLES)
def test_every_cell_of_code_has_a_text_above_it(codes, title):
    """But for the imports, which come under the heading, all say what they do."""
    cells = [
        cell for cell in nbformat.reads(notebook(codes[title]), 4).cells if cell.source != SHOW
    ]
    kinds = [cell.cell_type for cell in cells]
    assert kinds == ["markdown", "code"] * (len(cells) // 2)
    assert len(cells) >= 6
    title, _, rest = cells[0].source.partition("\n\n")
    assert title.startswith("# ")
    assert rest == "Needs the package epca."


def test_comments_become_text(codes):
    cells = nbformat.reads(notebook(codes["upload"]), 4).cells
    said = [cell.source for cell in cells if cell.cell_type == "markdown"]
    assert "The images and the experiment.\nWhat you uploaded: give its path." in said
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert not [line for line in code.splitlines() if line.startswith("#")]


@pytest.mark.slow
def test_a_notebook_prints_what_its_script_prints(codes, tmp_path, monkeypatch):
    """In a process of its own, as Jupyter runs it; the faces are shown."""
    names = {"Home": tmp_path / "home.ipynb", "Watch": tmp_path / "watch.ipynb"}
    for title, path in names.items():
        path.write_text(notebook(codes[title]), encoding="utf-8")
    call = [sys.executable, "-c", RUN, *names.values()]
    subprocess.run(call, cwd=tmp_path, check=True, capture_output=True, text=True)
    for title, path in names.items():
        cells = nbformat.read(path, 4).cells
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        printed = "".join(output.get("text", "") for output in outputs)
        monkeypatch.chdir(tmp_path)
        with redirect_stdout(StringIO()) as said:
            exec(codes[title], {})
        assert printed == said.getvalue()
        images = [output for output in outputs if "image/png" in output.get("data", {})]
        assert len(images) == (title == "Home")
