"""Compare in the browser: rows appear, a click selects, the link restores the parameters."""

import pytest

from epca import METHODS
from tests.browser.chromium import click_dot, open_page, settle


def test_a_click_in_the_scatter_selects_and_the_selection_goes_along(page, server):
    open_page(page, f"{server}/compare?methods=EPCA&methods=PCA")
    dot = page.locator(".st-key-pair .scatterlayer .trace").first.locator(".point").nth(107)
    click_dot(page, dot)
    page.wait_for_url("**sel=**")
    chosen = page.url.split("sel=")[1].split("&")[0]
    settle(page)
    page.get_by_text(f"image {chosen}", exact=True).first.wait_for()
    page.get_by_role("link", name="Activated samples", exact=True).click()
    page.locator("button.cell").first.wait_for()
    settle(page)
    assert f"sel={chosen}" in page.url


def test_own_parameters_are_in_the_link(page, server, context):
    open_page(page, f"{server}/compare?methods=PCA-AN")
    page.get_by_text("Each method's own parameters").click()
    field = page.get_by_role("spinbutton", name="PCA-AN: n_active")
    field.fill("0.5")
    field.press("Enter")
    page.wait_for_url("**n_active=0.5**")
    settle(page)
    shown = page.get_by_role("row", name="PCA-AN").first.inner_text()
    copy = context.new_page()
    open_page(copy, page.url)
    row = copy.get_by_role("row", name="PCA-AN").first.inner_text()
    assert row.split("\t")[1:6] == shown.split("\t")[1:6]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nine_methods(page, server, scheme):
    """Each row as it is ready, all nine in the end, every picture drawn."""
    page.emulate_media(color_scheme=scheme)
    query = "&".join(f"methods={label}" for label in METHODS)
    page.goto(f"{server}/compare?{query}&seed={scheme == 'dark':d}")
    page.get_by_role("row", name="PCA-AN").first.wait_for(timeout=60_000)
    settle(page)
    assert page.get_by_test_id("stTable").first.get_by_role("row").count() == len(METHODS) + 1
    assert page.get_by_test_id("stException").count() == 0
