"""Links to single pages on a server that nobody has visited yet."""

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import PAGES, open_page, serve

pytestmark = pytest.mark.new_window


def test_deep_link_to_a_fresh_server(page):
    """The first visitor arrives at the page's own address: page, sidebar and settings are there.

    AppTest starts every page so, too; of those without a sidebar, test_learn.py has one.
    """
    with serve() as address:
        query = (
            "kind=block-black&samples=40&pixels=50&seed=3&c=10&sigma=2%5E9"
            "&methods=EPCA&methods=PCA&projector=true"
        )
        open_page(page, f"{address}/activated?{query}")
        page.get_by_role("heading", name=PAGES["activated"], level=1).wait_for()
        assert page.get_by_test_id("stTopNavLink").count() == len(PAGES)
        assert page.get_by_test_id("stAlert").count() == 0
        assert page.get_by_role("switch", name="Projector").is_checked()
        values = {
            label: page.get_by_role("slider", name=label).input_value()
            for label in ("Rank c", "Occluded images", "Occluded pixels")
        }
        assert list(values.values()) == ["10", "40", "50"]
        sigma = page.locator("input[type=range][aria-label='σ']")
        assert sigma.get_attribute("aria-valuetext") == "512 (2⁹)"
        page.get_by_text("More settings").click()
        expect(page.get_by_role("spinbutton", name="Seed")).to_have_value("3")
