"""The measures of fitted methods over several seeds: their means, and what means hide."""

from collections.abc import Iterator, Sequence

import pandas as pd

from epca.metrics import against
from epca.views import measures, texts


def against_pca(rows: pd.DataFrame, labels: Sequence[str], squared_length: float) -> pd.DataFrame:
    """Rows over seeds of the chosen methods, in their order, with the error against PCA's.

    squared_length : of all images together
    """
    rows = rows.copy()
    if "error" in rows:  # else all failed
        pca = rows[rows["method"] == "PCA"].set_index("seed")["error"]
        rows["against_pca"] = against(rows["error"], rows["seed"].map(pca), squared_length)
    chosen = rows[rows["method"].isin(labels)]
    place = {label: i for i, label in enumerate(labels)}
    return chosen.sort_values("method", key=lambda column: column.map(place), kind="stable")


def averages(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Mean and standard deviation of the measures over seeds, one row per method each."""
    names = list(measures.columns(rows))
    groups = rows.groupby("method", sort=False)[names]
    return groups.mean().reset_index(), groups.std(ddof=0).reset_index()


def hidden_by_means(rows: pd.DataFrame) -> Iterator[str]:
    """What the means over seeds leave out or hide, a sentence each."""
    for label, part in rows.groupby("method", sort=False):
        if texts.fails_by_unknown(part.iloc[0]):  # no mean hides that
            continue
        failed = part["failure"].ne("")
        collapsed = part.get("collapsed", failed).eq(True)
        late = ~part["converged"].astype(bool)
        found = {
            "failed and are left out of the means": failed,
            f"collapsed: {measures.FAULTS['collapsed']}": collapsed & ~failed,
            "did not converge: they could still change": late & ~failed,
        }
        for what, which in found.items():
            if which.any():
                reasons = " ".join(part["failure"][which].unique())
                yield f"{label}: {which.sum()} of {len(part)} fits {what}. {reasons}".strip()
