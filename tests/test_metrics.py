"""Measures by hand, by brute force, and where they have no meaning."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from sklearn.cluster import KMeans

from epca import EPCA, metrics
from epca.metrics import (
    clean_among,
    clean_among_top,
    clustering_accuracy,
    is_collapsed,
    judge,
    largest_angle,
    matching_accuracy,
    occlusion_auc,
    outlier_map,
    reconstruction_error,
    reconstruction_residuals,
)


def test_reconstruction_error():
    clean = np.array([[1.0, 2.0], [3.0, 4.0]])
    reconstructed = np.array([[1.0, 0.0], [6.0, 4.0]])
    assert reconstruction_error(clean, reconstructed) == 4 + 9
    assert reconstruction_error(clean, reconstructed, [1]) == 9
    assert reconstruction_error(clean, reconstructed, []) == 0
    clean[0, 1] = np.nan
    assert reconstruction_error(clean, reconstructed) == 9


def test_an_error_against_another_is_unknown_where_that_is_rounding():
    assert metrics.against(80.0, 100.0, squared_length=1e6) == pytest.approx(-0.2)
    found = metrics.against(np.array([80.0, 80.0, np.nan]), np.array([100.0, 1e-7, 100.0]), 1e6)
    np.testing.assert_allclose(found, [-0.2, np.nan, np.nan])


def test_reconstruction_residuals():
    X = np.array([[1.0, 2.0], [3.0, 4.0], [np.nan, 7.0]])
    reconstructed = np.array([[1.0, 0.0], [6.0, 8.0], [0.0, 4.0]])
    lengths = reconstruction_residuals(X, reconstructed)
    np.testing.assert_allclose(lengths, [2, 5, 3 * np.sqrt(2)])


def test_is_collapsed():
    assert is_collapsed(np.array([0.009, 1.0, 1.0, 2.0]))
    assert not is_collapsed(np.array([0.011, 1.0, 1.0, 2.0]))
    assert not is_collapsed(np.array([0.02, 1.0, 1.0, 100.0]))  # the median, not the mean
    assert not is_collapsed(np.zeros(4))


labelled = st.integers(1, 6).flatmap(
    lambda k: st.lists(
        st.tuples(st.integers(0, k - 1), st.integers(0, k - 1)), min_size=1, max_size=40
    )
)


@given(labelled)
def test_matching_equals_brute_force(pairs):
    labels, clusters = np.array(pairs).T
    best = max(np.mean(np.array(order)[clusters] == labels) for order in permutations(range(6)))
    assert matching_accuracy(labels, clusters) == pytest.approx(best)


@given(labelled, st.permutations(range(6)))
def test_matching_ignores_names(pairs, order):
    labels, clusters = np.array(pairs).T
    assert matching_accuracy(labels, np.array(order)[clusters]) == pytest.approx(
        matching_accuracy(labels, clusters)
    )
    assert matching_accuracy(labels, labels) == 1


def test_clustering_accuracy(generator):
    labels = np.repeat(np.arange(4), 20)
    coordinates = 100 * np.eye(4)[labels] + generator.standard_normal((80, 4))
    result = clustering_accuracy(coordinates, labels, runs=8)
    assert result.best == 1
    assert len(result.runs) == 8
    assert (result.mean, result.sd) == pytest.approx((result.runs.mean(), result.runs.std()))
    again = clustering_accuracy(coordinates, labels, runs=8)
    np.testing.assert_array_equal(result.runs, again.runs)
    hard = clustering_accuracy(generator.standard_normal((80, 4)), labels, runs=8)
    assert len(np.unique(hard.runs)) > 1  # every run has its seed


def test_too_many_classes_are_not_clustered():
    """The table of matches has classes² entries: 20,000 classes would take gigabytes."""
    labels = np.arange(metrics.MAX_CLASSES + 1)
    with pytest.raises(ValueError, match="201 classes are too many to cluster; at most 200 are"):
        clustering_accuracy(np.zeros((201, 2)), labels, runs=1)
    assert metrics.why_not_clustered(labels[:-1]) == ""


def test_k_means_in_pieces_equals_k_means_at_once(faces, occluded, monkeypatch):
    coordinates = EPCA(10).fit(occluded.X).transform(occluded.X)
    whole = clustering_accuracy(coordinates, faces.labels, runs=3)
    monkeypatch.setattr(metrics, "PIECE", 2)
    calls = []
    pieces = clustering_accuracy(
        coordinates, faces.labels, runs=3, callback=lambda: calls.append(1)
    )
    np.testing.assert_array_equal(pieces.runs, whole.runs)
    assert len(calls) > 6


def test_k_means_ends_when_its_callback_raises(generator):
    def end():
        raise InterruptedError

    labels = np.arange(60) % 3
    with pytest.raises(InterruptedError):
        clustering_accuracy(generator.standard_normal((60, 2)), labels, runs=1, callback=end)


def test_k_means_on_coordinates_equals_k_means_on_images(faces, occluded):
    """W is orthonormal: the reconstructed images have the distances of their coordinates."""
    model = EPCA(10).fit(occluded.X)
    coordinates = model.transform(occluded.X)
    images = model.reconstruct(occluded.X)
    centres = np.arange(0, 400, 10)
    clusters = [KMeans(40, init=X[centres], n_init=1).fit_predict(X) for X in (coordinates, images)]
    np.testing.assert_array_equal(*clusters)


def test_clean_among():
    assert clean_among(np.array([0, 1, 2, 3]), np.array([3, 7])) == 0.75
    assert np.isnan(clean_among(np.array([], dtype=int), np.array([3])))


def test_clean_among_top():
    weights = np.array([0.5, 0.1, 0.2, 0.05, 0.15])
    assert clean_among_top(weights, np.array([1, 3])) == 1
    assert clean_among_top(weights, np.array([0, 1])) == pytest.approx(2 / 3)
    constant = np.full(5, 0.2)  # prefers nobody
    assert np.isnan(clean_among_top(constant, np.array([0])))
    assert np.isnan(clean_among_top(weights, np.array([], dtype=int)))  # nothing is occluded
    assert np.isnan(clean_among_top(weights, np.arange(5)))


def test_occlusion_auc():
    assert occlusion_auc(np.array([1.0, 5.0, 2.0, 6.0]), np.array([1, 3])) == 1
    assert occlusion_auc(np.array([1.0, 5.0, 2.0, 0.0]), np.array([1, 3])) == 0.5
    assert np.isnan(occlusion_auc(np.arange(4.0), np.array([], dtype=int)))
    assert np.isnan(occlusion_auc(np.arange(4.0), np.arange(4)))


def test_largest_angle():
    assert largest_angle(np.eye(3)[:1], np.eye(3)[1:2]) == pytest.approx(np.pi / 2)
    assert largest_angle(
        np.eye(3)[:2], np.array([[1.0, 0, 0], [0, np.cos(0.3), np.sin(0.3)]])
    ) == pytest.approx(0.3)
    assert largest_angle(np.eye(3)[:2], np.eye(3)[[1, 0]]) == pytest.approx(0, abs=1e-12)


def test_outlier_map_by_hand():
    scores = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    residuals = np.array([1.0, 8.0, 27.0, 64.0])
    result = outlier_map(scores, residuals, np.full(4, 0.25))
    np.testing.assert_allclose(result.score_distance, [np.sqrt(2)] * 4)  # variances 2 and ½
    np.testing.assert_array_equal(result.orthogonal_distance, residuals)
    assert result.score_cutoff == pytest.approx(np.sqrt(chi2.ppf(0.975, 2)))
    roots = np.array([1, 4, 9, 16])
    middle = 6.5
    spread = 1.4826 * np.median(np.abs(roots - 6.5))
    assert result.orthogonal_cutoff == pytest.approx((middle + 1.959963985 * spread) ** 1.5)


def test_outlier_map_flags_about_the_expected_share(generator):
    scores = generator.standard_normal((4000, 3)) * [5, 2, 1]
    noise = generator.standard_normal((4000, 30))
    result = outlier_map(scores, np.linalg.norm(noise, axis=1), np.full(4000, 1 / 4000))
    assert np.mean(result.score_distance > result.score_cutoff) == pytest.approx(0.025, abs=0.01)
    assert np.mean(result.orthogonal_distance > result.orthogonal_cutoff) == pytest.approx(
        0.025, abs=0.01
    )


def test_outlier_map_without_residuals_or_variance():
    result = outlier_map(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.zeros(2), np.full(2, 0.5))
    np.testing.assert_allclose(result.score_distance, 1)
    assert result.orthogonal_cutoff == 0


def test_judge_by_hand():
    """Scores 1, −1, 2, −2 have variance 2.5; cut-offs are √χ²₁ = 2.24 and that of the residuals."""
    scores = np.array([[1.0], [-1.0], [2.0], [-2.0]])
    residuals = np.array([1.0, 1.1, 1.2, 0.9])
    weights = np.full(4, 0.25)
    near = judge(scores, residuals, weights, np.array([0.5]), 1.15)
    assert near == (1.15, 0.75, "regular")
    assert judge(scores, residuals, weights, np.array([4.0]), 1.0).kind == "good leverage"
    assert judge(scores, residuals, weights, np.array([0.5]), 9.0).kind == "orthogonal outlier"
    assert judge(scores, residuals, weights, np.array([-4.0]), 9.0).kind == "bad leverage"
    assert judge(scores, residuals, weights, np.array([0.5]), 0.9).larger_than == 0  # ties are not


def test_a_fitted_sample_is_judged_as_the_outlier_map_has_it(occluded):
    model = EPCA(10).fit(occluded.X)
    scores = model.transform(occluded.X)
    residuals = model.residuals(occluded.X)
    found = outlier_map(scores, residuals, model.sample_weight_)
    distances = zip(found.score_distance, found.orthogonal_distance, strict=True)
    kinds = [found.quadrant(*pair) for pair in distances]
    assert len(set(kinds)) > 1
    for i in range(0, 400, 7):
        verdict = judge(scores, residuals, model.sample_weight_, scores[i], residuals[i])
        assert verdict.kind == kinds[i]
        assert verdict.residual == residuals[i]
        assert verdict.larger_than == np.mean(residuals < residuals[i])


def test_judge_without_residuals_or_variance():
    verdict = judge(np.zeros((3, 2)), np.zeros(3), np.full(3, 1 / 3), np.ones(2), 0.0)
    assert verdict == (0.0, 0.0, "regular")
