"""Results within a budget of bytes: what was not used for longest goes first."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from epca.ui.jobs.cache import MISSING, Cache, Group, size_of

MEGABYTE = np.zeros(2**20, np.uint8)


def test_what_was_not_used_for_longest_goes_first():
    cache = Cache(3 * 2**20 + 1000)
    for key in "abc":
        cache.put(key, MEGABYTE.copy())
    cache.get("a")
    cache.put("d", MEGABYTE.copy())
    assert [key for key in "abcd" if cache.get(key) is not MISSING] == ["a", "c", "d"]


def test_one_that_takes_most_of_the_budget_leaves_all_of_it_to_others():
    cache = Cache(1000)
    for key in "abcdef":
        cache.put(key, np.zeros(200, np.uint8))
    cache.put("large", MEGABYTE)
    assert [key for key in "abcdef" if cache.get(key) is not MISSING] == list("bcdef")
    cache.get("large")
    for key in "efghi":
        cache.put(key, np.zeros(200, np.uint8))
        assert cache.get("large") is MEGABYTE
        assert cache.n_bytes <= 2**20 + 1000
    cache.put("larger", np.zeros(2**21, np.uint8))
    assert cache.get("large") is MISSING


def test_caches_that_share_a_budget_give_up_what_was_not_used_for_longest():
    group = Group(3 * 2**20)
    mine, yours, theirs = (Cache(2 * 2**20, group) for _ in range(3))
    for cache in (mine, yours):
        cache.put("a", MEGABYTE.copy())
    mine.get("a")
    theirs.put("a", MEGABYTE.copy())
    assert mine.n_bytes + yours.n_bytes + theirs.n_bytes == 3 * 2**20
    theirs.put("b", MEGABYTE.copy())
    assert [cache.n_bytes // 2**20 for cache in (mine, yours, theirs)] == [1, 0, 2]
    theirs.put("larger", np.zeros(2**23, np.uint8))
    assert [cache.n_bytes // 2**20 for cache in (mine, yours)] == [0, 0]
    assert theirs.get("larger") is not MISSING  # the newest stays


def test_a_session_that_is_gone_takes_no_part_of_the_budget():
    group = Group(3 * 2**20)
    gone = Cache(2**22, group)
    gone.put("a", np.zeros(3 * 2**20, np.uint8))
    stays = Cache(2**21, group)
    stays.put("a", MEGABYTE.copy())
    assert gone.n_bytes == 0
    gone.put("a", np.zeros(2 * 2**20, np.uint8))
    del gone
    Cache(2**21, group).put("a", MEGABYTE.copy())
    assert stays.n_bytes == 2**20


def test_none_and_false_are_results():
    cache = Cache(1000)
    cache.put("none", None)
    assert cache.get("none") is None
    assert cache.get("nothing") is MISSING


def test_clear():
    cache = Cache(2**30)
    cache.put("a", MEGABYTE)
    cache.clear()
    assert cache.get("a") is MISSING
    assert cache.n_bytes == 0


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 750)), max_size=30))
def test_the_budget_holds_whatever_comes(items):
    cache = Cache(1500)
    for key, size in items:
        cache.put(key, np.zeros(size, np.uint8))
        assert cache.get(key).nbytes == size
        assert cache.n_bytes <= 1500


@dataclass
class Model:
    components: np.ndarray


def test_arrays_are_found_wherever_they_sit_and_counted_once():
    inner = {"models": [Model(MEGABYTE), Model(MEGABYTE)], "row": ("text", 1.0)}
    assert 2**20 <= size_of(inner) < 2**20 + 2000
    assert size_of([MEGABYTE.copy(), MEGABYTE.copy()]) >= 2 * 2**20
    table = pd.DataFrame({"x": np.zeros(1000), "text": ["a" * 100] * 1000})
    assert size_of(table) >= 8000
    loop = []
    loop.append(loop)
    assert size_of(loop) < 1000
