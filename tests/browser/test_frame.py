"""The frame of all pages as a user gets it: links, settings, navigation, looks."""

from urllib.parse import urlparse

import pytest

from epca.ui.frame import router
from tests.browser import chromium
from tests.browser.chromium import Watcher, go_to_data, metric, open_page, serve, settle, violations
from tests.files import pack, pictures, pngs

PAGES = {
    "": "See which faces a robust PCA trusts",
    "data": "ORL faces",
    "activated": "Activated samples",
    "compare": "Compare",
    "tune": "Tune σ and c",
    "watch": "Watch",
    "framework": "Framework",
    "paper": "Paper",
    "learn": "Learn",
    "glossary": "Glossary",
}


@pytest.mark.parametrize("name", PAGES)
def test_deep_link_to_a_fresh_server(page, name):
    """The first visitor arrives at the page's own address: sidebar, settings and page are there."""
    with serve() as address:
        query = (
            "kind=block-black&samples=40&pixels=50&seed=3&c=10&sigma=2%5E9"
            "&methods=EPCA&methods=PCA&projector=true"
        )
        open_page(page, f"{address}/{name}?{query}")
        page.get_by_role("heading", name=PAGES[name], level=1).wait_for()
        values = {
            label: page.get_by_role("slider", name=label).input_value()
            for label in ("Rank c", "Occluded images", "Occluded pixels")
        }
        assert list(values.values()) == ["10", "40", "50"]
        assert (
            page.get_by_role("slider", name="σ of the σ-loss").get_attribute("aria-valuetext")
            == "2^9"
        )
        assert page.get_by_role("spinbutton", name="Seed").input_value() == "3"
        assert page.get_by_role("switch", name="Projector mode").is_checked()
        assert page.get_by_test_id("stSidebarNavLink").count() == len(PAGES)
        assert page.get_by_test_id("stAlert").count() == 0


def test_a_change_shows_in_numbers_and_link_and_the_link_restores_it(page, server, context):
    open_page(page, server)
    before = metric(page, "Activated images")
    page.get_by_role("slider", name="Rank c").press("Home")
    settle(page)
    page.get_by_role("slider", name="σ of the σ-loss").press("End")
    settle(page)
    page.wait_for_url("**c=1&**")
    after = metric(page, "Activated images")
    assert after != before
    copy = context.new_page()
    open_page(copy, page.url)
    assert metric(copy, "Activated images") == after


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
    assert page.title() == f"{router.PAGES[name or 'home'][0]} · {router.TITLE}"
    assert (
        page.locator("link[rel~='icon']").evaluate("icon => new URL(icon.href).host")
        == urlparse(server).netloc
    )
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) - bare_violations[scheme] == set()


def test_changing_page_keeps_the_settings(page, server):
    open_page(page, f"{server}/?c=10&samples=40")
    go_to_data(page)
    assert page.get_by_role("slider", name="Rank c").input_value() == "10"
    page.get_by_text("160 of 400 images are occluded").wait_for()
    assert "c=10" in page.url
    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_text("160 of these 400 images are occluded.").wait_for()
    page.go_back()
    page.get_by_role("heading", name="ORL faces").wait_for()
    settle(page)
    assert page.get_by_role("slider", name="Rank c").input_value() == "10"


def test_back_and_forward_restore_settings(page, server):
    open_page(page, server)
    start = metric(page, "Activated images")
    page.get_by_role("slider", name="Rank c").press("Home")
    page.wait_for_url("**c=1**")
    settle(page)
    lowest = metric(page, "Activated images")
    go_to_data(page)
    page.go_back()
    page.get_by_role("heading", name=PAGES[""]).wait_for()
    settle(page)
    assert metric(page, "Activated images") == lowest != start
    page.go_forward()
    page.get_by_role("heading", name="ORL faces").wait_for()
    settle(page)
    assert page.get_by_role("slider", name="Rank c").input_value() == "1"


def test_a_bad_link_is_said_once_and_cleaned(page, server):
    open_page(page, f"{server}/?c=999&sigma=x")
    assert page.get_by_test_id("stAlert").count() == 1
    said = page.get_by_test_id("stAlert").inner_text()
    assert (
        "The link has c=999, which must be a whole number from 1 to 100. Showing 30 instead."
        in said
    )
    assert "The link has sigma=x, which must be one of 2^-20, …, 2^20. Showing 2^0 instead." in said
    page.get_by_role("slider", name="Rank c").press("ArrowRight")
    page.wait_for_url("**c=31**")
    settle(page)
    assert page.get_by_test_id("stAlert").count() == 0
    assert "sigma" not in page.url


def test_upload_in_the_browser(page, server):
    open_page(page, f"{server}/data")
    content = {"name": "mine.zip", "mimeType": "application/zip", "buffer": pack(pngs(pictures(6)))}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(content)
    page.get_by_role("heading", name="mine").wait_for()
    page.get_by_text("6 images of 8 × 8 pixels, no classes").wait_for()
    broken = {"name": "broken.zip", "mimeType": "application/zip", "buffer": b"PK oh"}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(broken)
    page.get_by_text("broken.zip: it could not be read").wait_for()
    page.get_by_role("heading", name="mine").wait_for()


def test_pictures_have_alternative_texts(page, server):
    open_page(page, server)
    texts = [
        image.get_attribute("alt") for image in page.locator("[data-testid='stImage'] img").all()
    ]
    assert [text.split(":")[0] for text in texts] == ["Clean", "Occluded", "PCA", "EPCA"]


def test_the_keyboard_reaches_every_page_and_shows_where_it_is(page, server):
    open_page(page, server)
    page.get_by_test_id("stSidebarNavLink").first.wait_for()
    reached = {}
    for _ in range(len(PAGES) + 3):
        page.keyboard.press("Tab")
        link, outline = page.evaluate(
            "(e => [e.textContent, getComputedStyle(e).outlineStyle])(document.activeElement)"
        )
        reached[link] = outline
    for title, _ in router.PAGES.values():
        assert [outline for link, outline in reached.items() if link.endswith(title)] == ["solid"]
