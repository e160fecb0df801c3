"""Compare in the browser: nine methods on one screen, heads that stay, a click that selects."""

import pytest

from epca.views.methods import groups
from tests.browser.chromium import click_dot, open_page, settle, turn_to

NINE = groups()["the paper"]
SCREENS = [(NINE, "", [(1366, 768), (1280, 720)]), ([], "&projector=true", [(1280, 720)])]


def query(labels):
    return "&".join(f"methods={label}" for label in labels)


def boxes(page):
    """Bounding boxes of the matrix's lines of faces and numbers, its head first."""
    return [line.bounding_box() for line in page.locator(".st-key-matrix tr").all()]


def is_inside(box, width, height):
    ends = box["x"] + box["width"], box["y"] + box["height"]
    return box["x"] >= 0 and box["y"] >= 0 and ends[0] <= width and ends[1] <= height


@pytest.mark.parametrize(("labels", "mode", "sizes"), SCREENS)
def test_the_matrix_is_on_one_screen(page, server, labels, mode, sizes):
    """Nine methods below two heads; in projector mode the default five."""
    turn_to(page, f"{server}/compare?{query(labels)}{mode}")
    page.locator(".st-key-matrix .best").first.wait_for()
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        found = boxes(page)
        chosen = page.locator(".st-key-choice [aria-pressed=true]").count()
        assert len(found) == 1 + 2 + chosen
        assert chosen == (len(labels) or 5)
        assert all(is_inside(box, width, height) for box in found)
        faces = [image.bounding_box() for image in page.locator(".st-key-matrix img").all()]
        assert min(face["height"] for face in faces) >= 34
        assert all(is_inside(face, width, height) for face in faces)


def test_what_pcp_adds_to_the_pictures_leaves_their_controls_in_one_line(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    turn_to(page, f"{server}/compare?{query(['EPCA', 'PCP'])}&pictures=low-rank")
    page.locator(".st-key-matrix th.label", has_text="PCP: S").wait_for()
    assert page.locator(".st-key-looking").bounding_box()["height"] < 50


def test_heads_stay_while_the_box_is_scrolled_and_pills_choose(page, server):
    page.set_viewport_size({"width": 1280, "height": 520})
    turn_to(page, f"{server}/compare?{query(NINE)}")
    page.locator(".st-key-matrix .best").first.wait_for()
    before = boxes(page)
    box = page.locator(".st-key-matrix .box")
    assert box.get_attribute("tabindex") == "0"  # the keyboard can scroll it
    box.evaluate("it => { it.scrollTop = 60; }")
    after = boxes(page)
    for place in range(3):  # ids, clean and occluded
        cells = page.locator(".st-key-matrix tr").nth(place).locator("> *")
        tops = [cell.bounding_box()["y"] for cell in cells.all()]
        assert tops == pytest.approx([before[place]["y"]] * len(tops), abs=2)
    assert after[5]["y"] == pytest.approx(before[5]["y"] - 60, abs=2)  # a method moves
    page.get_by_role("button", name="LpPCA", exact=True).click()
    page.locator(".st-key-matrix th.label", has_text="LpPCA").wait_for(state="detached")
    settle(page)
    assert "LpPCA" not in page.url
    assert page.locator(".st-key-matrix tr").count() == 1 + 2 + len(NINE) - 1


def test_a_click_selects_for_the_matrix_and_parameters_are_in_the_link(page, server, context):
    turn_to(page, f"{server}/compare?methods=PCA&methods=PCA-AN")
    dot = page.locator(".st-key-pair .scatterlayer .trace").first.locator(".point").nth(107)
    click_dot(page, dot)
    page.wait_for_url("**sel=**")
    chosen = page.url.split("sel=")[1].split("&")[0]
    page.get_by_text(f"image {chosen}", exact=True).first.wait_for()
    assert page.locator(".st-key-matrix .strip").inner_text().strip() == chosen
    page.get_by_role("button", name="Parameters").click()
    field = page.get_by_role("spinbutton", name="PCA-AN: n_active")
    field.fill("0.5")
    field.press("Enter")
    page.wait_for_url("**n_active=0.5**")
    settle(page)
    shown = page.locator(".st-key-matrix tr", has_text="PCA-AN").inner_text()
    assert "n_active = 0.5" in shown
    copy = context.new_page()
    open_page(copy, page.url)
    line = copy.locator(".st-key-matrix tr", has_text="PCA-AN").inner_text()
    assert line.split("\t")[1:6] == shown.split("\t")[1:6]
    assert copy.locator(".st-key-matrix .strip").inner_text().strip() == chosen
