"""Occlusion: exactly what was asked for, nothing else, the same for the same seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca.corruption import KINDS, Kind, occlude

fractions = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0]))
SHAPE = (8, 5)
LABELS = np.repeat(np.arange(3), 5)


def clean():
    """Values that no occlusion produces, different in every sample."""
    return np.full((15, 40), 0.25) + np.arange(15)[:, None] / 64


@given(st.sampled_from(list(KINDS)), fractions, fractions, st.integers(0, 2**32 - 1))
def test_touches_exactly_its_mask(kind, samples, pixels, seed):
    X = clean()
    occluded = occlude(
        X, kind, samples=samples, pixels=pixels, image_shape=SHAPE, labels=LABELS, random_state=seed
    )
    assert len(occluded.samples) == (round(samples * 15) if occluded.mask.any() else 0)
    assert occluded.mask[occluded.samples].any(axis=1).all()
    assert np.all(np.diff(occluded.samples) > 0)
    np.testing.assert_array_equal(occluded.X != X, occluded.mask & (occluded.X != X))
    np.testing.assert_array_equal(occluded.X[~occluded.mask], X[~occluded.mask])
    assert not occluded.mask[np.setdiff1d(np.arange(15), occluded.samples)].any()
    np.testing.assert_array_equal(X, clean())
    assert occluded.X.min() >= 0
    assert occluded.X.max() <= 255
    if kind != "gaussian":
        assert np.all(occluded.X[occluded.mask] != X[occluded.mask])


@pytest.mark.parametrize("kind", KINDS)
def test_pixels_do_not_matter_to_whole_images_alone(kind):
    options = {"samples": 0.5, "image_shape": SHAPE, "labels": LABELS}
    few, many = (occlude(clean(), kind, pixels=pixels, **options).X for pixels in (0.2, 0.6))
    assert np.array_equal(few, many) == KINDS[kind].is_whole


@given(st.sampled_from(["shared-pixels", "own-pixels", "salt-and-pepper", "gaussian"]), fractions)
def test_counts_of_scattered_pixels(kind, pixels):
    occluded = occlude(clean(), kind, samples=1.0, pixels=pixels, image_shape=SHAPE)
    assert np.all(occluded.mask.sum(axis=1) == round(pixels * 40))
    is_all_or_none = round(pixels * 40) in (0, 40)
    are_same = np.all(occluded.mask == occluded.mask[0])
    assert are_same == (kind == "shared-pixels" or is_all_or_none)


@given(
    st.sampled_from(["block-noise", "block-black", "block-white", "band"]),
    fractions,
    st.integers(0, 100),
)
def test_blocks_and_bands_are_rectangles(kind, pixels, seed):
    occluded = occlude(
        clean(), kind, samples=1.0, pixels=pixels, image_shape=SHAPE, random_state=seed
    )
    for mask in occluded.mask.reshape(-1, *SHAPE):
        rows = mask.any(axis=1)
        columns = mask.any(axis=0)
        assert mask.sum() == rows.sum() * columns.sum()
        assert np.all(mask[np.ix_(rows, columns)])
        if rows.any():
            assert np.ptp(np.flatnonzero(rows)) == rows.sum() - 1
        if kind == "band":
            assert rows.sum() == round(pixels * 8)
            assert not rows.any() or columns.all()
        else:
            assert abs(mask.sum() - pixels * 40) <= 6  # sides are whole numbers


def test_values():
    def values(kind):
        occluded = occlude(clean(), kind, samples=1.0, pixels=0.5, image_shape=SHAPE, labels=LABELS)
        return np.unique(occluded.X[occluded.mask])

    assert values("block-black").tolist() == values("band").tolist() == [0]
    assert values("block-white").tolist() == [255]
    assert values("salt-and-pepper").tolist() == [0, 255]
    for kind in ("shared-pixels", "own-pixels", "block-noise", "noise-images"):
        assert np.all(values(kind) == np.rint(values(kind)))
        assert len(values(kind)) > 50


def test_the_strength_of_noise():
    grey = np.full((400, 100), 128.0)
    noise = occlude(grey, "gaussian", samples=1.0, pixels=1.0).X - 128
    assert noise.std() == pytest.approx(64, rel=0.1)  # a little less: grey levels end at 0 and 255
    assert abs(noise.mean()) < 1
    peppered = occlude(grey, "salt-and-pepper", samples=1.0, pixels=1.0).X
    assert np.mean(peppered == 255) == pytest.approx(0.5, abs=0.02)


def test_blocks_reach_every_corner():
    hit = occlude(
        np.full((400, 36), 9.0), "block-black", samples=1.0, pixels=0.25, image_shape=(6, 6)
    ).mask.any(axis=0)
    assert hit.all()


def test_the_papers_occlusion_on_faces(faces):
    occluded = occlude(faces.X, random_state=3)
    values = occluded.X[occluded.mask]
    assert 120 < values.mean() < 135
    assert (values.min(), values.max()) == (0, 255)
    assert (len(occluded.samples), occluded.mask[occluded.samples[0]].sum()) == (80, 205)


@pytest.mark.parametrize("labels", [LABELS, np.arange(len(LABELS)) % 2], ids=["all", "two"])
def test_other_class_takes_images_of_other_classes(labels):
    X = clean()
    occluded = occlude(X, "other-class", samples=1.0, labels=labels, image_shape=SHAPE)
    donors = np.rint((occluded.X[:, 0] - 0.25) * 64).astype(int)
    np.testing.assert_array_equal(occluded.X, X[donors])
    assert np.all(labels[donors] != labels)


def test_seeds(faces):
    """Equal seeds occlude the same samples, whatever the kind."""
    samples = occlude(faces.X, random_state=1).samples
    for kind in KINDS:
        first, again, other = (
            occlude(faces.X, kind, labels=faces.labels, random_state=seed) for seed in (1, 1, 2)
        )
        np.testing.assert_array_equal(first.X, again.X)
        assert not np.array_equal(first.samples, other.samples)
        np.testing.assert_array_equal(first.samples, samples)


def test_integers_and_lists_are_welcome():
    occluded = occlude([[1, 2, 3, 4], [5, 6, 7, 8]], samples=0.5, pixels=1.0)
    assert occluded.X.dtype == float
    assert occluded.X.shape == (2, 4)


@pytest.mark.parametrize("name", ["samples", "pixels"])
@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, "a", None])
def test_bad_fractions(name, value):
    with pytest.raises(ValueError, match=rf"{name}={value!r} must be a fraction between 0 and 1"):
        occlude(np.ones((4, 4)), **{name: value})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "scarf"}, "kind='scarf' must be one of shared-pixels, own-pixels"),
        ({"kind": "other-class"}, "needs labels of at least two classes"),
        ({"kind": "other-class", "labels": np.zeros(4)}, "needs labels of at least two classes"),
        ({"labels": np.zeros(3)}, r"labels must have shape \(n_samples,\)=\(4,\); got \(3,\)"),
        (
            {"image_shape": (3, 3)},
            r"image_shape=\(3, 3\) must be \(height, width\) with height \* width = n_features=4",
        ),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        occlude(np.ones((4, 4)), **arguments)


def test_one_dimensional_data():
    with pytest.raises(
        ValueError, match=r"must be two-dimensional, one image per row; got shape \(4,\)"
    ):
        occlude(np.ones(4))


@pytest.mark.parametrize(
    "kind", ["shared-pixels", "own-pixels", "block-noise", "band", "salt-and-pepper", "gaussian"]
)
def test_nobody_is_occluded_where_no_pixel_is(kind):
    occluded = occlude(np.full((10, 25), 128.0), kind, samples=0.4, pixels=0.0)
    assert len(occluded.samples) == occluded.mask.sum() == 0


def test_a_new_kind_is_one_entry(monkeypatch):
    """Adding it to KINDS is all it takes to occlude by it, and its need of labels is checked."""

    def upper_half(task):
        mask = np.zeros((len(task.rows), task.X.shape[1]), dtype=bool)
        mask[:, : task.X.shape[1] // 2] = True
        return mask, 7.0

    new = Kind("upper half", "The upper half becomes grey.", upper_half, needs_labels=True)
    monkeypatch.setitem(KINDS, "upper-half", new)
    occluded = occlude(clean(), "upper-half", samples=1.0, labels=LABELS, image_shape=SHAPE)
    assert np.all(occluded.X[:, :20] == 7)
    np.testing.assert_array_equal(occluded.X[:, 20:], clean()[:, 20:])
    with pytest.raises(ValueError, match="kind='upper-half' needs labels of at least two classes"):
        occlude(clean(), "upper-half", image_shape=SHAPE)


def test_every_kind_says_what_it_does():
    assert all(kind.label and kind.text.endswith(".") for kind in KINDS.values())
    assert [name for name, kind in KINDS.items() if kind.needs_labels] == ["other-class"]
