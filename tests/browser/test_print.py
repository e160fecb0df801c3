"""Pages on paper: all of a page, nothing beside it, no chart cut."""

import re

import pytest

from tests.browser.chromium import turn_to

SHEET = {"width": 703, "height": 1032}  # of A4 without its margins, at 96 pixels an inch


@pytest.mark.parametrize(
    ("name", "last"), [("paper", "Table I, RSPCA"), ("learn?teacher=true", "without the truth.")]
)
def test_a_long_page_prints_to_its_end(page, server, name, last):
    """Streamlit scrolls within the window; on paper what is below it follows on further sheets."""
    turn_to(page, f"{server}/{name}")
    page.get_by_text(last).last.wait_for()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) > 2
    page.emulate_media(media="print")
    end = page.get_by_text(last).last.bounding_box()
    assert (
        SHEET["height"]
        < end["y"] + end["height"]
        <= page.evaluate("document.scrollingElement.scrollHeight")
    )


@pytest.mark.parametrize("name", ["activated", "tune"])
def test_charts_fit_on_paper_and_the_frame_stays_off_it(page, server, name):
    """A chart keeps its width of the screen: the zoom makes it fit, a row goes below each other."""
    page.set_viewport_size({"width": 1920, "height": 900})
    turn_to(page, f"{server}/{name}")
    page.locator("[data-testid='stPlotlyChart'] .main-svg").first.wait_for()
    charts = page.locator(
        "[data-testid='stElementContainer']:has([data-testid='stPlotlyChart'])"
    ).all()
    widest = max(chart.bounding_box()["width"] for chart in charts)
    page.emulate_media(media="print")
    zoom = float(
        page.get_by_test_id("stMainBlockContainer").evaluate(
            "block => getComputedStyle(block).zoom"
        )
    )
    assert widest * zoom <= SHEET["width"]
    assert len({chart.bounding_box()["x"] for chart in charts}) == 1
    for part in ("stSidebar", "stHeader", "stButton", "stPopover"):
        assert not any(found.is_visible() for found in page.get_by_test_id(part).all())
