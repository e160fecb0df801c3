"""The estimate of the clean images: what it finds, what it refuses, what it costs."""

import time
import tracemalloc

import numpy as np
import pytest

from epca import METHODS, load_dataset, rows
from epca.choosing import CleanEstimate, estimate_clean, estimated_error
from epca.corruption import occlude
from epca.data import DataError
from epca.linalg import reduce_to_span
from tests.yardstick import slow_estimate_clean


def load(name):
    try:
        return load_dataset(name)
    except DataError:
        pytest.skip(f"{name} is not here")


def counts(estimate, occluded):
    """Rows flagged among the occluded, among the clean; pixels replaced."""
    truth = np.isin(np.arange(len(occluded.X)), occluded.samples)
    flagged = estimate.is_occluded
    replaced = np.count_nonzero(estimate.images != occluded.X)
    return int(flagged[truth].sum()), int(flagged[~truth].sum()), replaced


@pytest.fixture(scope="module")
def small(faces):
    """Sixty occluded faces at 12 × 12."""
    blocks = faces.images[:60, :24, :24].reshape(60, 12, 2, 12, 2).mean(axis=(2, 4))
    return occlude(blocks.reshape(60, 144), samples=0.2, pixels=0.3, random_state=1)


@pytest.mark.parametrize(
    ("kind", "n_replaced"),
    [("shared-pixels", 12085), ("block-noise", 11412), ("salt-and-pepper", 20987)],
)
def test_all_occluded_faces_are_found_and_no_other(kind, n_replaced, faces):
    occluded = occlude(faces.X, kind, random_state=0)
    estimate = estimate_clean(occluded.X)
    assert not estimate.refused
    assert estimate.reason == ""
    assert counts(estimate, occluded) == (80, 0, pytest.approx(n_replaced, rel=0.01))
    error = np.sum((estimate.images - faces.X) ** 2)
    assert error < 0.4 * np.sum((occluded.X - faces.X) ** 2)


def test_clean_faces_are_left_nearly_alone(faces):
    estimate = estimate_clean(faces.X)
    assert counts(estimate, occlude(faces.X, samples=0.0)) == (0, 4, pytest.approx(399, abs=4))
    errors = [
        estimated_error(estimate, METHODS["PCA"](c).fit(faces.X).reconstruct(faces.X))
        for c in (10, 30, 50, 70)
    ]
    assert np.all(np.diff(errors) < 0)


def test_yale():
    images = load("yale")
    occluded = occlude(images.X, random_state=0)
    assert counts(estimate_clean(occluded.X), occluded)[:2] == (33, 12)


@pytest.mark.slow
def test_objects_without_a_common_subspace_are_refused():
    estimate = estimate_clean(load("coil20").X[:500])
    assert estimate.refused
    assert estimate.is_occluded.sum() == 250
    expected = "More than half of the images do not fit a common subspace: no estimate."
    assert estimate.reason == expected
    assert np.isnan(estimated_error(estimate, estimate.images))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "errors"),
    [
        ("PCA", [2.180, 1.708, 1.582, 1.569, 1.585, 1.606, 1.603]),
        ("EPCA", [1.991, 1.587, 1.356, 1.278, 1.227, 1.235, 1.292]),
    ],
)
def test_its_error_is_lowest_where_the_true_one_is(label, errors, faces, occluded):
    estimate = estimate_clean(occluded.X)
    reduction = reduce_to_span(occluded.X)
    fits = [METHODS[label](c).fit_reduced(reduction) for c in range(10, 71, 10)]
    back = [model.reconstruct(occluded.X) for model in fits]
    found = [estimated_error(estimate, images) for images in back]
    np.testing.assert_allclose(np.array(found) / 1e8, errors, rtol=5e-3)
    oracle = [np.sum((images - faces.X) ** 2) for images in back]
    assert np.argmin(found) == np.argmin(oracle)


def test_it_equals_the_plain_transcription(small):
    images, is_occluded, share, refused = slow_estimate_clean(small.X)
    estimate = estimate_clean(small.X)
    assert is_occluded.any()
    np.testing.assert_array_equal(estimate.is_occluded, is_occluded)
    np.testing.assert_allclose(estimate.outlier_share, share, atol=1e-9)
    np.testing.assert_allclose(estimate.images, images, atol=1e-8)
    assert estimate.refused == refused


@pytest.mark.parametrize(("factor", "shift"), [(1 / 255, 0.0), (2.0, -300.0), (1e-3, 5.0)])
def test_the_unit_of_the_grey_levels_does_not_matter(factor, shift, small):
    plain = estimate_clean(small.X)
    moved = estimate_clean(factor * small.X + shift)
    np.testing.assert_array_equal(moved.is_occluded, plain.is_occluded)
    np.testing.assert_allclose(moved.images, factor * plain.images + shift, rtol=1e-9, atol=1e-9)


def test_the_order_of_images_and_pixels_does_not_matter(small, generator):
    plain = estimate_clean(small.X)
    rows = generator.permutation(60)
    columns = generator.permutation(144)
    shuffled = estimate_clean(small.X[rows][:, columns])
    np.testing.assert_array_equal(shuffled.is_occluded, plain.is_occluded[rows])
    np.testing.assert_allclose(shuffled.images, plain.images[rows][:, columns], atol=1e-7)


def test_working_in_chunks_changes_nothing(small, monkeypatch):
    plain = estimate_clean(small.X)
    again = estimate_clean(small.X)
    np.testing.assert_array_equal(again.images, plain.images)
    monkeypatch.setattr(rows, "CHUNK", 7 * 144)
    chunked = estimate_clean(small.X)
    np.testing.assert_allclose(chunked.images, plain.images, atol=1e-8)


def test_input_is_not_changed(small):
    before = small.X.copy()
    estimate = estimate_clean(small.X)
    np.testing.assert_array_equal(small.X, before)
    clean = ~estimate.is_occluded
    np.testing.assert_array_equal(estimate.images[clean], small.X[clean])


@pytest.mark.slow
def test_faces_take_less_than_a_second_of_work(occluded):
    start = time.thread_time()
    estimate_clean(occluded.X)
    assert time.thread_time() - start < 1


@pytest.mark.slow
def test_memory_stays_within_a_few_copies_of_the_images(generator):
    X = generator.integers(0, 256, (1000, 2000)).astype(float)
    tracemalloc.start()
    estimate_clean(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 7 * X.nbytes  # noise has no leading axes: the dense solver takes most


def test_progress_is_told_and_the_work_can_be_cancelled(small, monkeypatch):
    monkeypatch.setattr(rows, "CHUNK", 20 * 144)
    seen = []
    estimate_clean(small.X, lambda *report: seen.append(report))
    assert {total for _, total, _ in seen} == {9}
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert {text for _, _, text in seen[:-1]} == {f"pass {i} of 3" for i in (1, 2, 3)}
    assert seen[-1] == (9, 9, "done")

    class Cancelled(BaseException):
        pass

    def cancel(done, total, text):
        if done == 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        estimate_clean(small.X, cancel)


def test_pixels_that_never_vary_do_no_harm(small):
    """More than half of the pixels are black in all images, as around a digit."""
    X = np.hstack([np.zeros((60, 300)), small.X])
    estimate = estimate_clean(X)
    assert np.isfinite(estimate.images).all()
    assert np.count_nonzero(estimate.images[:, :300]) == 0


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (
            np.ones((11, 9)),
            r"at least 12 images in rows, .* got shape \(11, 9\)",
        ),
        (np.eye(20, 3), r"of at least 4 pixels; got shape \(20, 3\)"),
        (np.ones(20), r"got shape \(20,\)"),
        (np.full((20, 9), 7.0), "images that differ; all of them are equal"),
        (np.where(np.eye(20, 9), np.nan, 1.0), "finite numbers alone; some are NaN or infinite"),
    ],
)
def test_bad_images_are_refused_in_a_sentence(X, message):
    with pytest.raises(ValueError, match=message) as refusal:
        estimate_clean(X)
    assert str(refusal.value).count(". ") == 0


def test_the_error_is_the_squared_distance():
    images = np.arange(12.0).reshape(3, 4)
    estimate = CleanEstimate(images, np.zeros(3, bool), np.zeros(3), False)
    assert estimated_error(estimate, images + 2) == 48
    with pytest.raises(ValueError, match=r"shape of the images=\(3, 4\); got \(2, 4\)"):
        estimated_error(estimate, images[:2])
