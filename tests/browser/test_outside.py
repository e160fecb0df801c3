"""Links and names from strangers, in the browser: shown as text, and no request leaves."""

from urllib.parse import quote, urlparse

import pytest

from tests.browser.chromium import Watcher, open_page, settle
from tests.files import pack, pictures, pngs
from tests.outside import EVIL, NAME

pytestmark = pytest.mark.new_window


def test_no_request_leaves(page, server):
    watcher = Watcher(page)
    picture = quote(f"![pwned]({EVIL})")
    open_page(page, f"{server}/framework?points={picture}&losses={picture}&pinned={picture}")
    page.get_by_text("![pwned](").first.wait_for()
    open_page(page, f"{server}/data")
    name = NAME.replace("/", "")
    classes = pngs(pictures(40), name) | pngs(pictures(40, seed=1), "ann")
    file = {"name": f"{name}.zip", "mimeType": "application/zip", "buffer": pack(classes)}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([file])
    heading = page.get_by_role("heading", level=1)
    heading.get_by_text("`pwned`$pwned$:").wait_for()
    settle(page)
    for inside in ("img", "a", "code", "strong", "em", "del", ".katex"):
        assert heading.locator(inside).count() == 0
    assert page.locator(f"img[src*='{urlparse(EVIL).netloc}']").count() == 0
    assert watcher.hosts - {""} == {urlparse(server).netloc}
