"""Messages that no page of ours sends, written by hand: the server goes on for everybody."""

import asyncio
import time

import pytest
import requests
from streamlit import net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.server_util import is_url_from_allowed_origins

from epca.data.limits import MAX_MEMBERS
from epca.ui.frame import launch, messages
from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve
from tests.files import faces_of, npy
from tests.pages.test_isolation import in_a_thread


class Writer(Visitor):
    """A visitor who writes messages by hand, and notes what kinds of them come back."""

    def __init__(self, address):
        super().__init__(address)
        self.heard = set()

    async def send(self, message):
        await self._socket.send(message.SerializeToString())

    async def _hear(self):
        message = await super()._hear()
        self.heard.add(message.WhichOneof("type"))
        return message


@pytest.fixture(scope="module")
def server():
    with serve() as address:
        yield address


def asking_for_git():
    message = BackMsg()
    message.load_git_info = True
    return [message] * 300


def clearing_caches():
    message = BackMsg()
    message.clear_cache = True
    return [message] * 300


def asking_for_addresses():
    message = BackMsg()
    message.file_urls_request.request_id = "many"
    message.file_urls_request.file_names.extend([""] * 20 * MAX_MEMBERS)
    return [message] * 3


@pytest.mark.slow
@pytest.mark.parametrize("flood", [asking_for_git, clearing_caches, asking_for_addresses])
def test_a_flood_of_messages_holds_nobody_up(flood, server):
    async def work():
        async with Writer(server) as bad, Visitor(server) as good:
            await bad.open()
            await good.open("data")
            for message in flood():
                await bad.send(message)
            start = time.monotonic()
            answer = await asyncio.to_thread(requests.get, f"{server}/_stcore/health", timeout=60)
            assert answer.ok
            assert time.monotonic() - start < 2
            await good.upload("upload", "mine.npy", npy(faces_of(1)))
            assert good.title == "mine.npy"
            await bad.open("learn")
            return bad

    bad = in_a_thread(work())
    assert "git_info_changed" not in bad.heard
    assert bad.title == "Learn"


class Session:
    """Stands for one of Streamlit's."""


def test_as_many_addresses_are_given_in_a_while_as_files_may_be_there(monkeypatch):
    given = []
    monkeypatch.setattr(
        messages, "_give_addresses", lambda _, asked: given.append(len(asked.file_names))
    )
    now = [100.0]
    monkeypatch.setattr(messages.time, "monotonic", lambda: now[0])
    session = Session()

    def ask(count):
        message = BackMsg()
        message.file_urls_request.file_names.extend(["a"] * count)
        messages._give_some_addresses(session, message.file_urls_request)
        return given[-1]

    assert ask(MAX_MEMBERS - 5) == MAX_MEMBERS - 5
    assert ask(8) == 5
    assert ask(8) == 0
    now[0] += messages.SPAN + 1
    assert ask(8) == 8


@pytest.fixture
def called(monkeypatch):
    """Whom Streamlit has asked for our address."""
    asked = []
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda *a, **k: asked.append(a))
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)  # put back
    return asked


def test_a_server_of_the_command_calls_nobody_before_its_first_page(called, monkeypatch):
    def serve(prog_name):
        assert prog_name == "streamlit"
        assert not is_url_from_allowed_origins("http://evil.example")

    monkeypatch.setattr("streamlit.web.cli.main", serve)
    launch.main()
    assert called == []


def test_a_foreign_page_does_not_make_the_server_call_another_host(called):
    messages.restrict()
    start = time.monotonic()
    assert not is_url_from_allowed_origins("http://evil.example")
    assert called == []
    assert time.monotonic() - start < 5
