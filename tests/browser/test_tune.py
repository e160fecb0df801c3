"""The page Tune as a user gets it: clicks set σ and c, dragging needs no server, cancelling ends the work."""

import os
import re
import time
from pathlib import Path
from urllib.parse import parse_qs, urlparse

from tests.browser.chromium import click_dot, open_page, settle


def settings(page):
    """σ and c as the sidebar shows them, and as the address has them (None for a default)."""
    sigma = page.get_by_role("slider", name="σ of the σ-loss").get_attribute("aria-valuetext")
    c = page.get_by_role("slider", name="Rank c").input_value()
    query = parse_qs(urlparse(page.url).query)
    return (sigma, c), (query.get("sigma", [None])[0], query.get("c", [None])[0])


def dot(page, chart, number):
    """A dot of the chart's first curve."""
    return page.locator(f".st-key-{chart} .scatterlayer .trace").first.locator(".point").nth(number)


def switch(page, name):
    page.get_by_role("switch", name=name, exact=True).locator("xpath=ancestor::label").click()


def test_clicks_set_sigma_and_c(page, server):
    """On the sweep, the scree and the map; settings, link and marks follow."""
    open_page(page, f"{server}/tune?dataset=digits&c=8&sweep=true&map=true&csweep=true")
    dot(page, "map_chart", 0).wait_for(timeout=60_000)
    settle(page)
    click_dot(page, dot(page, "sigma_blind", 27))
    page.wait_for_url("**sigma=2%5E7**")
    settle(page)
    assert settings(page) == (("2^7", "8"), ("2^7", "8"))
    click_dot(page, dot(page, "sigma_oracle", 24))
    page.wait_for_url("**sigma=2%5E4**")
    settle(page)
    click_dot(page, dot(page, "scree", 11))
    page.wait_for_url("**c=12**")
    settle(page)
    assert settings(page) == (("2^4", "12"), ("2^4", "12"))
    click_dot(page, dot(page, "rank_blind", 1))
    page.wait_for_url("**c=6**")
    settle(page)
    assert settings(page) == (("2^4", "6"), ("2^4", "6"))
    click_dot(page, dot(page, "map_chart", 6 * 2 + 1))  # six ranks: the third σ, the second rank
    page.wait_for_url("**sigma=2%5E-12**")
    settle(page)
    assert settings(page) == (("2^-12", "10"), ("2^-12", "10"))
    assert page.get_by_test_id("stException").count() == 0


def test_dragging_sigma_asks_nothing_of_the_server(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append(time.monotonic())))
    open_page(page, f"{server}/tune?dataset=digits&c=8&sweep=true")
    rail = page.locator(".st-key-live .slider-rail-touch-rect")
    rail.wait_for(timeout=60_000)
    settle(page)
    title, label = page.locator(".st-key-live .gtitle"), page.locator(".st-key-live .slider-group .slider-label").first
    before, dots = title.inner_html(), page.locator(".st-key-live .scatterlayer .point").count()
    rail.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    asked = len(sent)
    box = rail.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.98 * box["width"], middle, steps=10)
    page.mouse.up()
    page.wait_for_timeout(500)
    assert label.text_content() == "σ = 2^20"
    assert title.inner_html() != before
    assert page.locator(".st-key-live .scatterlayer .point").count() != dots
    assert len(sent) == asked


def seconds_worked(address):
    """What the server's process has used of the processor so far."""
    port = f"--server.port={urlparse(address).port}"
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and port in (folder / "cmdline").read_text().split("\0"):
            used = (folder / "stat").read_text().rsplit(")", 1)[1].split()[11:13]
            return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")
    raise LookupError(f"no process serves {address}")


def test_cancel_ends_the_work_at_once(page, server):
    open_page(page, f"{server}/tune?seed=33")
    switch(page, "Compute the map")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.wait_for(timeout=10_000)
    page.wait_for_timeout(500)
    start = time.monotonic()
    cancel.click()
    page.get_by_text("Cancelled. Change a setting, or start again.").wait_for(timeout=10_000)
    page.wait_for_selector("[data-testid='stApp'][data-test-script-state='notRunning']")
    assert time.monotonic() - start < 2
    settle(page)
    assert page.locator(".st-key-map_chart").count() == 0
    assert page.locator(".st-key-scree").count() == 1
    before = seconds_worked(server)
    page.wait_for_timeout(2000)
    assert seconds_worked(server) - before < 0.5
    page.get_by_role("button", name="Start again").click()
    page.get_by_text(re.compile(r"σ × c map: fit \d+ of 88")).wait_for(timeout=10_000)
    cancel.click()
    page.get_by_text("Cancelled.").wait_for(timeout=10_000)
