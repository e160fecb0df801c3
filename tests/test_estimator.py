"""EPCA: the theorems, the invariances, what the fitted numbers are, errors."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.linalg import subspace_angles
from sklearn.exceptions import ConvergenceWarning

from epca import EPCA
from epca.activation import activate
from epca.corruption import occlude
from epca.estimator import explain
from epca.linalg import reduce_to_span
from epca.losses import SigmaLoss
from epca.metrics import is_collapsed
from tests.drawn import EXPONENTS, problems
from tests.yardstick import projector


def fit(X, c, exponent=0, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return EPCA(c, sigma=2.0**exponent, **parameters).fit(X)


def losses(model, X, sigma):
    """The smoothed losses that α answers to."""
    return SigmaLoss(sigma).value(np.hypot(model.residuals(X), reduce_to_span(X).smoothing))


# Theorem 2: the objective never increases


@given(problems(), st.sampled_from([1.0, 1.5, 3.0]))
def test_objective_never_increases(cloud, gamma):
    X, c, exponent = cloud
    history = fit(X, c, exponent, gamma=gamma).objective_history_
    assert np.all(np.diff(history) <= 1e-9 * history[0])


@pytest.mark.slow
@pytest.mark.parametrize("c", [10, 50])
def test_objective_never_increases_on_faces(c, occluded):
    reduction = reduce_to_span(occluded.X)
    for exponent in EXPONENTS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            history = EPCA(c, sigma=2.0**exponent).fit_reduced(reduction).objective_history_
        assert np.all(np.diff(history) <= 1e-12 * history[0])


@given(problems())
def test_each_half_step_decreases_the_objective(cloud):
    """(d, m, W) with α fixed, then α with (m, W) fixed."""
    X, c, exponent = cloud
    sigma = 2.0**exponent
    before = fit(X, c, exponent, max_iter=1)
    after = fit(X, c, exponent, max_iter=2)
    start = before.direct_weight_ @ losses(before, X, sigma)
    middle = before.direct_weight_ @ losses(after, X, sigma)
    end = after.direct_weight_ @ losses(after, X, sigma)
    assert middle <= start * (1 + 1e-8)
    assert end <= middle * (1 + 1e-8)


# What the fitted numbers are


@given(problems())
def test_alpha_solves_its_own_problem(cloud):
    X, c, exponent = cloud
    model = fit(X, c, exponent)
    if X.shape[0] > c + 1 and c < X.shape[1]:
        expected = activate(losses(model, X, 2.0**exponent))
        np.testing.assert_allclose(model.alpha_, expected.weights, atol=1e-6)
        np.testing.assert_allclose(model.objective_history_[-1], expected.objective, rtol=1e-6)
    assert model.alpha_.sum() == pytest.approx(1, abs=1e-12)
    assert model.n_activated_ == np.count_nonzero(model.alpha_) >= 2
    inside = model.alpha_ < 1 - 1e-6
    np.testing.assert_allclose(
        model.direct_weight_[inside], 1 / (1 - model.alpha_[inside]), rtol=1e-8
    )
    np.testing.assert_array_equal(model.direct_weight_[model.alpha_ == 0], 1)


def test_sample_weight_is_eta(occluded):
    model = EPCA(10, sigma=100.0).fit(occluded.X)
    eta = SigmaLoss(100.0).weight(model.residuals(occluded.X)) * model.direct_weight_
    np.testing.assert_allclose(model.sample_weight_, eta / eta.sum(), rtol=1e-9)


@given(problems(), st.sampled_from([1.0, 1.5, 3.0]))
def test_explanation_adds_up(cloud, gamma):
    """η/Ση are the sample weights, and the weighted losses are the objective."""
    X, c, exponent = cloud
    reduction = reduce_to_span(X)
    model = EPCA(c, sigma=2.0**exponent, gamma=gamma).fit_reduced(reduction)
    found = explain(model, reduction)
    np.testing.assert_allclose(found.eta / found.eta.sum(), model.sample_weight_, rtol=1e-8)
    objective = found.losses @ found.direct_weight
    assert objective == pytest.approx(model.objective_history_[-1], rel=1e-8)


def test_explanation_on_faces(occluded):
    """The numbers are those of the data themselves; the residuals are not smoothed."""
    reduction = reduce_to_span(occluded.X)
    model = EPCA(10, gamma=1.5).fit_reduced(reduction)
    found = explain(model, reduction)
    assert all(values.shape == (len(occluded.X),) for values in found)
    np.testing.assert_allclose(found.residuals, model.residuals(occluded.X), rtol=1e-8)
    np.testing.assert_array_equal(found.alpha, model.alpha_)
    np.testing.assert_allclose(found.direct_weight, 1 / (1 - model.alpha_**1.5), rtol=1e-9)
    lengths = np.sqrt(found.residuals**2 + reduction.smoothing**2)
    np.testing.assert_allclose(found.losses, SigmaLoss(1.0).value(lengths), rtol=1e-12)
    np.testing.assert_allclose(found.d, SigmaLoss(1.0).weight(lengths), rtol=1e-12)
    np.testing.assert_allclose(found.eta, found.d * found.direct_weight, rtol=1e-12)
    np.testing.assert_allclose(found.eta / found.eta.sum(), model.sample_weight_, rtol=1e-9)
    objective = np.sum(found.losses / (1 - found.alpha**1.5))
    assert objective == pytest.approx(model.objective_history_[-1], rel=1e-9)


def test_mean_and_components_are_weighted_pca(occluded):
    """At convergence m is the η-weighted mean, and W the leading axes about it (Eqs. 34, 38)."""
    model = EPCA(10, tol=1e-13).fit(occluded.X)
    np.testing.assert_allclose(model.mean_, model.sample_weight_ @ occluded.X, rtol=1e-5)
    centred = occluded.X - model.mean_
    scatter = centred.T @ (model.sample_weight_[:, None] * centred)
    leading = np.linalg.eigh(scatter)[1][:, -10:]
    assert subspace_angles(leading, model.components_.T).max() < 1e-4


def test_weights_add_little(occluded):
    """Σf ≤ J ≤ Σf + 2√(f₁f₂): on faces the weights make less than 1 % of the objective."""
    model = EPCA(10).fit(occluded.X)
    f = np.sort(losses(model, occluded.X, 1.0))
    objective = model.objective_history_[-1]
    assert f.sum() <= objective <= f.sum() + 2 * np.sqrt(f[0] * f[1])
    assert 0 < 1 - f.sum() / objective < 0.01


def test_occluded_faces_are_not_activated(occluded):
    """The healthy regime: what the method promises."""
    model = EPCA(10).fit(occluded.X)
    assert model.alpha_[occluded.samples].max() == 0
    assert 10 <= model.n_activated_ <= 60
    assert not is_collapsed(model.residuals(occluded.X))


def test_collapse_is_visible(faces):
    """The other regime: two samples are interpolated and take all the weight.

    It is a property of the published objective.
    """
    X = occlude(faces.X[:100], random_state=0).X
    model = fit(X, 50, 0)
    assert model.n_activated_ <= 5
    assert is_collapsed(model.residuals(X))


# Theorem 3 and the other equivariances

below_full_rank = problems(below_full_rank=True)


@given(below_full_rank, st.integers(0, 2**32 - 1))
def test_theorem_3_rotation(cloud, seed):
    X, c, exponent = cloud
    plain = fit_determined(X, c, exponent)
    rotation = np.linalg.qr(np.random.default_rng(seed).standard_normal((X.shape[1],) * 2))[0]
    rotated = fit(X @ rotation, c, exponent, max_iter=3)
    assert_same(plain, rotated, map_projector=lambda P: rotation.T @ P @ rotation)
    np.testing.assert_allclose(
        np.abs(rotated.transform(X @ rotation)), np.abs(plain.transform(X)), atol=gap(plain, X)
    )


@given(below_full_rank, st.floats(-100, 100))
def test_translation(cloud, shift):
    """The mean follows up to span(W), and up to rounding of the shifted data."""
    X, c, exponent = cloud
    plain = fit_determined(X, c, exponent)
    offset = shift * np.abs(X).max() * np.linspace(-1, 1, X.shape[1])
    moved = fit(X + offset, c, exponent, max_iter=3)
    assert_same(plain, moved)
    np.testing.assert_allclose(moved.mean_ - offset, plain.mean_, atol=gap(plain, X))


@given(below_full_rank, st.integers(0, 2**32 - 1))
def test_permutation(cloud, seed):
    X, c, exponent = cloud
    plain = fit_determined(X, c, exponent)
    order = np.random.default_rng(seed).permutation(len(X))
    permuted = fit(X[order], c, exponent, max_iter=3)
    assert_same(plain, permuted, order=order)


@given(below_full_rank, st.sampled_from([2.0**-10, 0.3, 2.0**15]))
def test_scaling_the_data_and_sigma(cloud, factor):
    """EPCA(aX, aσ) ≡ EPCA(X, σ)."""
    X, c, exponent = cloud
    plain = fit_determined(X, c, exponent)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        scaled = EPCA(c, sigma=factor * 2.0**exponent, max_iter=3).fit(factor * X)
    assert_same(plain, scaled)


def gap(model, X):
    """How far two fits of the same data may differ in a coordinate.

    That is rounding, enlarged where eigenvalues nearly meet.
    """
    weighted = np.sqrt(model.sample_weight_)[:, None] * (X - model.mean_)
    values = np.linalg.svd(weighted, compute_uv=False) ** 2
    distance = np.min(-np.diff(np.r_[values, 0])[: model.n_components_]) / values[0]
    return 1e-9 * np.abs(X).max() / max(distance, 1e-9)


def fit_determined(X, c, exponent):
    """A fit whose subspace is determined and that interpolates no sample; else the draw is void."""
    model = fit(X, c, exponent, max_iter=3)
    residuals = model.residuals(X)
    assume(residuals.min() >= 1e-3 * np.median(residuals))
    assume(gap(model, X) <= 1e-4 * np.abs(X).max())
    return model


def assert_same(plain, other, *, order=slice(None), map_projector=lambda P: P):
    """Equal α and subspace."""
    np.testing.assert_allclose(other.alpha_, plain.alpha_[order], atol=1e-6)
    np.testing.assert_allclose(projector(other), map_projector(projector(plain)), atol=1e-5)


def test_gamma_above_one_activates_everything(small_faces):
    model = EPCA(5, gamma=2.0).fit(small_faces)
    assert model.n_activated_ == len(small_faces)
    np.testing.assert_allclose(model.direct_weight_, 1 / (1 - model.alpha_**2), rtol=1e-9)


@pytest.mark.parametrize("exponent", [-60, -20, 0, 20, 60])
def test_rank_reached(exponent, generator):
    """Residuals all zero: α = 1/n, k = n, no warning, no NaN."""
    X = 100 * generator.standard_normal((25, 3)) @ generator.standard_normal((3, 12))
    for c in (3, 4, 12):
        model = EPCA(c, sigma=2.0**exponent).fit(X)
        np.testing.assert_allclose(model.alpha_, 1 / 25, rtol=1e-6)
        assert model.n_activated_ == 25
        np.testing.assert_allclose(model.reconstruct(X), X, atol=1e-9)


# Errors and warnings


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"sigma": 0}, "sigma=0 must be a number > 0"),
        ({"sigma": -1.0}, "sigma=-1.0 must be"),
        ({"sigma": np.nan}, "sigma=nan must be"),
        ({"sigma": "1"}, "sigma='1' must be"),
        ({"sigma": None}, "sigma=None must be"),
        ({"gamma": 0.5}, r"gamma=0.5 must be a number between 1 and 1e\+06"),
        ({"gamma": np.inf}, "gamma=inf must be"),
        ({"gamma": np.nan}, "gamma=nan must be"),
        ({"tol": -1e-3}, "tol=-0.001 must be a finite number >= 0"),
        ({"tol": np.nan}, "tol=nan must be"),
        ({"max_iter": 0}, "max_iter=0 must be an integer >= 1"),
        ({"max_iter": 2.5}, "max_iter=2.5 must be"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        EPCA(1, **parameters).fit(np.eye(4))


def test_convergence_warning(occluded):
    with pytest.warns(
        ConvergenceWarning,
        match="did not come to rest within max_iter=1. Raise max_iter, or raise tol",
    ) as caught:
        model = EPCA(10, max_iter=1).fit(occluded.X)
    assert caught[0].filename == __file__
    assert (model.n_iter_, model.converged_) == (1, False)
    assert EPCA(10).fit(occluded.X).converged_
    silent = EPCA(10, max_iter=1).fit_reduced(reduce_to_span(occluded.X))  # without a warning
    assert not silent.converged_


def test_callback_and_shared_reduction(occluded):
    reduction = reduce_to_span(occluded.X)
    seen = []
    model = EPCA(10).fit_reduced(reduction, callback=lambda *args: seen.append(args))
    assert [iteration for iteration, _, _ in seen] == list(range(1, model.n_iter_ + 1))
    assert [objective for _, objective, _ in seen] == model.objective_history_[1:].tolist()
    np.testing.assert_array_equal(seen[-1][2] / seen[-1][2].sum(), model.sample_weight_)
