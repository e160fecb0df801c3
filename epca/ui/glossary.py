"""The glossary as a table."""

import pandas as pd

from epca.glossary import GLOSSARY


def table():
    """One row per term: name, symbol, meaning, equation."""
    rows = [
        (term.name, f"${term.symbol}$" if term.symbol else "–", term.meaning, term.equation or "–")
        for term in GLOSSARY
    ]
    return pd.DataFrame(rows, columns=["name", "symbol", "what it is", "equation"]).set_index(
        "name"
    )
