"""A raw.csv that somebody hands over: nothing in it is trusted before it is checked."""

import csv
import io
import re
from itertools import islice

import numpy as np
import pandas as pd

from epca.paper.protocol import COLUMNS, RULES
from epca.registry import METHODS

MAX_BYTES = 5 * 2**20
MAX_ROWS = 20_000
MAX_SETS = MAX_RANKS = 12  # in the tables; more could not be read
MAX_NUMBER = 1e18
NAME = re.compile(
    r"[\w .,()+~:/\\-]{1,200}"
)  # of a data set, which may be a path; nothing that Markdown or HTML would act on
TEXTS = ("dataset", "method", "rule", "failure")
SEARCH = ("coarse", "fine", "curve")
SHARES = (
    "accuracy",
    "accuracy_sd",
    "accuracy_best",
    "clean_among_activated",
    "clean_among_top",
    "auc",
)
SIGNED = ("objective",)
WANTED = "Choose the raw.csv that `epca reproduce` wrote."


def read_bytes(name, content):
    """The raw table in the bytes of a raw.csv; what is wrong with it is said in a ValueError.

    >>> read_bytes("mine.csv", b"a,b")
    Traceback (most recent call last):
    ValueError: mine.csv has 2 columns and must have 23. Choose the raw.csv that `epca reproduce` wrote.
    """
    try:
        return _checked(_cells(content))
    except ValueError as error:
        raise ValueError(f"{_shown(name)} {error} {WANTED}") from None


def _cells(content):
    """The cells as text, in the order of COLUMNS."""
    if len(content) > MAX_BYTES:
        raise ValueError(
            f"has {len(content) / 2**20:.1f} MB and must have at most {MAX_BYTES // 2**20}."
        )
    try:
        text = io.StringIO(content.decode("utf-8-sig"), newline="")
        header, *rows = list(islice(csv.reader(text, strict=True), MAX_ROWS + 2)) or [[]]
    except (UnicodeDecodeError, csv.Error):
        raise ValueError("is no table in CSV.") from None
    if len(header) != len(COLUMNS):
        raise ValueError(f"has {len(header)} columns and must have {len(COLUMNS)}.")
    if missing := [column for column in COLUMNS if column not in header]:
        raise ValueError(f"lacks the columns {', '.join(missing)}.")
    if not 1 <= len(rows) <= MAX_ROWS:
        raise ValueError(
            f"has {'more than ' * bool(rows)}{min(len(rows), MAX_ROWS)} rows and must have 1 to {MAX_ROWS}."
        )
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise ValueError(f"has {len(row)} cells in line {number} and must have {len(header)}.")
    return pd.DataFrame(rows, columns=header, dtype=str)[list(COLUMNS)]


def _checked(cells):
    """The table with numbers as numbers, every column within what a run can give."""
    raw = cells.copy()
    for column in raw.columns.difference(TEXTS, sort=False):
        raw[column] = _numbers(cells[column], *_bounds(column))
    for column in ("seed", "n_components"):
        _require(cells[column], raw[column].eq(raw[column].round()), "a whole number")
        raw[column] = raw[column].astype(int)
    _require(
        cells["dataset"],
        cells["dataset"].map(lambda text: bool(NAME.fullmatch(text))),
        "a name without special signs",
    )
    _require(cells["method"], cells["method"].isin(list(METHODS)), f"one of {', '.join(METHODS)}")
    _require(
        cells["rule"],
        cells["rule"].isin(["", *RULES, *SEARCH]),
        f"empty or one of {', '.join([*RULES, *SEARCH])}",
    )
    is_epca = cells["method"].eq("EPCA")
    _require(
        cells["rule"], cells["rule"].ne("").eq(is_epca), "given for EPCA and empty for the others"
    )
    _require(
        cells["sigma"], raw["sigma"].gt(0) | ~is_epca | cells["failure"].ne(""), "above 0 for EPCA"
    )
    main = raw[raw["rule"].isin(["", *RULES])]
    for column, most in [("dataset", MAX_SETS), ("n_components", MAX_RANKS)]:
        if not 1 <= main[column].nunique() <= most:
            raise ValueError(
                f"has {main[column].nunique()} different values of {column} for the tables and must have 1 to {most}."
            )
    keys = ["dataset", "seed", "n_components", "method", "rule"]
    if main.duplicated(keys).any() or raw.duplicated([*keys, "sigma"]).any():
        raise ValueError("has the same fit twice.")
    return raw


def _bounds(column):
    """Lowest, highest."""
    if column in SHARES or column in ("collapsed", "converged"):
        return 0, 1
    if column in ("seed", "n_components"):
        return int(column == "n_components"), 10**6
    return (-MAX_NUMBER if column in SIGNED else 0), MAX_NUMBER


def _numbers(cells, low, high):
    """Numbers of a column of texts, an empty one being NaN, True and False being 1 and 0."""
    flags = {"True": "1", "False": "0"} if cells.name in ("collapsed", "converged") else {}
    numbers = pd.to_numeric(cells.replace({"": "nan"} | flags), errors="coerce").astype(float)
    needed = cells.name in ("seed", "n_components")
    allowed = (numbers.between(low, high)) | ((cells == "") & (not needed))
    _require(cells, allowed, f"a number from {low:g} to {high:g}")
    return numbers


def _require(cells, allowed, rule):
    """Refuse the first cell that is not allowed, by its line in the file."""
    if not allowed.all():
        row = int(np.argmin(allowed.to_numpy()))
        raise ValueError(
            f"has {cells.name}={_shown(cells.iloc[row])} in line {row + 2}, which must be {rule}."
        )


def _shown(text):
    """The text as a message may show it: short, and without signs that a page would act on."""
    return re.sub(r"[^\w .,+-]", "\N{REPLACEMENT CHARACTER}", text[:60])
