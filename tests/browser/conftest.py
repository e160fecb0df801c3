"""Chromium and one server for all tests of this folder, or the reason why there is none."""

import pytest

from tests.browser import chromium


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
