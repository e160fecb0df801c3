"""Control and effect share one screen: sliders, faces and numbers, without scrolling."""

import pytest

from tests.browser.chromium import settle, turn_to

LAPTOP = {"width": 1366, "height": 768}
PROJECTOR = {"width": 1280, "height": 720}
SLIDERS = ["Occluded images (%)", "Occluded pixels (%)", "Rank c", "σ"]
SHOWN = {  # page: what must be on its first screen, at least so many of each
    "": {
        ".st-key-main_picture img": 4,
        ".st-key-numbers [data-testid='stMetric']": 3,
        ".st-key-most_trusted button.cell >> nth=0": 1,
        ".st-key-least_trusted button.cell >> nth=0": 1,
    },
    "activated": {
        ".st-key-strip button.cell >> nth=0": 1,
        ".st-key-subspace .js-plotly-plot": 1,
        ".st-key-outlier_map .js-plotly-plot": 1,
        ".st-key-inspector img": 1,
        ".st-key-inspector [data-testid='stTable']": 1,
        ".st-key-sentence": 1,
    },
    "compare": {
        ".st-key-matrix img": 7,
        ".st-key-matrix .number >> nth=0": 1,
    },
    "watch": {
        ".st-key-main_picture .faces .face": 8,
        ".st-key-main_picture .terms": 1,
        ".st-key-main_picture .dots svg": 1,
        ".st-key-main_picture .code": 1,
    },
}


def off_screen(page, shown):
    """What should be on the screen and is not, wholly: the sliders, and what is shown."""
    size = page.viewport_size
    sliders = page.locator(".st-key-sliders .stSlider").all()
    assert [slider.locator("label").inner_text() for slider in sliders] == SLIDERS
    boxes = {name: part.bounding_box() for name, part in zip(SLIDERS, sliders, strict=True)}
    for selector, count in shown.items():
        parts = page.locator(selector).all()
        assert len(parts) >= count, selector
        boxes |= {f"{selector} {i}": part.bounding_box() for i, part in enumerate(parts)}
    return {
        what: box
        for what, box in boxes.items()
        if box is None
        or box["x"] < 0
        or box["y"] < 0
        or box["x"] + box["width"] > size["width"] + 1
        or box["y"] + box["height"] > size["height"] + 1
    }


@pytest.mark.parametrize("name", SHOWN)
def test_sliders_faces_and_numbers_share_the_first_screen(page, server, name):
    page.set_viewport_size(LAPTOP)
    turn_to(page, f"{server}/{name}")
    for selector in SHOWN[name]:
        page.locator(selector).first.wait_for()
    assert off_screen(page, SHOWN[name]) == {}
    assert page.locator(".st-key-experiment").bounding_box()["height"] < 712
    page.set_viewport_size(PROJECTOR)
    settle(page)
    assert off_screen(page, SHOWN[name]) == {}
    page.get_by_role("switch", name="Projector").focus()
    page.keyboard.press("Space")
    page.wait_for_function("getComputedStyle(document.documentElement).fontSize === '20px'")
    settle(page)
    assert off_screen(page, SHOWN[name]) == {}
    boxes = [link.bounding_box() for link in page.get_by_test_id("stTopNavLink").all()]
    assert len(boxes) == 9
    assert all(box["x"] + box["width"] <= PROJECTOR["width"] for box in boxes)


def test_what_another_method_ignores_shares_the_screen_with_the_images(page, server):
    shown = {
        ".st-key-inspected img": 1,
        ".st-key-inspector [data-testid='stTable']": 1,
        ".st-key-judged [data-testid='stButtonGroup'] > div": 1,
    }
    for size in (LAPTOP, PROJECTOR):
        page.set_viewport_size(size)
        turn_to(page, f"{server}/activated?c=5&sel=3&judge=Cauchy+PCA")
        page.locator(".st-key-inspected").get_by_text("Mask", exact=True).wait_for()
        settle(page)
        assert off_screen(page, shown) == {}


def test_a_wide_screen_is_used(page, server):
    page.set_viewport_size({"width": 1920, "height": 1080})
    turn_to(page, f"{server}/activated")
    page.locator(".st-key-outlier_map .js-plotly-plot").wait_for()
    settle(page)
    charts = page.locator(".st-key-dots").bounding_box()
    inspector = page.locator(".st-key-inspector").bounding_box()
    assert charts["height"] > 550
    assert inspector["x"] + inspector["width"] > 1860


def test_a_phone_shows_the_lesson_first_and_nothing_is_cut(page, server):
    page.set_viewport_size({"width": 400, "height": 800})
    turn_to(page, f"{server}/?lesson=1&step=1")
    bar = page.locator(".st-key-lesson_bar").bounding_box()
    assert bar["y"] < page.locator(".st-key-head").bounding_box()["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator(".st-key-main_picture img").first.bounding_box()["width"] > 200
