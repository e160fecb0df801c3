"""The report of every result page has what the page shows."""

import pytest

from epca.views import report
from tests.files import pack, pictures, pngs
from tests.outside import EVIL, NAME
from tests.views.test_report import LINK, OWN_TAGS, Reader
from tests.visit import metrics, offered, texts, turn_to, visit, visit_with_upload

LIMIT = 6_000_000  # bytes
CHARTS = {"home": 0, "activated": 2, "compare": 3, "tune": 1, "watch": 3}


def read(app):
    """The report of the page, and how large it is."""
    images = app.session_state["_experiment"].images
    origin = report.Origin([("Data set", images.name)], images.source, LINK)
    text = report.html(offered(app)["report"](), origin)
    return Reader(text), len(text.encode())


@pytest.mark.parametrize("name", CHARTS)
def test_numbers_faces_and_charts_are_the_pages(name):
    app = visit(name, c="12", sel="3")
    found, size = read(app)
    assert size <= LIMIT
    kinds = [tag for tag, _ in found.tags]
    assert kinds.count("img") >= 1
    classes = [attributes.get("class") for _, attributes in found.tags]
    assert classes.count("chart") == CHARTS[name]
    cells = found.of("td")
    assert [number for number in metrics(app).values() if number not in cells] == []


def test_activated_has_its_sentence_and_the_selected_images():
    app = visit("activated", c="12", sel=["3", "7"])
    found, _ = read(app)
    assert f"**{found.of('p')[0]}**" in texts(app)
    assert [name for name in found.of("th") if name.isdigit()] == ["3", "7"]


def test_compare_has_the_row_of_every_method():
    app = visit("compare", methods=["EPCA", "PCA-OM"], c="5")
    found, _ = read(app)
    shown = app.table[0].value.loc["PCA-OM"]
    cells = found.of("td")
    assert [text for text in shown.drop("note") if text not in cells] == []


def test_watch_has_both_runs():
    app = visit("watch", c="12", sigma2="2^8")
    found, _ = read(app)
    assert {"first run", "second run"} <= set(found.of("th"))
    assert {"1 (2⁰)", "256 (2⁸)"} <= set(found.of("td"))


@pytest.fixture(scope="module")
def named():
    """A visitor whose file and classes have hostile names."""
    files = pngs(pictures(6), NAME.replace("/", "")) | pngs(pictures(6, seed=1), "ann")
    return visit_with_upload(f"{NAME}.zip".replace("/", ""), pack(files))


@pytest.mark.parametrize("name", CHARTS)
def test_names_of_an_upload_are_text(named, name):
    turn_to(named, name)
    assert not named.exception
    found, _ = read(named)
    assert {tag for tag, _ in found.tags} <= OWN_TAGS
    assert not [True for _, attributes in found.tags if EVIL in attributes.get("src", "")]
    assert any("pwned" in text for text in found.of("td"))
    if CHARTS[name]:
        assert "<img" not in found.packed("charts")
        assert "<b>pwned" not in found.packed("charts")
