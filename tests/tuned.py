"""A visitor of the page Tune, without a browser."""

from tests.files import npy
from tests.visit import PAPER, charts, settle, texts, visit, visit_with_upload


def open_tune(*wishes, **settings):
    """The page at these settings, or the paper's, with these parts wished for by the link."""
    app = visit("tune", **PAPER | settings, **dict.fromkeys(wishes, "true"))
    assert not app.exception
    return app


def open_upload(content, *wishes, is_occluded=False, c):
    """The page of uploaded images, occluded as the paper does it."""
    app = visit_with_upload("mine.npy", npy(content), is_occluded=is_occluded)
    app.slider(key="c").set_value(c)
    app.slider(key="pixels").set_value(20)
    app.selectbox(key="kind_shown").set_value("shared-pixels").run()
    app.switch_page("pages/tune.py")
    app.query_params.clear()
    app.query_params.update(dict.fromkeys(wishes, "true"))
    settle(app.run())
    assert not app.exception
    return app


def show(app, part):
    """Choose another sweep."""
    app.segmented_control(key="part_shown").set_value(part)
    settle(app.run())
    assert not app.exception
    return charts(app)


def said(app):
    """Its paragraphs and captions."""
    return " ".join([*texts(app), *(caption.value for caption in app.caption)])
