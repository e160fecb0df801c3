"""Single pixels: unknown ones are NaN, which one method takes and all others refuse."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from epca import METHODS
from epca.cells import cell_scale, cell_weights, fill_unknown, nearest_scores
from epca.corruption import occlude
from epca.experiment import Occlusion, Scenario, fit, prepare
from epca.linalg import reduce_to_span
from epca.registry import TAKES_NAN
from tests.drawn import angle, cloud, planted, planted_cells

CauchyPCA = METHODS["Cauchy PCA"]
NAN = np.nan


def with_gaps(X, share=0.2, seed=0):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, NAN, X)


# Small functions


def test_weights_and_scale_ignore_what_is_unknown():
    np.testing.assert_allclose(cell_weights(np.array([0, 2.0, NAN]), 2.0), [1, 0.5, 0])
    residuals = np.array([[1.0, -3, NAN], [2, NAN, NAN]])
    assert cell_scale(residuals, 1e-9) == pytest.approx(3 * 1.4826 * 2)
    assert cell_scale(residuals, 1e-9, 5) == pytest.approx(5 * 1.4826 * 2)
    assert cell_scale(np.zeros((2, 4)), 1e-9) == pytest.approx(3 * 1e-9 / 2)


def test_unknown_pixels_are_filled_by_medians():
    X = np.array([[1.0, NAN, NAN], [3, 5, NAN], [NAN, 6, NAN], [8, 7, NAN]])
    filled, is_unknown = fill_unknown(X)
    np.testing.assert_array_equal(is_unknown, np.isnan(X))
    np.testing.assert_array_equal(filled[:, 0], [1, 3, 3, 8])
    np.testing.assert_array_equal(filled[:, 1], [6, 5, 6, 7])
    np.testing.assert_array_equal(filled[:, 2], 5.5)  # known nowhere: the median of all
    same, nothing = fill_unknown(X[:, :1][:2])
    assert nothing is None
    np.testing.assert_array_equal(same, [[1], [3]])


def test_nearest_scores_are_least_squares_over_known_pixels(generator):
    W = np.linalg.qr(generator.standard_normal((12, 3)))[0]
    mean = generator.standard_normal(12)
    X = generator.standard_normal((5, 12))
    np.testing.assert_allclose(nearest_scores(X, mean, W), (X - mean) @ W)
    X[1, :5] = NAN
    X[3, 2:] = NAN  # two known pixels for three scores
    scores = nearest_scores(X, mean, W)
    known = ~np.isnan(X[1])
    fitted = np.linalg.solve(W[known].T @ W[known], W[known].T @ (X[1] - mean)[known])
    np.testing.assert_allclose(scores[1], fitted)
    np.testing.assert_allclose(mean[:2] + W[:2] @ scores[3], X[3, :2])
    np.testing.assert_allclose(scores[[0, 2, 4]], (X[[0, 2, 4]] - mean) @ W)


# Who takes them


def test_one_method_takes_them():
    assert [label for label, method in METHODS.items() if method.takes_nan] == [TAKES_NAN]
    for method in METHODS.values():
        assert method(1).__sklearn_tags__().input_tags.allow_nan == method.takes_nan


@pytest.mark.parametrize("label", [label for label in METHODS if label != TAKES_NAN])
def test_all_others_refuse_them_and_say_what_to_use(label):
    X = cloud()
    model = METHODS[label](2).fit(X)
    gaps = with_gaps(X)
    uses = (model.fit, model.transform, model.reconstruct, model.residuals, model.pixel_weights)
    for use in uses:
        with pytest.raises(ValueError, match=f"NaN, which {label} does not take.* use one of M"):
            use(gaps)
    with pytest.raises(ValueError, match="use one of METHODS"):
        model.fit_reduced(reduce_to_span(gaps))


def test_a_sample_of_unknown_pixels_alone_is_refused():
    X = cloud()
    model = CauchyPCA(2).fit(X)
    X[7] = NAN
    for use in (model.fit, model.transform, model.reconstruct, model.residuals):
        with pytest.raises(ValueError, match="Sample 7 contains NaN only; leave such samples out"):
            use(X)


# What it makes of them


def test_the_subspace_is_found_in_spite_of_gaps_and_bad_pixels():
    X, basis, is_bad = planted_cells()
    gaps = with_gaps(X)
    model = CauchyPCA(4).fit(gaps)
    assert angle(model, basis) < 10
    np.testing.assert_array_equal(model.cell_weight_ < 0.5, is_bad | np.isnan(gaps))
    np.testing.assert_array_equal(model.cell_weight_ == 0, np.isnan(gaps))
    means = model.cell_weight_.mean(axis=1)
    np.testing.assert_allclose(model.sample_weight_, means / means.sum())
    history = model.objective_history_
    assert np.all(np.diff(history) <= 1e-9 * history[0])
    residuals = (gaps - model.reconstruct(gaps)) / model.cell_scale_
    assert np.nansum(np.log1p(np.square(residuals))) == pytest.approx(history[-1], rel=0.01)
    assert np.isfinite(model.explained_variance_ratio_).all()


def test_a_mask_of_bad_pixels_is_better_than_none():
    X, basis, is_bad = planted_cells()
    known = CauchyPCA(4, tol=1e-8, max_iter=1000).fit(np.where(is_bad, NAN, X))
    assert angle(known, basis) < 0.5 * angle(CauchyPCA(4, tol=1e-8, max_iter=1000).fit(X), basis)


@pytest.mark.parametrize("X", [cloud(), cloud().T], ids=["tall", "wide"])
def test_the_reduction_carries_the_gaps(X):
    gaps = with_gaps(X)
    first = CauchyPCA(3).fit(gaps)
    again = CauchyPCA(3).fit_reduced(reduce_to_span(gaps))
    np.testing.assert_array_equal(first.components_, again.components_)
    np.testing.assert_array_equal(again.cell_weight_ == 0, np.isnan(gaps))


def test_gaps_of_new_samples():
    clean, _ = planted()
    model = CauchyPCA(4).fit(clean)
    inside = model.reconstruct(clean)[:10]
    gaps = with_gaps(inside)
    np.testing.assert_allclose(model.transform(gaps), model.transform(inside), atol=1e-9)
    for robust in (False, True):
        np.testing.assert_allclose(model.reconstruct(gaps, robust=robust), inside, atol=1e-6)
    np.testing.assert_allclose(model.residuals(gaps), 0, atol=1e-9)
    weights = model.pixel_weights(gaps)
    np.testing.assert_allclose(weights, np.where(np.isnan(gaps), 0, 1), atol=1e-9)


def test_bad_pixels_beside_unknown_ones_are_ignored():
    clean, _ = planted()
    model = CauchyPCA(4).fit(clean)
    inside = model.reconstruct(clean)[:10]
    gaps = with_gaps(inside)
    gaps[:, 7] = inside[:, 7] + 100
    assert np.abs(model.reconstruct(gaps) - inside).max() < 0.1
    assert model.pixel_weights(gaps)[:, 7].max() < 1e-3


def test_residuals_of_samples_with_gaps_compare_with_those_without():
    """The length over the known pixels, times √(d/their number)."""
    X, _ = planted()
    model = CauchyPCA(4).fit(X)
    gaps = with_gaps(X, share=0.5)
    gaps[0] = X[0]
    residuals = model.residuals(gaps)
    assert residuals[0] == model.residuals(X)[0]
    rest = (gaps - model.reconstruct(gaps, robust=False))[1]
    n_known = np.count_nonzero(~np.isnan(rest))
    assert residuals[1] == pytest.approx(np.sqrt(60 / n_known) * np.sqrt(np.nansum(rest**2)))
    assert np.median(residuals) == pytest.approx(np.median(model.residuals(X)), rel=0.15)


def test_a_pixel_that_is_unknown_everywhere_is_the_median_of_all():
    X, basis = planted()
    X[:, 5] = NAN
    model = CauchyPCA(4).fit(X)
    np.testing.assert_allclose(model.reconstruct(X)[:, 5], np.nanmedian(X))
    others = np.delete(np.arange(60), 5)
    model.components_ = model.components_[:, others]
    assert angle(model, np.linalg.qr(basis[others])[0]) < 5


def test_names_of_features_with_gaps():
    frame = pd.DataFrame(with_gaps(cloud()), columns=list("abcdefghijkl"))
    model = CauchyPCA(2).fit(frame)
    for use in (model.transform, model.reconstruct, model.residuals, model.pixel_weights):
        assert np.isfinite(use(frame)).all()


def test_black_squares_that_are_known_are_no_trouble(faces):
    clean = faces.X[:100]
    squares = occlude(clean, "block-black", image_shape=(32, 32), random_state=0)
    plain = CauchyPCA(10).fit(squares.X)
    gaps = np.where(squares.mask, NAN, squares.X)
    masked = CauchyPCA(10).fit(gaps)
    rows = squares.samples
    before, after = (
        np.square(clean - model.reconstruct(X))[rows].sum()
        for model, X in ((plain, squares.X), (masked, gaps))
    )
    assert after < 0.3 * before


def test_experiments_go_on_with_the_method_that_takes_them(faces):
    """Measures count the known pixels, and other methods fail by themselves."""
    small = replace(faces, images=with_gaps(faces.images, share=0.05))
    scenario = Scenario(n_components=3, occlusion=Occlusion(samples=0.2, seed=0))
    prepared = prepare(scenario, small)
    row, model = fit(prepared, scenario, "Cauchy PCA")
    assert row["failure"] == ""
    reconstructed = model.reconstruct(prepared.occluded.X)
    assert row["error"] == pytest.approx(np.nansum(np.square(small.X - reconstructed)))
    assert row["auc"] > 0.9
    assert "use one of METHODS" in fit(prepared, scenario, "EPCA").row["failure"]


def test_scores_and_residuals_of_the_training_samples_leave_out_unknown_pixels(generator):
    X = generator.standard_normal((40, 6)) * [9, 7, 1, 1, 1, 1]
    X[3, 0] = np.nan
    model = METHODS["Cauchy PCA"](2).fit(X)
    np.testing.assert_allclose(model.scores_, model.transform(X), atol=1e-9)
    np.testing.assert_allclose(model.residuals_, model.residuals(X), atol=1e-9)
