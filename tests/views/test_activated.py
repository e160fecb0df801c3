"""What the page Activated samples shows, without the page: its table, gallery, counts, charts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.experiment import Fit, Scenario, prepare, run
from epca.views import activated
from epca.views.comparison import Comparison


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
    assert len(ids) == min(len(wanted), activated.SHOWN) == len(set(ids))
    assert set(ids) <= set(wanted)
    key = {"alpha": -alpha, "residual": 1 - alpha, "sample": numbers}[sort]
    assert np.all(np.diff(key[ids]) >= 0)
    left = [i for i in wanted if i not in ids]
    assert not left or key[left].min() >= key[ids].max()


def test_the_table_has_the_numbers_of_every_sample(view):
    model = view.model
    table = view.table
    X = view.prepared.occluded.X
    np.testing.assert_array_equal(table["alpha"], model.alpha_)
    np.testing.assert_allclose(table["residual"], model.residuals(X), rtol=1e-9)
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
    assert first["label"] == f"image {best}, α {alpha[best]:.3f}, activated, {state}"
    assert first["selected"] is False
    assert second == {
        "id": hidden,
        "label": f"image {hidden}, α 0.000, not activated, occluded",
        "caption": f"○ ✕ {hidden}",
        "selected": True,
    }
    (unknown,) = without_truth(view).cells([hidden], [])
    assert unknown["label"] == f"image {hidden}, α 0.000, not activated"
    assert unknown["caption"] == f"○ {hidden}"


def test_filters_by_the_truth_need_one(view):
    assert view.filters == tuple(activated.FILTERS)
    assert without_truth(view).filters == ("all", "activated", "not-activated", "selected")


def test_the_selected_are_shown_from_clean_to_residual(view):
    rows = view.stages([3, 12])
    assert list(rows)[:3] == ["Clean", "Occluded", "Reconstruction"]
    np.testing.assert_array_equal(rows["Clean"][0, :2].reshape(2, -1), view.prepared.clean[[3, 12]])
    np.testing.assert_array_equal(
        rows["Occluded"][0, :2].reshape(2, -1), view.prepared.occluded.X[[3, 12]]
    )
    assert next(iter(without_truth(view).stages([3]))) == "As they come"


def test_one_component_is_drawn_as_a_line_of_dots(faces):
    scenario = Scenario(n_components=1)
    prepared = prepare(scenario, faces)
    _, models = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared)
    fits = {"PCA": Fit({}, models[0]), "EPCA": Fit({}, models[1])}
    view = activated.View(Comparison(scenario, prepared, fits))
    dots = view.figures([])["embedding"].data[0]
    assert set(dots.y) == {0.0}
