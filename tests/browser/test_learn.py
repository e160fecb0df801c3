"""Lessons in the browser: the panel leads through the pages, and links restore every step."""

from urllib.parse import parse_qs, urlparse

from epca.lessons import LESSONS
from tests.browser.chromium import open_page, settle


def query(page):
    return parse_qs(urlparse(page.url).query)


def test_a_lesson_from_its_start_to_its_next_step_and_in_another_window(page, server, browser):
    open_page(page, f"{server}/learn")
    page.get_by_role("button", name="Start").nth(3).click()
    page.get_by_role("heading", name="Activated samples").wait_for()
    settle(page)
    assert query(page)["lesson"] == ["4"]
    page.get_by_role("button", name="Next").click()
    page.get_by_text("2 of 400 activated").wait_for()
    settle(page)
    assert (query(page)["c"], query(page)["step"]) == (["100"], ["2"])
    page.get_by_text("Answer", exact=True).click()
    page.get_by_text(LESSONS[3].steps[1].full_answer).wait_for()
    copy = browser.new_page()
    open_page(copy, page.url)
    copy.get_by_text("2 of 400 activated").wait_for()
    copy.get_by_text(LESSONS[3].steps[1].question).wait_for()
    copy.close()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="Watch").wait_for()
    settle(page)
    assert (query(page)["c"], query(page)["step"]) == (["60"], ["3"])
    page.get_by_role("button", name="End").click()
    page.wait_for_function("!location.search.includes('lesson=')")
    settle(page)
    assert page.get_by_role("button", name="Reset to this step").count() == 0


def test_a_teachers_link_opens_its_step(page, server):
    open_page(page, f"{server}/learn?teacher=true")
    address = page.get_by_role("link", name="compare", exact=True).first.get_attribute("href")
    open_page(page, f"{server}/{address.removeprefix('./').split('/')[-1]}")
    page.get_by_role("heading", name="Compare").wait_for()
    first = next(step for step in LESSONS[0].steps if step.page == "compare")
    page.get_by_text(first.question).wait_for()
    assert page.get_by_test_id("stAlert").count() == 0


def test_the_teachers_page_prints_without_the_sidebar(page, server):
    open_page(page, f"{server}/learn?teacher=true")
    page.emulate_media(media="print")
    assert not page.get_by_test_id("stSidebar").is_visible()
    page.get_by_text(f"Hint: {LESSONS[0].steps[0].hint}").wait_for()
