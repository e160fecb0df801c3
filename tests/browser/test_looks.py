"""Every page in light and dark, wide and narrow: clean, self-contained, accessible."""

from urllib.parse import urlparse

import pytest

from epca.ui.frame import router
from tests.browser import chromium
from tests.browser.chromium import PAGES, Watcher, open_page, serve, settle, turn_to, violations


@pytest.fixture(scope="module")
def bare_violations(browser):
    """The accessibility rules that a bare page with the same widgets breaks, by colour scheme."""
    found = {}
    with serve(chromium.ROOT / "tests" / "browser" / "bare.py") as address:
        # axe judges what is in sight
        page = browser.new_page(viewport={"width": 1280, "height": 2400})
        open_page(page, address)
        page.locator("kbd").wait_for()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            settle(page)
            found[scheme] = violations(page)
        page.close()
    return found


LOOKS = (("light", 1280), ("dark", 400))
WIDTHS = (1280, 800, 400)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_clean(page, server, name, bare_violations):
    """No error, no other host, nothing wider than the window, accessible as a bare page is."""
    watcher = Watcher(page)
    turn_to(page, f"{server}/{name}")
    assert page.title() == f"{router.PAGES[name or 'home'].title} · {router.TITLE}"
    host = urlparse(server).netloc
    assert page.locator("link[rel~='icon']").evaluate("icon => new URL(icon.href).host") == host
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        found[scheme, width] = violations(page) - bare_violations[scheme]
    assert {look: broken for look, broken in found.items() if broken} == {}
    assert page.get_by_test_id("stException").count() == 0
    said = [text for text in watcher.complaints if "404" not in text]
    assert said == []
    assert len(watcher.complaints) <= 2  # Streamlit asks for two files below a deep link
    assert watcher.hosts <= {"", host}
