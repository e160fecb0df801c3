"""Previews are true of the images, near the exact fits, and the same every time."""

import numpy as np
import pytest

from epca import EPCA, METHODS
from epca.experiment import Scenario, fit, prepare, preview
from epca.linalg import reduce_to_span
from epca.metrics import largest_angle
from epca.preview import few_axes, krylov

KINDS = ("shared-pixels", "salt-and-pepper", "block-black", "noise-images")


@pytest.fixture(scope="module", params=KINDS)
def prepared(request, faces):
    scenario = Scenario(n_components=20).at(kind=request.param, pixels=0.4)
    return scenario, prepare(scenario, faces)


@pytest.mark.parametrize("label", ["PCA", "EPCA", "EPCA, left-out", "PCA-AN"])
def test_residuals_are_those_of_the_images_themselves(label, occluded):
    model = METHODS[label](10).fit_reduced(few_axes(reduce_to_span(occluded.X)))
    np.testing.assert_allclose(model.residuals_, model.residuals(occluded.X), rtol=1e-9)
    np.testing.assert_allclose(model.scores_, model.transform(occluded.X), atol=1e-8)
    identity = model.components_ @ model.components_.T
    np.testing.assert_allclose(identity, np.eye(10), atol=1e-12)
    exact = METHODS[label](10).fit(occluded.X)
    shares = model.explained_variance_ratio_
    np.testing.assert_allclose(shares, exact.explained_variance_ratio_, rtol=0.01)


PREVIEWED = [label for label, method in METHODS.items() if method.has_preview]


def test_methods_of_single_pixels_of_dispersions_and_of_limits_have_no_preview():
    others = {"L1PCA", "L1PCA-NG", "LpPCA", "RSPCA", "PCP", "Cauchy PCA", "ROBPCA"}
    assert others.isdisjoint(PREVIEWED)


@pytest.mark.parametrize("label", PREVIEWED)
def test_a_preview_is_near_the_exact_fit(label, prepared):
    scenario, data = prepared
    exact = fit(data, scenario, label)
    soon = fit(preview(data), scenario, label)
    assert soon.row["error"] == pytest.approx(exact.row["error"], rel=0.005)
    assert soon.row["objective"] == pytest.approx(exact.row["objective"], rel=2e-3)
    np.testing.assert_allclose(soon.model.residuals_, exact.model.residuals_, rtol=0.05)


def test_where_the_axes_span_all_it_is_the_exact_fit(small_faces):
    X = small_faces[:, :200]
    exact = EPCA(10).fit(X)
    soon = EPCA(10).fit_reduced(few_axes(reduce_to_span(X)))
    np.testing.assert_allclose(soon.alpha_, exact.alpha_, atol=1e-7)
    assert largest_angle(soon.components_, exact.components_) < 1e-5


def test_the_same_every_time(occluded):
    found = [EPCA(5).fit_reduced(few_axes(reduce_to_span(occluded.X))) for _ in range(2)]
    np.testing.assert_array_equal(*[model.components_ for model in found])


@pytest.mark.parametrize("exponent", [-300, 300])
def test_the_same_of_data_of_any_size(exponent, occluded):
    """Single precision, which is enough for finding the axes, ends at 2^±126."""
    X = occluded.X[:, :900]
    found = METHODS["PCA"](5).fit_reduced(few_axes(reduce_to_span(np.ldexp(X, exponent))))
    expected = METHODS["PCA"](5).fit_reduced(few_axes(reduce_to_span(X)))
    np.testing.assert_allclose(found.components_, expected.components_, atol=1e-12)
    residuals = np.ldexp(found.residuals_, -exponent)
    np.testing.assert_allclose(residuals, expected.residuals_, rtol=1e-9)


def test_nothing_of_the_exact_reduction_is_formed(prepared):
    scenario, data = prepared
    soon = preview(data)
    fit(soon, scenario, "EPCA")
    assert not {"gram", "centred", "_factors"} & set(vars(soon.reduction))


def test_blocks_find_the_leading_eigenvectors(generator):
    """They fall slowly here: the 30th eigenvalue is 0.86 of the 20th."""
    X = generator.standard_normal((500, 400)) * np.geomspace(1, 0.05, 400)
    weights = generator.random(500)
    space = np.linalg.qr(krylov(X, weights))[0]
    wanted = np.linalg.svd(X * np.sqrt(weights)[:, None], full_matrices=False)[2][:20]
    left = wanted - wanted @ space @ space.T
    assert np.linalg.norm(left, axis=1).max() < 0.05
