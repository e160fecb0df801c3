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
    offer = offered(app)
    settings = offer["settings"] or [("Data set", images.name)]
    text = report.html(offer["report"](), report.Origin(settings, images.source, LINK))
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


def charts(found):
    return [attributes.get("class") for _, attributes in found.tags].count("chart")


@pytest.mark.parametrize(("gamma", "n_charts"), [("1.0", 4), ("2.0", 3)])
def test_framework_has_its_plane_points_and_own_settings(gamma, n_charts):
    app = visit("framework", gamma=gamma, sigma_2d="2^0", cloud_seed="7")
    found, size = read(app)
    assert size <= LIMIT
    assert charts(found) == n_charts
    assert f"**{found.of('strong')[0]}**" in texts(app)
    shown = app.table[0].value
    assert [text for text in shown.to_numpy().ravel() if text not in found.of("td")] == []
    assert {"subspace", "7", "1 (2⁰)"} <= set(found.of("td")[-5:])


def test_framework_names_no_preset_for_points_that_were_moved():
    app = visit("framework", points="0.0_100.100_200.250_300.100")
    found, _ = read(app)
    assert "Learner" in found.of("th")
    assert not {"Cloud", "Draw"} & set(found.of("th"))


def test_paper_has_its_findings_tables_and_figures():
    found, size = read(visit("paper"))
    assert size <= LIMIT
    assert charts(found) == 4
    captions = found.of("caption")
    assert {"What holds", "How EPCA fared", "What was run"} <= set(captions)
    assert len([text for text in captions if text.startswith("Table I:")]) == 15
    assert len([text for text in captions if text.startswith("Table III:")]) == 15
    assert "1.68\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.01" in found.of("td")
    assert "shipped run" in found.of("td")


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
