"""What several pages show: texts, PCA beside EPCA, rows of pictures; and the page Data."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from epca.experiment import Fit, Occlusion, Scenario, prepare, run
from epca.images import heat_montage
from epca.views import (
    activated,
    compare,
    comparison,
    dataset,
    glossary,
    measures,
    pictures,
    texts,
)
from epca.views.comparison import Comparison


def compared(faces, **occlusion):
    """PCA and EPCA at rank 3."""
    scenario = Scenario(occlusion=Occlusion(**occlusion), n_components=3)
    prepared = prepare(scenario, faces)
    table, models = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared)
    rows = table.to_dict("records")
    fits = {it["method"]: Fit(it, model) for it, model in zip(rows, models, strict=True)}
    return Comparison(scenario, prepared, fits)


@pytest.fixture(scope="module")
def result(faces):
    return compared(faces)


# Texts


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (516123.4, 4, "516,100"),
        (836180.2, 6, "836,180"),
        (0.00001234567, 4, "0.00001235"),
        (2.0, 4, "2"),
        (1.26, 2, "1.3"),
    ],
)
def test_numbers_are_written_out(value, digits, text):
    assert texts.number(value, digits) == text


def test_changes_and_shares():
    assert texts.change(0.1234) == "+12.3%"
    assert texts.change(-0.00001) == texts.change(0.0) == "+0.0%"
    assert texts.change(np.nan) == texts.change(np.inf) == "–"
    assert texts.weights_share({"weights_share": 0.0123}) == "1.23%"
    assert texts.weights_share({"weights_share": np.nan}) == "–"


def test_words_for_sigma_and_iterations():
    assert [texts.sigma_text(exponent) for exponent in (-3, 0.25, 12)] == [
        "0.125 (2⁻³)",
        "1.19 (2⁰·²⁵)",
        "4,100 (2¹²)",
    ]
    assert [texts.sigma_code(exponent) for exponent in (-3, 0.25, 12)] == ["2^-3", "2^0.25", "2^12"]
    assert [texts.iterations(count) for count in (0, 1, 2)] == [
        "0 iterations",
        "1 iteration",
        "2 iterations",
    ]


def test_a_failure_says_what_to_do():
    assert texts.failure("EPCA", {"failure": "it broke."}) == (
        "EPCA could not be fitted: it broke. Change the occlusion, c or the data."
    )


def test_a_collapse_is_told_from_an_exact_fit_and_from_health():
    healthy = {"weights_share": 0.1, "collapsed": False, "left_out": False, "n_components": 80}
    collapsed = healthy | {"collapsed": True}
    exact = collapsed | {"weights_share": np.nan}
    guarded = collapsed | {"left_out": True}
    assert texts.collapse(healthy) == ""
    assert texts.collapse(collapsed).startswith("Some images are fitted")
    assert texts.collapse(collapsed).endswith("Use left-out residuals, or lower c.")
    assert texts.collapse(exact).startswith("Every image is fitted")
    assert "are there duplicates among the images?" in texts.collapse(guarded)
    rows = (healthy, collapsed, exact, guarded)
    assert [texts.can_be_guarded(row) for row in rows] == [False, True, False, False]


def test_a_collapse_at_rank_one_does_not_ask_for_a_lower_one():
    collapsed = {"weights_share": 0.1, "collapsed": True, "left_out": False, "n_components": 1}
    assert texts.collapse(collapsed).endswith(" Use left-out residuals.")
    assert texts.collapse(collapsed | {"weights_share": np.nan}) == texts.EXACT
    assert [texts.lower_rank({"n_components": c}) for c in (1, 2, 81)] == [0, 1, 40]


def test_with_left_out_residuals_it_is_not_called_epca(result):
    named = result._replace(scenario=result.scenario.at(left_out=True))
    assert list(named.named_stages) == ["Clean", "Occluded", "PCA", "EPCA, left-out"]
    assert list(result.named_stages) == list(result.stages)
    assert next(iter(named.numbers)) == "EPCA, left-out: error against PCA's"
    assert next(iter(result.numbers)) == "EPCA's error against PCA's"


# The comparison of PCA and EPCA


def test_its_numbers_are_those_of_the_rows(result):
    epca = result.rows["EPCA"]
    k = result.models["EPCA"].n_activated_
    assert result.activated == f"{k} of 400"
    assert result.clean_activated == f"{round(epca['clean_among_activated'] * k)} of {k}"
    assert result.error_change == texts.change(epca["error"] / result.rows["PCA"]["error"] - 1)
    assert result.weights_share == f"{epca['weights_share']:.2%}"
    assert result.occlusion_text == "80 of these 400 images are occluded."
    assert list(result.stages) == ["Clean", "Occluded", "PCA", "EPCA"]


def test_one_occluded_image_and_none(faces):
    few = replace(faces, images=faces.images[:20], labels=faces.labels[:20])
    one = compared(few, samples=0.05)
    assert one.occlusion_text == "1 of these 20 images is occluded."
    assert one.shown[0] == one.prepared.occluded.samples[0]
    assert len(set(one.shown)) == 8
    none = compared(few, samples=0.0)
    assert none.clean_activated == "–"
    assert none.no_truth == "none is occluded"
    assert none.shown.tolist() == comparison.spread(np.arange(20), 8).tolist()


def test_every_image_occluded(faces):
    few = replace(faces, images=faces.images[:20], labels=faces.labels[:20])
    every = compared(few, samples=1.0)
    assert every.occlusion_text == "All 20 images are occluded."
    assert every.clean_activated == "–"
    assert every.no_truth == "every image is occluded"
    assert "every image is occluded" in activated.View(every).sentence
    assert every.error_change.endswith("%")
    rows = measures.measures(["EPCA", "PCA"], every.fits, every.prepared)
    assert compare.remarks(every, rows)[0].startswith("“–”: every image is occluded")
    lines = measures.cells(rows)["EPCA"]
    texts_of = dict(zip(measures.columns(rows), [cell.text for cell in lines], strict=True))
    dashed = [name for name, text in texts_of.items() if text == "–"]
    assert dashed == ["error_clean", "auc", "clean_among_top"]


def test_images_that_came_occluded(result):
    images = replace(result.prepared.images, is_occluded=True)
    unknown = result._replace(prepared=result.prepared._replace(images=images))
    assert unknown.no_truth == "which are occluded is not known"
    assert unknown.clean_activated == "–"
    assert unknown.occlusion_text == (
        "80 of these 400 images are occluded further; which ones came occluded is not known."
    )
    assert next(iter(unknown.stages)) == "As they come"


def test_spread_takes_both_ends():
    assert comparison.spread(np.arange(10, 20), 4).tolist() == [10, 13, 16, 19]
    assert comparison.spread(np.arange(3), 0).tolist() == []


# Rows of pictures


def test_all_rows_become_one_picture_with_labels(result):
    X = result.prepared.occluded.X[result.shown]
    coloured = pictures.stages(X, result.models["EPCA"], result.prepared.images)
    one = np.asarray(Image.open(BytesIO(pictures.as_one(coloured, result.shown))))
    face = pictures.laid_out(coloured["Face"])
    height, width = face.shape[:2]
    top = one.shape[0] - height * len(coloured)
    left = one.shape[1] - width
    is_face = face[..., 1] == 255
    first = one[top : top + height, left:]
    np.testing.assert_array_equal(first[is_face][:, 0], face[is_face][:, 0])
    assert (first[~is_face] == 255).all()  # gaps are white
    for row in range(len(coloured)):
        assert (one[top + row * height : top + (row + 1) * height, :left] < 128).any()  # a label
    for column in range(len(X)):
        name = one[:top, left + column * width // len(X) : left + (column + 1) * width // len(X)]
        assert (name < 128).any()


def test_one_image_beside_its_residual_in_colour(result):
    X = result.prepared.occluded.X[:2]
    model = result.models["EPCA"]
    rows = pictures.beside(result.prepared, [0, 1], model)
    limit = np.abs(X - model.reconstruct(X)).max()
    for i, row in enumerate(rows):
        assert row.pixels.shape == (1, 4, 32, 32, 4)
        clean, occluded, back, residual = row.pixels[0]
        np.testing.assert_array_equal(clean[..., 0].ravel(), result.prepared.clean[i])
        np.testing.assert_array_equal(occluded[..., 0].ravel(), X[i])
        grey = np.clip(np.rint(model.reconstruct(X)[i]), 0, 255)
        np.testing.assert_array_equal(back[..., 0].ravel(), grey)
        heat = heat_montage(
            (X - model.reconstruct(X))[i].reshape(1, 1, 32, 32), limit, gap=0, zoom=1
        )
        np.testing.assert_array_equal(residual, heat)


def test_large_pictures_are_thinned(result):
    images = np.arange(200.0 * 100).reshape(1, 1, 200, 100)
    pixels = pictures.laid_out(images, gap=0, zoom=1, most=96)
    np.testing.assert_array_equal(pixels[..., 0], np.clip(images[0, 0, ::3, ::3], 0, 255))


def test_the_residual_says_its_limit(result):
    X = result.prepared.occluded.X[:2]
    model = result.models["EPCA"]
    limit = np.abs(X - model.reconstruct(X)).max()
    rows = pictures.stages(X, model, result.prepared.images)
    assert list(rows) == [
        "Face", "Reconstruction", f"Residual, ±{limit:.0f}", "Robust reconstruction", "Ignored",
    ]  # fmt: skip
    robust = model.reconstruct(X, robust=True)
    np.testing.assert_array_equal(rows["Robust reconstruction"].ravel(), robust.ravel())
    np.testing.assert_allclose(rows["Ignored"].ravel(), 255 * (1 - model.pixel_weights(X)).ravel())


# The page Data


def test_pages_of_the_gallery_hold_every_class_once(faces):
    view = dataset.View(prepare(Scenario(), faces), None)
    assert view.n_pages == 5
    seen = []
    for page in range(1, 6):
        view.page = page
        assert view.gallery.shape == (8, 12, 32, 32)
        assert np.isnan(view.gallery[:, 10:]).all()  # ten images per class
        seen.append(view.gallery[:, :10].reshape(-1, 32, 32))
        first, last = (f"s{8 * page - 7}", f"s{8 * page}")
        assert f"each: {first} to {last}, 40 classes in all." in view.gallery_text
    np.testing.assert_array_equal(np.concatenate(seen), faces.images)


def test_without_classes_images_follow_each_other(faces):
    plain = replace(faces, images=faces.images[:100], labels=None, class_names=(), name="mine")
    view = dataset.View(prepare(Scenario(n_components=3), plain), None)
    assert view.n_pages == 2
    assert view.title == "mine"
    assert ", no classes, grey levels" in view.facts
    view.page = 2
    assert view.gallery_text == "Images 96 to 99 of 100."
    np.testing.assert_array_equal(view.gallery[0, :4], faces.images[96:100])
    assert np.isnan(view.gallery[0, 4:]).all()


def test_the_occlusion_is_shown_before_after_and_as_its_mask(faces):
    prepared = prepare(Scenario(), faces)
    view = dataset.View(prepared, None)
    rows = view.occlusion_rows
    assert list(rows) == ["Clean", "Occluded", "Mask"]
    assert set(view.shown) <= set(prepared.occluded.samples)
    changed = rows["Clean"] != rows["Occluded"]
    assert changed.any()
    assert (rows["Mask"][changed] == 255).all()
    assert set(np.unique(rows["Mask"])) == {0, 255}


def test_sets_that_are_elsewhere_say_how_to_get_them(monkeypatch, tmp_path):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    found = dataset.elsewhere()
    assert {"yale", "jaffe"} <= set(found["name"])
    assert "orl" not in found["name"]
    assert all(found["how to get it"])


def test_the_glossary_has_a_row_per_term_without_a_hole():
    table = glossary.table()
    assert table.index.is_unique
    assert table.notna().all(axis=None)
    assert not (table == "").any(axis=None)
