"""What the page Activated shows, without the page: its table, gallery, counts, charts."""

import copy
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.experiment import Fit, Scenario, fit, prepare, run
from epca.views import activated
from epca.views.comparison import Comparison
from epca.views.inspected import Inspected, Judge


@pytest.fixture(scope="module")
def view(faces):
    """EPCA and PCA at rank 5."""
    scenario = Scenario(n_components=5)
    prepared = prepare(scenario, faces)
    table, models = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared)
    rows = table.to_dict("records")
    fits = {row["method"]: Fit(row, model) for row, model in zip(rows, models, strict=True)}
    return activated.View(Comparison(scenario, prepared, fits))


def without_truth(view):
    """The same images, said to have come occluded."""
    images = replace(view.images, is_occluded=True)
    prepared = view.prepared._replace(images=images)
    return activated.View(view.result._replace(prepared=prepared))


samples = st.integers(1, 80).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(0, 1), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n),
    )
)


@given(
    samples,
    st.sampled_from(list(activated.SORTS)),
    st.sampled_from(list(activated.FILTERS)),
    st.sets(st.integers(0, 79)),
)
def test_ids_are_right_under_every_sort_and_filter(data, sort, show, selected):
    alpha = np.array(data[0])
    occluded = np.array(data[1])
    numbers = np.arange(len(alpha))
    table = pd.DataFrame({"sample": numbers, "alpha": alpha, "occluded": occluded})
    table["residual"] = 1 - alpha
    ids = activated.arrange(table, sort, show, selected)
    wanted = {
        "all": range(len(alpha)),
        "activated": np.flatnonzero(alpha > 0),
        "not-activated": np.flatnonzero(alpha == 0),
        "occluded": np.flatnonzero(occluded),
        "clean": np.flatnonzero(~occluded),
        "selected": [i for i in sorted(selected) if i < len(alpha)],
    }[show]
    assert sorted(ids) == sorted(wanted)
    key = {"alpha": -alpha, "residual": 1 - alpha, "sample": numbers}[sort]
    assert np.all(np.diff(key[ids]) >= 0)
    pages = activated.pages(ids)
    assert [i for page in pages for i in page] == ids
    assert all(0 < len(page) <= activated.SHOWN for page in pages)


def test_the_table_has_the_numbers_of_every_sample(view):
    model = view.model
    table = view.table
    X = view.prepared.occluded.X
    np.testing.assert_array_equal(table["alpha"], model.alpha_)
    np.testing.assert_allclose(table["residual"], model.residuals(X), rtol=1e-7)
    np.testing.assert_allclose(table["direct_weight"], 1 / (1 - model.alpha_))
    np.testing.assert_allclose(table["eta"], table["d"] * table["direct_weight"])
    np.testing.assert_allclose(
        table["eta"] / table["eta"].sum(), model.sample_weight_, rtol=1e-6, atol=1e-12
    )
    assert np.flatnonzero(table["occluded"]).tolist() == view.prepared.occluded.samples.tolist()
    assert table["class"].tolist()[::10] == list(view.images.class_names)


def test_the_rank_counts_the_activated_from_the_largest(view):
    ranked = view.table.dropna(subset="rank").sort_values("rank")
    assert ranked["rank"].tolist() == list(range(1, view.model.n_activated_ + 1))
    assert (ranked["alpha"] > 0).all()
    assert ranked["alpha"].is_monotonic_decreasing


def test_the_readable_table_says_yes_no_and_a_dash(view):
    i = int(np.flatnonzero(view.model.alpha_ == 0)[0])
    shown = activated.readable(view.table.iloc[[i]])
    assert shown.index.tolist() == [str(i)]
    assert shown["α"].tolist() == ["0"]
    assert shown["rank by α"].tolist() == ["–"]
    assert shown["occluded"].tolist() == ["yes" if view.prepared.truth[i] else "no"]
    unknown = activated.readable(without_truth(view).table.iloc[[i]])
    assert unknown["occluded"].tolist() == ["–"]


def test_counts_say_what_the_selected_are(view):
    chosen = view.prepared.occluded.samples[:3].tolist()
    k = int((view.model.alpha_[chosen] > 0).sum())
    assert activated.counts(view.table, chosen) == (
        f"3 of 400 selected, {k} of them activated, 3 occluded."
    )
    assert activated.counts(without_truth(view).table, chosen) == (
        f"3 of 400 selected, {k} of them activated, which are occluded is not known."
    )


def test_the_gallery_draws_the_images_row_by_row(view):
    ids = [7, 3, *range(20, 32)]
    sheet = view.sheet(ids)
    height, width = view.images.image_shape
    assert sheet.shape[:2] == (2 * height, activated.COLUMNS * width)
    for place, i in enumerate(ids):
        row, column = divmod(place, activated.COLUMNS)
        cell = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
        pixels = view.prepared.occluded.X[i].reshape(height, width)
        np.testing.assert_array_equal(cell[..., 0], pixels.round())
        assert (cell[..., 1] == 255).all()
    assert (sheet[height:, 2 * width :, 1] == 0).all()


def test_cells_say_in_words_what_their_marks_show(view):
    alpha = view.model.alpha_
    truth = view.prepared.truth
    best = int(alpha.argmax())
    hidden = int(np.flatnonzero((alpha == 0) & truth)[0])
    first, second = view.cells([best, hidden], [hidden])
    state = "occluded" if truth[best] else "clean"
    assert first["label"] == f"image {best}, activated, {state}, α {alpha[best]:.3f}"
    assert first["selected"] is False
    assert second == {
        "id": hidden,
        "label": f"image {hidden}, not activated, occluded, α 0",
        "caption": f"✕ {hidden}",
        "selected": True,
        "is_occluded": True,
    }
    (unknown,) = without_truth(view).cells([hidden], [])
    assert unknown["label"] == f"image {hidden}, not activated, α 0"
    assert unknown["caption"] == f"○ {hidden}"
    assert unknown["is_occluded"] is False


def test_the_strip_has_the_activated_with_equal_ones_side_by_side(view):
    alpha = np.array([0.2, 0.0, 0.3, 0.2, 0.0, 0.3])
    tied = copy.copy(view)
    tied.table = view.table.iloc[:6].assign(alpha=alpha)
    assert tied.activated == [2, 5, 0, 3]
    assert [cell["bar"] for cell in tied.strip_cells([2, 0])] == [1.0, pytest.approx(2 / 3)]
    assert [cell["note"] for cell in tied.strip_cells([2, 0])] == ["α 0.300", "α 0.200"]
    assert tied.strip_text == ("**Trusted most**: 4 activated, largest α first; 2 at α = 0")


@pytest.mark.parametrize("k", [1, 2, 40, 200, 390])
def test_a_strip_of_any_length_says_what_it_leaves_out(view, k):
    long = copy.copy(view)
    long.__dict__.pop("activated", None)
    long.table = view.table.assign(alpha=np.where(np.arange(400) < k, 1 / k, 0.0))
    assert long.strip == list(range(min(k, activated.LONGEST)))
    assert long.strip_text.endswith(f"; {400 - k} at α = 0")
    assert ("here the first 200" in long.strip_text) == (k > activated.LONGEST)


def test_the_least_trusted_fit_worst(view):
    residuals = view.table["residual"].to_numpy()
    assert view.least(5) == np.argsort(-residuals, kind="stable")[:5].tolist()


def test_dots_say_in_words_what_they_are(view):
    best = int(view.model.alpha_.argmax())
    name, state, numbers = view.hover_texts[best].split("<br>")
    assert name == view.images.sample_names[best]
    assert state == "activated, clean"
    residual = view.table["residual"][best]
    assert numbers == f"α {view.model.alpha_[best]:.3f}, residual {residual:.0f}"


def test_the_activated_and_the_selected_lie_on_top(view):
    chosen = np.flatnonzero(view.model.alpha_ == 0)[:2].tolist()
    for figure in view.figures(chosen).values():
        ids = list(figure.data[0].customdata)
        assert ids[-2:] == chosen
        k = view.model.n_activated_
        assert set(ids[-2 - k : -2]) == set(np.flatnonzero(view.model.alpha_))


def test_filters_by_the_truth_need_one(view):
    assert view.filters == tuple(activated.FILTERS)
    assert without_truth(view).filters == ("all", "activated", "not-activated", "selected")


def test_the_selected_are_shown_from_clean_to_residual(view):
    apart = Inspected(view, [3, 12])
    rows = apart.rows
    assert list(rows) == ["image 3", "image 12"]
    assert apart.heads == ("Clean", "Occluded", "EPCA", "Residual")
    clean = rows["image 12"].pixels[0, 0, ..., 0]
    np.testing.assert_array_equal(clean.ravel(), view.prepared.clean[12])
    assert Inspected(without_truth(view), [3]).heads[0] == "As they come"


def test_a_robust_reconstruction_has_a_picture_of_what_it_ignores_beside_the_mask(view):
    i = int(view.prepared.occluded.samples[0])
    X = view.prepared.occluded.X[[i]]
    weights = view.model.pixel_weights(X)[0]
    assert weights.min() < 0.5  # some pixels are bad
    apart = Inspected(view, [i], is_robust=True)
    row = apart.rows[f"image {i}"].pixels[0, ..., 0]
    assert len(row) == len(apart.heads) == 6
    back = view.model.reconstruct(X, robust=True)[0]
    np.testing.assert_array_equal(row[2].ravel(), np.clip(np.rint(back), 0, 255))
    np.testing.assert_array_equal(row[4].ravel(), np.rint(255 * (1 - weights)))
    mask = view.prepared.occluded.mask[i]
    np.testing.assert_array_equal(row[5].ravel(), 255 * mask)
    plain = Inspected(view, [i]).rows[f"image {i}"].pixels[0, 2, ..., 0]
    assert np.abs(plain.astype(int) - row[2]).max() > 2
    count = np.count_nonzero(weights < 0.5)
    assert apart.texts == [
        f"In “Ignored”, white pixels are taken for occlusion: {count} of 1,024; in fact occluded: "
        f"{mask.sum()}."
    ]
    unknown = apart._replace(view=without_truth(view))
    assert unknown.heads[-1] == "Ignored"
    assert unknown.rows[f"image {i}"].pixels.shape[1] == 5
    assert unknown.texts[0].endswith(f"{count} of 1,024.")


@pytest.mark.parametrize(
    ("clean", "said"), [("1 of 4", "is"), ("0 of 4", "are"), ("12 of 14", "are")]
)
def test_one_is_clean_and_several_are(view, monkeypatch, clean, said):
    monkeypatch.setattr(Comparison, "clean_activated", clean)
    assert f"; {clean} {said} clean; the weights make up " in view.sentence


@pytest.mark.parametrize("is_robust", [False, True])
def test_what_another_method_ignores_stands_beside_the_mask(view, is_robust):
    i = int(view.prepared.occluded.samples[0])
    weights = np.full(view.prepared.clean.shape, 0.8)
    weights[i, :7] = 0.1
    model = SimpleNamespace(is_cellwise=True, cell_weight_=weights)
    apart = Inspected(view, [i], is_robust, Judge("PCP", model))
    assert apart.heads[-2:] == ("PCP", "Mask")
    row = apart.rows[f"image {i}"].pixels[0, ..., 0]
    assert len(row) == len(apart.heads) == (7 if is_robust else 6)
    np.testing.assert_array_equal(row[-2].ravel(), np.rint(255 * (1 - weights[i])))
    np.testing.assert_array_equal(row[-1].ravel(), 255 * view.prepared.occluded.mask[i])
    assert len(apart.texts) == 1 + is_robust
    assert apart.texts[-1].startswith("In “PCP”, white pixels are taken for occlusion: 7 of 1,024")
    assert apart.what != apart._replace(judge=None).what
    assert apart._replace(view=without_truth(view)).heads[-1] == "PCP"


def test_facts_have_a_column_per_image(view):
    facts = activated.facts(view.table.iloc[[3, 12]])
    assert facts.columns.tolist() == ["image 3", "image 12"]
    assert facts.loc["residual", "image 12"] == f"{view.table['residual'][12]:.4g}"


def test_left_out_residuals_stand_beside_the_losses_that_come_from_them(view):
    """The residual alone would not explain the loss of an image; without them it does."""
    scenario = Scenario(n_components=30, left_out=True)
    row, model = fit(view.prepared, scenario, "EPCA")
    guarded = activated.View(Comparison(scenario, view.prepared, {"EPCA": Fit(row, model)}))
    shown = activated.facts(guarded.table.iloc[[40]])["image 40"]
    left_out = guarded.table["left_out_residual"][40]
    assert left_out > 1.1 * guarded.table["residual"][40]
    assert guarded.table["loss"][40] == pytest.approx(2 * left_out**2 / (left_out + 1))
    assert shown["left-out residual"] == f"{left_out:.4g}"
    assert shown["residual"] == f"{guarded.table['residual'][40]:.4g}"
    plain = view.table
    residual = plain["residual"].to_numpy()
    assert "left_out_residual" not in plain
    np.testing.assert_allclose(plain["loss"], 2 * residual**2 / (residual + 1), rtol=1e-6)


def test_one_component_is_drawn_as_a_line_of_dots(faces):
    scenario = Scenario(n_components=1)
    prepared = prepare(scenario, faces)
    _, models = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared)
    fits = {"PCA": Fit({}, models[0]), "EPCA": Fit({}, models[1])}
    view = activated.View(Comparison(scenario, prepared, fits))
    dots = view.figures([])["subspace"].data[0]
    assert set(dots.y) == {0.0}
