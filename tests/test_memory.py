"""What all visitors share is given back once nobody is at work; what runs out of memory becomes a notice."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from epca.data.imageset import ImageSet
from epca.ui import memory, store


def images_of(n_images, seed=0):
    pixels = np.random.default_rng(seed).integers(0, 256, (n_images, 32, 32), dtype=np.uint8)
    return ImageSet("made", pixels, None, "made")


def wait_for(claim, seconds=10):
    end = time.monotonic() + seconds
    while not claim() and time.monotonic() < end:
        time.sleep(0.01)
    assert claim()


def test_it_frees_once_after_the_last_touch_and_again_after_the_next():
    freed = []
    rest = memory.Rest(0.2, lambda: freed.append(time.monotonic()))
    for _ in range(10):
        rest.touch()
        time.sleep(0.05)
    last = time.monotonic()
    wait_for(lambda: freed)
    assert freed[0] >= last
    time.sleep(0.6)
    assert len(freed) == 1
    rest.touch()
    wait_for(lambda: len(freed) == 2)


def test_what_is_shared_is_forgotten_and_computed_again():
    computed = []

    def square(digest, number, _images):
        computed.append(number)
        return number**2

    kept, images = store.cached(square, shared=4, private=2), images_of(5)
    assert [kept(images, 3), kept(images, 3)] == [9, 9]
    assert computed == [3]
    thread = threading.Thread(target=memory.free)
    thread.start()
    thread.join()
    assert kept(images, 3) == 9
    assert computed == [3, 3]


@pytest.mark.parametrize(("n_images", "entries"), [(10, 16), (store.LARGE // 1024 + 1, 2)])
def test_fewer_results_of_large_sets_are_kept(n_images, entries):
    computed = []

    def note(digest, number, _images):
        computed.append(number)

    kept, images = store.cached(note, shared=16, private=4), images_of(n_images)
    for number in [*range(20), *range(19, -1, -1)]:
        kept(images, number)
    assert len(computed) == 40 - entries


def fragment_page():
    import streamlit as st

    from epca.ui import memory

    @memory.fragment
    def part():
        if st.toggle("fail", key="fail"):
            raise MemoryError("Unable to allocate")
        st.markdown("fine")

    part()
    st.markdown("the rest")


def test_a_fragment_out_of_memory_becomes_a_notice_and_the_rest_stays():
    app = AppTest.from_function(fragment_page).run()
    assert [item.value for item in app.markdown] == ["fine", "the rest"]
    app.toggle(key="fail").set_value(True).run()
    assert not app.exception
    assert [item.value for item in app.error] == [memory.NOTICE]
    assert "the rest" in [item.value for item in app.markdown]
    app.toggle(key="fail").set_value(False).run()
    assert [item.value for item in app.markdown] == ["fine", "the rest"]


def test_every_fragment_is_watched():
    """st.fragment itself would show Streamlit's own box."""
    assert [
        path.name
        for path in Path(memory.__file__).parent.glob("*.py")
        if "@st.fragment" in path.read_text()
    ] == []
