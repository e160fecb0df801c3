"""What the report of each page holds: its faces, charts and numbers, as the page shows them."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from epca import paper
from epca.images import IN_A_ROW, row
from epca.paper.published import NOTES, unit_text
from epca.paper.tables import TITLES
from epca.views import activated, compare, framework, measures, pictures, preview, seeds, tune
from epca.views.comparison import Comparison
from epca.views.inspected import Inspected
from epca.views.paper import Run, coloured, places, verdicts
from epca.views.report import Content

FACES = "Faces"
NUMBERS = "Numbers"
GIVEN = "As given"  # clean ones and occluded ones


def of_home(view: activated.View, sentence: str) -> Content:
    """The faces of all stages, those that EPCA trusts most and least, three numbers."""
    result = view.result
    shown = {FACES: pictures.as_one(result.named_stages, result.shown)}
    shown |= _trusted(view)
    numbers = {NUMBERS: _numbers(result.numbers)}
    return Content("Home", _marked(sentence, result), shown, [], numbers)


def _marked(sentence: str, result: Comparison) -> str:
    """The sentence, with a word before it where it is of a preview."""
    return f"{preview.ONLY} {sentence}" if result.is_preview else sentence


def of_activated(apart: Inspected, selected: Sequence[int]) -> Content:
    """The faces that EPCA trusts, the images taken apart, both charts, the selected in numbers."""
    view = apart.view
    shown = _trusted(view) | {FACES: pictures.as_one(apart.rows, apart.heads)}
    figures = view.figures(selected).values()
    chosen = view.table.iloc[list(selected) or apart.ids]
    tables = {
        NUMBERS: _numbers(view.result.numbers),
        "Images": activated.readable(chosen, str),
    }
    charts = [figure.update_layout(showlegend=True) for figure in figures]
    return Content("Activated", _marked(view.sentence, view.result), shown, charts, tables)


def of_compare(
    view: compare.View,
    sentence: str,
    faces: tuple[Sequence[int], str],
    rows: pd.DataFrame,
    averaged: pd.DataFrame | None,
    figures: Sequence[go.Figure],
) -> Content:
    """The matrix as faces and as numbers, means over seeds, the charts, the components.

    faces : the ids of the images, and what is shown of them
    """
    ids, _ = faces
    numbers = measures.readable(rows)
    tables = {NUMBERS: numbers if numbers["note"].any() else numbers.drop(columns="note")}
    if averaged is not None:
        means = measures.readable(*seeds.averages(averaged))
        tables["Over several seeds"] = means.drop(columns="note")
    shown = {}
    if view.models:
        tables["Image by image"] = view.errors(ids)
        shown[FACES] = pictures.as_one(view.stages(*faces), ids)
        shown["Components"] = pictures.as_one(view.components(), view.component_numbers)
    return Content("Compare", sentence, shown, figures, tables)


def of_tune(view: tune.View, now: Comparison) -> Content:
    """The faces that are tuned, the numbers at the chosen σ and c, the charts that are shown."""
    measured = now.rows["EPCA"]
    shown = {FACES: pictures.as_one(view.faces(now), now.shown)}
    tables = {NUMBERS: _numbers(view.numbers(measured))}
    sentence = _marked(view.stop_text(measured), now)
    return Content("Tune", sentence, shown, view.figures, tables)


def of_watch(
    sentence: str,
    faces: tuple[Mapping[str, np.ndarray], Sequence[str]],
    summary: pd.DataFrame,
    figures: Sequence[go.Figure],
) -> Content:
    """How the fit began and ended, and what became of both runs.

    faces : as `ends` gives them
    """
    shown = {"The first run, at its start and at its end": pictures.as_one(*faces)}
    return Content("Watch", sentence, shown, figures, {"Both runs": summary})


def ends(
    sprite: np.ndarray, shape: tuple[int, int], columns: int, face: int
) -> tuple[dict[str, np.ndarray], list[str]]:
    """The first and the last state of the player's sheet as rows of pictures, and their heads.

    The sheet has a row per state, and one more; arguments as `watch.View.replay_data` gives them.
    """
    height, width = shape
    rows = sprite[..., 0].reshape(-1, height, columns, width)[[0, -2]]
    start, end = rows.swapaxes(1, 2).astype(float)
    heads = ["mean", *(f"comp. {i}" for i in range(1, columns - 1)), f"image {face}"]
    return {"Start": start[np.newaxis], "End": end[np.newaxis]}, heads


def of_framework(points: np.ndarray, learned: framework.Learned, gamma: float) -> Content:
    """The plane with its lines, the charts below it, the points in numbers."""
    tables = {"Points": framework.as_texts(framework.point_table(points, learned))}
    figures = framework.figures(points, learned, gamma)
    return Content("Framework", framework.summary(learned), {}, figures, tables)


def of_paper(run: Run) -> Content:
    """What holds, both tables and the figures, how EPCA fared, what was run."""
    tables = {}
    if run.findings:
        tables |= {"What holds": verdicts(run.findings).data.set_index("verdict")}
        tables |= {"Mean errors within 5% of Table I": places(run.table).data}
    for measure, title in TITLES.items():
        for dataset in filter(lambda name: run.has(measure, name), run.datasets):
            unit = f" in {unit_text(dataset)}" if measure == "error" else ""
            note = f" ({NOTES[dataset]})" if dataset in NOTES else ""
            for part in coloured(run.table, measure, dataset):
                place = f"{dataset}, {part.data.index.name}"
                tables[f"{title}{unit}: {place}{note}"] = part.data
    rows = {"How EPCA fared": paper.activation(run.table), "What was run": paper.extent(run.raw)}
    for caption, found in rows.items():
        if found:
            tables[caption] = pd.DataFrame(found).set_index("data set")
    return Content("Paper", run.sentence, {}, run.figures, tables)


def _trusted(view: activated.View) -> dict[str, bytes]:
    """Caption → the faces that EPCA trusts most, and least, with their α above them."""
    ways = {
        "Trusted most, by their α": view.strip[:IN_A_ROW],
        "Trusted least, largest residual first, with their α": view.least(IN_A_ROW),
    }
    found = {}
    for caption, ids in ways.items():
        alphas = [activated.alpha_text(view.model.alpha_[i]) for i in ids]
        faces = {GIVEN: row(view.prepared.occluded.X[ids], view.images.image_shape)}
        names = ", ".join(map(str, ids))
        found[f"{caption}: images {names}"] = pictures.as_one(faces, alphas)
    return found


def _numbers(numbers: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Label → (number, what it means) as a table."""
    found = pd.DataFrame.from_dict(numbers, orient="index", columns=["number", "what it is"])
    return found.rename_axis("")
