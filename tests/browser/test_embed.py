"""A page in a frame of another site: its settings hold and its sliders work."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import open_page

pytestmark = pytest.mark.new_window


@pytest.fixture
def elsewhere():
    """A server of another site, and what its page has."""

    class Course(BaseHTTPRequestHandler):
        content = ""

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><body>{Course.content}</body>".encode())

        def log_message(self, *_):
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Course) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}", Course
        server.shutdown()


def test_the_frame_of_the_menu_works_on_another_site(page, server, elsewhere):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, f"{server}/?c=25&seed=3&lesson=1")
    page.get_by_role("button", name="Export").click()
    address, course = elsewhere
    course.content = page.locator(".st-key-export_menu pre").inner_text()
    assert f'src="{server}/?c=25&amp;seed=3&amp;embed=true"' in course.content
    page.goto(address)
    frame = page.frame_locator("iframe")
    rank = frame.get_by_role("slider", name="Rank c")
    expect(rank).to_have_value("25")
    expect(frame.get_by_role("spinbutton", name="Seed")).to_have_value("3")
    faces = frame.locator(".st-key-main_picture img").last
    before = faces.get_attribute("src")
    rank.focus()
    page.keyboard.press("ArrowRight")
    expect(rank).to_have_value("26")
    expect(faces).not_to_have_attribute("src", before)
    bottom = frame.locator(".st-key-least_trusted button.cell").first.bounding_box()
    held = page.locator("iframe").bounding_box()
    assert bottom["y"] + bottom["height"] <= held["y"] + held["height"]
    assert frame.get_by_test_id("stException").count() == 0
