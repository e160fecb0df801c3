"""Every step of every lesson: what it speaks of is on the screen, with the sliders and the bar."""

import re
from urllib.parse import parse_qs, urlparse

import pytest

from epca.ui.frame import lesson as ui
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.router import PAGES
from epca.ui.frame.settings import SETTINGS
from tests.browser.chromium import settle, turn_to
from tests.browser.lessons import (
    WINDOW,
    address,
    box,
    cut_by_the_bar,
    is_in_sight,
    is_outlined,
    when_still,
)
from tests.lessons.measured import STEPS, name

SLIDERS = [row.label for row in SETTINGS.values() if row.control.endswith("slider")]
TALLEST = 140  # pixels of the bar


def hidden_sliders(page):
    """Which of the four are not wholly on the screen, in words."""
    for label in SLIDERS:
        slider = page.get_by_test_id("stSidebar").get_by_role("slider", name=label)
        if slider.count() == 0:
            yield f"there is no slider {label}"
            continue
        place = slider.first.bounding_box()
        if not 0 <= place["y"] <= page.viewport_size["height"] - place["height"]:
            yield f"the slider {label} is out of sight"


def faults(page, where):
    """What is wrong with a step on the screen, in words."""
    step = STEPS[where]
    part = page.locator(f".st-key-{step.target}").first
    bar = box(page, ".st-key-lesson_bar")
    if bar["height"] > TALLEST:
        yield f"the bar is {bar['height']:.0f} pixels high"
    if not part.is_visible():
        yield f"{step.page} has no {step.target}"
        return
    if not is_outlined(page, step.target):
        yield f"{step.target} has no outline"
    if not is_in_sight(page, part.bounding_box()):
        yield f"{step.target} is out of sight at {part.bounding_box()}, below {bar}"
    if (cut := cut_by_the_bar(page)) > 0:
        yield f"the bar covers {cut:.0f} pixels of the faces that stay"
    if PAGES[step.page].has_experiment:
        yield from hidden_sliders(page)
    if page.get_by_test_id("stException").count():
        yield "the page failed"


QUOTED = re.compile(r"“([^”]+)”")


def unsaid(page, where):
    """What a step quotes and its page does not say, in words."""
    step = STEPS[where]
    names = QUOTED.findall(" ".join([step.look, step.question, step.hint]))
    said = page.get_by_test_id("stMain").inner_text()
    return [f"{step.page} does not say “{quoted}”" for quoted in names if quoted not in said]


@pytest.mark.parametrize("lesson", ui.NUMBERS)
def test_every_step_shows_what_it_speaks_of(page, server, lesson, faces):
    """Its target is there, outlined and on the screen with the sliders and the slim bar.

    What it quotes is on its page, or on Home where it sends one there. Its address is complete.
    """
    found = {}
    for where in walk(page, server, [where for where in STEPS if where[0] == lesson]):
        found[name(where)] = when_still(page, lambda where=where: list(faults(page, where)))
        found[name(where)] += missaid(page, server, where, faces)
        if "on Home" not in STEPS[where].hint:
            found[name(where)] += when_still(page, lambda where=where: unsaid(page, where))
    assert {where: said for where, said in found.items() if said} == {}


ROWS = SETTINGS | CONTROLS | {row.key: row for row in (ui.STEP, *ui.SHARED)}


def missaid(page, server, where, faces):
    """In what the address differs from the step's link, which may name defaults, in words.

    Where it does not, a reload restores the step as its link does.
    """
    linked, said = (parse_qs(urlparse(it).query) for it in (address(server, where), page.url))
    for key, texts in linked.items():
        default = ROWS[key].rule_for(faces).write(ROWS[key].default) if key in ROWS else None
        if said.get(key, default) != texts:
            yield f"the address has {key}={said.get(key)}, not {texts}"


def wordiest():
    """Of the steps on a page the one with the most to read."""
    ordered = sorted(STEPS, key=lambda where: len(STEPS[where].look + STEPS[where].question))
    return sorted({STEPS[where].page: where for where in ordered}.values())


@pytest.mark.parametrize("where", wordiest(), ids=name)
def test_a_projector_shows_it_too(page, server, where):
    page.set_viewport_size(WINDOW)
    turn_to(page, address(server, where, "&projector=true"))
    page.get_by_text(STEPS[where].question).wait_for()
    assert when_still(page, lambda: list(faults(page, where))) == []


def walk(page, server, places):
    """Start the lesson on Learn, go to these steps by its bar, and yield each once it is there."""
    page.set_viewport_size(WINDOW)
    turn_to(page, f"{server}/learn")
    page.get_by_role("button", name="Start").nth(places[0][0] - 1).click()
    for where in places:
        if where[1] != 1:
            steps = page.locator(".st-key-lesson_ways").get_by_role("radio")
            steps.get_by_text(str(where[1]), exact=True).click()
        page.get_by_text(STEPS[where].question).wait_for()
        settle(page)
        yield where


@pytest.mark.parametrize(
    "where", [where for where, step in STEPS.items() if "on Home" in step.hint], ids=name
)
def test_what_a_step_quotes_of_home_is_there(page, server, where):
    turn_to(page, f"{server}/?{urlparse(address(server, where)).query}")
    assert unsaid(page, where) == []
