"""Tune in the browser: one screen, clicks set σ and c, dragging needs no server, Cancel ends."""

import os
import re
from pathlib import Path
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import expect

from tests.browser.chromium import click_dot, settle, turn_to

SCREENS = {  # what a visitor has → the link's end, width, height
    "laptop": ("", 1366, 768),
    "small laptop": ("", 1280, 720),
    "projector": ("&projector=true", 1280, 720),
}
SHOWN = ("tune_faces", "most_trusted", "numbers", "loss", "sigma_oracle", "sigma_blind")


def settings(page):
    """σ and c as the sidebar shows them, and as the address has them (None for a default)."""
    slider = page.locator(".st-key-sigma_shown").get_by_role("slider")
    sigma = slider.get_attribute("aria-valuetext")
    c = page.get_by_role("slider", name="Rank c").input_value()
    query = parse_qs(urlparse(page.url).query)
    return (sigma, c), (query.get("sigma", [None])[0], query.get("c", [None])[0])


def dot(page, chart, number):
    """A dot of the chart's first curve."""
    return page.locator(f".st-key-{chart} .scatterlayer .trace").first.locator(".point").nth(number)


def switch(page, name):
    page.get_by_role("switch", name=name, exact=True).locator("xpath=ancestor::label").click()


def choose(page, part):
    """Show another sweep, and wait until it is drawn."""
    page.locator(".st-key-part_shown").get_by_text(part, exact=True).click()
    wait(page)


def wait(page):
    settle(page)
    expect(page.get_by_test_id("stProgress")).to_have_count(0, timeout=60_000)
    settle(page)


def click_and_wait(page, chart, number, wanted):
    """Click a dot; wait until the address has what is wanted, and all is drawn again."""
    click_dot(page, dot(page, chart, number))
    page.wait_for_url(f"**{wanted}**")
    wait(page)


def test_control_and_effect_share_one_screen(page, server):
    """The sliders, the faces, the numbers, Fig. 2 and both curves; the strip stays."""
    for name, (end, width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        turn_to(page, f"{server}/tune?part=sigma&dataset=digits&c=8&sweep=true{end}")
        dot(page, "sigma_blind", 0).wait_for(timeout=60_000)
        wait(page)
        sliders = page.get_by_test_id("stSidebar").get_by_role("slider")
        parts = [page.locator(f".st-key-{key}").first for key in SHOWN] + sliders.all()
        assert len(parts) == len(SHOWN) + 4
        for part in parts:
            box = part.bounding_box()
            assert min(box["width"], box["height"]) > 0, name
            assert box["x"] >= 0 <= box["y"], name
            assert box["x"] + box["width"] <= width, name
            assert box["y"] + box["height"] <= height, name
        for chart in ("loss", "sigma_oracle", "sigma_blind"):
            drawn = page.locator(f".st-key-{chart} .main-svg").first.bounding_box()
            assert drawn["y"] + drawn["height"] <= height, name
            assert drawn["height"] >= 0.35 * height, name
    page.locator(".st-key-live").scroll_into_view_if_needed()
    page.mouse.move(width / 2, height / 2)
    page.mouse.wheel(0, 600)
    page.wait_for_timeout(500)
    assert page.locator(".st-key-loss").bounding_box()["y"] < 0
    strip = page.locator(".st-key-main_picture").bounding_box()
    bar = page.get_by_test_id("stHeader").bounding_box()
    assert strip["y"] >= bar["y"] + bar["height"] - 1


def test_a_suggestion_and_its_button_are_on_the_first_screen(page, server):
    """What it does is there before anything is asked for; following it sets c."""
    for name, (end, width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        turn_to(page, f"{server}/tune?part=suggest&kind=shared-pixels&pixels=20&c=30{end}")
        page.get_by_text("can be suggested without a clean image").wait_for()
        button = page.locator(".st-key-suggest_shown").get_by_text("Suggest c", exact=True)
        button.click()
        why = page.get_by_text("has the smallest estimated error (no clean image used)")
        why.wait_for(timeout=60_000)
        wait(page)
        for part in (button, why, page.locator(".st-key-follow").first):
            box = part.bounding_box()
            assert box["x"] + box["width"] <= width, name
            assert box["y"] >= 0, name
            assert box["y"] + box["height"] <= height, name
    page.get_by_role("button", name="Set c = 50").click()
    page.get_by_role("button", name="c = 50 is set").wait_for()
    assert settings(page)[1][1] == "50"


def test_clicks_set_sigma_and_c(page, server):
    """On the sweeps, the scree and the map; settings, link and marks follow."""
    turn_to(page, f"{server}/tune?part=sigma&dataset=digits&c=8&sweep=true&map=true&csweep=true")
    dot(page, "sigma_blind", 0).wait_for(timeout=60_000)
    wait(page)
    click_and_wait(page, "sigma_blind", 27, "sigma=2%5E7")
    assert settings(page) == (("128 (2⁷)", "8"), ("2^7", "8"))
    click_and_wait(page, "sigma_oracle", 24, "sigma=2%5E4")
    choose(page, "c")
    click_and_wait(page, "scree", 11, "c=12")
    assert settings(page) == (("16 (2⁴)", "12"), ("2^4", "12"))
    click_and_wait(page, "rank_blind", 0, "c=4")
    assert settings(page) == (("16 (2⁴)", "4"), ("2^4", "4"))
    choose(page, "map")
    # six ranks: the third σ, the second rank
    click_and_wait(page, "map_chart", 6 * 2 + 1, "sigma=2%5E-12")
    assert settings(page) == (("0.000244 (2⁻¹²)", "10"), ("2^-12", "10"))
    frame = page.locator(".st-key-map_chart .shapelayer path").bounding_box()
    clicked = dot(page, "map_chart", 6 * 2 + 1).bounding_box()
    middle = (clicked["x"] + clicked["width"] / 2, clicked["y"] + clicked["height"] / 2)
    assert frame["x"] < middle[0] < frame["x"] + frame["width"]
    assert frame["y"] < middle[1] < frame["y"] + frame["height"]
    assert page.get_by_test_id("stException").count() == 0


def test_dragging_sigma_asks_nothing_of_the_server(page, server, wire):
    turn_to(page, f"{server}/tune?part=sigma&dataset=digits&c=8&sweep=true")
    rail = page.locator(".st-key-live .slider-rail-touch-rect")
    rail.wait_for(timeout=60_000)
    settle(page)
    title, label = (
        page.locator(".st-key-live .gtitle"),
        page.locator(".st-key-live .slider-group .slider-label").first,
    )
    before, dots = title.inner_html(), page.locator(".st-key-live .scatterlayer .point").count()
    rail.scroll_into_view_if_needed()
    settle(page)
    wire.sent = 0
    box = rail.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.98 * box["width"], middle, steps=10)
    page.mouse.up()
    expect(label).to_have_text("σ = 1,050,000 (2²⁰)")
    settle(page)  # had it asked, the script would have run by now
    assert title.inner_html() != before
    assert page.locator(".st-key-live .scatterlayer .point").count() != dots
    assert wire.sent == 0


def seconds_worked(server):
    """What the server's process has used of the processor so far."""
    used = Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def test_cancel_ends_the_work_at_once(page, server):
    turn_to(page, f"{server}/tune?seed=33&part=map")
    switch(page, "Compute the map")
    cancel = page.get_by_role("button", name="Cancel")
    page.get_by_text(re.compile(r"σ × c map: fit \d+ of 88")).wait_for()
    before = seconds_worked(server)
    cancel.click()
    page.get_by_text("Cancelled. Change a setting, or start again.").wait_for()
    page.wait_for_selector("[data-testid='stApp'][data-test-script-state='notRunning']")
    assert seconds_worked(server) - before < 2
    settle(page)
    assert page.locator(".st-key-map_chart").count() == 0
    assert page.locator(".st-key-loss").count() == 1
    before = seconds_worked(server)
    page.wait_for_timeout(2000)
    assert seconds_worked(server) - before < 0.5
    page.get_by_role("button", name="Start again").click()
    page.get_by_text(re.compile(r"σ × c map: fit \d+ of 88")).wait_for()
    cancel.click()
    page.get_by_text("Cancelled.").wait_for()
