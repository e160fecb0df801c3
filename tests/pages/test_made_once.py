"""What a page sends of its fits is made once for all who see it, and anew for other settings."""

import plotly.graph_objects as go
import pytest

from tests.visit import charts, components, visit

QUERY = {"c": "7", "seed": "3"}  # which no other test asks for
TABLES = ("inspector", "matrix", "faces")  # the parts that make tables of faces, its own last


@pytest.mark.parametrize("stem", ["home", "activated", "compare", "tune"])
def test_pictures_and_charts_are_made_once(stem, monkeypatch):
    first = visit(stem, **QUERY)

    def fail(*_, **__):
        raise AssertionError("made again")

    for part in TABLES:
        monkeypatch.setattr(f"epca.ui.parts.{part}.table", fail)
    monkeypatch.setattr("epca.ui.parts.gallery.lay_out", fail)
    monkeypatch.setattr(go.Figure, "update_layout", fail)  # every chart gets its frame by it
    second = visit(stem, **QUERY)
    assert not second.exception
    assert components(second) == components(first)
    assert charts(second) == charts(first)
    assert len(components(first)) + len(charts(first)) > 0


@pytest.mark.parametrize(
    ("stem", "parts", "other"),
    [
        ("home", ["home_faces", "trusted_most"], {"sigma": "2^9"}),
        ("activated", ["inspected"], {"sel": "3"}),
        ("activated", ["inspected"], {"robust": "true"}),
        ("activated", ["inspected"], {"judge": "Cauchy PCA"}),
        ("activated", ["subspace", "outlier_map"], {"sel": "3"}),
        ("compare", ["matrix"], {"pictures": "residuals"}),
        ("compare", ["matrix", "sorted", "pair"], {"robust": "true"}),
        ("compare", ["matrix", "sorted", "components"], {"methods": "PCA"}),
        ("compare", ["pair"], {"up": "PCA-AN"}),
        ("tune", ["tune_faces", "loss"], {"sigma": "2^9"}),
        ("tune", ["loss"], {"loglog": "true"}),
    ],
)
def test_other_settings_make_others(stem, parts, other):
    shown = [components(page) | charts(page) for page in visits(stem, other)]
    for part in parts:
        assert shown[0][part] != shown[1][part]


def visits(stem, other):
    return visit(stem, **QUERY), visit(stem, **QUERY, **other)
