"""An upload with unknown pixels on every page."""

import numpy as np
import pytest

from epca.data.masks import RULE
from epca.views.texts import TAKES_NONE, WHO_TAKES_UNKNOWN
from tests.files import encode, faces_of, npy, pack, pngs
from tests.visit import (
    components,
    execute,
    offered,
    press,
    settle,
    switch,
    turn_to,
    upload_all,
    visit,
    visit_with_upload,
)

FACES = faces_of(1).astype(float)
FACES[::3, 2:4, 2:5] = np.nan
SHARE = f"{np.isnan(FACES).mean():.1%} of the pixels are unknown"
NEED_PCA_AND_EPCA = ("home", "activated", "tune", "watch")
OTHERS = ("data", "framework", "paper", "learn")


@pytest.fixture(scope="module")
def app():
    return visit_with_upload("mine.npy", npy(FACES), unknown="nan")


def captions(app):
    return [caption.value for caption in app.caption]


def test_nan_is_refused_and_read_again_once_it_is_chosen():
    app = visit_with_upload("mine.npy", npy(FACES))
    assert "choose NaN under “Unknown pixels”" in app.error[0].value
    app.selectbox(key="upload_unknown_shown").set_value("nan").run()
    assert not app.error
    assert app.session_state["dataset"] == "your-upload"


def test_data_says_it_and_shows_them_transparent(app):
    turn_to(app, "data")
    assert SHARE in app.main.markdown[0].value
    assert "no measure counts them" in app.main.markdown[0].value


@pytest.mark.parametrize("name", NEED_PCA_AND_EPCA)
def test_a_page_that_needs_pca_ends_with_one_sentence_and_a_way(app, name):
    turn_to(app, name)
    assert not app.exception
    assert not app.error
    (info,) = app.info
    assert "Cauchy PCA does: Compare shows" in info.value
    assert app.button(key="compare_unknown").label == "Compare with Cauchy PCA"


@pytest.mark.parametrize("name", OTHERS)
def test_every_other_page_works(app, name):
    turn_to(app, name)
    assert not app.exception
    assert not app.error


def test_the_way_leads_to_compare_with_the_method_first():
    app = visit_with_upload("mine.npy", npy(FACES), unknown="nan")
    turn_to(app, "home")
    press(app, "Compare with Cauchy PCA")
    assert app.session_state["_stem"] == "compare"
    assert app.session_state["methods"][0] == "Cauchy PCA"


def test_compare_shows_one_row_and_the_sentence_for_the_others(app):
    app.session_state["methods"] = ["EPCA", "PCA"]
    turn_to(app, "compare")
    press(app, "Add Cauchy PCA")
    for show in ("residuals", "errors", "ignored", "reconstructions"):
        app.session_state["pictures"] = show
        settle(app.run())
        assert not app.exception
    switch(app, "robust")
    assert not app.exception
    switch(app, "robust", False)
    numbers = app.table[0].value
    assert numbers.loc["Cauchy PCA", "error (10³)"] != "–"
    assert numbers.loc["PCA", "note"] == TAKES_NONE
    (told,) = [caption for caption in captions(app) if "unknown" in caption]
    assert SHARE in told
    assert told.endswith(WHO_TAKES_UNKNOWN)
    rows = {row["label"]: row for row in components(app)["matrix"]["rows"]}
    assert TAKES_NONE in str(rows["EPCA"])
    assert "NaN" not in str(rows)


@pytest.mark.parametrize("methods", [("PCA", "Cauchy PCA"), ("EPCA",)])
@pytest.mark.slow
def test_the_script_reads_the_same_file_in_the_same_way(app, methods, tmp_path):
    """It runs also where every method fails."""
    (tmp_path / "mine.npy").write_bytes(npy(FACES))
    app.session_state["methods"] = list(methods)
    turn_to(app, "compare")
    code = offered(app)["code"]
    assert "load_dataset('mine.npy', unknown='nan')" in code
    printed = execute(code, tmp_path)
    assert "use one of METHODS" in printed
    if "Cauchy PCA" in methods:
        assert "nan" not in next(
            line for line in printed.splitlines() if line.startswith("Cauchy PCA image")
        )


def test_transparent_pixels_of_loose_pictures_are_unknown():
    alpha = np.where(np.isnan(FACES), 0, 255)
    both = np.stack([np.nan_to_num(FACES), alpha], axis=-1).astype(np.uint8)
    app = visit("data", upload_unknown="transparent")
    upload_all(app, [(f"{i:02}.png", encode(picture)) for i, picture in enumerate(both)])
    assert SHARE in app.main.markdown[0].value


@pytest.mark.slow
def test_mask_images_lead_to_cauchy_pca(tmp_path):
    """A zip of faces and masks: what is read is said, one method runs, the others refuse."""
    hidden = np.isnan(FACES)
    files = pngs(np.nan_to_num(FACES).astype(np.uint8))
    masks = {f"{i}_mask.png": encode(hidden[i]) for i in range(0, 40, 3)}
    app = visit_with_upload("mine.zip", pack(files | masks), unknown="masks")
    assert RULE in captions(app)
    assert any(f"14 of 40 images have a mask. {SHARE}." in caption for caption in captions(app))
    app.session_state["methods"] = ["PCA", "Cauchy PCA"]
    turn_to(app, "compare")
    numbers = app.table[0].value
    assert numbers.loc["Cauchy PCA", "error (10³)"] != "–"
    assert numbers.loc["PCA", "note"] == TAKES_NONE
    (tmp_path / "mine.zip").write_bytes(pack(files | masks))
    assert "load_dataset('mine.zip', unknown='masks')" in offered(app)["code"]
    assert "use one of METHODS" in execute(offered(app)["code"], tmp_path)


def test_masks_without_pictures_are_refused_until_others_are_chosen():
    """Loose: the page says what is missing; as pictures they are read."""
    files = [(f"{i}_mask.png", encode(face)) for i, face in enumerate(faces_of(1)[:5])]
    app = visit("data", upload_unknown="masks")
    upload_all(app, files)
    assert "0_mask.png is a mask without its picture" in app.error[0].value
    app.selectbox(key="upload_unknown_shown").set_value("none").run()
    assert not app.error
    assert RULE not in captions(app)
    assert app.session_state["dataset"] == "your-upload"
