"""The server goes away and comes back while pages are open."""

import pytest

from tests.browser.chromium import free_port, metric, open_page, serve, settle


def reconnected(page):
    page.wait_for_selector(
        "[data-testid='stApp'][data-test-connection-state='CONNECTED']", timeout=60_000
    )
    settle(page)


def test_a_restart_brings_back_page_settings_and_selection(page, context):
    """The address has it all: what the old server knew is gone."""
    port, other = free_port(), context.new_page()
    with serve(port=port) as address:
        open_page(page, f"{address}/?samples=40")
        page.get_by_role("slider", name="Rank c").press("Home")
        page.wait_for_url("**c=1**")
        settle(page)
        numbers, link = metric(page, "Activated images"), page.url
        open_page(other, f"{address}/activated?c=10&sel=3&sel=12")
        sentence = other.get_by_text(" activated; ").inner_text()
    for each in (page, other):
        each.wait_for_selector(
            "[data-testid='stApp']:not([data-test-connection-state='CONNECTED'])", timeout=60_000
        )
    with serve(port=port):
        for each in (page, other):
            reconnected(each)
            assert each.get_by_test_id("stException").count() == 0
            assert each.get_by_test_id("stAlert").count() == 0
        assert page.url == link
        assert metric(page, "Activated images") == numbers
        assert page.get_by_role("slider", name="Rank c").input_value() == "1"
        page.get_by_role("slider", name="Rank c").press("ArrowRight")
        page.wait_for_url("**c=2**")
        page.get_by_text(numbers, exact=True).wait_for(state="detached")
        assert "sel=3&sel=12" in other.url
        assert other.get_by_text(" activated; ").inner_text() == sentence
        other.get_by_text("2 of 400 selected").wait_for()


@pytest.mark.parametrize("name", ["tune", "framework"])
def test_a_restart_under_pages_that_keep_more_than_settings(page, name):
    port = free_port()
    with serve(port=port) as address:
        open_page(page, f"{address}/{name}?c=10&seed=3&methods=EPCA&methods=PCA")
        title, link = page.get_by_role("heading", level=1).inner_text(), page.url
    page.wait_for_selector(
        "[data-testid='stApp']:not([data-test-connection-state='CONNECTED'])", timeout=60_000
    )
    with serve(port=port):
        reconnected(page)
        assert page.get_by_role("heading", level=1).inner_text() == title
        default = "&part=suggest"  # Streamlit may or may not write it
        assert page.url.removesuffix(default) == link.removesuffix(default)
        if name == "tune":
            assert page.get_by_role("slider", name="Rank c").input_value() == "10"
            assert page.get_by_role("spinbutton", name="Seed").input_value() == "3"
        assert page.get_by_test_id("stException").count() == 0
