"""Comparisons and sweeps: equal to plain fits, complete when one fails, cancellable."""

import numpy as np
import pandas as pd
import pytest

from epca import EPCA, METHODS
from epca import metrics as measures
from epca.choosing import estimate_clean
from epca.corruption import occlude
from epca.data import ImageSet
from epca.experiment import Scenario, fit, grid, prepare, run, sweep
from epca.registry import PAPER_METHODS

SMALL = Scenario(n_components=5)


@pytest.fixture(scope="module")
def images(faces):
    """A hundred faces of ten people at 16 × 16, enough to compare with."""
    small = faces.images[:100].reshape(100, 16, 2, 16, 2).mean(axis=(2, 4)).astype(np.uint8)
    return ImageSet("small", small, faces.labels[:100], "test")


@pytest.fixture(scope="module")
def here(images):
    """Options that make a sweep use them."""
    return {"prepare": lambda scenario: prepare(scenario, images)}


def comparable(results):
    return results.table.drop(columns="seconds")


def test_run_equals_plain_fits(images, here):
    results = run(SMALL, list(METHODS), **here, clustering_runs=2)
    occluded = occlude(images.X, random_state=0)
    assert results.table["method"].tolist() == list(METHODS)
    for row, model in zip(results.table.to_dict("records"), results.models, strict=True):
        plain = METHODS[row["method"]](5).fit(occluded.X)
        np.testing.assert_allclose(model.components_, plain.components_, atol=1e-10)
        reconstructed = plain.reconstruct(occluded.X)
        error = np.sum((images.X - reconstructed) ** 2)
        assert row["error"] == pytest.approx(error)
        assert row["error_clean"] + row["error_occluded"] == pytest.approx(error)
        assert row["auc"] == pytest.approx(
            measures.occlusion_auc(
                np.linalg.norm(occluded.X - reconstructed, axis=1), occluded.samples
            )
        )
        assert row["iterations"] == plain.n_iter_
        accuracy = measures.clustering_accuracy(plain.transform(occluded.X), images.labels, runs=2)
        assert (row["accuracy"], row["accuracy_sd"], row["accuracy_best"]) == pytest.approx(
            accuracy[:3]
        )
        assert row["objective"] == pytest.approx(plain.objective_history_[-1])
        assert row["seconds"] > 0
        assert (row["failure"], row["converged"]) == ("", True)


def test_epca_columns(images, here):
    results = run(SMALL, ("EPCA", "PCA"), **here)
    epca = EPCA(5).fit(occlude(images.X, random_state=0).X)
    assert results.table["n_activated"].tolist()[0] == epca.n_activated_
    occluded = occlude(images.X, random_state=0).samples
    share = np.mean(~np.isin(np.flatnonzero(epca.alpha_), occluded))
    assert results.table["clean_among_activated"].tolist()[0] == pytest.approx(share)
    assert np.isnan(results.table["n_activated"].tolist()[1])
    assert np.isnan(results.table["clean_among_top"].tolist()[1])  # PCA's weights are constant
    assert "accuracy" not in results.table


def test_sweep_points_equal_single_runs(here):
    results = sweep(SMALL, ("EPCA", "PCA"), **here, sigma=[0.5, 200.0], seed=[0, 3])
    assert len(results.table) == len(results.models) == 8
    for i, (sigma, seed) in enumerate([(0.5, 0), (0.5, 3), (200.0, 0), (200.0, 3)]):
        single = run(Scenario(n_components=5, sigma=sigma).at(seed=seed), ("EPCA", "PCA"), **here)
        part = comparable(results).iloc[2 * i : 2 * i + 2].reset_index(drop=True)
        pd.testing.assert_frame_equal(part, comparable(single), check_exact=True)


def test_grid(here):
    table = grid(SMALL, [1.0, 10.0], [2, 4, 6], **here).table
    assert list(zip(table["sigma"], table["n_components"], strict=True)) == [
        (s, c) for s in (1.0, 10.0) for c in (2, 4, 6)
    ]


def test_every_axis(here):
    table = sweep(
        SMALL,
        ("PCA",),
        **here,
        kind=["shared-pixels", "band"],
        samples=[0.1, 0.3],
        pixels=[0.0, 0.5],
    ).table
    assert len(table) == 8
    assert table["error"].nunique() >= 5


@pytest.mark.slow
def test_parallel_gives_the_same(here):
    axes = {"sigma": [0.5, 200.0], "seed": [0, 1]}
    plain = sweep(SMALL, ("EPCA", "RSPCA", "PCP"), **here, **axes)
    parallel = sweep(SMALL, ("EPCA", "RSPCA", "PCP"), **here, n_jobs=2, **axes)
    pd.testing.assert_frame_equal(comparable(plain), comparable(parallel), check_exact=True)
    for one, other in zip(plain.models, parallel.models, strict=True):
        np.testing.assert_array_equal(one.components_, other.components_)


def test_the_same_whatever_ran_before(here):
    first = run(SMALL, **here)
    assert first.table["method"].tolist() == list(PAPER_METHODS)
    sweep(SMALL, **here, sigma=[3.0, 0.1], n_components=[9, 2])
    pd.testing.assert_frame_equal(
        comparable(first), comparable(run(SMALL, **here)), check_exact=True
    )


def test_a_failing_method_leaves_the_rest(here):
    scenario = Scenario(
        n_components=5, parameters=(("LpPCA", "p", 0.5), ("PCA-AN", "n_active", 60))
    )
    results = run(scenario, ("PCA", "LpPCA", "PCA-AN"), **here)
    assert results.table["failure"].tolist() == ["", "p=0.5 must be a finite number >= 1.", ""]
    assert results.table["error"].isna().tolist() == [False, True, False]
    assert results.models[1] is None
    assert np.count_nonzero(results.models[2].sample_weight_) == 60


def test_parameters_are_told_and_checked(here):
    results = run(
        Scenario(n_components=5, parameters=(("EPCA", "sigma", 500.0),)), ("EPCA",), **here
    )
    assert results.table["sigma"].tolist() == [results.models[0].sigma] == [500.0]
    with pytest.raises(ValueError, match=r"methods=\['EPAC'\] must be among EPCA"):
        run(Scenario(parameters=(("EPAC", "sigma", 1.0),)), ("EPCA",), **here)


@pytest.fixture(scope="module")
def estimate(images):
    return estimate_clean(occlude(images.X, random_state=0).X)


def test_with_an_estimate_its_error_stands_beside_the_true_one(here, images, estimate):
    results = run(SMALL, ("EPCA", "PCA"), **here, estimate=estimate)
    X = occlude(images.X, random_state=0).X
    expected = [np.sum((estimate.images - model.reconstruct(X)) ** 2) for model in results.models]
    assert results.table["estimated_error"].tolist() == pytest.approx(expected)
    assert results.table["no_estimate"].tolist() == ["", ""]
    columns = results.table.columns.tolist()
    assert columns.index("estimated_error") == columns.index("error") + 1
    plain = run(SMALL, ("EPCA", "PCA"), **here)
    assert "estimated_error" not in plain.table
    both = comparable(results).drop(columns=["estimated_error", "no_estimate"])
    pd.testing.assert_frame_equal(both, comparable(plain), check_exact=True)


def test_a_refused_estimate_is_said(here, estimate):
    refused = estimate._replace(refused=True)
    table = grid(SMALL, [1.0], [2, 4], **here, estimate=refused, n_jobs=2).table
    assert table["estimated_error"].isna().all()
    assert table["no_estimate"].str.startswith("More than half of the images do not fit").all()
    assert table["error"].notna().all()
    assert table["failure"].eq("").all()


def test_an_estimate_belongs_to_one_set_of_images(here, estimate):
    with pytest.raises(ValueError, match="estimate belongs to one set of images"):
        sweep(SMALL, **here, estimate=estimate, seed=[0, 1])


def test_sigma_auto_is_told_as_a_number(here):
    scenario = Scenario(n_components=5, sigma="auto")
    seen = []
    results = run(
        scenario, ("EPCA", "PCA"), **here, callback=lambda *report: seen.append(report[2])
    )
    assert results.table["sigma"][0] == results.models[0].sigma_ > 0
    assert np.isnan(results.table["sigma"][1])
    assert seen[0] == "EPCA, c = 5, σ = auto, seed 0"


def test_not_converged_is_said(here):
    results = run(
        Scenario(n_components=5, parameters=(("EPCA", "max_iter", 1),)), ("EPCA", "PCA"), **here
    )
    assert results.table["converged"].tolist() == [False, True]
    assert results.table["failure"].tolist() == ["", ""]


def test_clustering_can_be_cancelled(images):
    """The callback is heard in every run of k-means, after the fit's last iteration."""

    class Cancelled(Exception):
        pass

    heard = []

    def cancel(iteration, *_):
        heard.append(iteration)
        if heard[-2:] == [iteration, iteration]:
            raise Cancelled

    prepared = prepare(SMALL, images)
    with pytest.raises(Cancelled):
        fit(prepared, SMALL, "EPCA", clustering_runs=50, callback=cancel)
    assert heard[-1] == heard[-2] == max(heard)


def test_progress_and_cancel(here):
    class Cancelled(BaseException):
        pass

    seen = []
    sweep(SMALL, **here, sigma=[1.0, 2.0], callback=lambda *args: seen.append(args))
    assert seen[0] == (0, 2, "EPCA, c = 5, σ = 1, seed 0")
    assert seen[-1] == (2, 2, "done")
    assert any(text.startswith("iteration") for _, _, text in seen)

    def cancel(done, total, text):
        if text == "iteration 2":
            raise Cancelled

    with pytest.raises(Cancelled):
        sweep(SMALL, **here, sigma=[1.0, 2.0], callback=cancel)

    counts = [done for done, _, _ in seen]
    assert counts == sorted(counts)

    def stop(done, total, text):
        if text == "iteration 2":
            raise RuntimeError("stop please")

    with pytest.raises(RuntimeError, match="stop please"):  # not a failed fit: the caller's own
        sweep(SMALL, **here, sigma=[1.0, 2.0], callback=stop)

    def cancel_second(done, total, text):
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        sweep(SMALL, **here, sigma=[1.0, 2.0, 3.0, 4.0], n_jobs=2, callback=cancel_second)


def test_scenarios_are_values():
    assert hash(Scenario()) == hash(Scenario())
    assert Scenario().at(seed=1) != Scenario()
    assert prepare(Scenario()).occluded.X.shape == (400, 1024)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"rank": [1]},
            "rank cannot be swept over; choose from kind, samples, pixels, seed, n_components",
        ),
        ({"methods": ("EPCA", "QPCA")}, r"methods=\['QPCA'\] must be among EPCA, PCA"),
        ({"kind": ["scarf"]}, "kind='scarf' must be one of"),
    ],
)
def test_bad_arguments(here, options, message):
    with pytest.raises(ValueError, match=message):
        sweep(SMALL, **here, **options)
