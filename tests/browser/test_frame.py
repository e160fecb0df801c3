"""The frame of all pages as a user gets it: links, settings, navigation."""

import pytest

from epca.ui.frame import router
from tests.browser.chromium import PAGES, go_to_data, metric, open_page, settle, turn_to
from tests.files import pack, pictures, pngs


def test_a_change_shows_in_numbers_and_link_and_the_link_restores_it(page, server, context):
    turn_to(page, server)
    before = metric(page, "Activated images")
    page.get_by_role("slider", name="Rank c").press("Home")
    settle(page)
    page.locator("input[type=range][aria-label='σ']").press("End")
    settle(page)
    page.wait_for_url("**c=1&**")
    after = metric(page, "Activated images")
    assert after != before
    copy = context.new_page()
    open_page(copy, page.url)
    assert metric(copy, "Activated images") == after


def test_changing_page_keeps_the_settings(page, server):
    turn_to(page, f"{server}/?c=10&samples=40")
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


def test_a_page_without_an_experiment_keeps_it_in_the_address(page, server):
    turn_to(page, f"{server}/?c=10&kind=band")
    page.get_by_role("link", name="Learn", exact=True).click()
    page.get_by_role("heading", name="Learn", level=1).wait_for()
    settle(page)
    assert not page.get_by_role("slider", name="Rank c").is_visible()
    assert "c=10" in page.url
    assert "kind=band" in page.url
    page.reload()
    settle(page)
    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_role("heading", name=PAGES[""]).wait_for()
    settle(page)
    assert page.get_by_role("slider", name="Rank c").input_value() == "10"
    assert "kind=band" in page.url
    page.get_by_role("slider", name="Rank c").press("ArrowRight")
    page.wait_for_url("**c=11&**")
    settle(page)
    page.get_by_role("link", name="Paper", exact=True).click()  # without a reload in between
    page.get_by_role("heading", name="Paper", level=1).wait_for()
    settle(page)
    page.get_by_role("link", name="Watch", exact=True).click()
    page.get_by_role("heading", name=PAGES["watch"]).wait_for()
    settle(page)
    assert "c=11" in page.url
    assert "kind=band" in page.url


def test_a_preset_is_one_step_back(page, server):
    turn_to(page, f"{server}/?c=12&seed=3")
    page.get_by_role("button", name="Presets").first.click()
    page.get_by_text("heavy occlusion").first.click()
    page.wait_for_url("**samples=50**")
    settle(page)
    assert "c=30" in page.url
    page.go_back()
    page.wait_for_url("**c=12**")
    settle(page)
    assert page.url == f"{server}/?c=12&seed=3"
    assert page.get_by_role("slider", name="Rank c").input_value() == "12"


AT_ONCE = """() => {
    [...document.querySelectorAll("button")].find(b => b.textContent.startsWith("Presets")).click();
    const choose = () => {
        const heavy = document.querySelector(".st-key-preset_heavy button");
        heavy ? heavy.click() : requestAnimationFrame(choose);
    };
    choose();
}"""


def test_presets_close_with_a_choice_however_quick(page, server):
    """They hid half of the page. The run that heard of their opening may never have been drawn."""
    for _ in range(2):
        turn_to(page, f"{server}/?c=12")
        page.evaluate(AT_ONCE)
        page.wait_for_url("**samples=50**")
        settle(page)
        page.locator(".st-key-preset_heavy").wait_for(state="hidden", timeout=2000)


def test_a_link_leads_to_what_is_pinned(page, server):
    """The comparison is below the first screen."""
    turn_to(page, f"{server}/activated?c=12")
    page.get_by_role("button", name="Pin A").click()
    link = page.get_by_role("link", name="See A beside B")
    link.wait_for()
    settle(page)
    heading = page.get_by_role("heading", name="A, pinned, beside B, now")
    below = page.viewport_size["height"]
    assert heading.bounding_box()["y"] > below
    link.click()
    page.wait_for_function(
        "below => document.getElementById('a-beside-b').getBoundingClientRect().top < below / 2",
        arg=below,
    )
    assert "c=12" in page.url


def test_back_and_forward_restore_settings(page, server):
    turn_to(page, server)
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


def test_back_to_other_images_brings_their_rank_without_a_word(page, server):
    """What was set before does not suit them, but nobody asked for it there."""
    for link, rank in {"dataset=digits&c=8": "8", "dataset=digits": "20"}.items():
        turn_to(page, f"{server}/tune?c=100")
        turn_to(page, f"{server}/?{link}")
        assert page.get_by_role("slider", name="Rank c").input_value() == rank
        assert page.get_by_test_id("stAlert").count() == 0


@pytest.mark.new_window
def test_a_bad_link_is_said_once_and_cleaned(page, server):
    turn_to(page, f"{server}/?c=999&sigma=x")
    assert page.get_by_test_id("stAlert").count() == 1
    said = page.get_by_test_id("stAlert").inner_text()
    assert (
        "The link has c=999, which must be a whole number from 1 to 100. Showing 20 instead."
        in said
    )
    assert (
        "The link has sigma=x, which must be one of 2^-20, …, 2^20. Showing 1 (2⁰) instead." in said
    )
    page.get_by_role("slider", name="Rank c").press("ArrowRight")
    page.wait_for_url("**c=21**")
    settle(page)
    assert page.get_by_test_id("stAlert").count() == 0
    assert "sigma" not in page.url


@pytest.mark.new_window
def test_upload_in_the_browser(page, server):
    turn_to(page, f"{server}/data")
    content = {"name": "mine.zip", "mimeType": "application/zip", "buffer": pack(pngs(pictures(6)))}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(content)
    page.get_by_role("heading", name="mine").wait_for()
    page.get_by_text("6 images of 8 × 8 pixels, no classes").wait_for()
    settle(page)  # the zone is a new one then
    broken = {"name": "broken.zip", "mimeType": "application/zip", "buffer": b"PK oh"}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(broken)
    page.get_by_text("broken.zip: it could not be read").wait_for()
    page.get_by_role("heading", name="mine").wait_for()


def test_pictures_have_alternative_texts(page, server):
    turn_to(page, server)
    page.locator(".st-key-home_faces img").first.wait_for()
    texts = [image.get_attribute("alt") for image in page.locator(".st-key-home_faces img").all()]
    assert [text.split(":")[0] for text in texts] == ["Clean", "Occluded", "PCA", "EPCA"]


@pytest.mark.new_window
def test_the_keyboard_reaches_every_page_and_shows_where_it_is(page, server):
    turn_to(page, server)
    page.get_by_test_id("stTopNavLink").first.wait_for()
    reached = {}
    for _ in range(60):
        page.keyboard.press("Tab")
        link, outline = page.evaluate(
            "(e => [e.textContent, getComputedStyle(e).outlineStyle])(document.activeElement)"
        )
        reached[link] = outline
    listed = [page.title for page in router.PAGES.values() if page.is_listed]
    assert {title: reached.get(title) for title in listed} == dict.fromkeys(listed, "solid")


def test_what_was_chosen_on_a_page_without_its_control_is_in_the_address(page, server):
    """The control of the selection is known from Compare, and Home has none."""
    turn_to(page, f"{server}/compare")
    page.get_by_role("link", name="Home", exact=True).click()
    page.locator(".st-key-least_trusted button.cell").first.click()
    page.get_by_role("heading", name=PAGES["activated"]).wait_for()
    settle(page)
    page.wait_for_function("/[?&]sel=[0-9]+/.test(location.search)")
