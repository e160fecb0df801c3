"""The framework's second learner: robust to gross errors in y, same guarantees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import HuberRegressor, LinearRegression

from epca.regression import CoRobustRegressor

SLOPE = 2.0
INTERCEPT = -1.0


def line(seed, n=100, share=0.2):
    """A noisy line with gross one-sided errors in y."""
    generator = np.random.default_rng(seed)
    x = generator.uniform(0, 10, n)
    y = SLOPE * x + INTERCEPT + 0.1 * generator.standard_normal(n)
    wrong = generator.choice(n, round(share * n), replace=False)
    y[wrong] += generator.uniform(20, 60, len(wrong))
    return x[:, None], y, wrong


def miss(model):
    return max(abs(model.coef_[0] - SLOPE), abs(model.intercept_ - INTERCEPT))


@pytest.mark.parametrize("seed", range(5))
def test_recovers_a_line_with_a_fifth_of_gross_outliers(seed):
    X, y, wrong = line(seed)
    robust = CoRobustRegressor(sigma=0.1).fit(X, y)
    assert miss(robust) < 0.15
    assert miss(robust) < miss(LinearRegression().fit(X, y)) / 20
    assert miss(robust) < 2 * miss(HuberRegressor(max_iter=1000).fit(X, y)) + 0.02
    assert robust.alpha_[wrong].max() == 0


@given(st.integers(0, 2**32 - 1), st.floats(-20, 20), st.sampled_from([1.0, 2.0]))
def test_objective_never_increases(seed, exponent, gamma):
    X, y, _ = line(seed, n=20)
    model = CoRobustRegressor(sigma=2.0**exponent, gamma=gamma, max_iter=1000).fit(X, y)
    history = model.objective_history_
    assert np.all(np.diff(history) <= 1e-9 * history[0])
    assert model.alpha_.sum() == pytest.approx(1)
    assert model.sample_weight_.sum() == pytest.approx(1)
    assert model.n_activated_ == np.count_nonzero(model.alpha_)


def test_gamma_above_one_activates_everything():
    X, y, _ = line(0)
    assert CoRobustRegressor(gamma=2.0).fit(X, y).n_activated_ == len(y)


def test_large_sigma_nears_least_squares():
    X, y, _ = line(0)
    plain = LinearRegression().fit(X, y)
    model = CoRobustRegressor(sigma=1e9).fit(X, y)
    assert model.coef_ == pytest.approx(plain.coef_, rel=0.02)


def test_scaling_y_and_sigma():
    X, y, _ = line(0)
    plain = CoRobustRegressor(sigma=0.5).fit(X, y)
    scaled = CoRobustRegressor(sigma=50.0).fit(X, 100 * y)
    np.testing.assert_allclose(scaled.coef_, 100 * plain.coef_, rtol=1e-6)
    np.testing.assert_allclose(scaled.alpha_, plain.alpha_, atol=1e-6)


@pytest.mark.parametrize(
    ("offset", "factor"), [(1.7e9, 60.0), (0.0, 1e15), (0.0, 1e-15), (-1e6, 1e-3)]
)
def test_columns_far_from_zero_and_on_any_scale(offset, factor):
    """Seconds since 1970, say: unless centred and scaled, a column is taken for a constant."""
    t = offset + factor * np.arange(100.0)
    y = 5 + 0.01 * np.arange(100.0)
    y[::10] += 30
    model = CoRobustRegressor(sigma=0.01).fit(t[:, None], y)
    assert model.coef_[0] * factor == pytest.approx(0.01, rel=0.05)
    assert model.predict(t[:1, None])[0] == pytest.approx(5, abs=0.1)


def test_shifting_y_changes_nothing_else():
    X, y, _ = line(0)
    plain = CoRobustRegressor().fit(X, y)
    shifted = CoRobustRegressor().fit(X, y + 1e8)
    np.testing.assert_allclose(shifted.alpha_, plain.alpha_, atol=1e-4)


def test_without_intercept():
    x = np.linspace(1, 5, 30)
    y = 3 * x
    y[:4] = 100
    model = CoRobustRegressor(sigma=0.01, fit_intercept=False).fit(x[:, None], y)
    assert model.intercept_ == 0
    assert model.predict([[0.0]])[0] == 0
    assert model.coef_[0] == pytest.approx(3, abs=1e-2)


def test_exact_fit_activates_everything():
    x = np.arange(8.0)
    model = CoRobustRegressor().fit(x[:, None], 2 * x + 1)
    np.testing.assert_allclose(model.alpha_, 1 / 8, rtol=1e-6)
    np.testing.assert_allclose(model.predict([[10.0]]), [21])


def test_constant_y():
    model = CoRobustRegressor().fit(np.arange(6.0)[:, None], np.full(6, 4.0))
    np.testing.assert_allclose(model.predict([[2.5]]), [4])


@pytest.mark.parametrize("is_fitted", [True, False])
def test_y_of_a_size_whose_squares_are_no_numbers(is_fitted):
    for size, shown in [(1e-200, "e-200"), (1e200, r"e\+200")]:
        with pytest.raises(ValueError, match=rf"y varies by 2\.0{shown}; multiply it by a number"):
            CoRobustRegressor(fit_intercept=is_fitted).fit(np.eye(4), [2 * size, 0, 0, -2 * size])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"sigma": 0}, "sigma=0 must be a number > 0"),
        ({"gamma": 0.5}, r"gamma=0.5 must be a number between 1 and 1e\+06"),
        ({"max_iter": 0}, "max_iter=0 must be an integer >= 1"),
        ({"tol": -1}, "tol=-1 must be a finite number >= 0"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        CoRobustRegressor(**parameters).fit(np.eye(4), np.arange(4.0))


def test_convergence_warning():
    X, y, _ = line(0)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        CoRobustRegressor(max_iter=1).fit(X, y)
