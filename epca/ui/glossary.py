"""The glossary as a table."""

import pandas as pd

from epca.glossary import GLOSSARY


def table():
    """One row per term: symbol, name, meaning, equation."""
    rows = [(f"${term.symbol}$" if term.symbol else "–", term.name, term.meaning, term.equation or "–") for term in GLOSSARY]
    return pd.DataFrame(rows, columns=["symbol", "name", "what it is", "equation"]).set_index("symbol")
