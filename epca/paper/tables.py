"""From the raw rows of a run to the paper's tables and the curves of its figures."""

import numpy as np

from epca.paper.protocol import FIXED_SIGMA, RULES, SIGMA_RANK
from epca.paper.published import NOTES, published, unit

KEYS = ["dataset", "n_components", "method", "rule"]
TOLERANCE = 0.05  # a mean error further than this from the paper's is an exception
TITLES = {
    "error": "Table I: reconstruction error",
    "accuracy": "Table III: clustering accuracy in %",
}
ABOVE, BELOW = "▲", "▼"  # mark differences beyond it


def summary(raw):
    """One row per data set, rank, method and rule for σ: mean and sd over the seeds, the paper's figure, the difference.

    Errors differ relatively (0.05 is 5% above the paper's), accuracies by share. `collapsed` is the share of the seeds in
    which some samples were fitted exactly.
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
        table[f"{measure}_paper"] = [
            published(measure, *key) for key in table[KEYS[:3]].itertuples(index=False)
        ]
    table["error_difference"] = table["error"] / table["error_paper"] - 1
    table["accuracy_difference"] = table["accuracy"] - table["accuracy_paper"]
    table["note"] = table["dataset"].map(NOTES).fillna("")
    return table


def exceptions(table):
    """The summary's rows whose mean error is more than 5% from the paper's, the farthest first."""
    far = table[table["error_difference"].abs() > TOLERANCE]
    return far.sort_values("error_difference", key=np.abs, ascending=False)


def agreement(table):
    """How many mean errors are near the paper's, of the data sets that are the paper's own; empty where there are none."""
    same = table[(table["note"] == "") & table["error_difference"].notna()]
    if same.empty:
        return ""
    return f"{len(same) - len(exceptions(same))} of {len(same)} mean errors are within {100 * TOLERANCE:g}% of the paper's."


def paper_table(table, measure, dataset):
    """Table I ("error") or III ("accuracy") of one data set as text: ours, the paper's and the difference for each rank.

    Differences of more than 5% (or points) are marked ▲ or ▼.
    """
    part = table[table["dataset"] == dataset]
    scale, digits = (1 / unit(dataset), 2) if measure == "error" else (100, 1)
    cells = {}
    for row in part.to_dict("records"):
        label = f"{row['method']}, {RULES[row['rule']]}" if row["rule"] else row["method"]
        spread = f" ± {row[f'{measure}_sd'] * scale:.{digits}f}" if row["seeds"] > 1 else ""
        difference = row[f"{measure}_difference"]
        ending = ("%" if measure == "error" else "") + _mark(difference)
        c = row["n_components"]
        cells.setdefault("method", {})[label] = label
        cells.setdefault(f"c = {c}", {})[label] = f"{row[measure] * scale:.{digits}f}{spread}"
        cells.setdefault(f"paper, c = {c}", {})[label] = _text(
            row[f"{measure}_paper"] * scale, f".{digits}f", ""
        )
        cells.setdefault(f"difference, c = {c}", {})[label] = _text(
            100 * difference, "+.1f", ending
        )
    return [
        {name: column.get(label, "") for name, column in cells.items()}
        for label in cells.get("method", ())
    ]


def _mark(difference):
    return "" if not abs(difference) > TOLERANCE else f" {ABOVE if difference > 0 else BELOW}"


def _text(value, form, ending):
    return "" if np.isnan(value) else f"{value:{form}}{ending}"


def sigma_curve(raw):
    """Fig. 3: mean and sd of the error over log₂ σ at c = 10, by data set."""
    rows = raw[(raw["rule"] == "coarse") & (raw["n_components"] == SIGMA_RANK)]
    rows = rows.assign(exponent=np.log2(rows["sigma"]))
    return rows.groupby(["dataset", "exponent"], sort=False, as_index=False)["error"].agg(
        ["mean", "std"]
    )


def rank_curve(raw):
    """Fig. 4: mean and sd of k, and the share of collapsed fits, over c at the fixed σ, by data set."""
    rows = raw[
        raw["rule"].isin(["fixed", "curve"])
        & (raw["sigma"] == FIXED_SIGMA)
        & (raw["failure"] == "")
    ]
    rows = rows.assign(collapsed=rows["collapsed"].astype(float)).sort_values(
        "n_components", kind="stable"
    )
    measures = {
        "mean": ("n_activated", "mean"),
        "std": ("n_activated", "std"),
        "collapsed": ("collapsed", "mean"),
    }
    return rows.groupby(["dataset", "n_components"], sort=False, as_index=False).agg(**measures)
