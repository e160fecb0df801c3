"""Every image occluded: what tells clean images from occluded ones is a dash, and says why."""

import pytest

from tests.compared import cells
from tests.visit import metrics, texts, visit

ALL = {"samples": "100", "pixels": "10", "kind": "own-pixels", "c": "5"}
SAID = {  # page → why something is missing
    "home": "–: every image is occluded.",
    "data": "400 of 400 images are occluded",
    "activated": "; every image is occluded;",
    "compare": "“–”: every image is occluded",
    "tune": "Every image is occluded: none of the activated can be clean.",
    "watch": "",
}


@pytest.mark.parametrize("page", SAID)
def test_every_page_works_and_says_why_something_is_missing(page):
    app = visit(page, **ALL)
    assert not app.exception
    assert app.slider(key="samples").value == 100
    said = [*texts(app), *(caption.value for caption in app.main.caption)]
    assert any(SAID[page] in text for text in said)


def test_home_still_compares_the_errors():
    shown = metrics(visit(**ALL))
    assert shown["Clean among the activated"] == "–"
    assert shown["EPCA's error against PCA's"].endswith("%")


def test_compare_has_dashes_where_clean_images_are_needed():
    for line in cells(visit("compare", **ALL)).values():
        dashed = [heading for heading, cell in line.items() if cell["text"] == "–"]
        assert dashed == ["on clean (10⁶)", "AUC", "clean on top"]
