"""A visitor's own images on the page Data: read at once, never mistaken, never lost."""

import re

import pytest
from streamlit.runtime.scriptrunner import StopException

from epca.scenario import Scenario
from epca.ui.frame import delivery
from epca.ui.frame.delivery import own_limit
from epca.views import scripts
from tests.files import npy, npz, pack, pictures, pngs
from tests.pages.test_data import facts, occlusion, said
from tests.refused import CASES, refused
from tests.visit import (
    components,
    metrics,
    press,
    texts,
    turn_to,
    upload,
    upload_all,
    visit,
    visit_with_upload,
)


def test_an_upload_too_large_for_the_dashboard_is_refused(monkeypatch):
    monkeypatch.setattr("epca.ui.frame.delivery.MOST_PIXELS", 700)
    app = visit_with_upload("mine.npy", npy(pictures(12)))
    assert app.error[0].value == f"mine.npy: 12 images are too many. {own_limit(32)}"
    assert app.title[0].value == "ORL faces"


def test_an_upload_is_shown_at_once():
    app = visit_with_upload(
        "mine.zip", pack(pngs(pictures(5), "ann") | pngs(pictures(5, seed=1), "bob"))
    )
    assert not app.exception
    assert app.selectbox(key="dataset").value == "your-upload"
    assert app.title[0].value == "mine.zip"
    assert facts(app).startswith("**10** images of 8 × 8 pixels, 2 classes")
    assert app.slider(key="c").max == 9
    turn_to(app, "home")
    assert not app.exception
    assert metrics(app)["Activated images"].endswith("of 10")


def test_a_set_without_classes_or_truth():
    """No occlusion by other classes is offered; error and clean share show a dash."""
    app = visit_with_upload("mine.npy", npy(pictures(12)), is_occluded=True)
    assert "no classes" in facts(app)
    assert "whole image: another class" not in app.selectbox(key="kind").options
    assert components(app)["data_faces"]["rows"][0]["label"] == "As they come"
    turn_to(app, "home")
    assert not app.exception
    shown = metrics(app)
    assert shown["EPCA's error against PCA's"] == shown["Clean among the activated"] == "–"


def test_images_that_come_occluded_set_the_occlusion_to_0_and_it_comes_back():
    app = visit_with_upload("mine.npy", npy(pictures(40)), is_occluded=True)
    assert app.slider(key="samples").value == 0
    assert (
        "These images are occluded as they come, so the sidebar's occlusion is set to 0."
        in (said(app)[0])
    )
    unknown = "No image is occluded further; which ones came occluded is not known. "
    assert occlusion(app).startswith(unknown)
    app.run()
    assert not said(app)
    app.selectbox(key="dataset").set_value("orl").run()
    assert app.slider(key="samples").value == 20
    app.selectbox(key="dataset").set_value("your-upload").run()
    assert app.slider(key="samples").value == 0
    app.slider(key="samples").set_value(10).run()
    assert app.slider(key="samples").value == 10


def test_a_mark_in_the_file_does_the_same():
    app = visit_with_upload("mine.npz", npz(images=pictures(40), occluded=True))
    assert app.slider(key="samples").value == 0
    assert "which ones came occluded is not known" in occlusion(app)


def sentence_on_rank(n_images, former, start):
    return (
        f"{n_images} images are few for a rank of {former}, so c starts at {start} here: "
        "at most one dimension per 20 images."
    )


@pytest.mark.parametrize(("n_images", "c"), [(12, 1), (9, 1), (45, 2), (200, 10), (400, 20)])
def test_c_starts_at_a_value_that_suits_the_images(n_images, c):
    app = visit_with_upload("mine.npy", npy(pictures(n_images)))
    assert app.slider(key="c").value == c
    assert said(app) == ([sentence_on_rank(n_images, 20, c)] if c < 20 else [])
    app.selectbox(key="dataset").set_value("orl").run()
    assert app.slider(key="c").value == 20  # as before


def test_c_suits_the_images_also_where_the_address_has_another_one():
    app = visit("data", c="30")
    upload(app, "mine.npy", npy(pictures(45)))
    assert app.slider(key="c").value == 2
    assert said(app) == [sentence_on_rank(45, 30, 2)]
    turn_to(app, "home")
    assert app.slider(key="c").value == 2
    app.selectbox(key="dataset").set_value("orl").run()
    assert app.slider(key="c").value == 30  # as before
    assert app.query_params["c"] == "30"


def test_a_rank_that_was_chosen_for_images_comes_back_with_them():
    """Also one that would not be where they start: 400 faces would with 20."""
    app = visit("data", c="45")
    upload(app, "mine.npy", npy(pictures(45)))
    assert app.slider(key="c").value == 2
    upload(app, "others.npy", npy(pictures(60)))
    assert app.slider(key="c").value == 3
    app.selectbox(key="dataset").set_value("orl").run()
    assert app.slider(key="c").value == 45
    assert not said(app)


def test_a_rank_that_a_reset_put_away_does_not_come_back():
    app = visit("data", c="50")
    upload(app, "mine.npy", npy(pictures(40)))
    press(app, "Reset")
    app.slider(key="c").set_value(2).run()
    app.selectbox(key="dataset_shown").set_value("digits").run()
    assert app.session_state["c"] == 2


def test_a_rank_that_the_visitor_chose_stays():
    app = visit_with_upload("mine.npy", npy(pictures(45)))
    app.slider(key="c").set_value(7).run()
    assert app.slider(key="c").value == 7
    app.segmented_control(key="upload_size").set_value(64).run()
    assert app.slider(key="c").value == 7
    app.selectbox(key="dataset").set_value("orl").run()
    assert app.slider(key="c").value == 7


def test_links_keep_their_rank(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    (tmp_path / "few.npy").write_bytes(npy(pictures(45)))
    app = visit("data", dataset="few", c="30")
    assert app.slider(key="c").value == 30
    assert not said(app)


def test_the_selection_is_cleared_by_other_images():
    app = visit("data", sel=["3", "7"])
    app.session_state["sel"] = [3, 7]
    app.run()
    app.slider(key="samples").set_value(30).run()
    assert app.session_state["sel"] == [3, 7]
    app.selectbox(key="dataset").set_value("digits").run()
    assert app.session_state["sel"] == []
    app.session_state["sel"] = [1]
    upload(app, "mine.npy", npy(pictures(30)))
    assert app.session_state["sel"] == []


def test_loose_pictures_are_one_set():
    app = visit("data")
    upload_all(app, list(pngs(pictures(5)).items()))
    assert not app.exception
    assert app.title[0].value == "5 pictures"
    assert facts(app).startswith("**5** images of 8 × 8 pixels, no classes")
    upload_all(app, [("zipped.zip", pack(pngs(pictures(7)))), *pngs(pictures(5)).items()])
    assert app.error[0].value == (
        "6 files: zipped.zip cannot be read together with other files; "
        "give one archive or file of arrays alone, or pictures only."
    )
    assert app.title[0].value == "5 pictures"
    upload(app, "zipped.zip", pack(pngs(pictures(7))))
    assert not app.error
    assert facts(app).startswith("**7** images")


def test_notices_name_the_images_that_they_belong_to_unless_these_came_last():
    """Else one would read them as notices of the file that was refused, or of the upload."""
    app = visit("data")
    upload(app, "mine.zip", pack(pngs(pictures(7)) | {"notes.txt": b"hello"}))
    notice = "1 file that is no picture was left out: notes.txt."
    read = "mine.zip: 7 images read."
    assert app.main.caption[0].value == f"{read} {notice}"
    app.selectbox(key="dataset").set_value("digits").run()
    stretched = "Grey levels from 0 to 16 were stretched to 0…255."
    back = "Choose “your upload” in the sidebar to go back to your images."
    other = f"{read} {back} “Handwritten digits”, shown below: {stretched}"
    assert app.main.caption[0].value == other
    app.selectbox(key="dataset").set_value("your-upload").run()
    upload(app, "bad.zip", b"no archive")
    assert "bad.zip" in app.error[0].value
    assert app.main.caption[0].value == f"“mine.zip”, shown below: {notice}"


@pytest.mark.parametrize("size", [32, 48, 64])
def test_the_target_size_is_chosen_and_changed_afterwards(size):
    app = visit("data", upload_size=str(size))
    upload(app, "mine.npy", npy(pictures(30, 80, 40)))
    assert f"images of {size // 2} × {size} pixels" in facts(app)
    assert app.main.caption[0].value == (
        f"mine.npy: 30 images read. Resized from 40 × 80 to {size // 2} × {size} pixels."
    )
    other = 96 - size if size != 48 else 64
    app.segmented_control(key="upload_size").set_value(other).run()
    assert f"images of {other // 2} × {other} pixels" in facts(app)
    assert app.session_state["_upload_options"]["size"] == other


def test_images_that_come_occluded_stay_so_on_other_pages_and_in_other_sizes():
    app = visit_with_upload("mine.npy", npy(pictures(30, 80, 40)), is_occluded=True)
    turn_to(app, "home")
    turn_to(app, "data")
    assert app.toggle(key="upload_occluded").value is True
    app.segmented_control(key="upload_size").set_value(64).run()
    assert app.session_state["_upload"].is_occluded
    assert app.slider(key="samples").value == 0


def test_after_a_refused_file_the_shown_upload_is_still_read_in_another_size():
    app = visit_with_upload("mine.npy", npy(pictures(30, 80, 40)))
    upload(app, "bad.txt", b"no picture")
    assert app.error
    app.segmented_control(key="upload_size").set_value(64).run()
    assert not app.error
    assert "images of 32 × 64 pixels" in facts(app)


def test_scripts_read_an_upload_in_its_size(faces):
    options = {"upload_name": "mine.npy", "size": 48}
    code = scripts.script("Home", scripts.HOME, Scenario(), faces, **options)
    assert "images = load_dataset('mine.npy', size=48)\n" in code


def test_an_upload_is_never_taken_for_a_known_set(faces):
    app = visit_with_upload("orl.npz", npz(images=pictures(40)))
    assert app.title[0].value == "orl.npz"
    everything = " ".join([*texts(app), *(caption.value for caption in app.main.caption)])
    assert "Source: upload." in everything
    for word in ("AT&T", "Samaria", "ORL", "Cite"):
        assert word not in everything
    app.selectbox(key="dataset").set_value("orl").run()
    assert app.title[0].value == "ORL faces"
    assert facts(app).startswith("**400** images")


@pytest.mark.slow
def test_a_refused_upload_says_why_and_the_former_data_stay():
    """Some of the readers' refusals, one after the other in one session."""
    app = visit("data")
    for case in list(CASES)[::8]:
        name, content, message = refused(case)
        upload(app, name[:200], content)
        assert not app.exception, case
        assert re.search(message, app.error[0].value), case
        assert app.title[0].value == "ORL faces", case


def test_a_visitor_who_acts_while_files_are_read_does_not_lose_them(monkeypatch):
    """The action ends the run in which they are read; the next run goes on."""
    read = delivery._read
    runs = []

    def interrupted(*arguments):
        runs.append(1)
        if len(runs) == 1:
            raise StopException
        return read(*arguments)

    monkeypatch.setattr(delivery, "_read", interrupted)
    app = visit_with_upload("mine.npy", npy(pictures(12)))
    assert not app.title  # the run has ended
    app.run()
    assert app.title[0].value == "mine.npy"
