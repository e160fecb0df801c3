"""The page Home without a browser: its numbers are right, its controls work."""

import numpy as np
import pytest

from epca import EPCA, METHODS
from epca.corruption import occlude
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.settings import SETTINGS
from epca.views.texts import power_text
from tests.files import npy, pictures
from tests.visit import PAPER, charts, components, metrics, press, texts, upload, visit

OPENING = {"kind": "salt-and-pepper", "samples": 0.2, "pixels": 0.4, "random_state": 0}


@pytest.fixture(scope="module")
def home():
    """The page at its defaults, to read only."""
    return visit()


@pytest.fixture(scope="module")
def fitted(faces):
    """EPCA and the occluded images at the opening setting."""
    occluded = occlude(faces.X, image_shape=(32, 32), **OPENING)
    return EPCA(20).fit(occluded.X), occluded


def test_numbers_equal_a_plain_recomputation(home, faces, fitted):
    assert not home.exception
    epca, occluded = fitted
    pca = METHODS["PCA"](20).fit(occluded.X)
    errors = [np.sum((faces.X - model.reconstruct(occluded.X)) ** 2) for model in (epca, pca)]
    clean = set(np.flatnonzero(epca.alpha_)) - set(occluded.samples)
    change = f"{errors[0] / errors[1] - 1:+.1%}".replace("-", "−")
    assert metrics(home) == {
        "EPCA's error against PCA's": change,
        "Activated images": f"{epca.n_activated_} of 400",
        "Clean among the activated": f"{len(clean)} of {epca.n_activated_}",
    }
    said = f"Shown: the opening setting; EPCA took {epca.n_iter_} iterations."
    assert home.main.caption[0].value == said
    assert texts(home)[0].startswith("80 of these 400 images are occluded.")


def test_a_lessons_setting_is_said_to_be_one_until_it_is_changed():
    app = visit(lesson="1", step="1", kind="shared-pixels", samples="0", pixels="20", c="30")
    assert any(text.value.startswith("Shown: the lesson's setting;") for text in app.main.caption)
    app.slider(key="c").set_value(31).run()
    assert any(text.value.startswith("Shown: a setting of your own;") for text in app.main.caption)


def test_four_rows_of_the_same_eight_faces(home):
    table = components(home)["home_faces"]
    assert [row["label"] for row in table["rows"]] == ["Clean", "Occluded", "PCA", "EPCA"]
    assert len(table["heads"]) == 8
    ids = ", ".join(table["heads"])
    assert [row["alt"] for row in table["rows"]] == [
        f"{row['label']}: images {ids}" for row in table["rows"]
    ]


def test_the_trusted_faces_are_the_activated_with_their_weights(home, fitted):
    alpha = fitted[0].alpha_
    cells = components(home)["trusted_most"]["cells"]
    order = sorted(np.flatnonzero(alpha), key=lambda i: (-alpha[i], i))
    assert [cell["id"] for cell in cells] == order
    np.testing.assert_allclose([cell["bar"] for cell in cells], alpha[order] / alpha.max())
    assert f"{len(order)} activated" in texts(home)[1]
    assert texts(home)[1].endswith(f"; {400 - len(order)} at α = 0")


def test_the_least_trusted_faces_have_the_largest_residuals(home, fitted):
    epca, occluded = fitted
    residuals = epca.residuals(occluded.X)
    cells = components(home)["trusted_least"]["cells"]
    assert [cell["id"] for cell in cells] == np.argsort(-residuals)[: len(cells)].tolist()
    assert all(cell["is_occluded"] for cell in cells)


def test_every_control_changes_the_result():
    app = visit()
    before = metrics(app)
    for change in (
        lambda: app.slider(key="samples").set_value(40),
        lambda: app.slider(key="pixels").set_value(50),
        lambda: app.slider(key="c").set_value(10),
        lambda: app.number_input(key="seed").set_value(5),
        lambda: app.select_slider(key="sigma_shown").set_value(12),
        lambda: app.selectbox(key="kind_shown").set_value("band"),
    ):
        change().run()
        assert not app.exception
        assert metrics(app) != before
        before = metrics(app)


def test_the_papers_setting_is_one_click_away(faces):
    app = visit()
    press(app, "The paper's setting")
    assert not app.exception
    values = {key: app.session_state[key] for key in SETTINGS}
    assert values == PRESETS["paper"].values
    k = EPCA(30).fit(occlude(faces.X, random_state=0).X).n_activated_
    assert metrics(app)["Activated images"] == f"{k} of 400"
    assert app.main.caption[0].value.startswith("Shown: the paper's setting;")


def test_nothing_occluded():
    app = visit(samples="0")
    assert not app.exception
    assert metrics(app)["Clean among the activated"] == "–"
    assert texts(app)[0].startswith("0 of these 400 images are occluded.")
    assert app.main.caption[0].value == "–: none is occluded."
    assert app.main.caption[1].value.startswith("Shown: a setting of your own;")


def test_occluded_faces_are_shown_first():
    app = visit(**PAPER, samples="1")
    assert not app.exception
    hit = occlude(np.zeros((400, 1024)), samples=0.01, random_state=0).samples
    assert components(app)["home_faces"]["heads"][: len(hit)] == list(map(str, hit))


def test_a_collapse_is_said_and_a_lower_rank_cures_it(home):
    assert not home.warning
    app = visit(**PAPER | {"c": "100"})
    assert "fitted exactly" in app.warning[0].value
    press(app, "Lower c to 50")
    assert app.slider(key="c").value == 50
    assert not app.warning


def test_few_clean_images_that_pca_fits_exactly():
    app = upload(visit("data"), "mine.npy", npy(pictures(4)))
    app.slider(key="samples").set_value(0).run()
    app.slider(key="c").set_value(3).run()
    for page in ("home", "tune", "compare", "activated", "watch"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, page
        if page in ("home", "tune", "activated"):
            assert "c reaches the rank of the data" in app.main.warning[0].value
        if page in ("activated", "watch"):
            assert "fitted exactly" in texts(app)[0]
    app.switch_page("pages/home.py").run()
    assert metrics(app)["EPCA's error against PCA's"] in ("–", "+0.0%")


def test_projector_mode_enlarges_type_and_folds_the_sidebar_to_its_sliders():
    app = visit("activated")
    app.toggle(key="projector").set_value(True).run()
    assert not app.exception
    assert charts(app)["subspace"]["layout"]["font"]["size"] == 15
    assert "More settings" in [part.proto.popover.label for part in app.sidebar.get("popover")]


def test_the_mark_under_sigma_tells_where_residuals_lie(home, fitted):
    X = fitted[1].X
    lengths = METHODS["PCA"](20).fit(X).residuals(X)
    low, high = np.log2(np.quantile(lengths, [0.1, 0.9])).round(1)
    (mark,) = [part.proto.body for part in home.get("html") if 'class="track"' in part.proto.body]
    text = f"Most of PCA's residuals lie from {power_text(low)} to {power_text(high)}"
    assert f'aria-label="{text}"' in mark
