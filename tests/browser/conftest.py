"""Chromium and one server for all tests of this folder, or the reason why there is none."""

import pytest

from tests.browser import chromium
from tests.browser.chromium import Window


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    reason = "no Chromium on this machine (EPCA_REQUIRE_BROWSER is not set)"
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)
            item.add_marker(
                pytest.mark.skipif(not (chromium.CHROMIUM or chromium.REQUIRED), reason=reason)
            )


@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": chromium.CHROMIUM, "args": ["--no-sandbox"]}


@pytest.fixture(scope="session")
def server():
    with chromium.serve(EPCA_WORKERS="1") as address:  # as users have it on two cores
        yield address


@pytest.fixture(scope="session")
def left_open():
    """The window that the test before has left open, if any."""
    return []


@pytest.fixture(scope="session")
def profile(browser):
    """What windows have in common, such as scripts that need not be fetched again."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def window(request, profile, left_open):
    """A window that stays open from test to test: loading the dashboard takes longest of all.

    Tests marked `new_window` get one of their own. So does the test after one that failed.
    """
    is_own = request.node.get_closest_marker("new_window") is not None
    window = Window(profile) if is_own or not left_open else left_open.pop()
    n_failed = request.session.testsfailed
    yield window
    if is_own or request.session.testsfailed > n_failed:
        window.page.close()
    else:
        window.tidy()
        left_open.append(window)


@pytest.fixture
def page(window):
    return window.page


@pytest.fixture
def wire(window):
    """Counts what the page sends to the server."""
    window.wire.sent = 0
    return window.wire
