"""A page's result as one HTML file, which needs neither a server nor a network."""

import gzip
import platform
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.metadata import version
from string import Template
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from epca import assets
from epca.estimator import EPCA

PACKAGES = ("epca", "numpy", "scipy", "scikit-learn", "plotly")  # whose versions are told
NO_UPLOAD = "The upload is not in the link: it stays in your session. Upload it again there."


class Content(NamedTuple):
    """What a page shows, to be read without it."""

    title: str
    sentence: str  # bold and italics as in Markdown, and nothing else of it
    pictures: Mapping[str, bytes]  # caption → PNG
    figures: Sequence[go.Figure]
    tables: Mapping[str, pd.DataFrame]  # caption → texts


class Origin(NamedTuple):
    """Where a result comes from."""

    settings: Sequence[tuple[str, str]]  # label and value
    source: str  # of the images, and how to cite them
    link: str  # to the dashboard with these settings
    is_upload: bool = False


def html(content: Content, origin: Origin) -> str:
    """The report; every text in it is shown as it is."""
    settings = pd.DataFrame(origin.settings, columns=["setting", "value"]).set_index("setting")
    link = f'<a href="{escape(origin.link)}">{escape(origin.link)}</a>'
    parts = {
        "title": escape(content.title),
        "style": assets.read(__package__, "report.css"),
        "sentence": _marked(content.sentence),
        "pictures": _joined(_picture, content.pictures.items()),
        "charts": _joined(_chart, content.figures),
        "tables": _joined(_table, content.tables.items()),
        "settings": _table(("", settings)),
        "link": f"{link} {NO_UPLOAD}" if origin.is_upload else link,
        "paper": escape(f"{EPCA.reference}."),
        "source": escape(origin.source),
        "versions": escape(_versions()),
        "scripts": _scripts(content.figures),
    }
    return Template(assets.read(__package__, "report.html")).substitute(parts)


def _joined(write: Callable, items: Iterable) -> str:
    return "\n".join(map(write, items))


def _marked(text: str) -> str:
    """A sentence of a page; **bold** and *italics* are all that it may have."""
    bold = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text))
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", bold)


def _picture(item: tuple[str, bytes]) -> str:
    caption = escape(item[0])
    address = f"data:image/png;base64,{b64encode(item[1]).decode()}"
    image = f'<img alt="{caption}" src="{address}">'
    return f"<figure><figcaption>{caption}</figcaption>{image}</figure>"


def _chart(figure: go.Figure) -> str:
    """The place of a chart."""
    label = escape(figure.layout.title.text or "chart")
    return f'<figure><div class="chart" role="figure" aria-label="{label}"></div></figure>'


def _table(item: tuple[str, pd.DataFrame]) -> str:
    """The index comes first and heads its row."""
    caption, table = item
    shown = table.reset_index()
    heads = _cells("col", shown.columns)
    lines = [
        f"<tr>{_cells('row', line[:1])}{_cells('', line[1:])}</tr>"
        for line in shown.itertuples(index=False, name=None)
    ]
    rows = f"<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody>"
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="wide"><table>{title}{rows}</table></div>'


def _cells(scope: str, texts: Iterable) -> str:
    """Cells of a row; with a scope they head a row or a column."""
    start, end = (f'<th scope="{scope}">', "</th>") if scope else ("<td>", "</td>")
    return "".join(f"{start}{escape(str(text))}{end}" for text in texts)


def _scripts(figures: Sequence[go.Figure]) -> str:
    """What draws the charts, if there are any: Plotly, once, and the charts, both packed."""
    if not figures:
        return ""
    looks = [_light(figure).to_json() for figure in figures]
    packed = {"plotly": _plotly(), "charts": _packed(f"[{','.join(looks)}]")}
    holders = [
        f'<script type="text/plain" id="{name}">{text}</script>' for name, text in packed.items()
    ]
    missing = "<noscript><p>The charts need JavaScript.</p></noscript>"
    code = assets.read(__package__, "report.js")
    draw = f'<script type="module">\n{code}</script>'
    return "\n".join([missing, *holders, draw])


def _light(figure: go.Figure) -> go.Figure:
    """The chart on white, with its legend."""
    return go.Figure(figure).update_layout(template="plotly_white", font_size=13)


def _packed(text: str) -> str:
    return b64encode(gzip.compress(text.encode(), mtime=0)).decode()


@cache
def _plotly() -> str:
    return _packed(get_plotlyjs())


def _versions() -> str:
    found = [f"{name} {version(name)}" for name in PACKAGES]
    return ", ".join([*found, f"Python {platform.python_version()}"])
