"""The report of a page, opened as a file with the network blocked."""

import re

import numpy as np
import pandas as pd
import pytest

from epca.plots.methods import sorted_figure
from epca.views.pictures import as_one
from epca.views.report import Content, Origin, html
from tests.browser.chromium import Watcher, open_page, point_at
from tests.browser.test_print import SHEET

pytestmark = pytest.mark.new_window

LIMIT = 6_000_000  # bytes
REFERENCE = re.compile(r"""(?:src|href|action|data|url)\s*[=(]\s*["']?\s*(?:https?:)?//""")


def download(page, address, folder):
    """Download the report of the page at an address; its path."""
    open_page(page, address)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Report (HTML)").click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def open_alone(page, path):
    """Open the file; whatever asks for something else is refused, and returned."""
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.abort()

    page.route(re.compile("^(?!file:|data:|blob:)"), refuse)
    page.goto(path.as_uri())
    return asked


def test_a_report_works_alone_and_its_charts_hover(page, server, tmp_path):
    path = download(page, f"{server}/activated?c=12&sel=3", tmp_path)
    assert path.name == "activated.html"
    assert path.stat().st_size <= LIMIT
    text = path.read_text(encoding="utf-8")
    link = f'<a href="{server}/activated?sel=3&amp;c=12">'
    assert text.count(link) == 1
    assert not REFERENCE.findall(text.replace(link, ""))
    watcher = Watcher(page)
    asked = open_alone(page, path)
    page.locator(".chart .main-svg").first.wait_for()
    assert page.locator(".chart.js-plotly-plot").count() == 2
    point_at(page, page.locator(".chart .scatterlayer .point").nth(40))
    page.locator(".hoverlayer .hovertext").first.wait_for()
    assert "residual" in page.locator(".hoverlayer").first.text_content()
    images = page.locator("img").all()
    assert len(images) == 3
    assert all(image.evaluate("it => it.naturalWidth") > 100 for image in images)
    assert page.get_by_role("row", name="Rank c 12").is_visible()
    assert watcher.complaints == []
    assert asked == []


def test_a_report_prints_on_white_and_nothing_is_cut(page, tmp_path):
    table = pd.DataFrame({f"a measure, {i}": ["★ 1,234.5"] for i in range(9)}, index=["PCA-OM"])
    figure = sorted_figure({"EPCA": np.arange(9.0)}, "Errors", "error")
    faces = as_one({"Clean": np.zeros((1, 10, 32, 32))}, range(10))
    content = Content("Compare", "", {"Faces": faces}, [figure], {"Numbers": table})
    path = tmp_path / "compare.html"
    path.write_text(html(content, Origin([], "", "http://127.0.0.1/")), encoding="utf-8")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.emulate_media(color_scheme="dark")
    open_alone(page, path)
    page.locator(".chart .main-svg").first.wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="print")
    page.set_viewport_size(SHEET)
    boxes = [part.bounding_box() for part in page.locator(".main-svg, img, table").all()]
    assert len(boxes) >= 4
    assert max(box["x"] + box["width"] for box in boxes) <= SHEET["width"]
