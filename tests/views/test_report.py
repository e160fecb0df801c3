"""Reports: what is in them, that it is shown as it is, and that they need nothing else."""

import gzip
import json
import platform
from base64 import b64decode
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import plotly
import pytest

from epca import assets
from epca.plots.methods import sorted_figure
from epca.views import report
from epca.views.pictures import as_one
from epca.views.report import NO_UPLOAD, Content, Origin
from tests.outside import HOSTILE

LINK = "http://127.0.0.1/activated?c=12&sigma=2%5E3"
NAME = "".join(HOSTILE) + "\"'</script></style><script>pwned()</script>"
OWN_TAGS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "strong", "em", "a",
    "figure", "figcaption", "img", "div", "table", "caption", "thead", "tbody", "tr", "th", "td",
    "noscript", "script",
}  # fmt: skip


class Reader(HTMLParser):
    """The tags of a page with their attributes, and its texts by the tag they stand in."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self._open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self._open[-1], data))

    def of(self, tag):
        return [text for inside, text in self.texts if inside == tag]

    def packed(self, name):
        """What is packed under this id."""
        ids = [attributes.get("id") for tag, attributes in self.tags if tag == "script"]
        return gzip.decompress(b64decode(self.of("script")[ids.index(name)])).decode()


def content(name="A", figures=()):
    picture = as_one({"Clean": np.zeros((1, 1, 8, 8))}, [0])
    table = pd.DataFrame({name: [name, "x" * 300]}, index=pd.Index(["a", name], name="image"))
    return Content(name, name, {name: picture}, figures, {name: table})


def figure(title="Errors"):
    return sorted_figure({"EPCA": np.arange(3.0)}, title, "error")


def origin(name="A", **options):
    return Origin([("Data set", name)], name, LINK, **options)


def test_a_report_has_settings_link_versions_and_what_to_cite():
    text = report.html(content(figures=[figure()]), origin("mine"))
    found = Reader(text)
    assert found.of("title") == ["A · EPCA Lab"]
    assert (found.of("th")[-1], found.of("td")[-1]) == ("Data set", "mine")
    assert found.of("a") == [LINK]
    assert ("a", {"href": LINK}) in found.tags
    said = " ".join(found.of("p"))
    assert "arXiv 2103.11931" in said
    versions = (np.__version__, plotly.__version__, platform.python_version())
    assert all(version in said for version in versions)
    assert NO_UPLOAD not in said


def test_the_link_to_an_upload_says_that_it_is_not_in_it():
    assert NO_UPLOAD in report.html(content(), origin(is_upload=True))


def test_whatever_a_name_holds_is_text():
    text = report.html(content(NAME, [figure(NAME)]), origin(NAME))
    found = Reader(text)
    assert {tag for tag, _ in found.tags} <= OWN_TAGS
    (picture,) = [attributes for tag, attributes in found.tags if tag == "img"]
    assert picture["alt"] == NAME
    for tag in ("h1", "figcaption", "caption", "th", "td"):
        assert NAME in found.of(tag), tag
    assert len(found.of("script")) == 3
    for _, attributes in found.tags:
        assert not [name for name in attributes if name.startswith("on")]
        addresses = {attributes.get(name, LINK) for name in ("src", "href")} - {LINK}
        assert all(address.startswith("data:image/png;") for address in addresses)


def test_sentences_keep_bold_and_italics_alone():
    found = Reader(report.html(content()._replace(sentence="**5** *best* <b>"), origin()))
    assert found.of("strong") == ["5"]
    assert found.of("em") == ["best"]
    assert any("<b>" in text for text in found.of("p"))


def test_cells_are_not_cut():
    assert "x" * 300 in Reader(report.html(content(), origin())).of("td")


def test_plotly_is_in_it_once_and_whole_and_so_are_the_charts():
    found = Reader(report.html(content(figures=[figure("One"), figure("Two")]), origin()))
    assert found.packed("plotly") == plotly.offline.get_plotlyjs()
    drawn = json.loads(found.packed("charts"))
    assert [chart["layout"]["title"]["text"] for chart in drawn] == ["One", "Two"]
    assert drawn[0]["data"][0]["y"] == [0.0, 1.0, 2.0]
    places = [attributes for _, attributes in found.tags if attributes.get("class") == "chart"]
    assert [place["aria-label"] for place in places] == ["One", "Two"]


def test_without_a_chart_there_is_no_script():
    text = report.html(content(), origin())
    assert "<script" not in text
    assert len(text) < 20_000


def test_a_chart_of_the_page_is_not_changed():
    shown = figure()
    before = shown.to_json()
    report.html(content(figures=[shown]), origin())
    assert shown.to_json() == before


@pytest.mark.parametrize("name", ["report.html", "report.css", "report.js"])
def test_templates_name_nothing_elsewhere(name):
    assert "//" not in assets.read("epca.views", name).replace("// ", "")
