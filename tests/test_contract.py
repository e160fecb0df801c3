"""What every method promises, over METHODS."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA as SklearnPCA
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from epca.linalg import reduce_to_span
from epca.registry import METHODS
from epca.regression import CoRobustRegressor

SHAPES = {
    "tall": (60, 12),
    "square": (20, 20),
    "wide": (15, 40),
    "two samples": (2, 3),
    "large": (250, 300),
}

every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
every_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


@pytest.fixture(autouse=True)
def _skips_are_no_failures():
    """scikit-learn announces a check it skips (array API, off by default) as a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Skipping check")
        yield


@parametrize_with_checks([method(1) for method in METHODS.values()] + [CoRobustRegressor()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def skip_sparse(method):
    if not method.is_rotation_invariant:
        pytest.skip("sparse loadings, or a low-rank part, need not span the data")


def data(shape):
    generator = np.random.default_rng(1)
    return generator.standard_normal(shape) * np.linspace(3, 1, shape[1]) + 10


@every_method
@every_shape
def test_fitted_attributes(method, shape):
    X = data(shape)
    reduction = reduce_to_span(X)
    for c in {1, min(shape[0] - 1, shape[1]) // 2 or 1, min(shape[0] - 1, shape[1])}:
        model = method(c).fit_reduced(reduction)
        assert model.components_.shape == (c, shape[1])
        np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(c), atol=1e-12)
        largest = np.abs(model.components_).argmax(axis=1)
        assert np.all(model.components_[np.arange(c), largest] > 0)
        assert model.mean_.shape == (shape[1],)
        np.testing.assert_allclose(model.scores_, model.transform(X), atol=1e-6)
        np.testing.assert_allclose(model.residuals_, model.residuals(X), atol=1e-6)
        assert model.sample_weight_.shape == (shape[0],)
        assert model.sample_weight_.min() >= 0
        assert model.sample_weight_.sum() == pytest.approx(1, abs=1e-12)
        assert np.all(np.isfinite(model.objective_history_))
        assert len(model.objective_history_) == model.n_iter_ + 1
        assert (model.n_components_, model.n_features_in_) == (c, shape[1])


@every_method
@every_shape
def test_components_are_ordered_by_weighted_variance(method, shape):
    X = data(shape)
    model = method(min(shape[0] - 1, shape[1], 5)).fit(X)
    V = model.transform(X)
    centred = V - model.sample_weight_ @ V
    variance = model.sample_weight_ @ centred**2
    assert np.all(np.diff(variance) <= 1e-3 * variance[0])


@every_method
@every_shape
def test_explained_variance_ratio(method, shape):
    """By its definition, from the data themselves."""
    X = data(shape)
    X[0] += 30  # an outlier, so that weights differ
    reduction = reduce_to_span(X)
    for c in {1, min(shape[0] - 1, shape[1], 5), min(shape[0] - 1, shape[1])}:
        model = method(c).fit_reduced(reduction)
        weights = model.sample_weight_
        V = model.transform(X)
        along = weights @ (V - weights @ V) ** 2
        total = np.sum(weights @ (X - weights @ X) ** 2)
        ratio = model.explained_variance_ratio_
        assert ratio.shape == (c,)
        np.testing.assert_allclose(ratio, along / total, rtol=1e-9, atol=1e-9)
        assert np.all(np.diff(ratio) <= 0)
        assert ratio.min() >= 0
        assert ratio.sum() <= 1 + 1e-9


@every_shape
def test_explained_variance_ratio_is_that_of_scikit_learn(shape):
    X = data(shape)
    c = min(shape[0] - 1, shape[1])
    expected = SklearnPCA(c).fit(X).explained_variance_ratio_
    found = METHODS["PCA"](c).fit(X).explained_variance_ratio_
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@every_method
def test_full_rank_explains_everything(method):
    skip_sparse(method)
    ratio = method(12).fit(data((60, 12))).explained_variance_ratio_
    assert ratio.sum() == pytest.approx(1, abs=1e-9)


@every_method
def test_transform_reconstruct_and_residuals(method):
    X = data((40, 9))
    new = data((5, 9)) + 1
    model = method(3).fit(X)
    V = model.transform(new)
    np.testing.assert_allclose(V, (new - model.mean_) @ model.components_.T)
    nearest = model.reconstruct(new, robust=False)
    np.testing.assert_allclose(model.inverse_transform(V), nearest)
    np.testing.assert_allclose(model.reconstruct(nearest), nearest)
    np.testing.assert_allclose(model.residuals(new), np.linalg.norm(new - nearest, axis=1))
    assert model.get_feature_names_out().tolist() == [
        f"{method.__name__.lower()}{i}" for i in range(3)
    ]


@every_method
@every_shape
def test_full_rank_reconstructs_exactly(method, shape):
    skip_sparse(method)
    X = data(shape)
    model = method(min(shape[0] - 1, shape[1])).fit(X)
    np.testing.assert_allclose(model.reconstruct(X), X, atol=1e-10)


@every_method
def test_rank_beyond_that_of_the_data(method):
    skip_sparse(method)
    generator = np.random.default_rng(0)
    X = generator.standard_normal((30, 4)) @ generator.standard_normal((4, 20)) + 3
    assert not method(3).fit(X).is_exact_
    for c in (4, 5, 10, 19):
        model = method(c).fit(X)
        assert model.is_exact_
        np.testing.assert_allclose(model.reconstruct(X), X, atol=1e-8)
        np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(c), atol=1e-12)


@every_method
@pytest.mark.parametrize("value", [0.0, 7.0, 0.1])
def test_equal_samples(method, value):
    X = np.full((6, 4), value)
    model = method(2).fit(X)
    np.testing.assert_allclose(model.reconstruct(X), X)
    np.testing.assert_allclose(model.sample_weight_, 1 / 6, rtol=1e-6)
    np.testing.assert_array_equal(model.explained_variance_ratio_, 0)


@every_method
@pytest.mark.parametrize("shape", [(15, 4), (8, 60)])
def test_rounding_of_equal_samples_explains_nothing(method, shape):
    """The mean of fifteen times 0.1 is not 0.1: what is left must not count as variance."""
    model = method(2).fit(np.full(shape, 0.1))
    np.testing.assert_array_equal(model.explained_variance_ratio_, 0)


def test_equal_samples_under_the_weights_explain_nothing():
    """PCA-AN may weigh copies of one sample only: X varies, but not under the weights."""
    X = data((20, 30))
    X[:15] = X[0]
    model = METHODS["PCA-AN"](2, n_active=5).fit(X)
    assert np.all(model.sample_weight_[15:] == 0)
    np.testing.assert_array_equal(model.explained_variance_ratio_, 0)


@every_method
def test_deterministic_whatever_was_fitted_before(method):
    X = data((300, 250))
    other = data((50, 250)) * 2
    first = method(5).fit(X)
    model = method(5).fit(other)
    model.fit(X)
    assert np.array_equal(first.components_, model.components_)
    assert np.array_equal(first.mean_, model.mean_)
    assert np.array_equal(first.sample_weight_, model.sample_weight_)
    again = clone(model).fit_reduced(reduce_to_span(X))
    assert np.array_equal(first.components_, again.components_)


@every_method
def test_coming_to_rest_is_told(method):
    X = data((60, 12))
    assert method(3).fit(X).converged_
    if "max_iter" in method(3).get_params():
        X[:12] += 20 * np.random.default_rng(0).standard_normal((12, 12))
        with pytest.warns(ConvergenceWarning, match="within max_iter=1"):
            assert not method(3, max_iter=1).fit(X).converged_


@every_method
def test_input_is_not_changed(method):
    for shape in SHAPES.values():
        X = data(shape)
        before = X.copy()
        model = method(1).fit(X)
        model.reconstruct(X)
        model.reconstruct(X, robust=True)
        np.testing.assert_array_equal(X, before)


@every_method
@pytest.mark.parametrize("bad", [0, -1, 1.5, 12, 40, "3", None, True])
def test_bad_n_components(method, bad):
    message = (
        r"n_components=.* must be an integer between 1 and min\(n_samples - 1, n_features\)=11\."
    )
    with pytest.raises(ValueError, match=message):
        method(bad).fit(data((12, 30)))


@every_method
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array([[1.0, np.nan], [2, 3]]), "contains NaN"),
        (np.array([[1.0, np.inf], [2, 3]]), "contains infinity"),
        (np.array([["a", "b"], ["c", "d"]]), "could not convert string to float"),
        (np.array([1.0, 2.0, 3.0]), "Expected 2D array, got 1D array"),
        (
            np.array([[1.0, 2.0]]),
            r"Found array with 1 sample\(s\) .* while a minimum of 2 is required",
        ),
        (np.empty((3, 0)), r"Found array with 0 feature\(s\)"),
    ],
)
def test_bad_data(method, X, message):
    if message == "contains NaN" and method.takes_nan:
        pytest.skip("NaN is an unknown pixel")
    with pytest.raises(ValueError, match=message):
        method(1).fit(X)


@every_method
def test_bad_data_after_fitting(method):
    model = method(2).fit(data((10, 6)))
    for use in (model.transform, model.reconstruct, model.residuals, model.pixel_weights):
        with pytest.raises(ValueError, match=r"X has 5 features, but .* is expecting 6 features"):
            use(np.ones((3, 5)))
        with pytest.raises(ValueError, match="contains NaN"):
            use(np.full((3, 6), np.nan))
    with pytest.raises(ValueError, match=r"shape \(n_samples, n_components=2\); got \(3, 4\)"):
        model.inverse_transform(np.ones((3, 4)))


@every_method
def test_names_of_features(method):
    frame = pd.DataFrame(data((12, 4)), columns=list("abcd"))
    model = method(2).fit(frame)
    assert model.feature_names_in_.tolist() == list("abcd")
    model.fit_reduced(reduce_to_span(data((12, 7))))
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 7


@every_method
def test_not_fitted(method):
    model = method(2)
    for use in (
        model.transform,
        model.inverse_transform,
        model.reconstruct,
        model.residuals,
        model.pixel_weights,
    ):
        with pytest.raises(NotFittedError):
            use(np.ones((3, 4)))


def test_epca_comes_first():
    assert next(iter(METHODS)) == "EPCA"
    assert all(label == method.label for label, method in METHODS.items())
