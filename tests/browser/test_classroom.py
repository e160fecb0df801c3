"""A class in the browser: one teacher, two students, each with a browser of their own."""

import re

import pytest

from tests.browser.chromium import open_page, violations
from tests.lessons.measured import STEPS

PHONE = {"width": 400, "height": 800}
LAPTOP = {"width": 1280, "height": 720}


@pytest.fixture
def people(browser):
    """The pages of a teacher and two students."""
    contexts = [browser.new_context(viewport=size) for size in (LAPTOP, LAPTOP, PHONE)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def bar(page):
    return page.locator(".st-key-room_bar")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_a_class_follows_votes_and_goes_its_own_ways(people, server):
    teacher, student, phone = people
    open_page(teacher, f"{server}/learn")
    press(teacher, "Open a room")
    bar(teacher).get_by_text("0 follow").wait_for()
    code = re.search(r"Room (\S{4}-\S{4})", bar(teacher).inner_text())[1]
    assert "room" not in teacher.url
    open_page(student, f"{server}/learn?room={code.replace('-', '')}")
    open_page(phone, f"{server}/learn")
    phone.get_by_role("button", name="Join a room").click()
    phone.get_by_role("textbox", name="Code of the room").fill(code.lower())
    phone.get_by_role("textbox", name="Code of the room").press("Enter")  # by keyboard alone
    bar(teacher).get_by_text("2 follow").wait_for()

    teacher.get_by_role("button", name="Start").first.click()
    for page in (student, phone):
        page.get_by_text(STEPS[1, 1].question).wait_for()
        assert page.get_by_role("button", name="Answer", exact=True).count() == 0
    student.wait_for_function("location.search.includes('samples=0')")
    box = bar(phone).bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["y"] + box["height"] <= PHONE["height"]

    press(student, "Explore on my own")
    bar(teacher).get_by_text("1 follows · 1 on their own").wait_for()
    press(teacher, "Next")
    phone.get_by_text(STEPS[1, 2].question).wait_for()
    assert student.get_by_text(STEPS[1, 1].question).is_visible()
    press(student, "Come back")
    student.get_by_text(STEPS[1, 2].question).wait_for()

    bar(teacher).get_by_role("button", name="Ask", exact=True).click()
    press(teacher, "Ask this step's question")
    right, wrong = (STEPS[1, 2].full_choices[place] for place in (0, 2))
    bar(student).get_by_text(right, exact=True).click()
    ballot = bar(phone).get_by_role("radiogroup", name=STEPS[1, 2].question)
    ballot.get_by_text(right, exact=True).click()
    ballot.get_by_text(wrong, exact=True).click()
    bar(teacher).get_by_text("2 answers").wait_for()
    press(teacher, "Reveal")
    bar(phone).get_by_text("1, yours").wait_for()
    bar(student).get_by_text("1, right, yours").wait_for()
    for page in (teacher, phone):
        assert violations(page, ".st-key-room_bar") == set()

    press(teacher, "My link")
    secret = teacher.get_by_test_id("stCode").filter(has_text="room_secret").inner_text().strip()
    open_page(teacher, secret)  # as after the page was closed
    bar(teacher).get_by_text("2 follow").wait_for()
    teacher.wait_for_function("!location.search.includes('secret')")
