"""Visitors of one server: what one uploads no other sees, and it goes when its owner does."""

import asyncio
import io
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import requests
from PIL import Image

from epca import EPCA
from epca.corruption import occlude
from epca.data import load_dataset, read_bytes
from epca.experiment import Occlusion, Scenario, prepare, run
from epca.images import montage, png
from epca.views import texts
from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve
from tests.files import faces_of, npy

FREED_AFTER = 2  # seconds
OPENING = Occlusion("salt-and-pepper", samples=0.2, pixels=0.4)
pytestmark = pytest.mark.slow  # a server of its own


def in_a_thread(coroutine):
    """Its result, from an event loop of its own: Playwright's may be running in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def new_server():
    return serve(STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL=str(FREED_AFTER))


@pytest.fixture(scope="module")
def server():
    with new_server() as address:
        yield address


def expected(content, c):
    """The numbers of the page Home for these images, by the library."""
    images = read_bytes("mine.npy", content, size=32)
    scenario = Scenario("mine", OPENING, n_components=c)
    table, (_, epca) = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepare(scenario, images))
    pca_row, epca_row = table.to_dict("records")
    k = epca.n_activated_
    return {
        "EPCA's error against PCA's": texts.change(epca_row["error"] / pca_row["error"] - 1),
        "Activated images": f"{k} of 40",
        "Clean among the activated": f"{round(epca_row['clean_among_activated'] * k)} of {k}",
    }


async def use(address, content, ranks, barrier):
    """Upload, then change c in step with the others; what was shown: numbers, gallery's pixels."""
    async with Visitor(address) as visitor:
        await visitor.open("data")
        await visitor.upload("upload", "mine.npy", content)
        gallery = visitor.images[-1]
        await visitor.open("")
        numbers = []
        for c in ranks:
            await barrier.wait()
            await visitor.change("c", c)
            numbers.append(visitor.metrics)
            assert visitor.complaints == []
        return numbers, gallery


def test_same_name_same_shape_different_visitors(server):
    """All ask for the same at the same moment: a cache by name or shape would mix them up."""
    contents = [npy(faces_of(seed)) for seed in (1, 2, 3)]
    ranks = [3, 5, 8, 3]

    async def together():
        barrier = asyncio.Barrier(len(contents))
        return await asyncio.gather(*(use(server, content, ranks, barrier) for content in contents))

    results = in_a_thread(together())
    for seed, (content, (numbers, gallery)) in enumerate(zip(contents, results, strict=True), 1):
        assert numbers == [expected(content, c) for c in ranks]
        cells = np.full((4, 12, 12, 12), np.nan)
        cells.reshape(-1, 12, 12)[:40] = faces_of(seed)
        own = np.asarray(Image.open(io.BytesIO(png(montage(cells, zoom=2)))))
        np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(gallery))), own)
    different = {str(numbers) for numbers, _ in results}
    assert len(different) == len(contents)  # else the test could not tell them apart


def test_a_visitor_cannot_name_anothers_upload(server):
    async def visit():
        async with Visitor(server) as owner, Visitor(server) as other:
            await owner.open("data")
            await owner.upload("upload", "secret.npy", npy(faces_of(1)))
            await other.open("data", "dataset=your-upload")
            return owner.title, other

    title, other = in_a_thread(visit())
    assert title == "secret.npy"
    assert other.title == "ORL faces"
    assert other.alerts[0].body.startswith("The link shows an upload. Uploads stay")
    assert "secret" not in str(other.elements)


def uploads_held(address):
    """Bytes of uploaded files in Streamlit's own store, by its account."""
    text = requests.get(f"{address}/_stcore/metrics", timeout=30).text
    numbers = re.findall(r'cache_memory_bytes{cache_type="UploadedFileManager"[^}]*} (\d+)', text)
    return sum(map(int, numbers))


async def comes_to_hold(address, size):
    """Whether the account comes to this many bytes; Streamlit renews it every few seconds."""
    for _ in range(60):
        if uploads_held(address) == size:
            return True
        await asyncio.sleep(0.5)
    return False


def test_the_end_of_a_session_frees_its_upload():
    """A session stays for a while, for it may come back; the next one that ends sweeps it away.

    Of several uploads only the last is held.
    """

    async def come_and_go(server, *contents):
        async with Visitor(server) as visitor:
            await visitor.open("data")
            for content in contents:
                await visitor.upload("upload", "mine.npy", content)
                assert visitor.title == "mine.npy"
                assert await comes_to_hold(server, len(content))

    async def leave(server):
        await come_and_go(server, npy(faces_of(7)), npy(faces_of(8)[:30]))
        for _ in range(10):
            await asyncio.sleep(FREED_AFTER + 0.1)
            await come_and_go(server)
            if not uploads_held(server):
                return True
        return False

    with new_server() as server:  # on which nobody else has left anything
        assert in_a_thread(leave(server))


def test_a_rank_put_back_to_its_default_stays_when_another_set_has_other_bounds(server):
    """The link drops a default; an earlier value must not come back in its place."""

    async def visit():
        async with Visitor(server) as visitor:
            await visitor.open("", "c=10&dataset=digits")
            await visitor.change("dataset", "orl")
            await visitor.change("c", 20)
            visitor.query.pop("c", None)  # as the frontend does
            await visitor.change("dataset", "digits")
            return visitor

    visitor = in_a_thread(visit())
    assert visitor.states["c"].double_array_value.data == [20.0]
    images = load_dataset("digits")
    occluded = occlude(images.X, OPENING.kind, pixels=OPENING.pixels, random_state=0)
    k = EPCA(20).fit(occluded.X).n_activated_
    assert visitor.metrics["Activated images"] == f"{k} of 1797"
