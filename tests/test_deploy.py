"""The example of a public server: nginx with TLS in front of two servers, on loopback."""

import asyncio
import shutil
import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path

import pytest
import requests

from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import free_port, serve
from tests.files import npy, pictures

CONFIGURATION = Path(__file__).resolve().parents[1] / "epca" / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not NGINX, reason="no nginx on this machine"),
    pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl on this machine"),
]


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """The address of nginx with the example's configuration, but for its ports and paths."""
    folder = tmp_path_factory.mktemp("proxy")
    certify(folder)
    port = free_port()
    with ExitStack() as stack:
        servers = [stack.enter_context(serve()) for _ in range(2)]
        text = CONFIGURATION.read_text(encoding="utf-8")
        for old, new in {
            "127.0.0.1:8501": servers[0].removeprefix("http://"),
            "127.0.0.1:8502": servers[1].removeprefix("http://"),
            "listen 443": f"listen 127.0.0.1:{port}",
            "epca.example.org": "localhost",
            "/etc/ssl/certs/epca.pem": f"{folder}/epca.pem",
            "/etc/ssl/private/epca.key": f"{folder}/epca.key",
            "access_log off;": f"access_log off; {temporary(folder)}",
            "add_header Set-Cookie": "add_header X-Upstream $upstream_addr; add_header Set-Cookie",
        }.items():
            assert text.count(old) in (1, 2), old
            text = text.replace(old, new)
        (folder / "nginx.conf").write_text(text)
        call = [NGINX, "-p", folder, "-c", folder / "nginx.conf"]
        call += ["-g", f"daemon off; pid {folder}/pid;"]
        process = subprocess.Popen(call, stderr=subprocess.DEVNULL)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        address = f"https://localhost:{port}"
        wait_for(address, folder / "epca.pem")
        yield address


def certify(folder):
    """A certificate for this machine, signed by itself."""
    call = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    call += " -addext subjectAltName=DNS:localhost -keyout epca.key -out epca.pem"
    subprocess.run(call.split(), cwd=folder, check=True, capture_output=True)


def temporary(folder):
    """Where nginx keeps what it buffers, for users who may not write where it usually does."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)


def wait_for(address, certificate):
    for _ in range(200):
        try:
            requests.get(f"{address}/_stcore/health", verify=certificate, timeout=5)
            return
        except requests.ConnectionError:
            time.sleep(0.05)
    raise TimeoutError(address)


@pytest.fixture
def trusted(proxy, tmp_path_factory, monkeypatch):
    """The same, with its certificate trusted."""
    certificate = next(tmp_path_factory.getbasetemp().glob("proxy*/epca.pem"))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert ssl.create_default_context().get_ca_certs()
    return proxy


def test_a_visitor_stays_with_one_server(trusted):
    seen = set()
    for _ in range(20):
        with requests.Session() as visitor:
            found = {
                visitor.get(f"{trusted}/_stcore/health", timeout=10).headers["X-Upstream"]
                for _ in range(3)
            }
        assert len(found) == 1
        seen |= found
    assert len(seen) == 2


def test_pages_websockets_and_uploads_pass(trusted):
    async def work():
        async with Visitor(trusted) as visitor:
            await visitor.open("data")
            assert visitor.title == "ORL faces"
            await visitor.upload("upload", "mine.npy", npy(pictures(40)))
            assert visitor.title == "mine.npy"
            assert visitor.complaints == []

    with ThreadPoolExecutor(1) as elsewhere:  # a browser's loop may run in this thread
        elsewhere.submit(asyncio.run, work()).result()


def test_another_name_is_refused(trusted):
    """As of a page that has its own name point to this server."""
    port = int(trusted.rsplit(":", 1)[1])
    context = ssl._create_unverified_context()
    with (
        socket.create_connection(("127.0.0.1", port)) as connection,
        pytest.raises(ssl.SSLError, match=r"(?i)unrecognized.name"),
    ):
        context.wrap_socket(connection, server_hostname="evil.example")


def test_what_is_not_for_visitors_is_closed(trusted):
    answer = requests.get(f"{trusted}/_stcore/metrics", timeout=10)
    assert answer.status_code == 404
    large = requests.put(f"{trusted}/_stcore/upload_file/a/b", data=bytes(53 * 2**20), timeout=30)
    assert large.status_code == 413


def test_a_flood_of_uploads_is_slowed_for_its_sender_alone(trusted):
    """Each is refused by the server itself, for it belongs to no page."""

    def send(visitor):
        return visitor.put(f"{trusted}/_stcore/upload_file/a/b", data=b"x", timeout=10).status_code

    with requests.Session() as flood, requests.Session() as other:
        for visitor in (flood, other):
            visitor.get(f"{trusted}/_stcore/health", timeout=10)  # brings the cookie
        answers = [send(flood) for _ in range(240)]
        assert 429 not in answers[:200]
        assert 429 in answers[200:]
        assert send(other) != 429


def test_a_flood_of_uploads_without_cookies_is_slowed_too(trusted):
    """Last of all, as all visitors of these tests come from one address."""
    with requests.Session() as flood:
        flood.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        address = f"{trusted}/_stcore/upload_file/a/b"
        begun = time.monotonic()
        answers = [flood.put(address, data=b"x", timeout=10).status_code for _ in range(1000)]
        let_in = len(answers) - answers.count(429)
        assert let_in <= 600 + 20 * (time.monotonic() - begun) + 1
