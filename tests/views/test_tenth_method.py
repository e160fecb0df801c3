"""A method that has its own file alone, no colour and no other words, works in Compare's views."""

import pytest

from epca.baselines.pca import PCA
from epca.experiment import Fit, Scenario, prepare, run
from epca.plots.methods import LOOKS, colour
from epca.registry import METHODS
from epca.relatives import OTHER_WORDS
from epca.views import compare, measures, methods
from epca.views.comparison import Comparison


class Tenth(PCA):
    """Like PCA in all but its name."""

    label = "Tenth"


@pytest.fixture
def result(monkeypatch, faces):
    monkeypatch.setitem(METHODS, "Tenth", Tenth)
    scenario = Scenario(n_components=5)
    prepared = prepare(scenario, faces)
    table, models = run(scenario, ["PCA", "Tenth"], prepare=lambda _: prepared)
    rows = table.to_dict("records")
    fits = {row["method"]: Fit(row, model) for row, model in zip(rows, models, strict=True)}
    return Comparison(scenario, prepared, fits)


def test_a_method_of_a_file_alone_is_compared(result):
    assert "Tenth" not in LOOKS
    assert "Tenth" not in OTHER_WORDS
    rows = measures.measures(["Tenth"], result.fits, result.prepared)
    assert measures.readable(rows)["against PCA"].tolist() == ["+0.0%"]
    line = compare.lines(result.scenario, rows, ["Tenth"])["Tenth"]
    assert line["help"] == methods.BUILT_FOR["images"]
    view = compare.View(result)
    assert view.colours()["Tenth"] == {"colour": colour("Tenth")}
    pca, tenth = view.sorted_figure().data
    assert (tenth.line.color, tenth.line.dash) != (pca.line.color, pca.line.dash)
    assert "Tenth" in view.stages([3], "reconstructions")


@pytest.mark.usefixtures("result")
def test_it_is_listed_without_other_words():
    assert methods.words_table().loc["Tenth"].tolist() == ["–", "images"]
