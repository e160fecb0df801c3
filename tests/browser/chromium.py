"""A real server and what one does with a page in a real browser."""

import itertools
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlparse

from axe_playwright_python.sync_playwright import Axe

ROOT = Path(__file__).resolve().parents[2]
# the first of these that is here; without windows it takes a quarter less of the processor's time
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
REQUIRED = bool(os.environ.get("EPCA_REQUIRE_BROWSER"))
USUAL = {"width": 1280, "height": 720}  # of a window
PAGES = {  # address → its heading
    "": "See which faces EPCA trusts",
    "data": "ORL faces",
    "activated": "Which images are activated?",
    "compare": "Compare",
    "tune": "Tune σ and c",
    "watch": "Watch the fit",
    "framework": "Framework",
    "paper": "Paper",
    "learn": "Learn",
}


@contextmanager
def serve(script=ROOT / "app.py", port=None, log=subprocess.DEVNULL, **environment):
    """Start a fresh server for the script, which writes to the log; its address."""
    port = port or free_port()
    options = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    with running(
        [sys.executable, "-m", "streamlit", "run", str(script), *flags],
        port,
        ROOT,
        environment,
        log=log,
    ) as process:
        yield Address(f"http://127.0.0.1:{port}", process.pid)


class Address(str):
    """Where a server answers, and its process id."""

    def __new__(cls, text, pid):
        address = super().__new__(cls, text)
        address.pid = pid
        return address


@contextmanager
def running(command, port, folder, environment=(), *, log=subprocess.DEVNULL):
    """Run the command that serves at the port until the block ends; its process."""
    said = {"stdout": log, "stderr": log}
    process = subprocess.Popen(command, cwd=folder, env=os.environ | dict(environment), **said)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}")
        yield process
    finally:
        process.terminate()
        process.wait(10)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(address):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"No answer from {address} within 60 s.")


def open_page(page, address):
    """Load an address, as a new visitor."""
    _load(page, address)
    settle(page)


LISTEN = """
if (!window.listened) {
    const listened = window.listened = { asked: 0, answered: 0 };
    window.WebSocket = class extends WebSocket {
        constructor(...where) {
            super(...where);
            this.addEventListener("message", () => { listened.answered = performance.now(); });
        }
        send(message) {
            listened.asked = performance.now();
            super.send(message);
        }
    };
}
"""


def _load(page, address):
    """Load an address; from then on the window knows when the server was asked and answered."""
    page.add_init_script(LISTEN)
    page.goto(address)


TURN = """address => {
    history.pushState({}, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
}"""


def turn_to(page, address, *, is_anew=True):
    """Go to an address as Back and Forward do; load it if the window shows another server.

    is_anew : whether what is open there closes, by way of another page
    """
    here, there = urlparse(page.url), urlparse(address)
    if here.netloc != there.netloc:
        _load(page, address)
    else:
        if is_anew and here.path == (there.path or "/"):
            page.evaluate(TURN, f"http://{there.netloc}/learn")
            settle(page)
        page.evaluate(TURN, address)
    settle(page)


CALM = """([call, least]) => {
    const app = document.querySelector("[data-testid='stApp']");
    const images = [...document.querySelectorAll("[data-testid=stImage] img")];
    const { asked, answered } = window.listened ?? { asked: 0, answered: 0 };
    const isAnswered = answered >= asked || performance.now() - asked > 5000; // a few never are
    const isCalm =
        isAnswered &&
        app?.getAttribute("data-test-script-state") === "notRunning" &&
        !document.querySelector("[data-testid=stSkeleton]") &&
        images.every(image => image.naturalWidth > 0);
    const height = document.querySelector("[data-testid=stMain]")?.scrollHeight;
    const former =
        window.calm?.call === call && window.calm.height === height ? window.calm.since : null;
    window.calm = { call, height, since: isCalm ? (former ?? performance.now()) : null };
    return isCalm && performance.now() - window.calm.since >= least;
}"""
STILL = 300  # milliseconds without a run of the script or a new height: one would come in these
calls = itertools.count()


def settle(page):
    """Wait until the script has run and everything it sent is drawn.

    A busy server may begin later than it takes to see that nothing moves: LISTEN tells.
    """
    page.wait_for_function(CALM, arg=[next(calls), STILL], polling=50, timeout=60_000)


def go_to_data(page):
    """By the link on top, as a visitor leaves a page."""
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("heading", name="ORL faces").wait_for()
    settle(page)


def metric(page, label):
    return (
        page.get_by_test_id("stMetric")
        .filter(has_text=label)
        .get_by_test_id("stMetricValue")
        .inner_text()
    )


def point_at(page, dot):
    """Move the mouse onto a chart's dot, as a hand does: Plotly wants to see it coming."""
    dot.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    box = dot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    page.wait_for_timeout(300)


def click_dot(page, dot):
    point_at(page, dot)
    page.mouse.down()
    page.mouse.up()


class Window:
    """A page, and the count of what it sends."""

    def __init__(self, context):
        self.page = context.new_page()
        self.wire = Wire(self.page)

    def tidy(self):
        """Look as a new one: nothing open, of the usual size, on a screen."""
        self.page.keyboard.press("Escape")
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size(USUAL)
        self.page.emulate_media(media="null", color_scheme="null")


class Watcher:
    """Hears what a page complains of and whom it talks to."""

    def __init__(self, page):
        self.complaints, self.hosts = [], set()
        page.on(
            "console",
            lambda message: message.type == "error" and self.complaints.append(message.text),
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.hosts.add(urlparse(request.url).netloc))


class Wire:
    """Counts what a page sends to the server; made before the page is opened."""

    def __init__(self, page):
        self.sent = 0
        page.on("websocket", lambda socket: socket.on("framesent", self._count))

    def _count(self, _):
        self.sent += 1


def violations(page, part=None):
    """The accessibility rules the page breaks, and what breaks them: {(rule, tag, test id)}.

    part : a selector; None → the whole page
    """
    found = Axe().run(page, context=part).response["violations"]
    return {(item["id"], *_kind(node["html"])) for item in found for node in item["nodes"]}


def _kind(html):
    tag = re.match(r"<([\w-]+)", html)
    test_id = re.search(r'^<[^>]*data-testid="([^"]+)"', html)
    return tag and tag[1], test_id and test_id[1]
