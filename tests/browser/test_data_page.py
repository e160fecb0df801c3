"""Data in the browser: one screen has it all, and several files are dropped at once."""

import pytest

from tests.browser.chromium import open_page, settle
from tests.files import pictures, pngs

pytestmark = pytest.mark.new_window


def test_one_screen_has_upload_facts_and_occluded_faces_also_after_an_upload(page, server):
    page.set_viewport_size({"width": 1366, "height": 768})
    open_page(page, f"{server}/data")
    assert_one_screen(page)
    files = [
        {"name": name, "mimeType": "image/png", "buffer": content}
        for name, content in pngs(pictures(40, 50, 50)).items()
    ]
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(files)
    page.get_by_role("heading", name="40 pictures").wait_for()
    settle(page)
    page.get_by_text("40 images are few for a rank of 20, so c starts at 2 here").wait_for()
    assert page.get_by_test_id("stFileUploaderFile").count() == 0
    assert_one_screen(page)


def assert_one_screen(page):
    boxes = [
        page.get_by_test_id("stFileUploaderDropzone").bounding_box(),
        page.locator(".st-key-head").bounding_box(),
        page.locator(".st-key-main_picture").bounding_box(),
        *(slider.bounding_box() for slider in page.get_by_role("slider").all()),
    ]
    assert len(boxes) == 7
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 768 for box in boxes)
    faces = page.locator(".st-key-main_picture img")
    assert faces.count() == 3
    assert all(face.bounding_box()["height"] > 60 for face in faces.all())
