"""Activated's inspector asks a method that judges single pixels what it takes for occlusion."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from epca import METHODS
from epca.ui.parts import results
from epca.views import reported
from tests.visit import PAPER, components, execute, offered, settle, visit

LINK = PAPER | {"c": "5", "sel": ["3", "12"]}


@pytest.fixture
def asked(monkeypatch):
    """The methods whose fits a page asks for."""
    found = []
    request = results.fit_request

    def count(setup, label):
        found.append(label)
        return request(setup, label)

    monkeypatch.setattr(results, "fit_request", count)
    return found


def test_no_other_method_is_fitted_unless_it_is_asked_for(asked):
    app = visit("activated", **LINK)
    assert set(asked) == {"PCA", "EPCA"}
    assert components(app)["inspected"]["heads"] == ["Clean", "Occluded", "EPCA", "Residual"]
    app.segmented_control(key="judge").set_value("Cauchy PCA")
    settle(app.run())
    assert not app.exception
    assert set(asked) == {"PCA", "EPCA", "Cauchy PCA"}
    heads = components(app)["inspected"]["heads"]
    assert heads == ["Clean", "Occluded", "EPCA", "Residual", "Cauchy PCA", "Mask"]


def test_a_link_holds_it_and_script_picture_and_report_have_it(occluded, tmp_path):
    label = "Cauchy PCA"
    app = visit("activated", **LINK, judge=label)
    assert not app.exception
    ignored = METHODS[label](5).fit(occluded.X).cell_weight_ < 0.5
    counts = [np.count_nonzero(ignored[i]) for i in (3, 12)]
    assert any(
        f"In “{label}”, white pixels are taken for occlusion: {counts[0]}, {counts[1]} of 1,024"
        in caption.value
        for caption in app.caption
    )
    found = offered(app)
    printed = execute(found["code"], tmp_path).splitlines()
    for i, count in zip((3, 12), counts, strict=True):
        assert f"image {i}: {count} of 1024 pixels, says {label}" in printed
    shown = found["pictures"]["Faces"]()
    width = np.asarray(Image.open(BytesIO(shown))).shape[1]
    assert width > 6 * 32 * 3
    assert found["report"]().pictures[reported.FACES] == shown


def test_a_judge_that_cannot_be_fitted_says_why_and_the_rest_stays(monkeypatch):
    def fail(*_):
        raise ValueError("it broke.")

    monkeypatch.setattr(METHODS["PCP"], "_solve", fail)
    app = visit("activated", **LINK | {"seed": "7"}, judge="PCP")
    assert not app.exception
    assert app.error[0].value.startswith("PCP could not be fitted: it broke.")
    assert components(app)["inspected"]["heads"] == ["Clean", "Occluded", "EPCA", "Residual"]
