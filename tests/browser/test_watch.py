"""The player in a real browser: it runs without the server, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import settle, turn_to


@pytest.fixture
def watched(page, wire, server):
    """The count of what the page sends from then on."""
    turn_to(page, f"{server}/watch?c=10")
    page.locator(".scrub").wait_for(timeout=60_000)
    page.locator(".st-key-run_residual .js-plotly-plot").wait_for(timeout=60_000)
    settle(page)
    assert wire.sent > 0
    wire.sent = 0
    return wire


def scrub(page):
    return page.get_by_role("slider", name="Step of the fit")


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def title(page):
    return page.locator(".title").inner_text()


def test_play_advances_to_the_end_without_the_server(page, watched):
    last = scrub(page).get_attribute("max")
    first = page.locator(".faces .face").first.get_attribute("style")
    assert title(page).startswith("Start")
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    expect(scrub(page)).to_have_value(last, timeout=60_000)
    expect(button(page, "Play")).to_be_visible()
    assert title(page).endswith("the end")
    assert page.locator(".faces .face").first.get_attribute("style") != first
    button(page, "Play").click()  # from the start again
    expect(page.locator(".title")).to_have_text(re.compile("^Iteration 1 "))
    button(page, "Pause").click()
    at = scrub(page).input_value()
    page.wait_for_timeout(1500)
    assert scrub(page).input_value() == at
    assert watched.sent == 0


def test_stepping_and_scrubbing_move_everything_together(page, watched):
    """Pseudo-code, objective, weights, moves and pictures follow one clock; keys alone suffice."""
    current = page.locator(".code [aria-current=step]")
    expect(current).to_have_count(1)
    button(page, "Step").focus()
    page.keyboard.press("Enter")
    assert title(page).endswith("first half: new m and W")
    assert [text.split("\n")[-1] for text in current.all_inner_texts()] == [
        "(28)",
        "(34)",
        "(38, 39)",
    ]
    half = page.locator(".value").inner_text()
    page.keyboard.press("Space")
    assert title(page).endswith("second half: new weights")
    assert [text.split("\n")[-1] for text in current.all_inner_texts()] == [
        "(31, 16)",
        "(41)",
        "(40)",
    ]
    assert page.locator(".value").inner_text() != half
    expect(page.locator(".moves")).to_contain_text("leave:")
    weights = page.locator(".dots svg").get_attribute("aria-label")
    scrub(page).focus()
    page.keyboard.press("End")
    assert title(page).endswith("the end")
    assert page.locator(".dots svg").get_attribute("aria-label") != weights
    assert page.get_by_role("img", name=re.compile("^Objective J = ")).count() == 1
    page.keyboard.press("Home")
    assert title(page).startswith("Start")
    page.keyboard.press("ArrowRight")
    button(page, "Step back").click()
    assert scrub(page).input_value() == "0"
    assert watched.sent == 0


def test_another_face_keeps_the_step(page, watched):
    for _ in range(3):
        button(page, "Step").click()
    face = page.get_by_role("spinbutton", name="Face to watch")
    face.fill("12")
    face.press("Enter")
    page.wait_for_url("**watch=12**")
    page.get_by_text("image 12, reconstructed").wait_for()
    assert scrub(page).input_value() == "3"
    assert watched.sent > 0  # what is counted elsewhere as none


def test_the_second_run_is_in_the_link(page, watched):
    box = page.get_by_role("combobox", name="tol of the second run")
    box.click()
    box.fill("1e-1")
    box.press("Enter")
    page.wait_for_url("**tol2=1e-1**")
    page.get_by_text("tol = 1e-1: ").wait_for()
