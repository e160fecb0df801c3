"""What of the paper holds in a run and what does not, computed from the run's summary."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from epca.paper.protocol import FIXED_SIGMA, RULES
from epca.paper.tables import TOLERANCE, signed

HOLDS, MOSTLY, FAILS, OPEN = "holds", "mostly holds", "does not hold", "cannot be told"
MOST = 0.9  # of the means: so many near the paper's are "mostly"
ODD = {  # method → how it is measured or set here; the others are compared together
    "L1PCA-NG": "from a random start",
    "RSPCA": "as an orthogonal projection",
    "PCA-AN": "with k = 0.8 n; the paper does not give its k",
}
PLACE = ["dataset", "n_components"]  # a column of the paper's tables


class Finding(NamedTuple):
    """A claim of the paper, what a run gives for it, and whether it holds there."""

    claim: str
    found: str
    verdict: str


def findings(table: pd.DataFrame) -> list[Finding]:
    """One Finding for each claim that the run of this summary can speak of.

    EPCA's σ is tuned as in the paper where that was run. Only images that are the paper's own are
    compared; of the others the distance in level is told.
    """
    chosen = one_rule(table)
    chosen = chosen[chosen["error_difference"].notna()]
    own = chosen[chosen["note"] == ""]
    found = [*_levels(own), *_ranking(own), *_against_pca_om(table), *_accuracies(own)]
    return [*found, *_other_crops(chosen[chosen["note"] != ""])]


def one_rule(table: pd.DataFrame) -> pd.DataFrame:
    """The summary with one row per place and method: σ by the first rule that was run."""
    rules = [rule for rule in RULES if rule in set(table["rule"])]
    return table[table["rule"].isin(["", *rules[:1]])]


def near(part: pd.DataFrame) -> int:
    """How many mean errors are within the tolerance of the paper's."""
    return int((part["error_difference"].abs() <= TOLERANCE).sum())


def _levels(own: pd.DataFrame) -> Iterator[Finding]:
    """Table I: how many means are near the paper's, first of the methods that are set alike."""
    plain = own[~own["method"].isin(list(ODD))]
    if len(plain):
        methods = ", ".join(dict.fromkeys(plain["method"]))
        yield _level(plain, f"Table I on {_names(own)}: {methods}")
    for method, how in ODD.items():
        part = own[own["method"] == method]
        if len(part):
            yield _level(part, f"Table I there: {method} ({how})")


def _level(part: pd.DataFrame, claim: str) -> Finding:
    count = near(part)
    far = part[part["error_difference"].abs() > TOLERANCE]
    text = f"{_of(count, part)} means are within {TOLERANCE:.0%}"
    if far.empty:
        text += f", all within {part['error_difference'].abs().max():.1%}."
    else:
        text += f"; the others differ by {_range(far['error_difference'])}."
    if part["error_raw"].notna().all():
        raw = part.assign(error_difference=part["error_raw"] / part["error_paper"] - 1)
        text += f" With its raw loadings {near(raw)} are."
    verdict = FAILS
    if count >= MOST * len(part):
        verdict = HOLDS if far.empty else MOSTLY
    return Finding(claim, text, verdict)


def _ranking(own: pd.DataFrame) -> Iterator[Finding]:
    """Whether EPCA's errors are below PCA's, and the smallest of all."""
    ours, theirs = _wide(own, "error")
    if ours.empty or "EPCA" not in ours:
        return
    if "PCA" in ours:
        change, printed = (wide["EPCA"] / wide["PCA"] - 1 for wide in (ours, theirs))
        yield _compare(
            f"EPCA's error is below PCA's in {_of((printed < 0).sum(), ours)} places",
            f"It is below in {_of((change < 0).sum(), ours)}; the two differ by {_range(change)}.",
            (change < 0).sum() >= (printed < 0).sum(),
        )
    if ours.shape[1] > 2:
        best, printed = (wide.eq(wide.min(axis=1), axis=0) for wide in (ours, theirs))
        yield _best("has the smallest error of all methods", best, printed)


def _against_pca_om(table: pd.DataFrame) -> Iterator[Finding]:
    """Whether EPCA is better than PCA-OM, at the fixed σ, which needs no clean images."""
    own = table[(table["note"] == "") & table["rule"].isin(["", "fixed"])]
    ours, theirs = _wide(own[own["error_difference"].notna()], "error")
    if ours.empty or not {"EPCA", "PCA-OM"} <= set(ours):
        return
    change, printed = (wide["EPCA"] / wide["PCA-OM"] - 1 for wide in (ours, theirs))
    yield _compare(
        f"EPCA's error is below PCA-OM's in {_of((printed < 0).sum(), ours)} places, by up to "
        f"{-printed.min():.1%}",
        f"It is below in {_of((change < 0).sum(), ours)} at σ = {FIXED_SIGMA:g}; the two never "
        f"differ by more than {change.abs().max():.1%}.",
        (change < 0).sum() >= (printed < 0).sum(),
    )


def _accuracies(own: pd.DataFrame) -> Iterator[Finding]:
    """Table III: the accuracies' level, and whether EPCA's is the highest."""
    part = own[own["accuracy_difference"].notna()]
    ours, theirs = _wide(part, "accuracy")
    if ours.empty or "EPCA" not in ours or ours.shape[1] < 3:
        return
    off = 100 * (ours - theirs).mean()
    others = off.drop("EPCA").abs().max()
    direction = "lower" if off["EPCA"] < 0 else "higher"
    text = (
        f" On average EPCA's is {abs(off['EPCA']):.1f} points {direction} than printed, and each "
        f"other method's is within {others:.1f} points."
    )
    best, printed = (wide.eq(wide.max(axis=1), axis=0) for wide in (ours, theirs))
    finding = _best("has the highest accuracy (Table III)", best, printed)
    yield finding._replace(found=finding.found + text)


def _other_crops(others: pd.DataFrame) -> Iterator[Finding]:
    """Images that are not known to be the paper's: how far their errors are from it."""
    if others.empty:
        return
    ranges = [
        f"{dataset} {_range(part['error_difference'])}"
        for dataset, part in others.groupby("dataset", sort=False)
    ]
    notes = "; ".join(f"{dataset}: {note}" for dataset, note in _notes(others).items())
    text = f"{_of(near(others), others)} means are within {TOLERANCE:.0%}; {', '.join(ranges)}."
    yield Finding(f"Table I on {_names(others)} ({notes})", text, OPEN)


def _notes(table: pd.DataFrame) -> dict[str, str]:
    return dict(zip(table["dataset"], table["note"], strict=True))


def _best(what: str, ours: pd.DataFrame, theirs: pd.DataFrame) -> Finding:
    """In how many places EPCA is the best: flags by place and method, here and in the paper."""
    counts = ours.sum().sort_values(ascending=False, kind="stable")
    leader = counts.index[0]
    text = f"EPCA has it in {_of(ours['EPCA'].sum(), ours)}"
    text += f", {leader} in {counts.iloc[0]}." if leader != "EPCA" else "."
    claim = f"EPCA {what} in {_of(theirs['EPCA'].sum(), theirs)} places"
    return _compare(claim, text, ours["EPCA"].sum() >= theirs["EPCA"].sum())


def _compare(claim: str, found: str, does_hold: bool) -> Finding:
    return Finding(claim, found, HOLDS if does_hold else FAILS)


def _wide(table: pd.DataFrame, measure: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ours and the paper's by place and method; only places where all methods have both."""
    names = (measure, f"{measure}_paper")
    ours, theirs = (table.pivot(index=PLACE, columns="method", values=name) for name in names)
    is_full = ours.notna().all(axis=1) & theirs.notna().all(axis=1)
    return ours[is_full], theirs[is_full]


def _names(table: pd.DataFrame) -> str:
    return ", ".join(dict.fromkeys(table["dataset"]))


def _of(count: int, whole: pd.DataFrame) -> str:
    return f"{count} of {len(whole)}"


def _range(differences: pd.Series) -> str:
    low = signed(differences.min(), ".1%")
    high = signed(differences.max(), ".1%")
    return low if low == high else f"{low} to {high}"
