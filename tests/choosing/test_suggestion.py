"""Suggestions: the fit with the smallest estimated error, why, and what to beware of."""

import numpy as np
import pandas as pd
import pytest

from epca import METHODS
from epca.base import BEYOND
from epca.choosing import CleanEstimate, estimate_clean, estimated_error, suggest
from epca.choosing.clean import REFUSED
from epca.choosing.suggestion import AS_GIVEN, AT_THE_END, COLLAPSED, LOOK, NO_OPTIMUM, SWAPPED
from epca.corruption import occlude

FOUR = ("EPCA", "EPCA, left-out", "PCA", "PCA-AN")
RANKS = (3, 8, 20, 40)


@pytest.fixture(scope="module")
def clean(faces):
    """A hundred faces at 16 × 16."""
    return faces.images[:100].reshape(100, 16, 2, 16, 2).mean(axis=(2, 4)).reshape(100, 256)


@pytest.fixture(scope="module")
def X(clean):
    return occlude(clean, samples=0.2, pixels=0.3, random_state=0).X


@pytest.fixture(scope="module")
def estimate(X):
    return estimate_clean(X)


@pytest.fixture(scope="module")
def found(X):
    return suggest(X, FOUR, RANKS)


def test_it_is_the_fit_with_the_smallest_estimated_error(found, X, estimate):
    model = found.model().fit(X)
    error = estimated_error(estimate, model.reconstruct(X))
    assert error == pytest.approx(found.curves["estimated_error"].min(), rel=1e-9)
    assert found.why == (
        f"Of 28 fits, PCA-AN at c = {found.n_components} has the smallest estimated error. "
        "20 of 100 images look occluded."
    )
    assert (found.method, found.sigma, found.parameters) == ("PCA-AN", None, {"n_active": 80})
    assert found.warnings == (SWAPPED,)


def test_every_row_is_a_plain_fit(found, X, estimate):
    for row in found.curves.to_dict("records"):
        own = {} if np.isnan(row["sigma"]) else {"sigma": row["sigma"]}
        if row["method"] == "PCA-AN":
            own = {"n_active": 80}
        model = METHODS[row["method"]](row["n_components"], **own).fit(X)
        error = estimated_error(estimate, model.reconstruct(X))
        assert row["estimated_error"] == pytest.approx(error, rel=1e-9)
        assert row["converged"] is True
        assert row["failure"] == ""


def test_the_methods_beyond_the_paper_are_judged_alike(X, estimate):
    beyond = [label for label, method in METHODS.items() if method.group == BEYOND]
    curves = suggest(X, beyond, [3], [1.0], estimate=estimate).curves.set_index("method")
    assert curves["failure"].eq("").all()
    for label in beyond:
        error = estimated_error(estimate, METHODS[label](3).fit(X).reconstruct(X))
        assert curves.loc[label, "estimated_error"] == pytest.approx(error, rel=1e-6)


def test_where_every_image_is_hit_a_little_no_method_is_to_be_trusted(clean):
    hit = occlude(clean, "own-pixels", samples=1.0, pixels=0.05, random_state=0).X
    found = suggest(hit, FOUR, [10], [1.0])
    assert found.estimate.is_occluded.mean() < 0.05
    assert found.method == "PCA"
    assert found.warnings == (AS_GIVEN, SWAPPED)


def test_ranks_first_then_sigma_at_the_best_rank(found):
    curves = found.curves[found.curves["method"] == "EPCA"]
    ranks = curves[curves["stage"] == "rank"]
    assert ranks["n_components"].tolist() == list(RANKS)
    best = ranks.loc[ranks["estimated_error"].idxmin()]
    sigmas = curves[curves["stage"] == "sigma"]
    assert set(sigmas["n_components"]) == {best["n_components"]}
    steps = np.log2(sigmas["sigma"] / best["sigma"])
    np.testing.assert_allclose(steps, [-6, -4, -2, 2, 4, 6])


def test_the_suggested_rank_is_nearly_the_oracles(clean, X, estimate):
    found = suggest(X, ("EPCA, left-out",), range(5, 60, 5), [1.0], estimate=estimate)
    oracle = [
        np.sum((clean - METHODS["EPCA, left-out"](c).fit(X).reconstruct(X)) ** 2)
        for c in range(5, 60, 5)
    ]
    chosen = list(range(5, 60, 5)).index(found.n_components)
    assert oracle[chosen] <= 1.05 * min(oracle)
    assert found.sigma == 1.0
    assert len(found.curves) == 11


def test_given_sigmas_alone_are_tried(X, estimate):
    found = suggest(X, ("EPCA",), (5, 10), [0.5, 64.0, np.inf], estimate=estimate)
    assert set(found.curves["sigma"]) == {0.5, 64.0, np.inf}
    assert set(found.curves.loc[found.curves["stage"] == "rank", "sigma"]) == {64.0}


def test_the_unit_does_not_matter(X):
    plain = suggest(X, ("EPCA",), RANKS)
    scaled = suggest(X / 255, ("EPCA",), RANKS)
    assert scaled.n_components == plain.n_components
    assert scaled.sigma == pytest.approx(plain.sigma / 255)


@pytest.mark.slow
def test_parallel_gives_the_same(X, estimate, found):
    other = suggest(X, FOUR, RANKS, estimate=estimate, n_jobs=2)
    pd.testing.assert_frame_equal(other.curves, found.curves, check_exact=True)
    assert other.why == found.why


def test_clean_images_have_no_optimum(clean):
    """The curve falls throughout, and it is said that this means nothing."""
    found = suggest(clean, ("PCA",), RANKS)
    assert found.n_components == RANKS[-1]
    assert found.warnings == (NO_OPTIMUM, SWAPPED)
    assert 0 < found.estimate.is_occluded.mean() < 0.05  # so nobody may say that none was found
    for warning in (NO_OPTIMUM, AS_GIVEN):
        assert warning.startswith("Fewer than 5% of the images look occluded")


def made_up(images, share):
    is_occluded = np.arange(len(images)) < share * len(images)
    return CleanEstimate(images, is_occluded, is_occluded * 0.5, False)


def test_warnings(X):
    found = suggest(X, ("PCA",), RANKS, estimate=made_up(X, 0.45))
    assert found.warnings == (AT_THE_END, LOOK, SWAPPED)
    found = suggest(X, ("EPCA",), (3, 70), [1.0], estimate=made_up(X, 0.2))
    assert COLLAPSED in found.warnings
    found = suggest(X, ("PCA",), (3,), estimate=made_up(X, 0.2))
    assert found.warnings == (SWAPPED,)


def test_without_an_estimate_there_is_no_suggestion(X, solves):
    refused = made_up(X, 0.6)._replace(refused=True)
    found = suggest(X, FOUR, estimate=refused)
    assert (found.method, found.n_components, found.sigma) == (None, None, None)
    assert found.why == REFUSED
    assert found.curves.empty
    assert solves == []
    with pytest.raises(ValueError, match=r"There is no suggestion\. More than half of the images"):
        found.model()


def test_fits_that_fail_leave_the_others(X, estimate, monkeypatch):
    def fail(*_):
        raise RuntimeError("it broke")

    monkeypatch.setattr(METHODS["PCA"], "_solve", fail)
    found = suggest(X, ("PCA", "PCA-OM"), (3,), estimate=estimate)
    assert found.method == "PCA-OM"
    assert found.curves["failure"].tolist() == ["it broke.", ""]
    alone = suggest(X, ("PCA",), (3,), estimate=estimate)
    assert (alone.method, alone.why) == (None, "No fit succeeded: it broke.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"methods": ("EPCA", "QPCA")}, r"methods=\['QPCA'\] must be among EPCA, PCA"),
        ({"methods": ()}, r"methods=\(\) must be at least one of EPCA, PCA"),
        ({"ranks": []}, r"ranks=\[\] must be integers, at least one"),
        ({"ranks": [5, 2.5]}, r"ranks=\[5, 2\.5\] must be integers"),
        ({"ranks": (True,)}, r"ranks=\[True\] must be integers"),
        ({"ranks": (5, 100)}, r"ranks=\[100\] must be between 1 and 99 for these images"),
        ({"sigmas": [1.0, 0.0]}, r"sigmas=\[1.0, 0.0\] must be numbers > 0"),
        ({"sigmas": [1.0, np.nan]}, r"sigmas=\[1.0, nan\] must be numbers > 0"),
        ({"sigmas": ["1"]}, r"sigmas=\['1'\] must be numbers > 0"),
        ({"sigmas": []}, r"sigmas=\[\] must be numbers > 0"),
    ],
)
def test_bad_arguments(arguments, message, X, estimate):
    with pytest.raises(ValueError, match=message):
        suggest(X, **arguments, estimate=estimate)


def test_progress_and_cancel(X):
    seen = []
    suggest(X, ("EPCA",), (3, 5), callback=lambda *report: seen.append(report))
    assert seen[0] == (0, 1, "estimate, pass 1 of 3")
    fits = [report for report in seen if not report[2].startswith("estimate")]
    assert fits[0] == (0, 8, "EPCA, c = 3")
    assert fits[1] == (0, 8, "iteration 1")
    assert fits[-1] == (8, 8, "done")
    counted = [done for done, _, _ in fits]
    assert counted == sorted(counted)

    class Cancelled(BaseException):
        pass

    for error in (Cancelled, RuntimeError):  # either is the caller's, and no failed fit

        def stop(done, total, text, error=error):
            if text == "iteration 2":
                raise error

        with pytest.raises(error):
            suggest(X, ("EPCA",), (3, 5), callback=stop)
