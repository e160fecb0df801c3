"""The finished run that comes with the package: how it was cut to size, and read again.

It is what `epca reproduce --datasets orl-cai yale coil20 jaffe umist --clustering-runs 20` gives,
without the rows and columns that no table or figure shows. After a new run, in a checkout:

    python -c "from epca.paper.shipping import ship; ship('results/raw.csv')"
"""

from importlib.resources import files
from pathlib import Path

import pandas as pd

from epca.paper.folder import save
from epca.paper.protocol import COLUMNS, RULES, SIGMA_RANK
from epca.paper.reproduction import read

FILE = Path(str(files("epca.paper").joinpath("five_sets.csv")))
SHOWN = (
    "dataset", "seed", "n_components", "method", "rule", "sigma", "error", "error_raw",
    "accuracy", "accuracy_best", "n_activated", "clean_among_activated", "collapsed", "iterations",
    "failure",
)  # fmt: skip
OF_SEARCH = SHOWN[: SHOWN.index("error") + 1]  # what Fig. 3 needs of a fit
DIGITS = 7


def shipped() -> pd.DataFrame:
    """The raw table of the run over the paper's five data sets, ten seeds, all methods.

    The oracle's search is left out but for Fig. 3. Columns that no table or figure shows are empty.
    """
    cells = pd.read_csv(FILE, dtype={"rule": str, "failure": str})
    return cells.reindex(columns=COLUMNS).fillna({"rule": "", "failure": ""})


def ship(path: str | Path) -> None:
    """Have the package bring the run in this folder or raw.csv from now on."""
    save(FILE, cut(read(path)).to_csv(index=False, float_format=f"%.{DIGITS}g"))


def cut(raw: pd.DataFrame) -> pd.DataFrame:
    """The rows and columns of a raw table that tables and figures show."""
    is_search = raw["rule"].eq("coarse") & raw["n_components"].eq(SIGMA_RANK)
    is_main = raw["rule"].isin(["", *RULES, "curve"])
    rows = raw.loc[is_main | is_search, list(SHOWN)].copy()
    rows["sigma"] = rows["sigma"].map(repr).replace("nan", "")  # powers of 2 stay exact
    rows["collapsed"] = rows["collapsed"].astype(float)
    unused = [name for name in SHOWN if name not in (*OF_SEARCH, "failure")]
    rows.loc[rows["rule"] == "coarse", unused] = float("nan")
    return rows
