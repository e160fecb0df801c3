"""How well the estimate chose on data that were not used to settle it, as data."""

from importlib.resources import files

import pandas as pd


def validation() -> pd.DataFrame:
    """The shipped table of regrets: a row per question, method, rule and kind of occlusion.

    The kind "all" has all of them, "inside" the places where PCA's best c is not the largest tried.
    `python -m tests.benchmarks.choosing` wrote it. A regret is the error at the choice above the
    smallest of the candidates, in %; mean, median, ninety (its 90% quantile) and worst are over
    `places` places: data set, kind and size of the occlusion, seed. A refused place has no regret
    and counts in `refused`.
    """
    table = pd.read_csv(files("epca.choosing").joinpath("validation.csv"))
    return table.fillna({"method": ""})
