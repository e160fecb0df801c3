"""The page as a user gets it: a real server, a real Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlparse

import pytest

from tests.test_data import encode, pack, pictures

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REQUIRED = bool(os.environ.get("EPCA_REQUIRE_BROWSER"))

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM or REQUIRED), reason="no Chromium on this machine (EPCA_REQUIRE_BROWSER is not set)"),
]


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": CHROMIUM, "args": ["--no-sandbox"]}


@pytest.fixture(scope="module")
def server():
    """A fresh server's address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {"server.port": port, "server.address": "127.0.0.1", "server.headless": "true"}
    flags = [f"--{name}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *flags, "--server.fileWatcherType=none"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(address)
        yield address
    finally:
        process.terminate()
        process.wait(10)


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
    page.goto(address)
    settle(page)


def settle(page):
    """Wait until the script has run and the page's four pictures are drawn."""
    page.wait_for_timeout(250)
    page.wait_for_selector("[data-testid='stApp'][data-test-script-state='notRunning']", timeout=60_000)
    page.wait_for_function(
        "[...document.querySelectorAll(\"[data-testid='stImage'] img\")].filter(i => i.naturalWidth > 0).length === 4"
    )


def metric(page, label):
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue").inner_text()


def test_deep_link_to_a_fresh_server(page, server):
    """The first visitor arrives at the page's own address: sidebar, settings and page must be there."""
    open_page(page, f"{server}/home?c=10&samples=40")
    assert page.get_by_role("slider", name="Rank c").input_value() == "10"
    assert page.get_by_role("slider", name="Damaged images").input_value() == "40"
    page.get_by_role("heading", name="See which faces a robust PCA trusts").wait_for()
    page.get_by_text("160 of these 400 images are damaged.").wait_for()


def test_a_change_shows_in_numbers_and_link_and_the_link_restores_it(page, server, context):
    open_page(page, server)
    before = metric(page, "Activated images")
    page.get_by_role("slider", name="Rank c").press("Home")
    settle(page)
    page.get_by_role("slider", name="σ of the σ-loss").press("End")
    settle(page)
    page.wait_for_url("**c=1&**")
    after = metric(page, "Activated images")
    assert after != before
    copy = context.new_page()
    open_page(copy, page.url)
    assert metric(copy, "Activated images") == after


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("name", ["", "data"])
def test_no_complaint_and_no_other_host(page, server, scheme, width, name):
    """No console error, no page error, no request to anywhere but the server, nothing wider than the window."""
    complaints, hosts = [], set()
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: hosts.add(urlparse(request.url).netloc))
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, f"{server}/{name}")
    assert [text for text in complaints if "404" not in text or not name] == []  # Streamlit asks for two files below a deep link
    assert hosts - {""} == {urlparse(server).netloc}
    assert page.get_by_test_id("stException").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_changing_page_keeps_the_settings(page, server):
    open_page(page, f"{server}/?c=10&samples=40")
    page.get_by_role("link", name="Data").click()
    page.get_by_role("heading", name="ORL faces").wait_for()
    settle(page)
    assert page.get_by_role("slider", name="Rank c").input_value() == "10"
    page.get_by_text("160 of 400 images are damaged").wait_for()
    assert "c=10" in page.url
    page.get_by_role("link", name="Home").click()
    page.get_by_text("160 of these 400 images are damaged.").wait_for()
    page.go_back()
    page.get_by_role("heading", name="ORL faces").wait_for()
    settle(page)
    assert page.get_by_role("slider", name="Rank c").input_value() == "10"


def test_upload_in_the_browser(page, server):
    open_page(page, f"{server}/data")
    files = {f"{i}.png": encode(picture) for i, picture in enumerate(pictures(6))}
    content = {"name": "mine.zip", "mimeType": "application/zip", "buffer": pack(files)}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(content)
    page.get_by_role("heading", name="mine").wait_for()
    page.get_by_text("6 images of 8 × 8 pixels, no classes").wait_for()
    broken = {"name": "broken.zip", "mimeType": "application/zip", "buffer": b"PK oh"}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(broken)
    page.get_by_text("broken.zip: it could not be read").wait_for()
    page.get_by_role("heading", name="mine").wait_for()


def chosen(page):
    """Ids in the multiselect, in the address, and pressed in the gallery."""
    chips = page.get_by_test_id("stMultiSelect").locator("[data-baseweb=tag], [data-testid=stMultiSelectTag]")
    address = sorted(int(part[4:]) for part in urlparse(page.url).query.split("&") if part.startswith("sel="))
    pressed = [button.get_attribute("aria-label") for button in page.locator("button.cell[aria-pressed=true]").all()]
    return chips.count(), address, sorted(int(label.split()[1].rstrip(",")) for label in pressed)


def wait_for_script(page):
    page.wait_for_timeout(400)
    page.wait_for_selector("[data-testid='stApp'][data-test-script-state='notRunning']", timeout=60_000)
    page.wait_for_timeout(400)


def test_choosing_anywhere_chooses_everywhere(page, server):
    """Gallery, chart and keyboard feed one selection; Esc clears it."""
    page.goto(f"{server}/activated")
    first = page.locator("button.cell").first
    first.wait_for(timeout=60_000)
    page.locator(".st-key-alpha .scatterlayer .point").first.wait_for(timeout=60_000)
    wait_for_script(page)
    top = int(first.get_attribute("aria-label").split()[1].rstrip(","))
    first.click()
    page.wait_for_url(f"**sel={top}**")
    wait_for_script(page)
    assert chosen(page)[1:] == ([top], [top])
    second = page.locator("button.cell").nth(1)
    other = int(second.get_attribute("aria-label").split()[1].rstrip(","))
    second.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**sel={other}**")
    wait_for_script(page)
    assert chosen(page)[1] == sorted([top, other])
    best = page.locator(".st-key-alpha .scatterlayer .point").nth(0)  # of rank 1: chosen already, so it goes
    best.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    dot = best.bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2, steps=5)
    page.wait_for_timeout(300)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function(f"!location.search.includes('sel={top}')")
    wait_for_script(page)
    assert chosen(page)[1:] == ([other], [other])
    page.keyboard.press("Escape")
    page.wait_for_function("!location.search.includes('sel=')")
    wait_for_script(page)
    assert chosen(page)[1:] == ([], [])


def test_pictures_have_alternative_texts(page, server):
    open_page(page, server)
    texts = [image.get_attribute("alt") for image in page.locator("[data-testid='stImage'] img").all()]
    assert [text.split(":")[0] for text in texts] == ["Clean", "Occluded", "PCA", "EPCA"]
