"""EPCA with left-out residuals: the leverages, the invariances, and that it does not collapse."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression

from epca import EPCA, METHODS, history, load_dataset
from epca.corruption import occlude
from epca.data import DataError
from epca.estimator import explain
from epca.linalg import reduce_to_span, residual_lengths
from epca.metrics import clean_among, is_collapsed
from epca.regression import CoRobustRegressor
from epca.solver import left_out_lengths, leverages
from tests.drawn import cloud, problems

LABEL = "EPCA, left-out"


def fit(X, c, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return EPCA(c, left_out=True, **parameters).fit(X)


# Leverages


@given(problems(below_full_rank=True), st.integers(0, 2**32 - 1))
def test_leverages_add_up_to_the_rank_and_one(cloud, seed):
    X, c, _ = cloud
    weights = np.random.default_rng(seed).exponential(size=len(X)) + 1e-3
    subspace, residuals = reduce_to_span(X).weighted_pca(weights, c)
    scores = reduce_to_span(X).coordinates @ subspace.components
    found = leverages(scores, weights)
    assert found.sum() == pytest.approx(c + 1, abs=1e-9)
    assert found.min() > 0
    assert found.max() <= 1 + 1e-12
    assert np.all(left_out_lengths(residuals, scores, weights) >= residuals)


def test_leverages_are_the_formula(generator):
    """h = η(1 + Σ v²/λ) for the scores of a weighted PCA, λ = Σηv²."""
    X = cloud()
    weights = generator.exponential(size=len(X))
    weights /= weights.sum()
    subspace, _ = reduce_to_span(X).weighted_pca(weights, 4)
    v = (reduce_to_span(X).coordinates - subspace.mean) @ subspace.components
    expected = weights * (1 + np.sum(v**2 / (weights @ v**2), axis=1))
    np.testing.assert_allclose(leverages(v, weights), expected, rtol=1e-9)


@pytest.mark.parametrize("c", [5, 16])
def test_left_out_lengths_are_those_of_real_refits(c, occluded):
    """Within 5% for c ≤ n/10, where the plain residual is too small."""
    X = occluded.X[:160]
    weights = EPCA(c).fit(X).sample_weight_
    reduction = reduce_to_span(X)
    subspace, residuals = reduction.weighted_pca(weights, c)
    scores = reduction.coordinates @ subspace.components
    found = left_out_lengths(residuals, scores, weights)
    some = range(0, 160, 8)
    true = []
    for i in some:
        rest = np.delete(reduction.coordinates, i, axis=0)
        kept = np.delete(weights, i)
        mean = kept @ rest / kept.sum()
        axes = np.linalg.svd((rest - mean) * np.sqrt(kept)[:, None], full_matrices=False)[2][:c]
        true += residual_lengths(reduction.coordinates[[i]], mean, axes.T).tolist()
    np.testing.assert_allclose(found[list(some)], true, rtol=0.05)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_left_out_lengths_of_a_regression_are_exact(fit_intercept, generator):
    X = generator.standard_normal((20, 3)) + 1
    y = generator.standard_normal(20)
    weights = generator.exponential(size=20)
    model = LinearRegression(fit_intercept=fit_intercept)
    residuals = np.abs(model.fit(X, y, weights).predict(X) - y)
    found = left_out_lengths(residuals, X, weights, has_mean=fit_intercept)
    for i in range(20):
        rest = np.arange(20) != i
        left_out = model.fit(X[rest], y[rest], weights[rest]).predict(X[[i]])[0]
        assert found[i] == pytest.approx(abs(left_out - y[i]), rel=1e-9)


# The method


@pytest.mark.parametrize(
    ("name", "c", "k", "error"),
    [
        ("orl", 30, 28, 1.3999e8),
        ("orl", 80, 18, 1.2461e8),
        ("yale", 50, 23, 0.8513e8),
        ("yale", 80, 21, 0.7273e8),
    ],
)
def test_it_does_not_collapse_on_faces(name, c, k, error):
    try:
        X = load_dataset(name).X
    except DataError:
        pytest.skip(f"{name} is not here")
    occluded = occlude(X, random_state=0)
    model = METHODS[LABEL](c).fit_reduced(reduce_to_span(occluded.X))
    residuals = model.residuals(occluded.X)
    assert model.n_activated_ == k
    assert clean_among(np.flatnonzero(model.alpha_), occluded.samples) == 1
    assert np.sum((X - model.reconstruct(occluded.X)) ** 2) == pytest.approx(error, rel=1e-3)
    assert residuals.min() > 0.4 * np.median(residuals)


def test_it_is_epca_with_the_option_on():
    X = cloud()
    one = METHODS[LABEL](3, sigma=2.0).fit(X)
    other = EPCA(3, sigma=2.0, left_out=True).fit(X)
    np.testing.assert_array_equal(one.components_, other.components_)
    np.testing.assert_array_equal(one.alpha_, other.alpha_)
    assert not np.allclose(other.alpha_, EPCA(3, sigma=2.0).fit(X).alpha_)
    assert EPCA(3).left_out is False


def test_many_samples_make_no_difference(generator):
    """For large n no single sample matters."""
    X = generator.standard_normal((4000, 6)) * [9, 7, 5, 1, 1, 1]
    plain = EPCA(2).fit(X)
    np.testing.assert_allclose(fit(X, 2).components_, plain.components_, atol=1e-2)


@given(problems(below_full_rank=True))
def test_the_objective_falls_from_the_second_step_on(cloud):
    X, c, exponent = cloud
    model = fit(X, c, sigma=2.0**exponent)
    objectives = model.objective_history_
    assert np.all(np.diff(objectives[1:]) <= 0)
    assert len(objectives) == model.n_iter_ + 1
    assert model.alpha_.sum() == pytest.approx(1)


def test_a_rise_ends_it_and_what_was_before_is_kept():
    """The fit whose next step would raise the objective is the result."""
    for seed in range(20):
        X = cloud(seed, n=30, d=20)
        model = fit(X, 8, tol=0.0)
        if model.converged_ and model.n_iter_ < 100:
            break
    reduction = reduce_to_span(X)
    subspace, _ = reduction.weighted_pca(model.sample_weight_, 8)
    shorter = fit(X, 8, tol=0.0, max_iter=model.n_iter_)
    np.testing.assert_array_equal(shorter.components_, model.components_)
    assert not shorter.converged_
    assert not np.allclose(reduction.lift(subspace.components).T, model.components_)


def test_rotation_permutation_and_scale(generator):
    X = cloud(n=50, d=30)
    plain = fit(X, 5)
    rotation = np.linalg.qr(generator.standard_normal((30, 30)))[0]
    np.testing.assert_allclose(fit(X @ rotation, 5).alpha_, plain.alpha_, atol=1e-9)
    order = generator.permutation(50)
    np.testing.assert_allclose(fit(X[order], 5).alpha_, plain.alpha_[order], atol=1e-9)
    np.testing.assert_allclose(fit(1e3 * X, 5, sigma=1e3).alpha_, plain.alpha_, atol=1e-9)


@given(problems(), st.sampled_from([1.0, 1.5]))
def test_explanation_adds_up(cloud, gamma):
    X, c, exponent = cloud
    reduction = reduce_to_span(X)
    model = EPCA(c, sigma=2.0**exponent, gamma=gamma, left_out=True).fit_reduced(reduction)
    found = explain(model, reduction)
    np.testing.assert_allclose(found.eta / found.eta.sum(), model.sample_weight_, rtol=1e-8)
    objective = found.losses @ found.direct_weight
    assert objective == pytest.approx(model.objective_history_[-1], rel=1e-8)


def test_an_explanation_has_the_lengths_that_its_losses_come_from(small_faces):
    """The plain residuals would give other losses, as faces with leverage are judged harder."""
    reduction = reduce_to_span(small_faces)
    model = METHODS[LABEL](20, sigma=2.0).fit_reduced(reduction)
    found = explain(model, reduction)
    t = found.lengths
    np.testing.assert_allclose(found.losses, 3 * t**2 / (t + 2), rtol=1e-12)
    np.testing.assert_allclose(found.d, 1.5 * (t + 4) / (t + 2) ** 2, rtol=1e-12)
    np.testing.assert_allclose(found.eta, found.d / (1 - model.alpha_), rtol=1e-12)
    off = small_faces - model.mean_
    residuals = np.linalg.norm(off - off @ model.components_.T @ model.components_, axis=1)
    np.testing.assert_allclose(found.residuals, residuals, rtol=1e-8)
    assert (t / residuals).max() > 1.1


@pytest.mark.parametrize("sigma", [1.0, "auto"])
def test_a_recorded_fit_is_the_same(sigma, small_faces):
    reduction = reduce_to_span(small_faces)
    plain = METHODS[LABEL](20, sigma=sigma).fit_reduced(reduction)
    seen = []
    recorded = history.record(
        METHODS[LABEL](20, sigma=sigma), reduction, lambda *state: seen.append(state[0])
    )
    np.testing.assert_array_equal(recorded.model.components_, plain.components_)
    objectives = [item.terms.objective for item in recorded.iterations]
    np.testing.assert_allclose(objectives, plain.objective_history_, rtol=1e-9)
    assert seen == list(range(1, plain.n_iter_ + 1))
    last = recorded.states[-1]
    assert last.iteration == plain.n_iter_
    np.testing.assert_allclose(last.alpha, plain.alpha_, atol=1e-9)


def test_duplicates_still_vouch_for_each_other(faces):
    X = occlude(faces.X[:100], random_state=0).X
    twice = np.vstack([X, X[:3]])
    assert is_collapsed(fit(twice, 50).residuals(twice))
    assert not is_collapsed(fit(X, 50).residuals(X))


def test_a_plain_fit_forgets_the_left_out_residuals_of_an_earlier_one():
    model = fit(cloud(), 4)
    assert len(model.left_out_residuals_) == len(cloud())
    assert not hasattr(model.set_params(left_out=False).fit(cloud()), "left_out_residuals_")


@pytest.mark.parametrize("bad", [None, 1, "yes"])
def test_bad_option(bad):
    for model in (EPCA(1, left_out=bad), CoRobustRegressor(left_out=bad)):
        with pytest.raises(ValueError, match=f"left_out={bad!r} must be True or False"):
            model.fit(np.eye(4), np.arange(4.0))


def test_a_regression_does_not_activate_one_far_sample():
    """A sample far off in x pulls the line onto itself; left out, it is seen not to fit."""
    x = np.r_[np.arange(20.0), 300.0]
    y = np.r_[2 * np.arange(20.0) + np.tile([0.5, -0.5], 10), -400.0]
    plain = CoRobustRegressor(sigma=0.1).fit(x[:, None], y)
    robust = CoRobustRegressor(sigma=0.1, left_out=True).fit(x[:, None], y)
    assert plain.alpha_[-1] > 0.9
    assert robust.alpha_[-1] == 0
    assert abs(robust.coef_[0] - 2) < abs(plain.coef_[0] - 2)


def test_its_own_name_has_the_defaults_of_epca():
    usual = EPCA(3).get_params()
    del usual["left_out"]
    assert METHODS["EPCA, left-out"](3).get_params() == usual
