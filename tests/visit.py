"""A visitor without a browser: opens pages by a link, presses, uploads, reads, runs scripts."""

import io
import json
from contextlib import chdir, redirect_stdout
from functools import cache
from pathlib import Path

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[1]
APP = str(ROOT / "app.py")
PAPER = {"kind": "shared-pixels", "pixels": "20", "c": "30"}  # its setting, as a link has it
PATIENCE = 200  # seconds; a page that hangs fails, a busy machine does not matter

# an AppTest looks through all installed packages for components, which takes longer than most pages
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def at(page="home", **query):
    """The page that this link leads to, not yet run."""
    app = AppTest.from_file(APP, default_timeout=PATIENCE)
    app.query_params.update(query)
    return app.switch_page(f"pages/{page}.py")


def visit(page="home", **query):
    """The same, run until nothing is computed in the background any more."""
    return settle(at(page, **query).run())


def settle(app):
    """Wait for the work the page follows, and run it again, as its timer does in a browser.

    What comes of one piece of work may begin another.
    """
    awaited = set()
    while jobs := followed(app) - awaited:
        assert all(job.wait(PATIENCE) for job in jobs)
        awaited |= jobs
        app.run()
    return app


def followed(app):
    """The jobs that the visitor has in the background."""
    state = app.session_state
    return {job for _, job in state["_followed"].values()} if "_followed" in state else set()


def leave(app):
    """Close the page: nobody waits any more for what it has in the background."""
    for job in followed(app):
        job.leave(app.session_state["_owner"])


def turn_to(app, page):
    """Go to another page of the same session by the menu, whose links have no query."""
    app.query_params.clear()
    return settle(app.switch_page(f"pages/{page}.py").run())


def press(app, label):
    next(button for button in app.button if button.label == label).click()
    settle(app.run())


def switch(app, key, value=True):
    """Put a toggle on or off."""
    app.toggle(key=key).set_value(value)
    settle(app.run())


def upload(app, name, content):
    return upload_all(app, [(name, content)])


def upload_all(app, files):
    """Drop files on the page Data at once."""
    app.file_uploader[0].set_value([(*file, "application/octet-stream") for file in files])
    return app.run()


def visit_with_upload(name, content, *, is_occluded=False, unknown="none"):
    """The page Data after this file was given."""
    app = visit("data", upload_unknown=unknown)
    if is_occluded:
        app.toggle(key="upload_occluded").set_value(True).run()
    return upload(app, name, content)


def open_menu(app, name):
    """Open the menu Export of the page with this name; the labels of its files."""
    app.session_state[f"export_{name}"] = True
    app.run()
    return [button.proto.label for button in app.get("download_button")]


def offered(app):
    """What the page lets one take away, by name."""
    return app.session_state["_offer"]._asdict()


def metrics(app):
    """Label → value."""
    return {metric.label: metric.value for metric in app.metric}


def texts(app):
    """What the page says in its own words, a paragraph each."""
    return [markdown.value for markdown in app.main.markdown]


def charts(app):
    """Key → figure as sent to the browser, in the page's order."""
    return {
        chart.proto.id.rsplit("-", 1)[-1]: json.loads(chart.proto.spec)
        for chart in app.get("plotly_chart")
    }


def execute(code, folder):
    """What the script prints when it is run in this folder."""
    printed = io.StringIO()
    with chdir(folder), redirect_stdout(printed):
        exec(compile(code, "script.py", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def components(app):
    """Key → the data that our components (faces, galleries, players) get, in the page's order."""
    return {
        part.proto.id.rsplit("-", 1)[-1]: json.loads(part.proto.json)
        for part in app.get("bidi_component")
        if part.proto.json
    }
