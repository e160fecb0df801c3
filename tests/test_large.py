"""Fits in chunks give the model of a fit in memory, whatever the samples come from."""

from pathlib import Path

import dask.array
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from epca import EPCA, METHODS, large, sources
from epca.estimator import explain

ATTRIBUTES = (
    "components_", "mean_", "sample_weight_", "scores_", "residuals_", "objective_history_",
    "explained_variance_ratio_", "cell_scale_",
)  # fmt: skip


def samples(shape=(700, 90), seed=0):
    generator = np.random.default_rng(seed)
    X = generator.standard_normal(shape) * np.geomspace(20, 1, shape[1]) + 50
    X[::9] += 30 * generator.standard_normal(X[::9].shape)
    return X


def assert_same(found, expected):
    assert (found.n_iter_, found.converged_) == (expected.n_iter_, expected.converged_)
    for name in ATTRIBUTES:
        size = np.abs(getattr(expected, name)).max()
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), atol=1e-8 * size, err_msg=name
        )


def as_path(X, folder):
    np.save(folder / "X.npy", X)
    return folder / "X.npy"


def as_memory_map(X, folder):
    return np.load(as_path(X, folder), mmap_mode="r")


KINDS = {
    "path": as_path,
    "name": lambda X, folder: str(as_path(X, folder)),
    "memory map": as_memory_map,
    "array": lambda X, folder: X,
    "Dask array": lambda X, folder: dask.array.from_array(X, chunks=(150, 40)),
    "iterator": lambda X, folder: lambda: iter(np.array_split(X, 6)),
    "lists": lambda X, folder: lambda: np.array_split(X, 6),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_source_gives_the_model_of_a_fit_in_memory(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "CHUNK", 110 * 90)  # so that the last chunk is smaller
    X = samples()
    found = large.fit(EPCA(6, sigma=2.0), KINDS[kind](X, tmp_path))
    expected = EPCA(6, sigma=2.0).fit(X)
    assert_same(found, expected)
    np.testing.assert_allclose(found.alpha_, expected.alpha_, atol=1e-8)
    assert found.n_activated_ == expected.n_activated_


def test_chunks_of_a_cluster():
    from distributed import Client, LocalCluster

    X = samples()
    options = {"n_workers": 2, "processes": False, "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        chunks = client.persist(dask.array.from_array(X, chunks=(150, 40)))
        found = large.fit(EPCA(6, sigma=2.0), chunks)
        assert len(client.processing()) == 2
    assert_same(found, EPCA(6, sigma=2.0).fit(X))


@pytest.mark.parametrize("shape", [(700, 90), (60, 90), (90, 90), (300, 5)])
@pytest.mark.parametrize(
    ("label", "parameters"),
    [
        ("EPCA", {"sigma": "auto"}),
        ("EPCA", {"gamma": 1.5}),
        ("EPCA, left-out", {}),
        ("PCA", {}),
        ("PCA-OM", {}),
        ("PCA-AN", {}),
    ],
)
def test_methods_that_work_by_weighted_pca(label, parameters, shape, monkeypatch):
    monkeypatch.setattr(sources, "CHUNK", 50 * shape[1])
    X = samples(shape)
    found = large.fit(METHODS[label](3, **parameters), X)
    assert_same(found, METHODS[label](3, **parameters).fit(X))


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.int64, bool])
def test_any_numbers(dtype):
    X = np.clip(samples(), 0, 255).astype(dtype)
    assert_same(large.fit(EPCA(4), X), EPCA(4).fit(X.astype(float)))


def test_samples_far_from_zero():
    """Sums about 0 would lose all digits."""
    X = samples((300, 20)) + 1e8
    X[:100] += 1e4  # so that the mean of the first rows, too, is far off
    method = METHODS["PCA-OM"]
    assert_same(large.fit(method(3), X), method(3).fit(X))


def test_weights_on_few_samples_far_from_the_others():
    """Digits are lost about the last mean, and the sums are taken once more."""
    X = samples((300, 20))
    X[:3] = 1e6 + np.random.default_rng(1).standard_normal((3, 20))
    weights = np.zeros(300)
    weights[:3] = 1 / 3
    chunked = large.ChunkedSamples(X)
    _, residuals = chunked.weighted_pca(weights, 2)
    np.testing.assert_allclose(residuals[:3], 0, atol=1e-7)
    assert chunked.total_variance(weights) == pytest.approx(
        np.square(X[:3] - X[:3].mean(axis=0)).sum() / 3, rel=1e-6
    )


def test_fits_share_chunked_samples():
    X = samples()
    chunked = large.ChunkedSamples(X)
    for sigma in (0.5, 50.0):
        model = EPCA(6, sigma=sigma).fit_reduced(chunked)
        assert_same(model, EPCA(6, sigma=sigma).fit(X))
        found = explain(model, chunked)
        assert found.losses @ found.direct_weight == pytest.approx(model.objective_history_[-1])


def test_progress_and_convergence_are_told():
    X = samples()
    seen = []
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        large.fit(EPCA(6, max_iter=2), X, lambda iteration, *_: seen.append(iteration))
    assert seen == [1, 2]


@pytest.mark.parametrize(
    "label",
    [
        "R1PCA",
        "L1PCA",
        "L1PCA-NG",
        "RSPCA",
        "LpPCA",
        "Spherical PCA",
        "ROBPCA",
        "PCP",
        "Cauchy PCA",
    ],
)
def test_methods_that_need_all_samples_at_once_say_so(label):
    with pytest.raises(TypeError, match="needs all samples in memory"):
        large.fit(METHODS[label](2), samples())


@pytest.mark.parametrize("write", [lambda path: np.savez(path, X=np.eye(4)), Path.touch])
def test_a_path_to_another_kind_of_file(write, tmp_path):
    write(tmp_path / "x.npz")
    with pytest.raises(ValueError, match=r"x\.npz is no \.npy file of numbers: "):
        large.fit(EPCA(1), str(tmp_path / "x.npz"))


def changing():
    """An iterator's maker that gives fewer rows each time."""
    sizes = iter((700, 600, 500))
    return lambda: iter([samples()[: next(sizes)]])


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ([[1.0, 2.0]], TypeError, "source must be a path .* got list"),
        (iter([]), TypeError, "got list_iterator"),
        (np.ones(5), ValueError, r"numbers in rows .* got float64 of shape \(5,\)"),
        (np.array([["a"], ["b"]]), ValueError, "numbers in rows .* got <U1"),
        (np.ones((1, 4)), ValueError, "The source has 1 samples; there must be at least 2"),
        (np.array([[1.0, np.nan], [2.0, 3.0]]), ValueError, "NaN or infinity, which EPCA does not"),
        (np.array([[1.0, np.inf], [2.0, 3.0]]), ValueError, "NaN or infinity, which EPCA does not"),
        (np.array([[1e160, 0], [0, 1.0]]), ValueError, "source has a spread of .* multiply"),
        (np.array([[1e-140, 0], [0, 1e-140]]), ValueError, "source has a spread of .* multiply"),
        (lambda: iter([[[1.0, 2.0]]]), TypeError, r"as arrays \(m, d\); got list"),
        (lambda: iter([]), ValueError, "as many columns; got no chunks"),
        (lambda: iter([np.ones((3, 2)), np.ones((3, 4))]), ValueError, r"columns; got \[2, 4\]"),
        (changing(), ValueError, "The iterator must give the same chunks each time"),
        (
            dask.array.from_array(samples(), chunks=100)[dask.array.ones(700, chunks=100) > 0],
            ValueError,
            r"call compute_chunk_sizes\(\)",
        ),
    ],
)
def test_bad_sources(source, error, message):
    with pytest.raises(error, match=message):
        large.fit(EPCA(1), source)


def test_bad_rank():
    with pytest.raises(ValueError, match=r"between 1 and min\(n_samples - 1, n_features\)=4"):
        large.fit(EPCA(5), np.random.default_rng(0).standard_normal((5, 9)))
