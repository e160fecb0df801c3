"""Methods beyond the paper on its own faces: errors as measured before by other programs."""

import numpy as np
import pytest

from epca import METHODS, load_dataset
from epca.baselines.pcp import pursue
from epca.corruption import occlude
from epca.linalg import reduce_to_span
from epca.metrics import reconstruction_error
from tests.baselines.pcp_alm import inexact_alm

SOME = {"samples": 0.2, "pixels": 0.2}  # a fifth of the images
ALL = {"samples": 1.0, "pixels": 0.1}  # every image a little
PENALTY = 1 / 32  # of PCP for 1024 pixels

# kind, where, method: the error at c = 30 in 1e7, mean of the seeds 1 and 2
EXPECTED = [
    ("shared-pixels", SOME, {"Spherical PCA": 11.8, "ROBPCA": 9.8, "Cauchy PCA": 8.92}),
    ("block-noise", SOME, {"Spherical PCA": 10.8, "ROBPCA": 10.0, "Cauchy PCA": 9.23}),
    ("own-pixels", SOME, {"Spherical PCA": 9.9, "ROBPCA": 9.4, "Cauchy PCA": 8.84}),
    ("block-black", SOME, {"Spherical PCA": 36.0, "ROBPCA": 27.6, "Cauchy PCA": 38.0}),
    ("own-pixels", ALL, {"Spherical PCA": 12.9, "ROBPCA": 13.5, "Cauchy PCA": 9.10}),
    ("block-noise", ALL, {"Spherical PCA": 15.3, "ROBPCA": 15.6, "Cauchy PCA": 10.03}),
    ("salt-and-pepper", ALL, {"Spherical PCA": 20.4, "ROBPCA": 21.5, "Cauchy PCA": 9.48}),
]


@pytest.fixture(scope="module")
def clean():
    try:
        return load_dataset("orl-cai").X
    except ValueError:
        pytest.skip("orl-cai.npz is in no folder of EPCA_DATASETS, and may not be redistributed")


def occluded(clean, kind, where, seed):
    return occlude(clean, kind, image_shape=(32, 32), random_state=seed, **where)


@pytest.mark.parametrize(
    ("kind", "where", "expected"), [("shared-pixels", SOME, 10.86), ("own-pixels", ALL, 11.20)]
)
def test_cauchy_pca_on_the_faces_that_come_along(faces, kind, where, expected):
    """Seed 0."""
    X = occluded(faces.X, kind, where, 0).X
    found = METHODS["Cauchy PCA"](30).fit(X).reconstruct(X)
    assert reconstruction_error(faces.X, found) / 1e7 == pytest.approx(expected, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "where", "expected"), EXPECTED)
def test_errors(clean, kind, where, expected):
    errors = {label: [] for label in expected}
    for seed in (1, 2):
        X = occluded(clean, kind, where, seed).X
        reduction = reduce_to_span(X)
        for label, found in errors.items():
            model = METHODS[label](30).fit_reduced(reduction)
            found.append(reconstruction_error(clean, model.reconstruct(X)) / 1e7)
    means = {label: np.mean(found) for label, found in errors.items()}
    assert means == pytest.approx(expected, rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "where", "expected"),
    [
        ("shared-pixels", SOME, [6.5, 10.2]),
        ("own-pixels", ALL, [7.0, 10.3]),
        ("block-noise", ALL, [7.4, 10.7]),
        ("salt-and-pepper", ALL, [6.8, 10.2]),
    ],
)
def test_pcp(clean, kind, where, expected):
    """L itself, and projected to rank 30."""
    X = occluded(clean, kind, where, 1).X
    model = METHODS["PCP"](30).fit(X)
    projected = model.reconstruct(model.low_rank_, robust=False)
    errors = [reconstruction_error(clean, found) / 1e7 for found in (model.low_rank_, projected)]
    assert errors == pytest.approx(expected, rel=0.03)
    assert reconstruction_error(clean, model.reconstruct(X)) / 1e7 < 10


def about_medians(X):
    """X, and the median of each pixel taken off it: so the program did that measured PCP."""
    medians = np.median(X, axis=0)
    return X - medians, medians


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "where", "expected"),
    [
        ("block-black", SOME, [26.9, 31.1]),
        ("noise-images", SOME, [5.0, 9.4]),  # of the other images: of these nothing is left
    ],
)
def test_where_pcp_differs_the_usual_solver_gives_what_was_measured(clean, kind, where, expected):
    """About the medians, which PCP leaves to its user, it gives the digits measured before."""
    errors = []
    for seed in (1, 2):
        found = occluded(clean, kind, where, seed)
        centred, medians = about_medians(found.X)
        low_rank, _ = inexact_alm(centred, PENALTY)
        projected = METHODS["PCA"](30).fit(low_rank).reconstruct(low_rank)
        counted = np.delete(np.arange(400), found.samples) if kind == "noise-images" else ...
        errors.append(
            [
                reconstruction_error(clean[counted], (fit + medians)[counted]) / 1e7
                for fit in (low_rank, projected)
            ]
        )
    assert np.mean(errors, axis=0) == pytest.approx(expected, abs=0.05)


@pytest.mark.slow
def test_the_usual_solver_rests_before_the_optimum_of_pcp(clean):
    """And the errors at the optimum are near those measured, about the same medians."""
    centred, medians = about_medians(occluded(clean, "block-black", SOME, 1).X)
    best = pursue(centred, PENALTY, max_iter=1000, tol=1e-4)
    least = np.vdot(centred, best.dual)  # no objective is below it

    def excess(sparse):
        objective = np.linalg.norm(centred - sparse, "nuc") + PENALTY * np.abs(sparse).sum()
        return objective / least - 1

    assert excess(best.sparse) <= 1e-4
    assert excess(inexact_alm(centred, PENALTY)[1]) > 5e-4
    error = reconstruction_error(clean, centred - best.sparse + medians) / 1e7
    assert error == pytest.approx(26.9, rel=0.03)
