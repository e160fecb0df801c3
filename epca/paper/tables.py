"""From the raw rows of a run to the paper's tables and the curves of its figures."""

import numpy as np
import pandas as pd

from epca.paper.protocol import FIXED_SIGMA, RULES, SIGMA_RANK
from epca.paper.published import NOTES, published, unit

KEYS = ["dataset", "n_components", "method", "rule"]
TOLERANCE = 0.05  # a mean error further than this from the paper's is an exception
TITLES = {
    "error": "Table I: reconstruction error",
    "accuracy": "Table III: clustering accuracy in %",
}
ABOVE, BELOW = "▲", "▼"  # mark differences beyond the tolerance


def summary(raw: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, rank, method and rule for σ: the means over the seeds and the paper's.

    The columns `_sd` are standard deviations over the seeds. `error_difference` is relative (0.05
    is 5% above the paper's error), `accuracy_difference` is a difference of shares. `collapsed` is
    the share of the seeds in which some samples were fitted exactly.
    """
    rows = raw[raw["rule"].isin(["", *RULES])]
    table = rows.groupby(KEYS, sort=False, as_index=False).agg(
        seeds=("error", "count"),
        failed=("failure", lambda failures: int((failures != "").sum())),
        sigma=("sigma", "median"),
        error=("error", "mean"),
        error_sd=("error", "std"),
        error_raw=("error_raw", "mean"),
        accuracy=("accuracy", "mean"),
        accuracy_sd=("accuracy", "std"),
        accuracy_best=("accuracy_best", "max"),
        n_activated=("n_activated", "mean"),
        clean_among_activated=("clean_among_activated", "mean"),
        collapsed=("collapsed", lambda flags: flags.dropna().astype(float).mean()),
        iterations=("iterations", "mean"),
        seconds=("seconds", "mean"),
    )
    for measure in ("error", "accuracy"):
        places = table[KEYS[:3]].itertuples(index=False)
        table[f"{measure}_paper"] = [published(measure, *place) for place in places]
    table["error_difference"] = table["error"] / table["error_paper"] - 1
    table["accuracy_difference"] = table["accuracy"] - table["accuracy_paper"]
    table["note"] = table["dataset"].map(NOTES).fillna("")
    return table


def exceptions(table: pd.DataFrame) -> pd.DataFrame:
    """The summary's rows whose mean error is more than 5% from the paper's, the farthest first."""
    far = table[table["error_difference"].abs() > TOLERANCE]
    return far.sort_values("error_difference", key=np.abs, ascending=False)


def agreement(table: pd.DataFrame) -> str:
    """How many mean errors are near the paper's, in a sentence.

    Only the paper's own images count. Without any the sentence is empty.
    """
    same = table[(table["note"] == "") & table["error_difference"].notna()]
    if same.empty:
        return ""
    near = len(same) - len(exceptions(same))
    return f"{near} of {len(same)} mean errors are within {100 * TOLERANCE:g}% of the paper's."


def paper_table(table: pd.DataFrame, measure: str, dataset: str) -> list[dict[str, str]]:
    """Table I ("error") or III ("accuracy") of one data set as text, a row per method and rule.

    Each rank has three columns: ours, the paper's and the difference. Differences of more than 5%
    (or points) are marked ▲ or ▼.
    """
    part = table[table["dataset"] == dataset]
    rows = {}
    columns = {"method": None}  # in the order of the ranks
    for row in part.to_dict("records"):
        label = f"{row['method']}, {RULES[row['rule']]}" if row["rule"] else row["method"]
        cells = _cells(row, measure)
        columns |= dict.fromkeys(cells)
        rows.setdefault(label, {"method": label}).update(cells)
    return [{column: row.get(column, "") for column in columns} for row in rows.values()]


def _cells(row, measure):
    """The three cells of a summary's row, by column."""
    is_error = measure == "error"
    scale = 1 / unit(row["dataset"]) if is_error else 100
    digits = 2 if is_error else 1
    spread = f" ± {row[f'{measure}_sd'] * scale:.{digits}f}" if row["seeds"] > 1 else ""
    theirs = row[f"{measure}_paper"] * scale
    difference = row[f"{measure}_difference"]
    ending = ("%" if is_error else "") + _mark(difference)
    c = row["n_components"]
    return {
        f"c = {c}": f"{row[measure] * scale:.{digits}f}{spread}",
        f"paper, c = {c}": "" if np.isnan(theirs) else f"{theirs:.{digits}f}",
        f"difference, c = {c}": (
            "" if np.isnan(difference) else signed(100 * difference, ".1f") + ending
        ),
    }


def _mark(difference):
    if difference > TOLERANCE:
        return f" {ABOVE}"
    if difference < -TOLERANCE:
        return f" {BELOW}"
    return ""


def signed(value: float, form: str) -> str:
    """A number with its sign, the minus as in print.

    >>> signed(-0.051, ".1%")
    '−5.1%'
    """
    return f"{value:+{form}}".replace("-", "−")


def sigma_curve(raw: pd.DataFrame) -> pd.DataFrame:
    """Fig. 3: mean and sd of the error over log₂ σ at c = 10, by data set and method."""
    rows = raw[(raw["rule"] == "coarse") & (raw["n_components"] == SIGMA_RANK)]
    rows = rows.assign(exponent=np.log2(rows["sigma"]))
    groups = rows.groupby(["dataset", "method", "exponent"], sort=False, as_index=False)
    return groups["error"].agg(["mean", "std"])


def rank_curve(raw: pd.DataFrame) -> pd.DataFrame:
    """Fig. 4: mean and sd of k, and the share of collapsed fits, over c at the fixed σ.

    By data set and method. Methods that activate no samples have no curve.
    """
    is_shown = raw["rule"].isin(["fixed", "curve"]) & (raw["sigma"] == FIXED_SIGMA)
    rows = raw[is_shown & (raw["failure"] == "") & raw["n_activated"].notna()]
    rows = rows.assign(collapsed=rows["collapsed"].astype(float))
    rows = rows.sort_values("n_components", kind="stable")
    groups = rows.groupby(["dataset", "method", "n_components"], sort=False, as_index=False)
    return groups.agg(
        mean=("n_activated", "mean"),
        std=("n_activated", "std"),
        collapsed=("collapsed", "mean"),
    )
