"""A sweep's fits as the page Tune shows them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from epca.choosing import propose_sigma
from epca.plots.tune import Axis
from epca.views.texts import iterations, power_text, sigma_text

NAMED = 5  # fits that a note names


class Points(NamedTuple):
    """Fits over σ and c, a row each; where there is only one c, also α and residuals (n, m)."""

    table: pd.DataFrame
    alpha: np.ndarray | None = None
    residuals: np.ndarray | None = None

    @property
    def exponents(self) -> np.ndarray:
        """log₂ σ (m,)."""
        return np.log2(self.table["sigma"].to_numpy(float))

    @property
    def choices(self) -> list[list[int]]:
        """[log₂ σ, c] of each fit, as a click on it sets them."""
        pairs = zip(self.exponents, self.table["n_components"], strict=True)
        return [[round(exponent), int(c)] for exponent, c in pairs]

    @property
    def names(self) -> list[str]:
        """σ and c of each fit, in words."""
        return [
            f"σ = {sigma_text(np.log2(row.sigma))}, c = {row.n_components}"
            for row in self.table.itertuples()
        ]

    @property
    def sigma_axis(self) -> Axis:
        """The axis of fits over σ: a tick at every tenth power of 2, or at every one of a few."""
        low, high = (round(self.exponents[end]) for end in (0, -1))
        step = 10 if high - low > 10 else 1
        ticks = list(range(low, high + 1, step))
        return Axis("σ", self.exponents, self.names, ticks, [power_text(tick) for tick in ticks])

    @property
    def rank_axis(self) -> Axis:
        return Axis("rank c", self.table["n_components"].to_numpy(), self.names)

    @property
    def is_fitted(self) -> np.ndarray:
        return self.table["failure"].eq("").to_numpy()

    @property
    def is_late(self) -> np.ndarray:
        """Whether a fit (m,) reached the limit of iterations."""
        return self.is_fitted & ~self.table["converged"].to_numpy(bool)

    @property
    def states(self) -> list[str]:
        """Each fit's state, as the charts know them."""
        late = np.where(self.is_late, "not converged", "")
        return np.where(self.table["collapsed"], "collapsed", late).tolist()

    @property
    def best(self) -> int | None:
        """The row of the lowest error; None where no error is known."""
        known = self.table["error"].dropna()
        return None if known.empty else int(known.idxmin())

    @property
    def best_estimate(self) -> int | None:
        """The row of the lowest estimated error; None where none is known."""
        known = self.table.reindex(columns=["estimated_error"])["estimated_error"].dropna()
        return None if known.empty else int(known.idxmin())

    def proposal(self, sigma: float) -> int | None:
        """The row of the smallest σ from this one on at which no sample is fitted exactly."""
        is_usable = self.is_fitted & ~self.table["collapsed"].to_numpy(bool)
        return propose_sigma(self.exponents, is_usable, sigma)

    @property
    def notes(self) -> Iterator[str]:
        """Which fits failed or did not converge, and why, a sentence for each reason."""
        total = len(self.table)
        for reason, rows in self.table[~self.is_fitted].groupby("failure"):
            yield f"{len(rows)} of {total} fits failed ({_named(rows)}): {reason}"
        if self.is_late.any():
            rows = self.table[self.is_late]
            limit = iterations(round(rows["iterations"].max()))
            yield (
                f"{len(rows)} of {total} fits did not converge within {limit} "
                f"({_named(rows)}): their numbers could still change."
            )


def _named(rows: pd.DataFrame) -> str:
    names = Points(rows.head(NAMED)).names
    more = ["…"] if len(rows) > NAMED else []
    return "; ".join([*names, *more])
