"""Texts that somebody sends to have a page do something, and whether Markdown would act on them."""

import re

EVIL = "http://evil.example/x.png"
HOSTILE = (
    f"![pwned]({EVIL})",
    f"[pwned]({EVIL})",
    f"<img src={EVIL}>",
    "<b>pwned</b>",
    "**pwned**",
    "_pwned_",
    "~~pwned~~",
    "`pwned`",
    "$pwned$",
    ":red[pwned]",
    ":pwned:",
    EVIL,
    "www.evil.example",
    "pwned@evil.example",
    "# pwned",
    "- pwned",
    "1. pwned",
    "> pwned",
    "&lt;pwned",
    "pwned | pwned",
)
NAME = "".join(HOSTILE[:11])  # as the name of a file, class or array
ACTIVE = re.compile(
    r"[`*~$<>|#\[\]]|&\w+;|\b_|_\b"  # signs
    r"|:[\w/]|www\.|\S@\w"  # addresses, :name:
    r"|^\s*[-+]|^\s*\d+[.)]"  # lists
)


def is_active(text):
    """Whether Markdown acts on a text that has no marks of its own."""
    return bool(ACTIVE.search(re.sub(r"\\.", "", text)))


def acted_on(app):
    """The Markdown of a page that has a hostile text in it which would be acted on."""
    shown = [text for text in markdown(app) if re.search("pwned|evil", text)]
    return [text for text in shown if is_active(_without_own_marks(text))]


def _without_own_marks(text):
    """Without what is escaped, is code, or is set in bold by the page itself."""
    return re.sub(r"`[^`]*`|\*\*[^*]*\*\*", "", re.sub(r"\\.", "", text))


FIELDS = {
    "body",
    "label",
    "help",
    "caption",
    "text",
    "delta",
    "title",
}  # are read as Markdown


def markdown(app):
    """All texts of a page that Streamlit reads as Markdown."""
    found = []
    for element in app._tree:
        proto = getattr(element, "proto", None)
        if proto is not None and hasattr(proto, "ListFields"):
            for field, value in proto.ListFields():
                if field.name in FIELDS and isinstance(value, str):
                    found.append(value)
    for table in app.table:
        cells = table.value
        found += [str(cell) for cell in cells.to_numpy().ravel()]
        found += [str(name) for name in (*cells.columns, *cells.index)]
    return found
