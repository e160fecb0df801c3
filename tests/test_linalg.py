"""The reduction loses nothing, and forms coordinates only for those who ask for them."""

import gc
import weakref

import numpy as np
import pandas as pd
import pytest

from epca import METHODS
from epca.linalg import reduce_to_span, residual_lengths, signs

SHAPES = [(7, 30), (30, 30), (31, 30), (100, 30), (2, 5), (5, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_reduction_is_lossless(shape, generator):
    X = generator.standard_normal(shape) * np.geomspace(1e6, 1e-6, shape[1]) + 100
    reduction = reduce_to_span(X)
    assert reduction.coordinates.shape == (shape[0], min(shape))
    restored = reduction.mean + reduction.lift(reduction.coordinates.T).T
    np.testing.assert_allclose(restored, X, atol=1e-14 * np.abs(X).max())


@pytest.mark.parametrize("shape", SHAPES)
def test_lift_is_an_isometry(shape, generator):
    reduction = reduce_to_span(generator.standard_normal(shape))
    lifted = reduction.lift(np.eye(min(shape)))
    np.testing.assert_allclose(lifted.T @ lifted, np.eye(min(shape)), atol=1e-13)


@pytest.mark.parametrize("shape", [*SHAPES, (300, 250), (250, 400)])
def test_classical_is_pca(shape, generator):
    X = generator.standard_normal(shape) * np.geomspace(3, 1, shape[1])
    reduction = reduce_to_span(X)
    singular = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    for c in {1, min(shape[0] - 1, shape[1])}:
        subspace, lengths = reduction.classical(c)
        np.testing.assert_allclose(subspace.mean, 0, atol=1e-12)
        variances = np.square(reduction.coordinates @ subspace.components).sum(axis=0)
        np.testing.assert_allclose(variances, singular[:c] ** 2, atol=1e-12 * singular[0] ** 2)
        np.testing.assert_allclose(
            np.square(lengths).sum(), np.square(singular[c:]).sum(), atol=1e-12 * singular[0] ** 2
        )
        assert reduction.classical(c)[1] is lengths  # found once


def test_reduction_does_not_lose_small_directions(generator):
    """A Gram matrix would lose directions a billion times smaller than the largest."""
    X = generator.standard_normal((20, 50)) @ np.diag(np.r_[1e9, np.ones(49)])
    reduction = reduce_to_span(X)
    Y = X - X.mean(axis=0)
    large = np.linalg.svd(Y, full_matrices=False)[2][:1].T
    inside = np.linalg.svd(reduction.coordinates)[2][:1].T
    expected = residual_lengths(Y, np.zeros(50), large)
    np.testing.assert_allclose(
        residual_lengths(reduction.coordinates, np.zeros(20), inside), expected, rtol=1e-6
    )


def test_weighted_methods_need_no_coordinates(occluded):
    """Inner products serve where samples are fewer than features: the basis would cost more."""
    reduction = reduce_to_span(occluded.X)
    for label in ("EPCA", "PCA", "PCA-OM", "PCA-AN", "EPCA, left-out", "R1PCA"):
        METHODS[label](5).fit_reduced(reduction)
    assert "_factors" not in vars(reduction)
    METHODS["L1PCA"](1).fit_reduced(reduction)
    assert "_factors" in vars(reduction)


def test_inner_products_are_formed_when_a_fit_asks_for_them(occluded):
    """A server whose fits run elsewhere needs none; but a cache counts them from the start."""
    reduction = reduce_to_span(occluded.X)
    assert reduction.smoothing > 0
    assert not {"centred", "gram"} & set(vars(reduction))
    METHODS["PCA"](5).fit_reduced(reduction)
    assert {"centred", "gram"} <= set(vars(reduction))
    assert reduction.nbytes >= reduction.centred.nbytes + reduction.gram.nbytes


def test_memory_is_free_as_soon_as_nobody_needs_it(occluded):
    gc.disable()
    try:
        reduction = reduce_to_span(occluded.X)
        model = METHODS["EPCA"](5).fit_reduced(reduction)
        left = weakref.ref(reduction)
        del reduction
        assert left() is None
        assert model.n_components_ == 5
    finally:
        gc.enable()


def test_smoothing(generator):
    X = generator.standard_normal((9, 40)) + 5
    spread = np.sqrt(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=1)))
    assert reduce_to_span(X).smoothing == pytest.approx(1e-6 * spread, rel=1e-9, abs=0)
    far_off = reduce_to_span(X + 1e9).smoothing
    assert far_off == pytest.approx(1e-6 * spread, rel=1e-6, abs=0)
    assert reduce_to_span(np.full((9, 4), 0.1)).smoothing == pytest.approx(0.2e-12, rel=1e-6, abs=0)
    assert reduce_to_span(np.zeros((9, 4))).smoothing == pytest.approx(1e-150, rel=1e-6, abs=0)


def test_input_is_not_changed(generator):
    for shape in SHAPES:
        X = generator.standard_normal(shape)
        before = X.copy()
        reduce_to_span(X)
        np.testing.assert_array_equal(X, before)


def test_variances(generator):
    for shape in [(30, 8), (8, 30), (20, 20)]:
        X = generator.standard_normal(shape)
        expected = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2 / shape[0]
        np.testing.assert_allclose(reduce_to_span(X).variances[: min(shape)], expected, atol=1e-12)


def test_signs(generator):
    components = generator.standard_normal((6, 9))
    fixed = components * signs(components)[:, None]
    np.testing.assert_array_equal(signs(-components), -signs(components))
    np.testing.assert_array_equal(np.abs(fixed), np.abs(components))
    assert np.all(fixed[np.arange(6), np.abs(fixed).argmax(axis=1)] > 0)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[np.nan, np.nan], [2.0, 3.0]], "Sample 0 contains NaN only; leave such samples out"),
        ([[1.0, np.inf], [2.0, 3.0]], "contains infinity"),
        ([1.0, 2.0], "Expected 2D array"),
        (np.array([[1e-200, 0], [0, 1e-200]]), r"X varies by 5.0e-201; multiply it by a number"),
        (np.array([[1e200, 0], [0, 1e200]]), "X varies by 5.0e\\+199; multiply it"),
    ],
)
def test_bad_data(X, message):
    with pytest.raises(ValueError, match=message):
        reduce_to_span(X)


def test_lists_and_frames_are_welcome():
    X = np.random.default_rng(0).standard_normal((5, 9))
    for data in (X.tolist(), pd.DataFrame(X), X.astype(np.float32)):
        reduction = reduce_to_span(data)
        assert type(reduction.mean) is np.ndarray
        assert reduction.coordinates.dtype == float
