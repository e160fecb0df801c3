"""Cauchy PCA: its limit, its descent, planted bad pixels, and what a change of the data does."""

import numpy as np
import pytest

from epca import METHODS
from epca.linalg import reduce_to_span
from tests.drawn import angle, cloud, planted_cells, planted_samples

CauchyPCA = METHODS["Cauchy PCA"]


@pytest.mark.parametrize("X", [cloud(), cloud().T])
def test_a_huge_scale_gives_pca(X):
    model = CauchyPCA(4, scale=1e8).fit(X)
    assert angle(model, METHODS["PCA"](4).fit(X)) < 1e-6
    np.testing.assert_allclose(model.mean_, X.mean(axis=0), atol=1e-9)


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_the_objective_never_rises_and_ends_at_a_fixed_point(scale):
    X, _, _ = planted_cells()
    model = CauchyPCA(4, scale=scale, tol=1e-12, max_iter=5000).fit(X)
    history = model.objective_history_
    assert np.all(np.diff(history) <= 1e-9 * history[0])
    robust = model.reconstruct(X)
    residuals = X - robust
    assert np.log1p(np.square(residuals / model.cell_scale_)).sum() == pytest.approx(history[-1])
    np.testing.assert_allclose(
        model.cell_weight_, 1 / (1 + np.square(residuals / model.cell_scale_)), atol=1e-3
    )
    again = METHODS["PCA"](4).fit(robust + model.cell_weight_ * residuals)
    assert angle(model, again) < 1e-2


def test_bad_pixels_are_found_and_do_not_count():
    X, basis, is_bad = planted_cells()
    model = CauchyPCA(4).fit(X)
    assert angle(METHODS["PCA"](4).fit(X), basis) > 60
    assert angle(METHODS["EPCA"](4).fit(X), basis) > 60
    assert angle(model, basis) < 10
    np.testing.assert_array_equal(model.cell_weight_ < 0.5, is_bad)
    clean = X[0] - np.where(is_bad[0], X[0] - model.reconstruct(X)[0], 0)
    assert np.abs(model.reconstruct(X)[0] - clean).max() < 1


def test_the_scale_is_that_of_the_start():
    X = cloud()
    model = CauchyPCA(3, scale=2, tol=1e-9, max_iter=1000).fit(X)
    start = METHODS["PCA-AN"](3, n_active=0.75, tol=1e-9, max_iter=1000).fit(X)
    typical = 1.4826 * np.median(np.abs(X - start.reconstruct(X)))
    assert model.cell_scale_ == pytest.approx(2 * typical, rel=1e-3)


def test_weights_of_samples_are_those_of_their_pixels():
    X, _, _ = planted_cells()
    model = CauchyPCA(4).fit(X)
    means = model.cell_weight_.mean(axis=1)
    np.testing.assert_allclose(model.sample_weight_, means / means.sum())
    assert model.cell_weight_.min() > 0
    assert model.cell_weight_.max() <= 1


def test_wrong_samples_do_not_count_either():
    X, basis = planted_samples()
    model = CauchyPCA(4).fit(X)
    assert angle(model, basis) < 5
    assert model.sample_weight_[:24].max() < 0.2 * model.sample_weight_[24:].min()


@pytest.mark.parametrize("shape", ["tall", "wide"])
def test_order_of_samples_and_pixels(shape, generator):
    X = cloud() if shape == "tall" else cloud().T
    rows = generator.permutation(len(X))
    columns = generator.permutation(X.shape[1])
    plain = CauchyPCA(3).fit(X)
    permuted = CauchyPCA(3).fit(X[rows][:, columns])
    np.testing.assert_allclose(
        np.abs(permuted.components_), np.abs(plain.components_[:, columns]), atol=1e-6
    )
    np.testing.assert_allclose(
        permuted.cell_weight_, plain.cell_weight_[rows][:, columns], atol=1e-6
    )


def test_shift_and_scale():
    X = cloud()
    plain, changed = CauchyPCA(3).fit(X), CauchyPCA(3).fit(20 * X + 5)
    np.testing.assert_allclose(changed.components_, plain.components_, atol=1e-7)
    assert changed.cell_scale_ == pytest.approx(20 * plain.cell_scale_)
    np.testing.assert_allclose(changed.mean_, 20 * plain.mean_ + 5, atol=1e-5)
    np.testing.assert_allclose(changed.cell_weight_, plain.cell_weight_, atol=1e-7)


def test_where_most_pixels_fit_exactly_it_is_pca_and_exact():
    X = np.outer(np.arange(12.0), np.ones(5))
    model = CauchyPCA(1).fit(X)
    assert model.is_exact_
    assert model.cell_scale_ > 0
    np.testing.assert_allclose(model.cell_weight_, 1)
    np.testing.assert_allclose(model.reconstruct(X), X, atol=1e-9)


def test_the_start_counts_as_iteration_0():
    told = []
    model = CauchyPCA(3).fit_reduced(
        reduce_to_span(cloud()), lambda iteration, *_: told.append(iteration)
    )
    assert told[0] == 0
    first = told.count(0)
    assert told == [0] * first + list(range(1, model.n_iter_ + 1))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scale": 0}, "scale=0 must be a finite number > 0"),
        ({"scale": np.inf}, "scale=inf must be"),
        ({"start": 60}, "start=60 must be a fraction between 0 and 1 or an integer between 1 and"),
        ({"tol": -1}, "tol=-1 must be"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        CauchyPCA(2, **parameters).fit(cloud())
