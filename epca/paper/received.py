"""A raw.csv from somebody else: every cell is checked before it is used."""

import csv
import io
import re
from collections.abc import Callable
from itertools import islice

import numpy as np
import pandas as pd

from epca.data import confined
from epca.data.imageset import shortened
from epca.paper.protocol import COLUMNS, RULES
from epca.registry import METHODS
from epca.scenario import has_sigma

MAX_BYTES = 5 * 2**20
MAX_ROWS = 20_000
MAX_SETS = 12  # in the tables; nobody could read more
MAX_RANKS = 12
MAX_NUMBER = 1e18
# A data set's name may be a path. It has no character that Markdown or HTML would act on.
NAME = re.compile(r"[\w .,()+~:/\\-]{1,200}")
TEXTS = ("dataset", "method", "rule", "failure")
SEARCH = ("coarse", "fine", "curve")
SHARES = (
    "accuracy", "accuracy_sd", "accuracy_best", "clean_among_activated", "clean_among_top", "auc",
)  # fmt: skip
FLAGS = ("collapsed", "converged")
WHOLE = ("seed", "n_components")
SIGNED = ("objective",)
WANTED = "Choose the raw.csv that epca reproduce wrote."


def read_bytes(name: str, content: bytes) -> pd.DataFrame:
    """The raw table in the bytes of a raw.csv. A ValueError says what is wrong with a bad one.

    >>> read_bytes("mine.csv", b"a,b")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: mine.csv has 2 columns and must have 23. Choose the raw.csv that ...
    """
    try:
        return _checked(_cells(content))
    except ValueError as error:
        raise ValueError(f"{_shown(name)} {error} {WANTED}") from None


def read_confined(
    name: str, content: bytes, callback: Callable[[], None] | None = None
) -> pd.DataFrame:
    """As `read_bytes`, in a child process with limits. What callback() raises ends it."""
    return pd.DataFrame(confined.call(columns, name, content, callback=callback))


def columns(name: str, content: bytes) -> dict[str, list]:
    """The raw table as `read_bytes` gives it, by column."""
    return read_bytes(name, content).to_dict("list")


def _cells(content):
    """The cells as text, in the order of COLUMNS."""
    if len(content) > MAX_BYTES:
        size = len(content) / 2**20
        raise ValueError(f"has {size:.1f} MB and must have at most {MAX_BYTES // 2**20}.")
    try:
        text = io.StringIO(content.decode("utf-8-sig"), newline="")
        header, *rows = list(islice(csv.reader(text, strict=True), MAX_ROWS + 2)) or [[]]
    except (UnicodeDecodeError, csv.Error):
        raise ValueError("is no table in CSV.") from None
    if len(header) != len(COLUMNS):
        raise ValueError(f"has {len(header)} columns and must have {len(COLUMNS)}.")
    if missing := [column for column in COLUMNS if column not in header]:
        raise ValueError(f"lacks the columns {', '.join(missing)}.")
    if not rows:
        raise ValueError(f"has 0 rows and must have 1 to {MAX_ROWS}.")
    if len(rows) > MAX_ROWS:
        raise ValueError(f"has more than {MAX_ROWS} rows and must have 1 to {MAX_ROWS}.")
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise ValueError(f"has {len(row)} cells in line {number} and must have {len(header)}.")
    return pd.DataFrame(rows, columns=header, dtype=str)[list(COLUMNS)]


def _checked(cells):
    """The table with numbers as numbers, once every cell is found to be one that a run can give."""
    raw = cells.copy()
    raw["failure"] = cells["failure"].map(shortened)
    for column in raw.columns.difference(TEXTS, sort=False):
        raw[column] = _numbers(cells[column], *_bounds(column))
    for column in WHOLE:
        _require(cells[column], raw[column].eq(raw[column].round()), "a whole number")
        raw[column] = raw[column].astype(int)
    _check_texts(cells)
    _check_sigma(cells, raw["sigma"])
    _check_size(raw)
    return raw


def _check_texts(cells):
    is_name = cells["dataset"].map(lambda text: bool(NAME.fullmatch(text)))
    _require(cells["dataset"], is_name, "a name without special characters")
    _require(cells["method"], cells["method"].isin(list(METHODS)), f"one of {', '.join(METHODS)}")
    rules = (*RULES, *SEARCH)
    _require(cells["rule"], cells["rule"].isin(["", *rules]), f"empty or one of {', '.join(rules)}")


def _check_sigma(cells, sigma):
    """A method with σ has a rule and, unless its fit failed, a σ; the others have no rule."""
    tuned = [method for method in dict.fromkeys(cells["method"]) if has_sigma(method)]
    listed = " and ".join(tuned)
    is_tuned = cells["method"].isin(tuned)
    has_rule = cells["rule"].ne("")
    _require(cells["rule"], has_rule.eq(is_tuned), f"given for {listed} and empty for the others")
    has_failed = cells["failure"].ne("")
    _require(cells["sigma"], sigma.gt(0) | ~is_tuned | has_failed, f"above 0 for {listed}")


def _check_size(raw):
    """The tables have a size that people can read, and no fit stands in them twice."""
    main = raw[raw["rule"].isin(["", *RULES])]
    for column, most in [("dataset", MAX_SETS), ("n_components", MAX_RANKS)]:
        count = main[column].nunique()
        if not 1 <= count <= most:
            raise ValueError(
                f"has {count} different values of {column} for the tables "
                f"and must have 1 to {most}."
            )
    keys = ["dataset", "seed", "n_components", "method", "rule"]
    if main.duplicated(keys).any() or raw.duplicated([*keys, "sigma"]).any():
        raise ValueError("has the same fit twice.")


def _bounds(column):
    """The lowest and the highest number that a column may hold."""
    if column in SHARES or column in FLAGS:
        return 0, 1
    if column == "seed":
        return 0, 10**6
    if column == "n_components":
        return 1, 10**6
    lowest = -MAX_NUMBER if column in SIGNED else 0
    return lowest, MAX_NUMBER


def _numbers(cells, low, high):
    """A column of texts as numbers. An empty cell is NaN; True and False are 1 and 0."""
    words = {"": "nan"}
    if cells.name in FLAGS:
        words |= {"True": "1", "False": "0"}
    numbers = pd.to_numeric(cells.replace(words), errors="coerce").astype(float)
    may_be_empty = cells.name not in WHOLE
    is_allowed = numbers.between(low, high) | (cells.eq("") & may_be_empty)
    _require(cells, is_allowed, f"a number from {low:g} to {high:g}")
    return numbers


def _require(cells, is_allowed, rule):
    """Refuse the first cell that is not allowed, by its line in the file."""
    if not is_allowed.all():
        row = int(np.argmin(is_allowed.to_numpy()))
        value = _shown(cells.iloc[row])
        raise ValueError(f"has {cells.name}={value} in line {row + 2}, which must be {rule}.")


def _shown(text):
    """The text as a message may show it: short, and without characters that a page would act on."""
    return re.sub(r"[^\w .,+-]", "\N{REPLACEMENT CHARACTER}", text[:60])
