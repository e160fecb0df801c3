"""The page Home without a browser: its numbers are right, its controls work."""

import numpy as np
import pytest

from epca import EPCA, METHODS
from epca.corruption import occlude
from tests.files import npy, pictures
from tests.visit import charts, metrics, texts, upload, visit


@pytest.fixture(scope="module")
def home():
    """The page at its defaults, to read only."""
    return visit()


def test_numbers_equal_a_plain_recomputation(home, faces):
    assert not home.exception
    occluded = occlude(faces.X, samples=0.2, pixels=0.2, random_state=0)
    epca, pca = EPCA(30, sigma=1.0).fit(occluded.X), METHODS["PCA"](30).fit(occluded.X)
    errors = [np.sum((faces.X - model.reconstruct(occluded.X)) ** 2) for model in (epca, pca)]
    clean = set(np.flatnonzero(epca.alpha_)) - set(occluded.samples)
    shown = metrics(home)
    assert shown["EPCA's error against PCA's"] == f"{errors[0] / errors[1] - 1:+.1%}".replace(
        "-", "−"
    )
    assert shown["Activated images"] == f"{epca.n_activated_} of 400"
    assert shown["Clean among the activated"] == f"{len(clean)} of {epca.n_activated_}"
    assert f"EPCA took {epca.n_iter_} iterations." in home.caption[0].value
    assert home.markdown[0].value.startswith("80 of these 400 images are occluded.")


def test_four_rows_of_faces(home):
    assert texts(home)[1:] == ["**Clean**", "**Occluded**", "**PCA**", "**EPCA**"]
    assert len(home.image) == 4


def test_every_control_changes_the_result():
    app = visit()
    before = metrics(app)
    for change in (
        lambda: app.slider(key="samples").set_value(40),
        lambda: app.slider(key="pixels").set_value(50),
        lambda: app.slider(key="c").set_value(10),
        lambda: app.number_input(key="seed").set_value(5),
        lambda: app.select_slider(key="sigma").set_value(12),
    ):
        change().run()
        assert not app.exception
        assert metrics(app) != before
        before = metrics(app)


def test_nothing_occluded():
    app = visit(samples="0")
    assert not app.exception
    assert metrics(app)["Clean among the activated"] == "–"
    assert app.markdown[0].value.startswith("0 of these 400 images are occluded.")


def test_occluded_faces_are_shown_first():
    app = visit(samples="1")
    assert not app.exception
    hit = occlude(np.zeros((400, 1024)), samples=0.01, random_state=0).samples
    assert (
        app.image[1]
        .proto.imgs[0]
        .alt.startswith("Occluded: images " + ", ".join(map(str, hit)) + ", ")
    )


def test_collapse_notice(home):
    assert not home.warning
    assert "fitted exactly" in visit(c="100").warning[0].value


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


def test_projector_mode_enlarges_type():
    app = visit("activated")
    app.toggle(key="projector").set_value(True).run()
    assert not app.exception
    assert charts(app)["alpha"]["layout"]["font"]["size"] == 20


def test_the_mark_under_sigma_tells_where_residuals_lie(home, faces):
    lengths = METHODS["PCA"](30).fit(X := occlude(faces.X, random_state=0).X).residuals(X)
    low, high = np.log2(np.quantile(lengths, [0.1, 0.9]))
    assert (
        home.sidebar.caption[0].value
        == f"Orange: most of PCA's residuals here, 2^{low:.1f} to 2^{high:.1f}"
    )
