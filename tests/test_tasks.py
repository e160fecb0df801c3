"""Sweeps over σ and c: equal to single fits, telling their progress, ended when cancelled."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from epca import EPCA, METHODS, choosing, metrics, paper, tasks
from epca.corruption import occlude
from epca.data import ImageSet
from epca.experiment import Scenario, prepare
from epca.experiment import sweep as plain_sweep
from epca.paper import protocol
from epca.ui.frame.settings import EXPONENTS
from epca.views.points import Points
from tests.driven import finish
from tests.files import npy, pictures
from tests.raw_csv import SHIPPED

MEASURED = [name for name in tasks.SWEPT if name != "failure"]


def setting(faces, n_components=5, **changes):
    """The prepared data and the scenario with these changes."""
    scenario = Scenario(n_components=n_components).at(**changes)
    return prepare(scenario, faces), scenario


def test_points_equal_single_fits(faces):
    prepared, scenario = setting(faces, seed=2)
    points = Points(*finish(tasks.sweep(prepared, scenario, (-3, 9, 0.25), (5,))))
    X = occlude(faces.X, random_state=2).X
    plain = plain_sweep(scenario, sigma=[2.0**-3, 2.0**9, 2.0**0.25]).table
    pd.testing.assert_frame_equal(points.table[MEASURED], plain[MEASURED], check_exact=True)
    for i, exponent in enumerate((-3, 9, 0.25)):
        model = EPCA(5, sigma=2.0**exponent).fit(X)
        np.testing.assert_array_equal(points.alpha[:, i], model.alpha_.astype(np.float32))
        np.testing.assert_allclose(points.residuals[:, i], model.residuals(X), rtol=1e-6)


def test_what_the_sidebar_and_the_scree_show_is_classical_pcas(faces):
    prepared = prepare(Scenario(), faces)
    model = METHODS["PCA"](7).fit(prepared.occluded.X)
    low, high = finish(tasks.typical_residuals(prepared, 7))
    assert np.mean(model.residuals_ < low) == pytest.approx(0.1, abs=0.01)
    assert np.mean(model.residuals_ > high) == pytest.approx(0.1, abs=0.01)
    shares = finish(tasks.variance_shares(prepared))
    np.testing.assert_allclose(shares[:7], model.explained_variance_ratio_)


def test_black_images_have_no_variance_to_share():
    """Uploaded, perhaps; a share of nothing would be NaN, with a warning."""
    black = ImageSet("black", np.zeros((12, 8, 8), np.uint8), None, "made")
    prepared = prepare(Scenario().at(samples=0), black)
    np.testing.assert_array_equal(finish(tasks.variance_shares(prepared)), np.zeros(12))


def test_several_ranks_give_rows_only(faces):
    points = Points(*finish(tasks.sweep(*setting(faces, seed=2), (0, 4), (2, 3))))
    assert points.choices == [[0, 2], [0, 3], [4, 2], [4, 3]]
    assert points.alpha is points.residuals is None


def test_the_estimate_is_that_of_the_occluded_images(faces):
    prepared, _ = setting(faces)
    steps = []
    told = []
    found = finish(
        tasks.estimate_clean(prepared),
        tell=lambda *report: told.append(report),
        at_step=lambda *report: steps.append(report),
    )
    np.testing.assert_array_equal(
        found.estimate.images, choosing.estimate_clean(prepared.occluded.X).images
    )
    assert found.reason == ""
    assert steps == [(0.0, "")]
    assert told[0] == (0.0, "pass 1 of 3")
    assert told[-1] == (1.0, "done")
    silent = finish(tasks.estimate_clean(prepared), tell=None)
    np.testing.assert_array_equal(silent.estimate.images, found.estimate.images)


def test_images_that_allow_no_estimate_say_why(faces):
    few = replace(faces, images=faces.images[:8], labels=None, class_names=())
    found = finish(tasks.estimate_clean(prepare(Scenario(), few)))
    assert found.estimate is None
    assert found.reason.startswith("X must have at least 12 images")


def test_an_estimate_can_be_cancelled(faces):
    class Cancelled(BaseException):
        pass

    def tell(share, text):
        if share > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        finish(tasks.estimate_clean(setting(faces)[0]), tell)


@pytest.mark.parametrize("label", ["EPCA", "EPCA, left-out", "PCA"])
def test_a_sweep_with_an_estimate_has_its_error(label, faces):
    prepared, scenario = setting(faces)
    plain = finish(tasks.sweep(prepared, scenario, (0, 3), (5,), label=label))
    assert tuple(plain.table.columns) == tasks.SWEPT
    estimate = finish(tasks.estimate_clean(prepared)).estimate
    swept = finish(tasks.sweep(prepared, scenario, (0, 3), (5,), estimate, label))
    assert tuple(swept.table.columns) == (*tasks.SWEPT, *tasks.ESTIMATED)
    pd.testing.assert_frame_equal(swept.table[list(tasks.SWEPT)], plain.table)
    for sigma, error in zip(swept.table["sigma"], swept.table["estimated_error"], strict=True):
        model = replace(scenario, sigma=sigma).model(label).fit_reduced(prepared.reduction)
        back = model.reconstruct(prepared.occluded.X)
        assert error == pytest.approx(choosing.estimated_error(estimate, back), rel=1e-9)
    assert np.isnan(swept.alpha).all() == (label == "PCA")
    assert np.isfinite(swept.residuals).all()


def test_a_suggestion_is_the_librarys_and_tells_its_progress(faces):
    prepared, _ = setting(faces)
    estimate = finish(tasks.estimate_clean(prepared)).estimate
    told = []
    arguments = (("EPCA",), (3, 5), (1.0,))
    found = finish(
        tasks.suggest(prepared, *arguments, estimate), lambda *report: told.append(report)
    )
    plain = choosing.suggest(prepared.occluded.X, *arguments)
    pd.testing.assert_frame_equal(found.curves, plain.curves)
    assert found.n_components == plain.n_components
    assert told[0] == (0.0, "0 of 2 fits done, EPCA, c = 3")
    assert told[-1] == (1.0, "2 of 2 fits done, done")

    class Cancelled(BaseException):
        pass

    def stop(share, text):
        if share > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        finish(tasks.suggest(prepared, *arguments, estimate), stop)


def test_what_tell_raises_ends_the_sweep_within_its_fit(faces, solves):
    class Cancelled(BaseException):
        """As the runner raises it out of tell."""

    def tell(share, text):
        if text.startswith("fit 4 of"):
            raise Cancelled

    with pytest.raises(Cancelled):
        finish(tasks.sweep(*setting(faces, seed=12), tuple(range(6)), (5,)), tell)
    assert [sigma for sigma, _ in solves] == [1.0, 2.0, 4.0, 8.0]


def test_progress_tells_which_fit_and_which_iteration(faces):
    steps = []
    told = []
    finish(
        tasks.sweep(*setting(faces, seed=13), (0, 1), (5,)),
        tell=lambda *report: told.append(report),
        at_step=lambda *report: steps.append(report),
    )
    first = "fit 1 of 2, σ = 2^0, c = 5"
    second = "fit 2 of 2, σ = 2^1, c = 5"
    assert steps == [(0.0, first), (0.5, second)]
    assert told[0] == (0.0, f"{first}, iteration 1")
    assert (0.5, f"{second}, iteration 1") in told
    shares = [share for share, _ in told]
    assert shares == sorted(shares)


def test_seeds_tell_their_progress(faces):
    _, scenario = setting(faces, seed=16)
    steps = []
    told = []
    table = finish(
        tasks.seeds(faces, scenario, ("PCA",), 2),
        tell=lambda *report: told.append(report),
        at_step=lambda *report: steps.append(report),
    )
    assert table["seed"].tolist() == [16, 17]
    assert steps == [(0.0, "seed 1 of 2"), (0.5, "seed 2 of 2")]
    assert (0.5, "seed 1 of 2, done") in told
    assert told[-1] == (1.0, "seed 2 of 2, done")


def test_accuracy_run_by_run_equals_all_runs_at_once(generator):
    coordinates = generator.standard_normal((30, 2))
    labels = np.repeat([0, 1, 2], 10)
    whole = metrics.clustering_accuracy(coordinates, labels, runs=4)
    assert whole.sd > 0
    assert finish(tasks.accuracy(coordinates, labels, 4)) == (whole.mean, whole.sd)


def test_clustering_reports_within_a_run_so_that_it_can_be_cancelled(generator):
    told = []
    work = tasks.accuracy(generator.standard_normal((30, 2)), np.repeat([0, 1, 2], 10), 2)
    finish(work, tell=lambda *report: told.append(report))
    assert set(told) == {(0.0, "run 1 of 2"), (0.5, "run 2 of 2")}


def test_a_reproduction_leaves_no_images_in_memory(forty_faces):
    options = paper.Options((forty_faces,), ("PCA", "R1PCA"), (3,), 1, clustering_runs=0)
    sizes = []

    def count(*report):
        sizes.append(protocol._prepared.cache_info().currsize)

    finish(tasks.reproduce(options), at_step=count)
    assert sizes[-1] > 0
    assert protocol._prepared.cache_info().currsize == 0
    assert protocol._images.cache_info().currsize == 0


@pytest.mark.slow
def test_the_sweep_takes_less_than_five_seconds_of_work(faces):
    prepared, scenario = setting(faces, seed=14, n_components=30)
    start = time.thread_time()
    assert len(finish(tasks.sweep(prepared, scenario, EXPONENTS, (30,))).table) == 41
    assert time.thread_time() - start < 5


def test_fits_that_fail_or_do_not_converge_say_why(faces):
    prepared, scenario = setting(faces, seed=15, parameters=(("EPCA", "max_iter", 1),))
    points = Points(*finish(tasks.sweep(prepared, scenario, (0,), (5, 400))))
    failed, late = points.notes
    why = "n_components=400 must be an integer between 1 and"
    assert failed.startswith(f"1 of 2 fits failed (σ = 1 (2⁰), c = 400): {why}")
    assert late == (
        "1 of 2 fits did not converge within 1 iteration (σ = 1 (2⁰), c = 5): "
        "their numbers could still change."
    )
    assert points.states == ["not converged", ""]
    assert points.best == 0
    fine = Points(*finish(tasks.sweep(*setting(faces, seed=15), (0,), (5,))))
    assert list(fine.notes) == []
    assert fine.states == [""]


def test_what_failed_in_a_sweep_has_no_weights(faces):
    prepared, scenario = setting(faces, parameters=(("EPCA", "max_iter", 0),))
    points = Points(*finish(tasks.sweep(prepared, scenario, (0, 1), (5,))))
    assert not points.is_fitted.any()
    assert np.isnan(points.alpha).all()
    assert np.isnan(points.residuals).all()
    assert points.best is None
    assert points.proposal(1.0) is None


@pytest.mark.slow
def test_reading_an_upload_ends_when_nobody_waits():
    """At the first look: such a picture takes ten seconds."""

    class Left(BaseException):
        pass

    def leave(*_):
        raise Left

    slow = b"P2\n3000 3000\n255\n" + b"1 " * 9_000_000
    with pytest.raises(Left):
        finish(tasks.read_picture("slow.pgm", slow, (8, 8)), tell=leave)
    with pytest.raises(Left):
        finish(tasks.read_run("raw.csv", SHIPPED.encode()), tell=leave)
    assert len(finish(tasks.read_run("raw.csv", SHIPPED.encode()), tell=print)) == 4050
    files = [("mine.npy", npy(pictures(5)))]
    options = {"size": 32, "is_occluded": False}
    assert finish(tasks.read_upload(files, options), tell=print).images.shape == (5, 8, 8)
