"""The pages without a browser: their numbers are right, their controls work."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from epca import EPCA, METHODS
from epca.corruption import KINDS, occlude
from epca.data import KINDS as KINDS_OF_FILES
from epca.data import LIMITS, DataError
from epca.ui import activated, settings
from epca.ui.dataset import OWN_LIMIT
from tests.test_data import encode, npy, pack, pictures
from tests.test_data_refusals import CASES

APP = str(Path(__file__).resolve().parents[1] / "app.py")


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=60)


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def test_numbers_equal_a_plain_recomputation(app, faces):
    app.run()
    assert not app.exception
    damage = occlude(faces.X, samples=0.2, pixels=0.2, random_state=0)
    epca, pca = EPCA(30, sigma=1.0).fit(damage.X), METHODS["PCA"](30).fit(damage.X)
    errors = [np.sum((faces.X - model.reconstruct(damage.X)) ** 2) for model in (epca, pca)]
    clean = set(np.flatnonzero(epca.alpha_)) - set(damage.samples)
    shown = metrics(app)
    assert shown["EPCA's error against PCA's"] == f"{errors[0] / errors[1] - 1:+.1%}"
    assert shown["Activated images"] == f"{epca.n_activated_} of 400"
    assert shown["Undamaged among the activated"] == f"{len(clean)} of {epca.n_activated_}"
    assert f"EPCA took {epca.n_iter_} iterations." in app.caption[0].value
    assert app.markdown[0].value.startswith("80 of these 400 images are damaged.")


def test_four_rows_of_faces(app):
    app.run()
    labels = [markdown.value for markdown in app.main.markdown]
    assert labels[1:] == ["**Clean**", "**Occluded**", "**PCA**", "**EPCA**"]
    assert len(app.image) == 4


def test_every_control_changes_the_result(app):
    app.run()
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


def test_nothing_damaged(app):
    app.run()
    app.slider(key="samples").set_value(0).run()
    assert not app.exception
    assert metrics(app)["Undamaged among the activated"] == "–"
    assert app.markdown[0].value.startswith("0 of these 400 images are damaged.")


def test_damaged_faces_are_shown_first(app):
    app.run()
    app.slider(key="samples").set_value(1).run()
    assert not app.exception
    hit = occlude(np.zeros((400, 1024)), samples=0.01, random_state=0).samples
    assert app.image[1].proto.imgs[0].alt.startswith("Occluded: images " + ", ".join(map(str, hit)) + ", ")


def test_collapse_notice(app):
    app.run()
    assert not app.warning
    app.slider(key="c").set_value(100).run()
    assert "fitted exactly" in app.warning[0].value


def test_link_restores_settings(app):
    app.query_params["c"] = "10"
    app.query_params["samples"] = "40"
    app.query_params["sigma"] = "2^12"
    app.run()
    assert (app.slider(key="c").value, app.slider(key="samples").value) == (10, 40)
    assert app.select_slider(key="sigma").value == 12


@pytest.mark.parametrize("value", ["99999", "-1", "x", "", "--5", "9" * 5000, "1e999"])
def test_bad_values_in_a_link_fall_back_and_that_is_said_once(app, value):
    keys = ("dataset", "kind", "samples", "pixels", "seed", "c", "sigma", "methods")
    for key in keys:
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert app.slider(key="c").value == 30
    assert app.select_slider(key="sigma").value == 0
    said = app.main.warning[0].value.split("  \n")
    assert [text.split("=")[0] for text in said] == [f"The link has `{key}" for key in keys]
    assert said[5] == f"The link has `c={value[:40]}`, which must be a whole number from 1 to 100. Showing 30 instead."
    app.run()
    assert not app.main.warning


def test_good_values_in_a_link_are_not_complained_of(app):
    for key, value in {"dataset": "digits", "kind": "black square", "seed": "7", "sigma": "2^-20", "methods": "EPCA"}.items():
        app.query_params[key] = value
    app.run()
    assert not app.main.warning


PAGE_CONTROLS = {
    "activated": {"sort": "size", "show": "everything", "face": "mine", "try": "perhaps"},
    "compare": {"pictures": "all", "runs": "0", "seeds": "x", "cluster": "yes please"},
    "tune": {"sweep": "maybe"},
    "watch": {"watch": "400", "sigma2": "2^99", "tol2": "5"},
    "framework": {"cloud": "none", "sigma_2d": "2^99", "gamma": "0", "learner": "x"},
    "learn": {"teacher": "me", "lesson": "9"},
}


@pytest.mark.parametrize(("page", "key"), [(page, key) for page, controls in PAGE_CONTROLS.items() for key in controls])
def test_bad_values_for_a_pages_own_controls_are_said_once_too(page, key):
    app = AppTest.from_file(APP, default_timeout=60).switch_page(f"pages/{page}.py")
    if key == "face":
        app.query_params["try"] = "true"
    if key in ("runs", "seeds"):
        app.query_params[{"runs": "cluster", "seeds": "repeat"}[key]] = "true"
    app.query_params[key] = PAGE_CONTROLS[page][key]
    app.run()
    assert not app.exception
    said = f"The link has `{key}={PAGE_CONTROLS[page][key]}`, which is not offered here. The default is shown instead."
    assert [warning.value for warning in app.main.warning] == [said]
    app.run()
    assert not app.main.warning


@pytest.mark.parametrize("preset", settings.PRESETS)
def test_presets_set_several_settings_at_once(app, preset):
    app.run()
    app.slider(key="pixels").set_value(33).run()
    app.selectbox(key="_preset").set_value(preset).run()
    assert not app.exception
    expected = {key: setting.default for key, setting in settings.SETTINGS.items()} | settings.PRESETS[preset]
    assert {key: app.session_state[key] for key in expected} == expected
    assert app.selectbox(key="_preset").value is None
    assert bool(app.warning) == (preset == "collapse")


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()


def test_reset(app):
    app.run()
    app.slider(key="c").set_value(10).run()
    app.multiselect(key="methods").set_value(["PCA"]).run()
    press(app, "Keep beside")
    press(app, "Reset")
    assert not app.exception
    assert (app.slider(key="c").value, app.multiselect(key="methods").value) == (30, settings.METHODS_SETTING.default)
    assert not app.table
    assert "kept" not in app.query_params


def test_a_setting_kept_beside_the_next(app, faces):
    app.run()
    app.slider(key="c").set_value(10).run()
    press(app, "Keep beside")
    app.slider(key="c").set_value(20).run()
    assert not app.exception
    shown = app.table[0].value
    assert shown.loc["Rank c"].tolist() == ["10", "20"]
    damage = occlude(faces.X, random_state=0)
    for column, c in (("A, kept", 10), ("B, now", 20)):
        assert shown.loc["Activated images", column] == f"{EPCA(c).fit(damage.X).n_activated_} of 400"
    assert "".join(app.query_params["kept"]) == "orl|shared-pixels|20|20|0|10|0"
    copy = AppTest.from_file(APP, default_timeout=60)
    copy.query_params.update({"kept": "orl|shared-pixels|20|20|0|10|0", "c": "20"})
    copy.run()
    pd.testing.assert_frame_equal(copy.table[0].value, shown)
    press(app, "Keep A no longer")
    assert not app.table


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "orl|band|20|20|0|30",
        "orl|what|20|20|0|30|0",
        "orl|band|20|20|0|999|0",
        "gone|band|20|20|0|30|0",
        "your upload|band|20|20|0|30|0",
    ],
)
def test_a_bad_kept_setting_is_said(app, text):
    app.query_params["kept"] = text
    app.run()
    assert not app.exception
    assert app.main.warning[0].value.startswith(f"What was kept beside cannot be shown. `kept={text}")
    assert not app.table
    app.run()
    assert not app.main.warning


def test_a_link_reads_no_file_of_the_server(app, tmp_path):
    """Names of the catalogue only: paths are for scripts."""
    path = tmp_path / "secret.npy"
    path.write_bytes(npy(pictures(12)))
    app.query_params["kept"] = f"{path}|band|20|20|0|5|0"
    app.run()
    assert "is not in the catalogue" in app.main.warning[0].value
    assert not app.table


def test_nothing_in_a_link_is_taken_for_markdown(app):
    app.query_params["c"] = "![](//elsewhere/x)`![](//elsewhere/y)"
    app.run()
    said = app.main.warning[0].value
    assert said.count("`") == 2
    assert said.index("`") < said.index("![](") < said.rindex("`")


def test_a_kept_kind_that_the_images_do_not_allow_is_said(data_page):
    data_page.run()
    upload(data_page, "mine.npy", npy(pictures(12)))
    data_page.query_params["kept"] = "your upload|other-class|20|20|0|3|0"
    data_page.session_state["_kept"] = "your upload|other-class|20|20|0|3|0"
    data_page.switch_page("pages/home.py").run()
    assert not data_page.exception
    assert "kind=other-class must be one of" in data_page.main.warning[0].value


@pytest.mark.parametrize(
    ("is_occluded", "samples", "text"),
    [
        (False, 0, "No image is damaged. "),
        (False, 25, "1 of 4 images is damaged, in 20% of its pixels. "),
        (True, 0, "No image is damaged further; who was damaged before is not known. "),
        (True, 50, "2 of 4 images are damaged further, in 20% of their pixels; who was damaged before is not known. "),
    ],
)
def test_the_damage_is_said_in_good_english(data_page, is_occluded, samples, text):
    data_page.run()
    data_page.checkbox(key="upload_occluded").set_value(is_occluded)
    upload(data_page, "mine.npy", npy(pictures(4)))
    data_page.slider(key="samples").set_value(samples).run()
    assert data_page.main.markdown[1].value == f"{text}The sidebar sets how."


def test_few_clean_images_that_pca_fits_exactly(data_page):
    data_page.run()
    upload(data_page, "mine.npy", npy(pictures(4)))
    data_page.slider(key="samples").set_value(0).run()
    data_page.slider(key="c").set_value(3).run()
    for page in ("home", "tune", "compare", "activated", "watch"):
        data_page.switch_page(f"pages/{page}.py").run()
        assert not data_page.exception, page
        if page in ("home", "tune", "activated"):
            assert "c reaches the rank of the data" in data_page.main.warning[0].value
    data_page.switch_page("pages/home.py").run()
    assert metrics(data_page)["EPCA's error against PCA's"] in ("–", "+0.0%")


def test_an_upload_too_large_for_the_dashboard_is_refused(data_page, monkeypatch):
    monkeypatch.setattr("epca.ui.dataset.MOST_PIXELS", 700)
    data_page.run()
    upload(data_page, "mine.npy", npy(pictures(12)))
    assert data_page.error[0].value == f"mine.npy: 12 images are too many for the dashboard; {OWN_LIMIT}"
    assert data_page.title[0].value == "ORL faces"


def test_projector_mode_enlarges_type(app):
    app.run()
    app.switch_page("pages/activated.py").run()
    app.toggle(key="projector").set_value(True).run()
    assert not app.exception
    assert json.loads(app.get("plotly_chart")[0].proto.spec)["layout"]["font"]["size"] == 20


def test_a_known_set_that_is_missing_says_how_to_get_it(monkeypatch):
    monkeypatch.delenv("EPCA_DATASETS", raising=False)
    app = AppTest.from_file(APP, default_timeout=60).run()
    app.selectbox(key="dataset").set_value("yale").run()
    assert not app.exception
    assert app.sidebar.error[0].value.startswith("yale is not here. ")
    assert metrics(app)["Activated images"].endswith("of 400")


def test_the_mark_under_sigma_tells_where_residuals_lie(app, faces):
    app.run()
    lengths = METHODS["PCA"](30).fit(X := occlude(faces.X, random_state=0).X).score_samples(X)
    low, high = np.log2(np.quantile(lengths, [0.1, 0.9]))
    assert app.sidebar.caption[0].value == f"Orange: residuals here, 2^{low:.1f} to 2^{high:.1f}"


# Data


@pytest.fixture
def data_page():
    return AppTest.from_file(APP, default_timeout=60).run().switch_page("pages/data.py")


def upload(page, name, content):
    page.file_uploader(key="upload").upload(name, content).run()
    return page


def test_data_tells_what_is_there(data_page):
    data_page.run()
    assert not data_page.exception
    assert data_page.title[0].value == "ORL faces"
    assert data_page.main.markdown[0].value.startswith("**400** images of 32 × 32 pixels, 40 classes, grey levels 9 to 228.")
    assert "AT&T" in data_page.main.markdown[0].value
    assert data_page.main.markdown[1].value.startswith("80 of 400 images are damaged, in 20% of their pixels.")
    assert len(data_page.main.image) == 4
    assert "One class a row, at most 12 images each: s1 to s8, 40 classes in all." in data_page.caption[0].value
    assert KINDS_OF_FILES in [markdown.value for markdown in data_page.main.markdown]
    assert f"{LIMITS} Of the dashboard: {OWN_LIMIT}" in [caption.value for caption in data_page.main.caption]
    assert "olivetti" in str(data_page.table[0].value)


def test_every_kind_of_damage(data_page, faces):
    data_page.run()
    for kind in KINDS:
        data_page.selectbox(key="kind").set_value(kind).run()
        assert not data_page.exception
        hit = occlude(faces.X, kind, labels=faces.labels, random_state=0).mask
        share = hit[hit.any(axis=1)].mean()
        assert data_page.main.markdown[1].value.startswith(f"80 of 400 images are damaged, in {share:.0%} of their pixels.")


def test_another_set_keeps_the_rank_within_its_bounds(data_page):
    """Digits have 64 pixels: c can be at most 64, and a larger one is lowered, not lost in an error."""
    data_page.run()
    data_page.slider(key="c").set_value(90).run()
    data_page.selectbox(key="dataset").set_value("digits").run()
    assert not data_page.exception
    assert data_page.slider(key="c").value == data_page.slider(key="c").max == 64
    assert data_page.title[0].value == "Handwritten digits"
    assert data_page.info[0].value == "Grey levels from 0 to 16 were stretched to 0…255."


def test_an_upload_is_shown_at_once(data_page):
    data_page.run()
    files = {f"ann/{i}.png": encode(picture) for i, picture in enumerate(pictures(5))}
    files |= {f"bob/{i}.png": encode(picture) for i, picture in enumerate(pictures(5, seed=1))}
    upload(data_page, "mine.zip", pack(files))
    assert not data_page.exception
    assert data_page.selectbox(key="dataset").value == "your upload"
    assert data_page.title[0].value == "mine"
    assert data_page.main.markdown[0].value.startswith("**10** images of 8 × 8 pixels, 2 classes")
    assert data_page.slider(key="c").max == 9
    data_page.switch_page("pages/home.py").run()
    assert not data_page.exception
    assert metrics(data_page)["Activated images"].endswith("of 10")


def test_a_set_without_classes_or_truth(data_page):
    """No damage by other classes is offered; error and clean share show a dash."""
    data_page.run()
    data_page.checkbox(key="upload_occluded").check().run()
    upload(data_page, "mine.npy", npy(pictures(12)))
    assert "no classes" in data_page.main.markdown[0].value
    assert "whole image: another class" not in data_page.selectbox(key="kind").options
    data_page.switch_page("pages/home.py").run()
    assert not data_page.exception
    assert metrics(data_page)["EPCA's error against PCA's"] == metrics(data_page)["Undamaged among the activated"] == "–"
    assert data_page.markdown[0].value.startswith("2 of these 12 images are damaged further; who was before is not known.")


def test_every_refused_upload_says_why_and_the_former_data_stay(data_page):
    """All of the readers' refusals, one after the other in one session."""
    data_page.run()
    for case, (name, content, message) in CASES.items():
        upload(data_page, name[:200], content)
        assert not data_page.exception, case
        assert re.search(message, data_page.error[0].value), case
        assert data_page.title[0].value == "ORL faces", case


def test_a_failed_download_is_said(tmp_path, monkeypatch):
    """The page's part; what the fetchers do without a network is tested with the catalogue."""

    def fail(name, download):
        raise DataError(f"{name}: the download failed; check the network and try again.")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("epca.ui.dataset.load_dataset", fail)
    page = AppTest.from_file(APP, default_timeout=60).run().switch_page("pages/data.py").run()
    assert page.button(key="download_lfw").label == "Download Labeled faces in the wild, 12 people"
    page.button(key="download_olivetti").click().run()
    assert not page.exception
    assert page.error[0].value == "olivetti: the download failed; check the network and try again."
    assert page.title[0].value == "ORL faces"


def test_a_broken_file_in_the_folder_is_said(tmp_path, monkeypatch):
    (tmp_path / "broken.npz").write_bytes(b"PK not a zip")
    monkeypatch.setenv("EPCA_DATASETS", os.pathsep.join([str(tmp_path), str(tmp_path / "gone")]))
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert "gone of EPCA_DATASETS cannot be read" in app.sidebar.warning[0].value
    app.selectbox(key="dataset").set_value("broken").run()
    assert not app.exception
    assert "broken.npz: it could not be read" in app.sidebar.error[0].value
    assert metrics(app)["Activated images"].endswith("of 400")


def test_a_replaced_file_is_read_anew_and_a_deleted_one_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    path = tmp_path / "mine.npy"
    path.write_bytes(npy(pictures(12)))
    app = AppTest.from_file(APP, default_timeout=60).run()
    app.selectbox(key="dataset").set_value("mine").run()
    assert metrics(app)["Activated images"].endswith("of 12")
    path.write_bytes(npy(pictures(15)))
    app.run()
    assert metrics(app)["Activated images"].endswith("of 15")
    path.unlink()
    app.run()
    assert not app.exception
    assert app.main.warning[0].value == "mine is no longer here. Showing orl instead."
    assert metrics(app)["Activated images"].endswith("of 400")


# Activated samples


@pytest.fixture
def activated_page():
    return AppTest.from_file(APP, default_timeout=60).run().switch_page("pages/activated.py")


def charts(page):
    return {
        json.loads(chart.proto.spec)["layout"]["title"]["text"]: json.loads(chart.proto.spec)["data"][0]
        for chart in page.get("plotly_chart")
    }


def test_activated_numbers_equal_a_plain_recomputation(activated_page, faces):
    activated_page.run()
    assert not activated_page.exception
    damage = occlude(faces.X, random_state=0)
    epca = EPCA(30).fit(damage.X)
    t = epca.score_samples(damage.X)
    share = 1 - np.sum(2 * t**2 / (t + 1)) / epca.objective_history_[-1]
    k = epca.n_activated_
    clean = np.setdiff1d(np.flatnonzero(epca.alpha_), damage.samples)
    expected = f"**{k} of 400 activated; {len(clean)} of {k} are undamaged; the weights make {share:.2%} of the objective.**"
    assert activated_page.main.markdown[0].value == expected
    dots = charts(activated_page)
    assert set(dots) == {"Weight α, largest first", "Place in the subspace", "Outlier map"}
    alpha = dots["Weight α, largest first"]
    np.testing.assert_allclose(epca.alpha_[alpha["customdata"]], alpha["y"], atol=1e-12)
    np.testing.assert_allclose(t[dots["Outlier map"]["customdata"]], dots["Outlier map"]["y"], rtol=1e-9)
    np.testing.assert_allclose(epca.transform(damage.X)[:, 0], dots["Place in the subspace"]["x"], rtol=1e-9)


def test_a_selection_shows_everywhere(activated_page, faces):
    activated_page.query_params["sel"] = ["3", "12"]
    activated_page.run()
    assert activated_page.multiselect(key="sel").value == [3, 12]
    for dots in charts(activated_page).values():
        large = [i for i, size in zip(dots["customdata"], dots["marker"]["size"], strict=True) if size == 14]
        assert sorted(large) == [3, 12]
    assert activated_page.caption[0].value.startswith("2 of 400 selected")
    epca = EPCA(30).fit(occlude(faces.X, random_state=0).X)
    shown = activated_page.table[0].value
    assert shown.index.tolist() == ["3", "12"]
    residuals = epca.score_samples(occlude(faces.X, random_state=0).X)[[3, 12]]
    assert shown["residual"].tolist() == [f"{residual:.4g}" for residual in residuals]
    next(button for button in activated_page.main.button if button.label == "Clear").click().run()
    assert activated_page.multiselect(key="sel").value == []


def test_another_set_drops_ids_it_does_not_have(activated_page):
    activated_page.run()
    activated_page.multiselect(key="sel").set_value([5, 399]).run()
    files = {f"{i}.png": encode(picture) for i, picture in enumerate(pictures(8))}
    activated_page.switch_page("pages/data.py").run()
    upload(activated_page, "mine.zip", pack(files))
    activated_page.switch_page("pages/activated.py").run()
    assert not activated_page.exception
    assert set(activated_page.multiselect(key="sel").value) <= {5}


samples = st.integers(1, 80).flatmap(
    lambda n: st.tuples(st.lists(st.floats(0, 1), min_size=n, max_size=n), st.lists(st.booleans(), min_size=n, max_size=n))
)


@given(samples, st.sampled_from(list(activated.SORTS)), st.sampled_from(activated.FILTERS), st.sets(st.integers(0, 79)))
def test_ids_are_right_under_every_sort_and_filter(data, sort, keep, selected):
    alpha, damaged = np.array(data[0]), np.array(data[1])
    table = pd.DataFrame({"sample": np.arange(len(alpha)), "alpha": alpha, "damaged": damaged, "residual": 1 - alpha})
    ids = activated.arrange(table, sort, keep, selected)
    wanted = {
        "all": range(len(alpha)),
        "activated": np.flatnonzero(alpha > 0),
        "inactive": np.flatnonzero(alpha == 0),
        "damaged": np.flatnonzero(damaged),
        "undamaged": np.flatnonzero(~damaged),
        "selected": [i for i in sorted(selected) if i < len(alpha)],
    }[keep]
    assert len(ids) == min(len(wanted), activated.SHOWN) == len(set(ids))
    assert set(ids) <= set(wanted)
    key = {"alpha": -alpha, "residual": 1 - alpha, "sample": np.arange(len(alpha))}[activated.SORTS[sort]]
    assert np.all(np.diff(key[ids]) >= 0)
    left = [i for i in wanted if i not in ids]
    assert not left or key[left].min() >= key[ids].max()


def test_a_face_left_out_goes_through_a_model_that_never_saw_it(activated_page, faces):
    activated_page.run()
    activated_page.toggle(key="try").set_value(True).run()
    activated_page.number_input(key="out").set_value(12).run()
    assert not activated_page.exception
    X = occlude(faces.X, random_state=0).X
    others = np.delete(X, 12, axis=0)
    model = EPCA(30).fit(others)
    residual = model.score_samples(X[12:13])[0]
    share = np.mean(model.score_samples(others) < residual)
    text = activated_page.main.markdown[-1].value
    assert text.startswith(f"Its residual is {residual:.4g}, larger than that of {share:.0%} of the 399 images fitted.")
    assert re.search(r"In the outlier map it is: \*\*(regular|good leverage|orthogonal outlier|bad leverage)\*\*", text)


def test_a_face_of_ones_own(activated_page, faces):
    activated_page.query_params["face"] = "one of yours"
    activated_page.query_params["try"] = "true"
    activated_page.run()
    assert "32 × 32 pixels" in activated_page.file_uploader(key="own_face").label
    activated_page.file_uploader(key="own_face").upload("me.txt", b"no picture").run()
    assert activated_page.error[0].value.startswith("me.txt: this is no picture;")
    activated_page.file_uploader(key="own_face").upload("me.png", encode(faces.images[7])).run()
    assert not activated_page.exception
    residual = EPCA(30).fit(occlude(faces.X, random_state=0).X).score_samples(faces.X[7:8])[0]
    assert activated_page.main.markdown[-1].value.startswith(f"Its residual is {residual:.4g}, larger")


def test_where_the_truth_is_not_known_nothing_pretends_to_know_it(data_page):
    data_page.run()
    data_page.checkbox(key="upload_occluded").check().run()
    upload(data_page, "mine.npy", npy(pictures(12)))
    data_page.switch_page("pages/activated.py").run()
    assert not data_page.exception
    assert data_page.selectbox(key="show").options == ["all", "activated", "inactive", "selected"]
    assert "who is damaged is not known" in data_page.main.markdown[0].value
    assert "who is damaged is not known" in data_page.caption[0].value
    names = {trace.get("name") for chart in data_page.get("plotly_chart") for trace in json.loads(chart.proto.spec)["data"]}
    assert names <= {None, "activated", "inactive"}
    data_page.multiselect(key="sel").set_value([1]).run()
    assert data_page.table[0].value["damaged"].tolist() == ["–"]


def test_a_bad_selection_in_a_link_is_said(activated_page):
    activated_page.query_params["sel"] = ["3", "4000"]
    activated_page.run()
    assert activated_page.multiselect(key="sel").value == [3]
    assert activated_page.main.warning[0].value.startswith("The link has `sel=4000`; images are numbered from 0 to 399.")
