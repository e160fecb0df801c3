"""Every control of every page says what it does."""

import pytest

from epca.ui import lesson
from epca.ui.router import PAGES
from tests.visit import visit

LINKS = {  # what a page shows only when asked to
    "activated": {"try": "true", "face": "one of yours", "kept": "orl|shared-pixels|20|20|0|30|0"},
    "compare": {"cluster": "true", "runs": "1", "repeat": "true", "seeds": "2", "methods": "EPCA"},
    "tune": {"sweep": "true", "fine": "true"},
    "paper": {"source": "run here"},
    "learn": {"lesson": lesson.name(1)},
}


def parts(block):
    for child in getattr(block, "children", {}).values():
        yield child
        yield from parts(child)


def mute(app):
    """Labels of the controls and numbers without a tooltip; a link to a page says itself where it leads."""
    protos = [
        part.proto
        for part in parts(app._tree)
        if hasattr(part, "proto") and part.type != "page_link"
    ]
    found = [proto for proto in protos if hasattr(proto, "label") and hasattr(proto, "help")]
    assert len(found) > 10  # the sidebar's, at least
    return [proto.label for proto in found if not proto.help]


@pytest.mark.parametrize("name", PAGES)
def test_every_control_has_a_tooltip(name):
    app = visit(name, **LINKS.get(name, {}))
    assert not app.exception
    assert mute(app) == []
