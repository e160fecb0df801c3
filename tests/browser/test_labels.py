"""Labels: none touches another or a picture, none is cut off where there is room."""

from itertools import pairwise

import pytest

from epca.registry import METHODS
from tests.browser.chromium import turn_to

LAPTOP = {"width": 1366, "height": 768}
TEXT = """it => {
    const range = document.createRange();
    range.selectNodeContents(it);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return { left, right, top, bottom };
}"""
IS_CUT = "it => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1"


def texts(found):
    """Where the letters of these elements are."""
    return [element.evaluate(TEXT) for element in found.all()]


@pytest.mark.parametrize("mode", ["", "&projector=true"])
def test_heads_of_seven_pictures_neither_touch_nor_cover_them(page, server, mode):
    page.set_viewport_size(LAPTOP)
    turn_to(page, f"{server}/activated?robust=true&judge=Cauchy PCA{mode}")
    inspected = page.locator(".st-key-inspected")
    inspected.locator(".strip", has_text="Cauchy").wait_for()
    heads = texts(inspected.locator(".strip span"))
    assert len(heads) == 7
    gaps = [right["left"] - left["right"] for left, right in pairwise(heads)]
    assert min(gaps) >= 2
    top = inspected.locator("img").first.bounding_box()["y"]
    assert max(head["bottom"] for head in heads) <= top + 1


def test_labels_of_a_new_face_end_before_the_pictures(page, server):
    turn_to(page, f"{server}/activated?try=true&robust=true")
    stages = page.locator(".st-key-new_face")
    stages.locator(".name", has_text="Robust reconstruction").wait_for()
    left = min(picture.bounding_box()["x"] for picture in stages.locator("img").all())
    assert max(name["right"] for name in texts(stages.locator(".name"))) < left


def test_notes_of_all_methods_are_whole_where_there_is_room(page, server):
    page.set_viewport_size(LAPTOP)
    methods = "&".join(f"methods={label}" for label in METHODS)
    turn_to(page, f"{server}/compare?{methods}")
    page.locator(".st-key-matrix .best").first.wait_for()
    notes = page.locator(".st-key-matrix .note")
    assert [note.inner_text() for note in notes.all() if note.evaluate(IS_CUT)] == []
    assert "n_nonzero from the data, threshold = k-soft" in notes.all_inner_texts()


def test_projected_numbers_need_no_sideways_scroll(page, server):
    page.set_viewport_size(LAPTOP)
    turn_to(page, f"{server}/compare?projector=true")
    page.locator(".st-key-matrix .best").first.wait_for()
    box = page.locator(".st-key-matrix .box")
    assert box.evaluate("it => it.scrollWidth <= it.clientWidth")


def test_glossary_and_export_are_in_one_line_in_projector_mode(page, server):
    turn_to(page, f"{server}/?projector=true")
    names = ("Glossary", "Export")
    found = [page.get_by_role("button", name=name).first.bounding_box() for name in names]
    assert found[0]["y"] == pytest.approx(found[1]["y"], abs=0.5)


@pytest.mark.parametrize("mode", ["", "?projector=true"])
def test_the_mark_of_residuals_is_between_the_value_and_the_ends_of_its_scale(page, server, mode):
    turn_to(page, f"{server}/{mode}")
    slider = page.locator(".st-key-sigma_shown")
    slider.hover()
    ends = slider.get_by_test_id("stSliderTickBar").locator("p")
    ends.first.wait_for()
    mark = page.locator(".track").bounding_box()
    value = slider.get_by_test_id("stSliderThumbValue").bounding_box()
    assert mark["y"] > value["y"] + value["height"]
    height = ends.first.evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
    line = ends.first.bounding_box()
    letters = line["y"] + (line["height"] - height) / 2
    assert mark["y"] + mark["height"] + 2 <= letters
