"""EPCA agrees with the slow transcription, with the limits of σ, and with the paper's Table I."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from scipy.linalg import subspace_angles
from sklearn.exceptions import ConvergenceWarning

from epca import EPCA, METHODS, load_dataset
from epca.corruption import occlude
from epca.linalg import reduce_to_span
from epca.metrics import is_collapsed, reconstruction_error
from tests.drawn import problems
from tests.yardstick import projector, slow_epca, slow_optimal_mean


@pytest.mark.slow
@pytest.mark.parametrize("exponent", [-20, -3, 0, 4, 9, 11, 20])
@pytest.mark.parametrize("case", ["n < d", "n = d", "n > d"])
@pytest.mark.parametrize("c", [1, 10])
def test_equals_the_slow_transcription_on_faces(case, exponent, c, small_faces):
    X = small_faces[{"n < d": slice(0, 120), "n = d": slice(0, 256), "n > d": slice(None)}[case]]
    assert_equals_slow(X, c, 2.0**exponent)


@pytest.mark.slow
def test_equals_the_slow_transcription_at_full_size(occluded):
    assert_equals_slow(occluded.X, 30, 1.0)


@pytest.mark.parametrize("shape", [(60, 150), (50, 50), (300, 20), (260, 240)])
@pytest.mark.parametrize("sigma", [0.01, 1.0, 100.0])
def test_equals_the_slow_transcription_on_random_data(shape, sigma, generator):
    X = 5 * generator.standard_normal((shape[0], 5)) @ generator.standard_normal((5, shape[1]))
    X += generator.standard_normal(shape)
    X[: shape[0] // 5] += 3 * generator.standard_normal((shape[0] // 5, shape[1]))
    assert_equals_slow(X, 5, sigma)


def assert_equals_slow(X, c, sigma):
    slow = slow_epca(X, c, sigma)
    model = EPCA(c, sigma=sigma).fit(X)
    assert not is_collapsed(model.residuals(X))
    assert model.n_iter_ == len(slow.history) - 1
    np.testing.assert_allclose(model.objective_history_, slow.history, rtol=1e-8)
    np.testing.assert_allclose(model.alpha_, slow.alpha, atol=1e-6)
    assert model.n_activated_ == slow.k
    np.testing.assert_allclose(projector(model), slow.projector, atol=1e-6)
    np.testing.assert_allclose(model.mean_, slow.mean, atol=1e-6 * np.abs(X).max())


# Limits of σ


@given(problems())
def test_large_sigma_is_pca_up_to_the_weights(cloud):
    """Σf(EPCA) ≤ Σf(PCA) + 2√(f₁f₂) for squared losses: at most that is paid for α."""
    X, c, _ = cloud
    pca = np.sort(METHODS["PCA"](c).fit(X).residuals(X) ** 2)
    epca = fit_inf(X, c).residuals(X) ** 2
    rounding = 1e-9 * np.square(X - X.mean(axis=0)).sum()
    assert epca.sum() <= pca.sum() + 2 * np.sqrt(pca[0] * pca[1]) + rounding


def fit_inf(X, c):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return EPCA(c, sigma=np.inf).fit(X)


def test_large_sigma_nears_pca_on_faces(occluded):
    pca = METHODS["PCA"](10).fit(occluded.X)
    epca = EPCA(10, sigma=2.0**20).fit(occluded.X)
    assert subspace_angles(pca.components_.T, epca.components_.T).max() < 0.1


@pytest.mark.parametrize("c", [1, 5, 10])
def test_small_sigma_is_the_optimal_mean_solution_up_to_the_weights(c, small_faces):
    """Σt(EPCA) ≤ Σt(ℓ2,1 with optimal mean) + 2√(t₁t₂)."""
    optimal = np.sort(slow_optimal_mean(small_faces, c))
    epca = EPCA(c, sigma=2.0**-20).fit(small_faces).residuals(small_faces)
    assert epca.sum() <= optimal.sum() + 2 * np.sqrt(optimal[0] * optimal[1])


def test_sigma_inf_equals_huge_sigma(occluded):
    huge = EPCA(10, sigma=2.0**60).fit(occluded.X)
    infinite = EPCA(10, sigma=np.inf).fit(occluded.X)
    np.testing.assert_allclose(infinite.alpha_, huge.alpha_, atol=1e-9)


# The paper's Table I, with its occlusion (mean of 5 seeds; relative tolerance by data set)

PUBLISHED = {  # data set: tolerance, {c: (PCA, EPCA)}
    "orl-cai": (0.05, {10: (1.81e8, 1.68e8), 30: (1.39e8, 1.11e8)}),
    "yale": (0.07, {10: (16.39e7, 16.19e7), 30: (10.67e7, 9.36e7)}),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_table_1(name):
    try:
        clean = load_dataset(name).X
    except ValueError:
        pytest.skip(f"{name}.npz is in no folder of EPCA_DATASETS, and may not be redistributed")
    tolerance, published = PUBLISHED[name]
    errors = {c: [] for c in published}
    for seed in range(5):
        occluded = occlude(clean, random_state=seed)
        reduction = reduce_to_span(occluded.X)
        for c in published:
            fits = [model.fit_reduced(reduction) for model in (METHODS["PCA"](c), EPCA(c))]
            back = [model.reconstruct(occluded.X) for model in fits]
            errors[c].append([reconstruction_error(clean, made) for made in back])
    for c, expected in published.items():
        np.testing.assert_allclose(np.mean(errors[c], axis=0), expected, rtol=tolerance)


@pytest.mark.parametrize(("c", "expected"), [(10, 3e-3), (20, 3e-3), (30, 3e-3), (50, 4e-2)])
def test_alpha_is_as_near_to_its_limit_as_the_docstring_says(c, expected, occluded):
    assert f"within {expected:.0e}".replace("e-0", "e-") in EPCA.__doc__
    limit = EPCA(c, tol=1e-13).fit(occluded.X).alpha_
    assert expected / 10 < np.abs(EPCA(c).fit(occluded.X).alpha_ - limit).max() <= expected
    np.testing.assert_allclose(EPCA(c, tol=1e-12).fit(occluded.X).alpha_, limit, atol=1e-4)
