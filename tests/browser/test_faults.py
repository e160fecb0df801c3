"""The server goes away and comes back while pages are open."""

import pytest

from tests.browser.chromium import free_port, metric, open_page, serve, settle

GONE = "[data-testid='stApp']:not([data-test-connection-state='CONNECTED'])"
BACK = "[data-testid='stApp'][data-test-connection-state='CONNECTED']"
MORE = "c=10&seed=3&methods=EPCA&methods=PCA"
DEFAULT = "&part=suggest"  # Streamlit may or may not write it


def title(page):
    return page.get_by_role("heading", level=1).inner_text()


@pytest.mark.new_window
def test_a_restart_brings_back_pages_settings_and_selection(page, context):
    """The address has it all: what the old server knew is gone. The first click counts."""
    port = free_port()
    activated, tune, framework = (context.new_page() for _ in range(3))
    pages = (page, activated, tune, framework)
    with serve(port=port) as address:
        open_page(page, f"{address}/?samples=40")
        page.get_by_role("slider", name="Rank c").press("Home")
        page.wait_for_url("**c=1**")
        settle(page)
        numbers = metric(page, "Activated images")
        open_page(activated, f"{address}/activated?c=10&sel=3&sel=12")
        sentence = activated.get_by_text(" activated; ").inner_text()
        open_page(tune, f"{address}/tune?{MORE}")
        open_page(framework, f"{address}/framework?{MORE}")
        seen = [(title(each), each.url.removesuffix(DEFAULT)) for each in pages]
    for each in pages:
        each.wait_for_selector(GONE, timeout=60_000)
    with serve(port=port):
        for each in pages:
            each.wait_for_selector(BACK, timeout=60_000)
            settle(each)
            assert each.get_by_test_id("stException").count() == 0
            assert each.get_by_test_id("stAlert").count() == 0
        assert [(title(each), each.url.removesuffix(DEFAULT)) for each in pages] == seen
        assert metric(page, "Activated images") == numbers
        assert page.get_by_role("slider", name="Rank c").input_value() == "1"
        page.get_by_role("slider", name="Rank c").press("ArrowRight")
        page.wait_for_url("**c=2**")
        page.get_by_text(numbers, exact=True).wait_for(state="detached")
        assert activated.get_by_text(" activated; ").inner_text() == sentence
        activated.get_by_text("2 of 400 selected").wait_for()
        activated.locator(".st-key-strip button.cell").first.click()
        activated.get_by_text("3 of 400 selected").wait_for()
        assert tune.get_by_role("slider", name="Rank c").input_value() == "10"
        assert tune.get_by_role("spinbutton", name="Seed").input_value() == "3"
