"""Which images are so large that previews come first; what is made of images is made once."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from epca.data import ImageSet
from epca.ui.frame import images as store
from epca.ui.frame.images import is_large, remember
from epca.ui.jobs.cache import Cache


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((400, 32, 32), False),
        ((400, 128, 128), False),
        ((5000, 32, 32), False),
        ((1200, 64, 64), False),
        ((3000, 64, 64), True),
        ((13_000, 62, 47), True),
    ],
)
def test_it_is_the_cost_of_a_fit_that_counts(shape, expected):
    images = ImageSet("a", np.broadcast_to(np.uint8(0), shape), None, "nowhere")
    assert is_large(images) == expected


def test_no_preview_where_pixels_are_unknown():
    shape = (3000, 64, 64)
    hidden = np.broadcast_to(np.True_, shape)
    images = ImageSet("a", np.broadcast_to(np.uint8(0), shape), None, "nowhere", unknown=hidden)
    assert not is_large(images)


FACES = ImageSet("a", np.zeros((2, 3, 3), np.uint8), None, "nowhere")
OTHERS = replace(FACES, images=np.ones((2, 3, 3), np.uint8))


@pytest.fixture
def caches(monkeypatch):
    """The shared cache and the session's own, both empty."""
    shared, own = Cache(10**6), Cache(10**6)
    monkeypatch.setattr(store.runner(), "cache", shared)
    monkeypatch.setattr(store, "private_cache", lambda: own)
    monkeypatch.setattr(store, "uploaded", lambda: None)
    return shared, own


def test_what_is_made_of_images_is_made_once_for_each_key_and_content(caches):
    number = itertools.count()

    def ask(images, key):
        return remember(images, key, lambda: next(number))

    assert [ask(FACES, "a"), ask(FACES, "b"), ask(OTHERS, "a")] == [0, 1, 2]
    assert [ask(FACES, "a"), ask(FACES, "b"), ask(OTHERS, "a")] == [0, 1, 2]
    assert ask(replace(FACES, name="b"), "a") == 0  # known by content
    assert list(map(len, caches)) == [3, 0]


def test_a_class_that_asks_at_once_has_it_made_once(caches):
    made = []
    together = threading.Barrier(8)

    def make():
        made.append(1)
        time.sleep(0.05)
        return len(made)

    def ask(_):
        together.wait()
        return remember(FACES, "a", make)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {1}
    assert made == [1]


def test_what_is_made_of_an_upload_stays_in_its_session(caches, monkeypatch):
    shared, own = caches
    monkeypatch.setattr(store, "uploaded", lambda: FACES)
    remember(FACES, "a", lambda: 1)
    remember(replace(FACES), "b", lambda: 2)  # the same files, read once more
    assert (len(shared), len(own)) == (0, 2)
    remember(OTHERS, "a", lambda: 3)
    assert (len(shared), len(own)) == (1, 2)
