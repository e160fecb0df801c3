"""Methods beyond the paper on its own faces: errors as measured before by other programs."""

import numpy as np
import pytest

from epca import METHODS, load_dataset
from epca.corruption import occlude
from epca.linalg import reduce_to_span
from epca.metrics import reconstruction_error

SOME = {"samples": 0.2, "pixels": 0.2}  # a fifth of the images
ALL = {"samples": 1.0, "pixels": 0.1}  # every image a little

# kind, where, method: the error at c = 30 in 1e7, mean of the seeds 1 and 2
EXPECTED = [
    ("shared-pixels", SOME, {"Spherical PCA": 11.8, "ROBPCA": 9.8, "Cauchy PCA": 8.92}),
    ("block-noise", SOME, {"Spherical PCA": 10.8, "ROBPCA": 10.0, "Cauchy PCA": 9.23}),
    ("block-black", SOME, {"Spherical PCA": 36.0, "ROBPCA": 27.6, "Cauchy PCA": 38.0}),
    ("own-pixels", ALL, {"Spherical PCA": 12.9, "ROBPCA": 13.5, "Cauchy PCA": 9.10}),
    ("salt-and-pepper", ALL, {"Spherical PCA": 20.4, "ROBPCA": 21.5, "Cauchy PCA": 9.48}),
]


@pytest.fixture(scope="module")
def clean():
    try:
        return load_dataset("orl-cai").X
    except ValueError:
        pytest.skip("orl-cai.npz is in no folder of EPCA_DATASETS, and may not be redistributed")


def occluded(clean, kind, where, seed):
    return occlude(clean, kind, image_shape=(32, 32), random_state=seed, **where).X


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "where", "expected"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_errors(clean, kind, where, expected):
    errors = {label: [] for label in expected}
    for seed in (1, 2):
        X = occluded(clean, kind, where, seed)
        reduction = reduce_to_span(X)
        for label, found in errors.items():
            model = METHODS[label](30).fit_reduced(reduction)
            found.append(reconstruction_error(clean, model.reconstruct(X)) / 1e7)
    means = {label: np.mean(found) for label, found in errors.items()}
    assert means == pytest.approx(expected, rel=0.03)


@pytest.mark.slow
def test_pcp(clean):
    """Every image a little: L itself, and projected to rank 30."""
    X = occluded(clean, "own-pixels", ALL, 1)
    model = METHODS["PCP"](30).fit(X)
    projected = model.reconstruct(model.low_rank_, robust=False)
    errors = [reconstruction_error(clean, found) / 1e7 for found in (model.low_rank_, projected)]
    assert errors == pytest.approx([7.0, 10.3], rel=0.03)
    assert reconstruction_error(clean, model.reconstruct(X)) / 1e7 < 10
