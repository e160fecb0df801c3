"""The page Data: what is there, every kind of occlusion, uploads, files that come and go."""

import os
import re

import pytest

from epca.corruption import KINDS, occlude
from epca.data import ACCEPTED, LIMITS, DataError
from epca.ui.parts.uploads import OWN_LIMIT
from tests.files import npy, pack, pictures, pngs
from tests.refused import CASES, refused
from tests.visit import metrics, texts, turn_to, upload, visit, visit_with_upload


def test_an_upload_too_large_for_the_dashboard_is_refused(monkeypatch):
    monkeypatch.setattr("epca.ui.parts.uploads.MOST_PIXELS", 700)
    app = visit_with_upload("mine.npy", npy(pictures(12)))
    assert app.error[0].value == f"mine.npy: 12 images are too many. {OWN_LIMIT}"
    assert app.title[0].value == "ORL faces"


def test_a_known_set_that_is_missing_says_how_to_get_it(monkeypatch):
    monkeypatch.delenv("EPCA_DATASETS", raising=False)
    app = visit()
    app.selectbox(key="dataset").set_value("yale").run()
    assert not app.exception
    assert app.sidebar.error[0].value.startswith("yale is not here. ")
    assert metrics(app)["Activated images"].endswith("of 400")


def test_data_tells_what_is_there():
    app = visit("data")
    assert not app.exception
    assert app.title[0].value == "ORL faces"
    assert app.main.markdown[0].value.startswith(
        "**400** images of 32 × 32 pixels, 40 classes, grey levels 9 to 228."
    )
    assert "AT&T" in app.main.markdown[0].value
    assert app.main.markdown[1].value.startswith(
        "80 of 400 images are occluded, in 20% of their pixels."
    )
    assert len(app.main.image) == 4
    assert app.main.caption[0].value == (
        "One class per row, at most 12 images each: s1 to s8, 40 classes in all."
    )
    assert ACCEPTED in texts(app)
    assert f"{LIMITS} {OWN_LIMIT}" in [caption.value for caption in app.main.caption]
    assert "olivetti" in str(app.table[0].value)


def test_every_kind_of_occlusion(faces):
    app = visit("data")
    for kind in KINDS:
        app.selectbox(key="kind").set_value(kind).run()
        assert not app.exception
        hit = occlude(faces.X, kind, labels=faces.labels, random_state=0).mask
        share = hit[hit.any(axis=1)].mean()
        assert app.main.markdown[1].value.startswith(
            f"80 of 400 images are occluded, in {share:.0%} of their pixels."
        )


def test_another_set_keeps_the_rank_within_its_bounds():
    """Digits have 64 pixels: c can be at most 64; a larger one is lowered, and that is said."""
    app = visit("data")
    app.slider(key="c").set_value(90).run()
    app.selectbox(key="dataset").set_value("digits").run()
    assert not app.exception
    assert app.slider(key="c").value == app.slider(key="c").max == 64
    assert app.main.warning[0].value == (
        "“Rank c” was set to 90, but must be a whole number from 1 to 64 here. It is set to 64 now."
    )
    assert app.title[0].value == "Handwritten digits"
    assert app.info[0].value == "Grey levels from 0 to 16 were stretched to 0…255."


def test_an_upload_is_shown_at_once():
    app = visit_with_upload(
        "mine.zip", pack(pngs(pictures(5), "ann") | pngs(pictures(5, seed=1), "bob"))
    )
    assert not app.exception
    assert app.selectbox(key="dataset").value == "your-upload"
    assert app.title[0].value == "mine"
    assert app.main.markdown[0].value.startswith("**10** images of 8 × 8 pixels, 2 classes")
    assert app.slider(key="c").max == 9
    turn_to(app, "home")
    assert not app.exception
    assert metrics(app)["Activated images"].endswith("of 10")


def test_a_set_without_classes_or_truth():
    """No occlusion by other classes is offered; error and clean share show a dash."""
    app = visit_with_upload("mine.npy", npy(pictures(12)), is_occluded=True)
    assert "no classes" in app.main.markdown[0].value
    assert "whole image: another class" not in app.selectbox(key="kind").options
    turn_to(app, "home")
    assert not app.exception
    shown = metrics(app)
    assert shown["EPCA's error against PCA's"] == shown["Clean among the activated"] == "–"
    assert app.markdown[0].value.startswith(
        "2 of these 12 images are occluded further; which ones came occluded is not known."
    )


@pytest.mark.slow
def test_every_refused_upload_says_why_and_the_former_data_stay():
    """All of the readers' refusals, one after the other in one session."""
    app = visit("data")
    for case in CASES:
        name, content, message = refused(case)
        upload(app, name[:200], content)
        assert not app.exception, case
        assert re.search(message, app.error[0].value), case
        assert app.title[0].value == "ORL faces", case


def test_a_failed_download_is_said(tmp_path, monkeypatch):
    """The page's part; what the fetchers do without a network is tested with the catalogue."""

    def fail(name, download):
        raise DataError(f"{name}: the download failed; check the network and try again.")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("epca.ui.parts.uploads.load_dataset", fail)
    app = visit("data")
    assert app.button(key="download_lfw").label == "Download Labeled faces in the wild, 12 people"
    offered = {button.key for button in app.button if button.label.startswith("Download ")}
    assert offered == {"download_lfw", "download_olivetti"}  # neither what is here nor plain files
    app.button(key="download_olivetti").click().run()
    assert not app.exception
    assert app.error[0].value == "olivetti: the download failed; check the network and try again."
    assert app.title[0].value == "ORL faces"


def test_a_broken_file_in_the_folder_is_said(tmp_path, monkeypatch):
    (tmp_path / "broken.npz").write_bytes(b"PK not a zip")
    monkeypatch.setenv("EPCA_DATASETS", os.pathsep.join([str(tmp_path), str(tmp_path / "gone")]))
    app = visit()
    assert "gone of EPCA_DATASETS cannot be read" in app.sidebar.warning[0].value
    app.selectbox(key="dataset").set_value("broken").run()
    assert not app.exception
    assert "broken.npz: it could not be read" in app.sidebar.error[0].value
    assert metrics(app)["Activated images"].endswith("of 400")


def test_a_replaced_file_is_read_anew_and_a_deleted_one_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    path = tmp_path / "mine.npy"
    path.write_bytes(npy(pictures(12)))
    app = visit()
    app.selectbox(key="dataset").set_value("mine").run()
    assert metrics(app)["Activated images"].endswith("of 12")
    path.write_bytes(npy(pictures(15)))
    app.run()
    assert metrics(app)["Activated images"].endswith("of 15")
    path.unlink()
    app.run()
    assert not app.exception
    said = app.main.warning[0].value
    assert said.startswith("“Data set” was set to mine, but must be one of orl, digits, ")
    assert said.endswith(" here. It is set to orl now.")
    assert metrics(app)["Activated images"].endswith("of 400")


@pytest.mark.parametrize(
    ("is_occluded", "samples", "text"),
    [
        (False, 0, "No image is occluded. "),
        (False, 25, "1 of 4 images is occluded, in 20% of its pixels. "),
        (True, 0, "No image is occluded further; which ones came occluded is not known. "),
        (
            True,
            50,
            "2 of 4 images are occluded further, in 20% of their pixels; "
            "which ones came occluded is not known. ",
        ),
    ],
)
def test_the_occlusion_is_said_in_good_english(is_occluded, samples, text):
    app = visit_with_upload("mine.npy", npy(pictures(4)), is_occluded=is_occluded)
    app.slider(key="samples").set_value(samples).run()
    assert texts(app)[1] == f"{text}The sidebar sets how."
