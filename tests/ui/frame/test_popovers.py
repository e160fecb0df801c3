"""Popovers that a choice closes; that they do so in a browser, test_frame.py shows."""

from tests.visit import visit


def popovers(block):
    """Those within the block, as the page gets them."""
    for child in block.children.values():
        if child.type == "popover":
            yield child.proto.popover
        if hasattr(child, "children"):
            yield from popovers(child)


def test_a_choice_leaves_a_new_one_that_is_closed():
    """The page may take the old one for closed already, and would not hear that it is."""
    app = visit()
    app.session_state["presets_0"] = True  # opened by a visitor
    app.run()
    (before,) = popovers(app.sidebar)
    assert before.open
    app.button(key="preset_heavy").click().run()
    (after,) = popovers(app.sidebar)
    assert not after.open
    assert after.id != before.id
