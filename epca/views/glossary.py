"""The glossary as a table."""

import pandas as pd

from epca.glossary import GLOSSARY
from epca.views.texts import UNKNOWN


def table() -> pd.DataFrame:
    """One row per term: name, symbol, meaning, equation."""
    rows = []
    for term in GLOSSARY:
        symbol = f"${term.symbol}$" if term.symbol else UNKNOWN
        rows.append((term.name, symbol, term.meaning, term.equation or UNKNOWN))
    columns = ["name", "symbol", "what it is", "equation"]
    return pd.DataFrame(rows, columns=columns).set_index("name")
