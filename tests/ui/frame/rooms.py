"""Teachers and followers of a room, each with a page of their own."""

from epca.classroom import codes
from tests.visit import visit

SECRET = "0" * 32
CODE = codes.code_of(SECRET)


def teach(page="learn", **query):
    app = visit(page, room_secret=SECRET, **query)
    assert not app.exception
    return app


def follow(page="learn", code=CODE, **query):
    app = visit(page, room=code, **query)
    assert not app.exception
    return app


def page_of(app):
    return app.session_state["_stem"]


def look(app):
    """The page again, as its bar has it run when the teacher shows something new."""
    return app.switch_page(f"pages/{page_of(app)}.py").run()


def said(app):
    return "\n".join(part.value for part in app.markdown)


def labels(app):
    return [button.label for button in app.button]
