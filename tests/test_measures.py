"""What is measured of a fit where something is missing: clean images, the truth, classes."""

from dataclasses import replace

import numpy as np
import pytest

from epca.data import ImageSet
from epca.experiment import Scenario, prepare, run, sweep

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


@pytest.mark.parametrize(("samples", "missing"), [(0.0, "occluded"), (1.0, "clean")])
def test_what_needs_clean_and_occluded_images_is_unknown_without_one_of_them(
    samples, missing, here
):
    row = run(Scenario(n_components=5).at(samples=samples), ("EPCA",), **here).table.iloc[0]
    unknown = ["auc", "clean_among_top", "clean_among_activated", f"error_{missing}"]
    assert row[unknown].isna().all()
    errors = row[["error", "error_clean", "error_occluded"]].dropna()
    assert len(errors) == 2
    assert errors.nunique() == 1


def test_images_occluded_as_they_come_have_no_truth(images):
    """Nothing that needs clean images is measured; the rest is."""
    unknown = replace(images, is_occluded=True)
    row = run(
        SMALL, ("EPCA",), prepare=lambda scenario: prepare(scenario, unknown), clustering_runs=1
    ).table.iloc[0]
    for name in (
        "error",
        "error_clean",
        "error_occluded",
        "clean_among_top",
        "auc",
        "clean_among_activated",
    ):
        assert np.isnan(row[name])
    assert row["n_activated"] >= 2
    assert row["accuracy"] > 0
    assert row["failure"] == ""


def test_too_many_classes_are_not_clustered(monkeypatch):
    monkeypatch.setattr("epca.metrics.MAX_CLASSES", 3)
    table = run(SMALL, ("PCA",), clustering_runs=2).table
    assert "accuracy" not in table
    assert "too many to cluster; at most 3 are." in table["no_accuracy"][0]


def test_images_without_labels(images):
    bare = replace(images, labels=None, class_names=())
    options = {"prepare": lambda scenario: prepare(scenario, bare)}
    table = run(SMALL, ("PCA",), clustering_runs=2, **options).table
    assert "accuracy" not in table
    assert table["no_accuracy"].tolist() == ["These images have no classes."]
    with pytest.raises(ValueError, match="needs labels of at least two classes"):
        sweep(SMALL, ("PCA",), kind=["other-class"], **options)


def test_errors_of_nobody_and_ranks_of_rounding_do_not_apply(faces):
    """Without occluded images they have no error; where c reaches the rank, nothing is ranked."""
    table = run(Scenario(n_components=5).at(samples=0.0), ["PCA"]).table
    assert np.isnan(table["error_occluded"][0])
    few = replace(faces, images=faces.images[:6], labels=None, class_names=())
    table = run(Scenario(n_components=5), ["EPCA"], prepare=lambda item: prepare(item, few)).table
    assert np.isnan(table["auc"][0])
    assert np.isnan(table["weights_share"][0])
