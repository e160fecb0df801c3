"""The registry: every method introduces itself, and a file dropped in is a method."""

import inspect
from textwrap import dedent

import pytest

from epca import METHODS, registry
from epca.base import BasePCA


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_introduces_itself(method):
    assert method.label
    assert method.objective
    assert str(method.year) in method.reference
    own = set(inspect.signature(method).parameters) - {
        "n_components",
        "max_iter",
        "tol",
        "random_state",
    }
    assert set(method.parameters) == own
    for name, value in method(1).get_params().items():
        if name in own:
            parameter = method.parameters[name]
            assert parameter.text
            assert value in parameter.choices if isinstance(value, str) else not parameter.choices


def test_a_file_dropped_in_is_a_method(tmp_path, monkeypatch):
    source = """
        from epca.baselines.pca import PCA

        class DroppedIn(PCA):
            label = "Dropped in"
            year = 2030
    """
    (tmp_path / "tenth.py").write_text(dedent(source), encoding="utf-8")
    monkeypatch.setattr(
        registry.baselines, "__path__", [*registry.baselines.__path__, str(tmp_path)]
    )
    assert list(registry.find_methods())[:10] == [*registry.PAPER_METHODS, "Dropped in"]
    assert set(registry.find_methods()) == {*METHODS, "Dropped in"}


def test_the_papers_methods_come_first_and_the_others_follow_by_year():
    assert registry.PAPER_METHODS == (
        "EPCA", "PCA", "R1PCA", "L1PCA", "L1PCA-NG", "RSPCA", "LpPCA", "PCA-OM", "PCA-AN",
    )  # fmt: skip
    first, *baselines = list(METHODS)[len(registry.PAPER_METHODS) :]
    assert list(METHODS)[: len(registry.PAPER_METHODS)] == list(registry.PAPER_METHODS)
    assert first == "EPCA, left-out"
    assert baselines == sorted(baselines, key=lambda label: METHODS[label].year)


def test_a_new_method_is_beyond_the_paper():
    assert BasePCA.group == "beyond the paper"
    assert {method.group for method in METHODS.values()} == {"the paper", "beyond the paper"}
