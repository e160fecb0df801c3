"""Compare keeps images and fits of a large set within its budget of memory."""

import pytest

from epca.registry import METHODS
from epca.scenario import Occlusion
from epca.ui.jobs.cache import Cache
from epca.ui.jobs.server import SHARED, runner
from tests.visit import settle, visit

LARGE = 3000 * 64 * 64  # pixels of a set that takes more than the budget once it is prepared
CELLWISE = ["PCP", "Cauchy PCA"]  # whose fits have an array as large as the images


@pytest.fixture
def scaled_down(faces, monkeypatch):
    """As much memory for the default images as a large set has."""
    budget = SHARED * faces.images.size // LARGE
    monkeypatch.setattr(runner(), "cache", Cache(budget))


@pytest.fixture
def counted(monkeypatch):
    """What is fitted, by label, and `prepared` for images that are occluded."""
    found = []
    occlude = Occlusion.apply

    def apply(occlusion, images):
        found.append("prepared")
        return occlude(occlusion, images)

    monkeypatch.setattr(Occlusion, "apply", apply)
    for label in ("PCA", *CELLWISE):
        monkeypatch.setattr(METHODS[label], "_solve", counting(METHODS[label], found))
    return found


def counting(method, found):
    solve = method._solve

    def count(model, *arguments):
        found.append(method.label)
        return solve(model, *arguments)

    return count


@pytest.mark.slow
def test_other_pictures_ask_for_no_further_fit(scaled_down, counted):
    page = visit("compare", methods=CELLWISE, c="5", seed="4")
    assert counted.count("PCP") == 1
    before = list(counted)
    for show in ("ignored", "residuals", "reconstructions"):
        page.segmented_control(key="pictures_shown").set_value(show)
        settle(page.run())
        assert not page.exception
    assert counted == before
