"""The methods as pages present them: groups, parameters, other words, and those left out."""

import re

from epca.base import BEYOND, PAPER
from epca.experiment import Scenario
from epca.registry import METHODS
from epca.relatives import NOT_HERE, OTHER_WORDS
from epca.views import methods


def test_changed_parameters_come_first():
    scenario = Scenario(parameters=(("RSPCA", "threshold", "k-hard"), ("EPCA", "gamma", 2.0)))
    assert methods.parameters_text(scenario, "RSPCA") == (
        "threshold = k-hard, n_nonzero from the data"
    )
    assert methods.parameters_text(scenario, "EPCA") == "γ = 2, σ = 1 (2⁰)"
    assert methods.parameters_text(scenario, "PCA") == ""


def test_methods_are_in_two_groups_that_say_what_they_are(monkeypatch):
    class Own:
        group = BEYOND

    monkeypatch.setitem(methods.METHODS, "Own", Own)
    found = methods.groups()
    assert list(found) == [PAPER, BEYOND] == list(methods.GROUPS)
    assert len(found[PAPER]) == 9
    assert "Own" in found[BEYOND]


def test_methods_are_told_in_other_words():
    assert set(OTHER_WORDS) <= set(METHODS)
    assert all(text.endswith(".") for text in OTHER_WORDS.values())
    assert methods.words_table().index.tolist() == list(METHODS)


def test_the_help_says_which_occlusion_a_method_is_built_for(monkeypatch):
    assert "Fast Median Subspace" in methods.help_text("PCA-OM")
    assert "Grassmann" in methods.help_text("L1PCA")
    assert methods.help_text("EPCA").endswith("it judges whole images.")
    assert "built for no occlusion" in methods.help_text("PCA")
    assert "judges" not in methods.help_text("PCA")
    monkeypatch.setattr(METHODS["EPCA"], "is_cellwise", True)
    assert methods.help_text("EPCA").endswith("it judges single pixels.")
    assert methods.words_table().loc["EPCA", "judges"] == "pixels"


def test_a_method_left_out_has_a_reason_and_is_not_here():
    table = methods.not_here_table()
    assert len(table) == len(NOT_HERE) == table.index.nunique()
    for relative in NOT_HERE:
        assert relative.why.endswith(".")
        assert relative.what.endswith(".")
        assert not set(re.split(r", | \(", relative.name)) & set(METHODS)
