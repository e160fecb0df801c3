"""Lessons in the browser: the bar leads through the pages and the eye to what a step speaks of."""

from urllib.parse import parse_qs, urlparse

import pytest

from epca.lessons import LESSONS
from tests.browser.chromium import PAGES, open_page, serve, settle, turn_to
from tests.browser.lessons import (
    WINDOW,
    address,
    box,
    is_in_sight,
    is_outlined,
    scrolled,
    when_still,
)
from tests.lessons.measured import STEPS

PHONE = {"width": 400, "height": 800}
STILL = 1500  # milliseconds; the page has been left alone by then


def query(page):
    return parse_qs(urlparse(page.url).query)


def test_a_lesson_from_its_start_to_its_end(page, server):
    turn_to(page, f"{server}/learn")
    page.get_by_role("button", name="Start").nth(1).click()
    page.get_by_role("heading", name="Tune σ and c").wait_for()
    settle(page)
    assert query(page)["lesson"] == ["2"]
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_text(STEPS[2, 2].question).wait_for()
    settle(page)
    assert (query(page)["sigma"], query(page)["step"]) == (["2^20"], ["2"])
    page.get_by_role("button", name="Answer", exact=True).click()
    page.get_by_text(STEPS[2, 2].full_answer).wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_text(STEPS[2, 3].question).wait_for()
    settle(page)
    assert (urlparse(page.url).path, query(page)["step"]) == ("/", ["3"])
    page.get_by_role("button", name="End lesson", exact=True).click()
    page.wait_for_function("!location.search.includes('lesson=')")
    settle(page)
    assert page.get_by_role("button", name="Reset step").count() == 0
    assert not is_outlined(page, "main_picture")


def test_a_sweep_that_a_lesson_asks_for_survives_a_reload(page, server):
    turn_to(page, f"{server}/learn")
    page.get_by_role("button", name="Start").nth(4).click()
    page.wait_for_function("location.search.includes('sweep=true')")
    page.reload()
    settle(page)
    assert query(page)["sweep"] == ["true"]
    page.get_by_role("button", name="End lesson", exact=True).click()


def test_the_page_is_scrolled_once_and_again_when_asked(page, server):
    page.set_viewport_size(WINDOW)
    turn_to(page, address(server, (3, 3)))
    page.wait_for_timeout(STILL)
    target = scrolled(page)
    assert target > 100
    page.mouse.move(640, 400)
    page.mouse.wheel(0, -5000)
    page.wait_for_timeout(300)
    assert scrolled(page) == 0
    page.get_by_role("button", name="Hint").click()
    page.keyboard.press("Escape")
    page.get_by_test_id("stCheckbox").filter(has_text="Projector").locator("label").click()
    settle(page)
    page.wait_for_timeout(STILL)
    assert scrolled(page) == 0
    page.get_by_role("button", name="Reset step").click()
    settle(page)
    page.wait_for_timeout(STILL)
    assert scrolled(page) > 100


def test_what_fits_on_the_first_screen_is_shown_from_the_top(page, server):
    """Where one step scrolls down, the next one need not stay there: titles say what counts."""
    page.set_viewport_size(WINDOW)
    turn_to(page, address(server, (4, 1)))
    page.wait_for_timeout(STILL)
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_text(STEPS[4, 2].question).wait_for()
    settle(page)
    page.wait_for_timeout(STILL)
    assert scrolled(page) == 0
    sentence = box(page, "text=/ activated; /")
    assert is_in_sight(page, sentence)
    assert is_in_sight(page, box(page, ".st-key-notice"))


def test_a_target_that_comes_late_is_scrolled_to(page, server):
    page.set_viewport_size(WINDOW)
    page.add_init_script(LATE)
    open_page(page, address(server, (3, 3)))
    page.wait_for_timeout(STILL)
    assert scrolled(page) == 0
    page.evaluate("window.release()")
    page.wait_for_timeout(STILL)
    assert is_in_sight(page, box(page, ".st-key-own_losses"))
    assert is_outlined(page, "own_losses")


@pytest.mark.parametrize(
    "late",
    [".st-key-lesson_bar { padding-bottom: 3rem }", ".st-key-head { padding-bottom: 30rem }"],
)
@pytest.mark.new_window
def test_what_grows_late_does_not_hide_the_target(page, server, late):
    """The bar that would cover it, and what stands above it and would push it away."""
    page.set_viewport_size({"width": 1280, "height": 500})
    turn_to(page, address(server, (3, 4)))
    page.wait_for_timeout(STILL)
    page.add_style_tag(content=late.replace("rem", "rem !important"))
    found = when_still(page, lambda: [] if is_in_sight(page, box(page, INSPECTOR)) else ["hidden"])
    assert found == []


INSPECTOR = f".st-key-{STEPS[3, 4].target}"
LATE = """
const rule = document.createElement("style");
rule.textContent = ".st-key-own_losses { display: none !important; }";
document.addEventListener("DOMContentLoaded", () => document.head.append(rule));
window.release = () => rule.remove();
"""


def test_on_a_phone_the_bar_comes_first_and_moves_along(page, server):
    page.set_viewport_size(PHONE)
    turn_to(page, address(server, (1, 3)))
    page.wait_for_timeout(STILL)
    bar = box(page, ".st-key-lesson_bar")
    assert bar["y"] + bar["height"] <= box(page, ".st-key-head")["y"] + 1
    assert bar["width"] <= PHONE["width"]
    page.get_by_test_id("stMain").evaluate("part => part.scrollTo(0, 1000)")
    assert box(page, ".st-key-lesson_bar")["y"] < 0


@pytest.mark.new_window
def test_a_fresh_server_leads_to_the_glossary_and_a_lesson_leaves_no_stack_there(page, tmp_path):
    """By the glossary's old address."""
    log = tmp_path / "log"
    with log.open("w") as file, serve(log=file) as server:
        open_page(page, f"{server}/glossary?c=44")
        page.get_by_role("heading", name="Learn").wait_for()
        page.get_by_text("The number of images with α > 0.").wait_for()
        assert urlparse(page.url).path == "/learn"
        assert (query(page)["c"], query(page)["glossary"]) == (["44"], ["true"])
        assert page.get_by_test_id("stTopNavLink").count() == len(PAGES)
        assert not page.get_by_role("slider", name="Rank c").is_visible()
        page.get_by_role("button", name="Start").first.click()
        page.get_by_text(STEPS[1, 1].question).wait_for()
        settle(page)
        page.get_by_role("button", name="The paper's setting").click()
        settle(page)
    said = log.read_text()
    assert "URL: http" in said
    assert "default value" not in said
    assert "Traceback" not in said


def test_learn_has_all_lessons_on_its_first_screen(page, server):
    for mode in ("", "?projector=true"):
        page.set_viewport_size(WINDOW)
        turn_to(page, f"{server}/learn{mode}")
        starts = page.get_by_role("button", name="Start").all()
        assert len(starts) == len(LESSONS)
        bottoms = [
            button.bounding_box()["y"] + button.bounding_box()["height"] for button in starts
        ]
        assert max(bottoms) < WINDOW["height"]


def test_a_teachers_link_is_whole_and_opens_its_step(page, server):
    turn_to(page, f"{server}/learn?teacher=true")
    link = page.get_by_role("link", name=address(server, (2, 3)), exact=True)
    turn_to(page, link.get_attribute("href"))
    page.get_by_text(STEPS[2, 3].question).wait_for()
    assert page.get_by_test_id("stAlert").count() == 0
    assert page.url.startswith(server)


def test_the_teachers_page_prints_without_the_sidebar(page, server):
    turn_to(page, f"{server}/learn?teacher=true")
    page.emulate_media(media="print")
    assert not page.get_by_test_id("stSidebar").is_visible()
    page.get_by_text(f"Hint: {STEPS[1, 1].hint}").first.wait_for()
    page.get_by_role("link", name=address(server, (1, 1)), exact=True).wait_for()
