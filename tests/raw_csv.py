"""The raw.csv of the shipped run, whole or with a cell changed."""

import csv
import io

from epca import paper
from epca.paper.protocol import COLUMNS

SHIPPED = paper.shipped().to_csv(index=False)


def changed(column, value, line=2):
    """The shipped raw.csv with one cell changed."""
    rows = list(csv.reader(io.StringIO(SHIPPED)))
    rows[line - 1][COLUMNS.index(column)] = value
    return text_of(rows)


def text_of(rows):
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
