"""Links and names are text: whatever stands in them, a page shows it and does not act on it."""

import pytest

from epca.registry import METHODS
from epca.ui.frame import controls, lesson
from epca.ui.frame.pinning import PINNED
from epca.ui.frame.router import PAGES
from epca.ui.frame.settings import CHOSEN_METHODS, DATASET, PROJECTOR, SETTINGS
from tests.files import npz, pack, pictures, pngs
from tests.outside import HOSTILE, NAME, acted_on, markdown
from tests.visit import turn_to, upload, visit, visit_with_upload

KEYS = (
    *SETTINGS,
    *controls.defaults(),
    *(row.key for row in (DATASET, CHOSEN_METHODS, PROJECTOR, lesson.LESSON, lesson.STEP)),
    PINNED,
    "glossary",
    "deviation_uniqueness",
    "deviation_none",
)
WITH_IMAGES = [page for page, row in PAGES.items() if row.has_experiment]


@pytest.mark.parametrize("stem", PAGES)
def test_no_key_of_a_link_is_acted_on(stem):
    app = visit(stem, **dict.fromkeys(KEYS, NAME))
    assert not app.exception
    assert acted_on(app) == []


@pytest.mark.parametrize("text", HOSTILE[::4])
def test_texts_of_framework(text):
    """Its two texts are quoted where they cannot be read."""
    app = visit("framework", points=text, losses=text)
    assert not app.exception
    assert acted_on(app) == []


@pytest.fixture(scope="module")
def named():
    """A visitor whose file and classes have hostile names."""
    files = pngs(pictures(6), NAME.replace("/", "")) | pngs(pictures(6, seed=1), "ann")
    app = visit_with_upload(f"{NAME}.zip".replace("/", ""), pack(files))
    assert any("pwned" in text for text in markdown(app))
    return app


@pytest.mark.parametrize("stem", WITH_IMAGES)
def test_no_name_of_an_upload_is_acted_on(named, stem):
    turn_to(named, stem)
    assert not named.exception
    assert acted_on(named) == []
    figures = [chart.proto.spec for chart in named.get("plotly_chart")]
    assert not any("<b>pwned" in figure or "<img" in figure for figure in figures)


def test_no_name_in_a_refusal_is_acted_on():
    app = visit("data")
    name = NAME.replace("/", "")
    for content in (b"", b"no picture", npz(**{name: pictures(5), f"{name}2": pictures(5)})):
        upload(app, f"{name}.npz", content)
        assert "pwned" in app.error[0].value
        assert acted_on(app) == []
    upload(app, "mine.npz", npz(images=pictures(5), **{name: pictures(5)}))
    assert not app.error
    assert "pwned" in app.main.caption[0].value  # an array that was left out
    assert acted_on(app) == []


def test_no_path_of_the_server_is_shown(tmp_path, monkeypatch):
    folder = tmp_path / "secret"
    (folder / "mine").mkdir(parents=True)
    for name, content in pngs(pictures(12)).items():
        (folder / "mine" / name).write_bytes(content)
    (folder / "broken.npz").write_bytes(b"PK")
    monkeypatch.setenv("EPCA_DATASETS", f"{folder}:{tmp_path / 'gone'}")
    for name in ("mine", "broken"):
        app = visit("data", dataset=name)
        assert not any(str(tmp_path) in text for text in markdown(app))
        assert any("gone" in text for text in markdown(app))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["-1e999", "9" * 400])
def test_no_number_of_a_link_ends_a_page(text):
    """All keys of all pages, with the parameters of all methods."""
    for stem in PAGES:
        app = visit(stem, **dict.fromkeys(KEYS, text))
        assert not app.exception, stem
    app = visit("compare", **dict.fromkeys(KEYS, text) | {CHOSEN_METHODS.key: list(METHODS)})
    assert not app.exception
    assert any("which must be" in warning.value for warning in app.main.warning)
