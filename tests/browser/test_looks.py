"""Every page in light and dark, wide and narrow: clean, self-contained, accessible."""

from urllib.parse import urlparse

import pytest

from epca.ui.frame import router
from tests.browser import chromium
from tests.browser.chromium import PAGES, Watcher, open_page, serve, violations


@pytest.fixture(scope="module")
def bare_violations(browser):
    """The accessibility rules that a bare page with the same widgets breaks, by colour scheme."""
    found = {}
    with serve(chromium.ROOT / "tests" / "browser" / "bare.py") as address:
        for scheme in ("light", "dark"):
            page = browser.new_page(
                color_scheme=scheme, viewport={"width": 1280, "height": 2400}
            )  # axe judges what is in sight
            open_page(page, address)
            page.locator("kbd").wait_for()
            found[scheme] = violations(page)
            page.close()
    return found


@pytest.mark.parametrize(
    ("name", "scheme", "width"),
    [(name, *look) for name in PAGES for look in (("light", 1280), ("dark", 800))]
    + [(name, "light", 400) for name in ("", "activated", "compare", "tune")],
)
def test_every_page_is_clean(page, server, name, scheme, width, bare_violations):
    """No error, no other host, nothing wider than the window, accessible as a bare page is."""
    watcher = Watcher(page)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, f"{server}/{name}")
    assert [
        text for text in watcher.complaints if "404" not in text
    ] == []  # Streamlit asks for two files below a deep link
    assert len(watcher.complaints) <= 2
    assert watcher.hosts - {""} == {urlparse(server).netloc}
    assert page.get_by_test_id("stException").count() == 0
    assert page.title() == f"{router.PAGES[name or 'home'].title} · {router.TITLE}"
    assert (
        page.locator("link[rel~='icon']").evaluate("icon => new URL(icon.href).host")
        == urlparse(server).netloc
    )
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) - bare_violations[scheme] == set()
