"""The page Data: what is there, every kind of occlusion, files that come and go."""

import os

import pytest

from epca.corruption import KINDS, occlude
from epca.data import ACCEPTED, LIMITS, DataError
from epca.ui.frame.delivery import own_limit
from epca.ui.parts import uploads
from tests.files import npy, pictures
from tests.visit import (
    components,
    metrics,
    texts,
    visit,
    visit_with_upload,
)


def facts(app):
    """The sentence beside the title."""
    return texts(app)[0]


def occlusion(app):
    """The sentence above the faces."""
    return next(text for text in texts(app) if text.endswith("The sidebar sets how."))


def said(app):
    return [warning.value for warning in app.main.warning]


def test_a_known_set_that_is_missing_is_set_apart_and_says_how_to_get_it(monkeypatch):
    monkeypatch.delenv("EPCA_DATASETS", raising=False)
    app = visit("data")
    assert "yale" not in app.selectbox(key="dataset").options
    (table,) = [table.value for table in app.table if "how to get it" in table.value]
    ways = dict(zip(table["name"], table["how to get it"], strict=True))
    assert ways["yale"].startswith("Get Yale_32x32.mat from ")
    assert "orl" not in ways
    assert [expander.label for expander in app.main.expander] == ["Other data sets"]
    said_of_link = visit(dataset="yale").main.warning[0].value
    assert said_of_link.startswith("The link has `dataset=yale`, which must be one of orl")


def test_data_tells_what_is_there():
    app = visit("data")
    assert not app.exception
    assert app.title[0].value == "ORL faces"
    assert facts(app) == "**400** images of 32 × 32 pixels, 40 classes, grey levels 9 to 228."
    captions = [caption.value for caption in app.main.caption]
    assert any("Cite: F. Samaria" in text and "AT&T" in text for text in captions)
    assert occlusion(app).startswith("80 of 400 images are occluded, in 40% of their pixels.")
    rows = components(app)["data_faces"]["rows"]
    assert [row["label"] for row in rows] == ["Clean", "Occluded", "Mask"]
    assert len(app.main.image) == 1
    assert "One class per row, at most 12 images each: s1 to s8, 40 classes in all." in captions
    assert f"{ACCEPTED}\n\n{LIMITS}\n\n{own_limit(32)}" in texts(app)


@pytest.mark.slow
def test_every_kind_of_occlusion(faces):
    app = visit("data")
    for kind in KINDS:
        app.selectbox(key="kind").set_value(kind).run()
        assert not app.exception
        hit = occlude(faces.X, kind, pixels=0.4, labels=faces.labels, random_state=0).mask
        share = hit[hit.any(axis=1)].mean()
        expected = f"80 of 400 images are occluded, in {share:.0%} of their pixels."
        assert occlusion(app).startswith(expected)


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
    assert app.main.caption[0].value == "Grey levels from 0 to 16 were stretched to 0…255."


def test_nothing_is_downloaded_to_a_server_whose_owner_did_not_allow_it(tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    app = visit("data")
    assert not [button for button in app.button if str(button.key).startswith("download_")]


def test_a_failed_download_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv(uploads.DOWNLOADS, "1")
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
    assert said.startswith("“Data set” was set to mine, but must be one of orl, digits")
    assert said.split("  \n")[0].endswith(" here. It is set to orl now.")
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
    app.slider(key="pixels").set_value(20)
    app.slider(key="samples").set_value(samples).run()
    assert occlusion(app) == f"{text}The sidebar sets how."


def test_of_a_long_name_the_title_has_the_end():
    app = visit_with_upload(f"{'x' * 60}.npy", npy(pictures(40)))
    assert app.title[0].value == f"…{'x' * 36}.npy"
