"""How much the choice without clean images costs, on data that were not used to settle its rule.

    EPCA_DATASETS=… OPENBLAS_NUM_THREADS=1 python -m tests.benchmarks.choosing

writes `epca/choosing/validation.csv` and prints it. The rule stays as it is, whatever comes out.
"""

import sys
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq

import epca.choosing
from epca import METHODS, load_dataset
from epca.choosing import estimate_clean, estimated_error, sigma_from_residuals
from epca.corruption import occlude
from epca.linalg import reduce_to_span
from epca.metrics import reconstruction_error
from epca.parallel import single_thread

FILE = Path(epca.choosing.__file__).with_name("validation.csv")
LABELS = ("EPCA", "EPCA, left-out", "PCA", "PCA-AN")
RANKS = (5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 100)
FIXED = 30  # c of the rule that looks at nothing, and of the choices of σ, k and the method
EXPONENTS = range(-4, 13, 2)  # log₂ σ
SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)  # k/n of PCA-AN
PERMUTATIONS = 10
RECOGNISED = 0.05  # share of the images that must look occluded


class Place(NamedTuple):
    dataset: str
    size: int | None
    kind: str
    samples: float
    pixels: float
    seed: int


def places():
    """Sets, kinds, shares, sizes and seeds that the rule has not seen."""
    hidden = ("band", "block-black")
    shares = (0.1, 0.2, 0.4)
    for kind, samples, seed in product(("shared-pixels", *hidden), shares, (10, 11)):
        yield Place("digits", None, kind, samples, 0.2, seed)
    for size, kind, samples in product((48, 64), ("shared-pixels", *hidden), (0.1, 0.4)):
        yield Place("orl", size, kind, samples, 0.2, 10)
    for name, kind, samples in product(("orl", "yale", "jaffe"), hidden, shares):
        yield Place(name, None, kind, samples, 0.2, 12)
    both = ((0.1, 0.2), (0.4, 0.2), (0.2, 0.1), (0.2, 0.4))
    for name, kind, share in product(
        ("orl", "yale", "umist"), ("shared-pixels", "own-pixels"), both
    ):
        yield Place(name, None, kind, *share, 13)


def tabulate(place):
    """Rows (question, method, rule, regret in %) of a place; the regret is NaN where refused.

    A place is inside where the best c of PCA is not the largest one.
    """
    images = load_dataset(place.dataset, size=place.size)
    options = {"samples": place.samples, "pixels": place.pixels, "random_state": place.seed}
    X = occlude(images.X, place.kind, image_shape=images.image_shape, **options).X
    reduction = reduce_to_span(X)
    estimate = estimate_clean(X)

    def score(label, c, **own):
        """The true error, and the estimated one."""
        reconstruction = METHODS[label](c, **own).fit_reduced(reduction).reconstruct(X)
        error = reconstruction_error(images.X, reconstruction)
        return error, estimated_error(estimate, reconstruction)

    ranks = [c for c in RANKS if c <= min(len(X) - 1, X.shape[1])]
    scores = {label: np.array([score(label, c) for c in ranks]) for label in LABELS}
    rivals = _rivals(reduction, ranks)
    rows = [
        ("rank", label, rule, regret)
        for label in LABELS
        for rule, regret in _rank_regrets(scores[label], ranks, rivals)
    ]
    at_fixed = np.array([scores[label][ranks.index(FIXED)] for label in LABELS])
    rows.append(("method", "", "estimate", _regret(at_fixed)))
    rows.append(("method", "", "always EPCA", _above(at_fixed[:, 0], 0)))
    rows += _sigma_regrets(score, reduction)
    rows += _k_regrets(score, estimate)
    head = {
        **place._asdict(),
        "refused": estimate.refused,
        "is_recognised": estimate.is_occluded.mean() >= RECOGNISED,
        "is_inside": scores["PCA"][:, 0].argmin() < len(ranks) - 1,
    }
    columns = ("question", "method", "rule", "regret")
    return [head | dict(zip(columns, row, strict=True)) for row in rows]


def _above(errors, at):
    return 100 * (errors[at] / errors.min() - 1)


def _regret(scores):
    """Of the candidate with the smallest estimated error (m, 2)."""
    if np.isnan(scores[:, 1]).any():
        return np.nan
    return _above(scores[:, 0], scores[:, 1].argmin())


def _rivals(reduction, ranks):
    """The rank that each other rule takes, whatever the method."""
    return {
        f"c = {FIXED}": FIXED,
        "GCV": gcv(reduction, ranks),
        "Gavish–Donoho": gavish_donoho(reduction),
        "parallel analysis": parallel_analysis(reduction),
    }


def _rank_regrets(scores, ranks, rivals):
    yield "estimate", _regret(scores)
    for rule, c in rivals.items():
        yield rule, _above(scores[:, 0], np.abs(np.array(ranks) - c).argmin())


def _sigma_regrets(score, reduction):
    typical = sigma_from_residuals(reduction, FIXED)
    sigmas = [typical, *(2.0**exponent for exponent in EXPONENTS)]
    scores = np.array([score("EPCA", FIXED, sigma=sigma) for sigma in sigmas])
    yield "sigma", "EPCA", "estimate", _regret(scores)
    yield "sigma", "EPCA", "σ = 1", _above(scores[:, 0], sigmas.index(1.0))
    yield "sigma", "EPCA", "σ = “auto”", _above(scores[:, 0], 0)


def _k_regrets(score, estimate):
    n_samples = len(estimate.is_occluded)
    told = min(int(np.count_nonzero(~estimate.is_occluded)), n_samples - 1)
    counts = [told, *(round(share * n_samples) for share in SHARES)]
    errors = np.array([score("PCA-AN", FIXED, n_active=k)[0] for k in counts])
    told_regret = np.nan if estimate.refused else _above(errors, 0)
    yield "k", "PCA-AN", "images that look clean", told_regret
    yield "k", "PCA-AN", "0.8 n", _above(errors, 1 + SHARES.index(0.8))


def gcv(reduction, ranks):
    """Generalised cross-validation: nd·RSS/(nd − d − nc − dc + c² + c)², from the spectrum."""
    n, d = reduction.data.shape
    left = n * (reduction.variances.sum() - np.cumsum(reduction.variances))
    values = [
        n * d * left[c - 1] / (n * d - d - n * c - d * c + c**2 + c) ** 2
        if c < min(n - 1, d)
        else np.inf
        for c in ranks
    ]
    return ranks[int(np.argmin(values))]


def gavish_donoho(reduction):
    """How many singular values exceed the optimal hard threshold for white noise."""
    n, d = reduction.data.shape
    beta = min(n, d) / max(n, d)
    low, high = (1 - np.sqrt(beta)) ** 2, (1 + np.sqrt(beta)) ** 2

    def share_below(x):  # of the Marchenko–Pastur law
        u = np.linspace(low, x, 4001)
        density = np.sqrt(np.maximum((high - u) * (u - low), 0)) / (2 * np.pi * beta * u)
        return np.trapezoid(density, u)

    median = brentq(lambda x: share_below(x) - 0.5, low + 1e-9, high)
    root = np.sqrt(beta**2 + 14 * beta + 1)
    threshold = np.sqrt(2 * (beta + 1) + 8 * beta / (beta + 1 + root)) / np.sqrt(median)
    values = np.sqrt(np.maximum(reduction.variances, 0))[: min(n - 1, d)]
    return int(np.count_nonzero(values > threshold * np.median(values)))


def parallel_analysis(reduction):
    """How many leading variances exceed the 95% quantile of those of shuffled pixels."""
    generator = np.random.default_rng(0)
    shuffled = np.array(
        [
            reduce_to_span(generator.permuted(reduction.data, axis=0)).variances
            for _ in range(PERMUTATIONS)
        ]
    )
    is_above = reduction.variances > np.quantile(shuffled, 0.95, axis=0)
    return int(np.argmin(is_above)) if not is_above.all() else len(is_above)


def summarise(raw):
    """A row per question, method, rule and kind of occlusion.

    "all" has all kinds, "inside" the places of all kinds where PCA's best c is not the largest,
    which are harder. Places where the estimate was refused count for no rule. The estimate has a
    further row for the places where it recognised occlusion.
    """
    told = raw[(raw["rule"] == "estimate") & raw["is_recognised"]]
    told = told.assign(rule="estimate, occlusion recognised")
    raw = pd.concat([raw, told])
    inside = raw[raw["is_inside"]].assign(kind="inside")
    raw = pd.concat([raw.assign(kind="all"), inside, raw])
    rows = []
    for keys, part in raw.groupby(["question", "method", "rule", "kind"], sort=False):
        regrets = part.loc[~part["refused"], "regret"]
        row = dict(zip(("question", "method", "rule", "kind"), keys, strict=True))
        row |= {"places": len(regrets), "refused": int(part["refused"].sum())}
        row |= {"mean": regrets.mean(), "median": regrets.median()}
        row |= {"ninety": regrets.quantile(0.9), "worst": regrets.max()}
        rows.append(row)
    return pd.DataFrame(rows).round(2)


def main():
    """Do all places; a name gives a file for the rows of every place, too."""
    rows = []
    listed = list(places())
    with single_thread():
        for i, place in enumerate(listed):
            print(f"{i + 1} of {len(listed)}: {place}", file=sys.stderr, flush=True)
            rows += tabulate(place)
    raw = pd.DataFrame(rows)
    if len(sys.argv) > 1:
        raw.to_csv(sys.argv[1], index=False)
    table = summarise(raw)
    table.to_csv(FILE, index=False)
    print(table.to_string(index=False))


if __name__ == "__main__":
    main()
