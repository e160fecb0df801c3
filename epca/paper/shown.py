"""The code that shows a deviation: the lines of a test or a definition, as installed here."""

import ast
import threading
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]  # holds epca/ and, in a checkout, tests/
PARSING = threading.Lock()  # Python 3.11 at times gives up where threads parse at once


class Source(NamedTuple):
    """Part of a file."""

    line: int  # its first, counted from 1
    text: str


def source(place: str) -> Source | None:
    """The lines of "file::name", or None if that file is not here: only a checkout has the tests.

    >>> source("epca/paper/protocol.py::FIXED_SIGMA").text
    'FIXED_SIGMA = 1.0'
    """
    path, name = place.split("::")
    try:
        return _find(ROOT / path, name)
    except OSError:
        return None


@cache
def _find(path, name):
    text = path.read_text(encoding="utf-8")
    with PARSING:
        tree = ast.parse(text)
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node]
        if name in (getattr(target, "name", getattr(target, "id", None)) for target in targets):
            decorators = getattr(node, "decorator_list", ())
            first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
            return Source(first, "\n".join(text.splitlines()[first - 1 : node.end_lineno]))
    return None
