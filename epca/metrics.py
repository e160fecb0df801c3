"""Measures of a fitted model, as functions of arrays.

They are NaN where they have no meaning for the data at hand.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import subspace_angles
from scipy.optimize import linear_sum_assignment
from scipy.stats import chi2, norm
from sklearn.metrics import roc_auc_score
from sklearn.metrics.cluster import contingency_matrix


def reconstruction_error(clean, reconstructed, rows=slice(None)):
    """ε = ‖X − X̂‖_F² over some rows (Eq. 57).

    X (n, d) holds the clean samples, X̂ (n, d) what a model made of the occluded ones. Pixels whose
    truth is unknown, NaN, do not count.
    """
    return float(np.nansum(np.square(clean[rows] - reconstructed[rows])))


ROUNDING = 1e-12  # of the images' squared length


def beyond_rounding(error, squared_length):
    """An error, or an array of them, to compare with; NaN where it is mere rounding.

    So it is where a fit is exact. squared_length : of all images together
    """
    return np.where(error > ROUNDING * squared_length, error, np.nan)


def against(error, other, squared_length):
    """An error as a change from another one, −0.2 for 20% less; NaN where that is mere rounding.

    Both may be arrays. squared_length : of all images together
    """
    return error / beyond_rounding(other, squared_length) - 1


def distances(aim, reconstructed):
    """Length (n,) of the rows of `aim` − X̂, both (n, d); pixels that are NaN do not count."""
    return np.sqrt(np.nansum(np.square(aim - reconstructed), axis=1))


def reconstruction_residuals(X, reconstructed):
    """Length (n,) of X − X̂ for samples X (n, d), perhaps occluded, and what a model made of them.

    For a projection it is the distance to the subspace. A robust reconstruction does not follow bad
    pixels, so there it is larger, and tells occluded samples at least as well. Where pixels are
    unknown, NaN, it is that of the others, times √(d/their number).
    """
    squares = np.square(X - reconstructed)
    unknown = np.isnan(squares)
    if unknown.any():
        squares = np.where(unknown, np.nanmean(squares, axis=1, keepdims=True), squares)
    return np.sqrt(squares.sum(axis=1))


COLLAPSED = 0.01  # a fit has collapsed where its smallest residual is below this part of the median


def is_collapsed(residuals):
    """Whether a fit with these residual lengths (n,) has collapsed: it fits some samples exactly.

    α then marks the samples it interpolates, not the clean ones. True where the smallest residual
    is below 1% of the median; healthy fits of face images stay above 40%.
    """
    return bool(residuals.min() < COLLAPSED * np.median(residuals))


def weights_share(objective, losses):
    """The part of EPCA's objective J that is due to the weights: 1 − Σf/J, for losses f (n,).

    It lies between 0 and 2√(f₁f₂)/J, where f₁ and f₂ are the two smallest losses.
    """
    return float(1 - np.sum(losses) / objective)


def matching_accuracy(labels, clusters):
    """Share of samples whose cluster is matched to their class, by the best one-to-one matching.

    labels and clusters are (n,); the Hungarian method finds the matching.
    """
    table = contingency_matrix(labels, clusters)
    return float(table[linear_sum_assignment(-table)].sum() / len(labels))


MAX_CLASSES = 200  # that are clustered: time and memory of the matching grow with their square
PIECE = 20  # iterations of k-means between two calls of a callback
MAX_PIECES = 15


def why_not_clustered(labels):
    """Why images with these labels (n,) have no clustering accuracy; empty where they have one."""
    if labels is None:
        return "These images have no classes."
    n_classes = len(np.unique(labels))
    if n_classes > MAX_CLASSES:
        return f"{n_classes:,} classes are too many to cluster; at most {MAX_CLASSES} are."
    return ""


class Accuracy(NamedTuple):
    """Clustering accuracy over several runs of k-means."""

    mean: float
    sd: float
    best: float
    runs: np.ndarray


def clustering_accuracy(coordinates, labels, *, runs=10, random_state=0, callback=None):
    """Accuracy of k-means on coordinates (n, c), matched to labels (n,), over seeded runs.

    There are as many clusters as classes, at most MAX_CLASSES. callback() is called every now and
    then; what it raises ends the work.

    **Deviation:** the paper clusters the reconstructed images. Their distances are those of the
    coordinates, which are only c numbers each.
    """
    if reason := why_not_clustered(labels):
        raise ValueError(reason)
    n_classes = len(np.unique(labels))
    accuracies = np.empty(runs)
    for run in range(runs):
        clusters = _clusters(coordinates, n_classes, random_state + run, callback)
        accuracies[run] = matching_accuracy(labels, clusters)
    mean = float(accuracies.mean())
    return Accuracy(mean, float(accuracies.std()), float(accuracies.max()), accuracies)


def _clusters(coordinates, n_classes, seed, callback):
    """Clusters (n,) by k-means, a few iterations at a time: a large set takes a minute."""
    from sklearn.cluster import KMeans  # here: few callers need it, and it is slow to import

    centres = "k-means++"
    for _ in range(MAX_PIECES):
        if callback is not None:
            callback()
        kmeans = KMeans(n_classes, init=centres, n_init=1, max_iter=PIECE, random_state=seed)
        kmeans.fit(coordinates)
        if kmeans.n_iter_ < PIECE:
            break
        centres = kmeans.cluster_centers_
    return kmeans.labels_


def clean_among(chosen, occluded):
    """Share of clean samples among the chosen ones, both given as indices."""
    return float(np.mean(~np.isin(chosen, occluded))) if len(chosen) else np.nan


def clean_among_top(weights, occluded):
    """Share of clean samples among the m of largest weight, where m is the number of clean ones.

    weights are (n,), occluded are indices. NaN where all weights are equal, or all or no samples
    are clean.
    """
    n_clean = len(weights) - len(occluded)
    if not 0 < n_clean < len(weights) or np.ptp(weights) <= 1e-12 * weights.max():
        return np.nan
    return clean_among(np.argsort(-weights, kind="stable")[:n_clean], occluded)


def occlusion_auc(residuals, occluded):
    """Area under the ROC curve of the residual length (n,) as a detector of occluded samples.

    NaN where no or all samples are occluded.
    """
    truth = np.isin(np.arange(len(residuals)), occluded)
    if not 0 < truth.sum() < len(truth):
        return np.nan
    return float(roc_auc_score(truth, residuals))


def largest_angle(components, other):
    """Largest principal angle, in radians, between the rows' spans of (c, d) and (c′, d) arrays."""
    return float(subspace_angles(components.T, other.T).max())


QUADRANTS = {  # (far within the subspace, far from it) → kind
    (False, False): "regular",
    (True, False): "good leverage",
    (False, True): "orthogonal outlier",
    (True, True): "bad leverage",
}


class OutlierMap(NamedTuple):
    """Distances within the subspace and to it; 2.5% of regular samples exceed each cut-off."""

    score_distance: np.ndarray  # (n,)
    orthogonal_distance: np.ndarray  # (n,)
    score_cutoff: float
    orthogonal_cutoff: float

    def quadrant(self, score_distance, orthogonal_distance):
        """The kind of a sample at these distances."""
        is_far_within = bool(score_distance > self.score_cutoff)
        is_far_off = bool(orthogonal_distance > self.orthogonal_cutoff)
        return QUADRANTS[is_far_within, is_far_off]


def outlier_map(scores, residuals, sample_weight):
    """The OutlierMap of scores (n, c), residual lengths (n,) and weights (n,) that sum to 1.

    The score distance is SD_i = √(Σ_j v_ij²/λ_j), with λ_j the weighted variance of score j, and is
    cut off at √χ²_{c, 0.975}. The orthogonal distance OD_i is the residual length. It is cut off at
    its 97.5% quantile, where OD^⅔ is taken as normal with its median and MAD (Wilson–Hilferty).
    """
    variances = _variances(scores, sample_weight)
    n_used = np.count_nonzero(np.isfinite(variances))
    roots = residuals ** (2 / 3)
    middle = np.median(roots)
    spread = 1.4826 * np.median(np.abs(roots - middle))
    return OutlierMap(
        _distances(scores, variances),
        residuals,
        float(np.sqrt(chi2.ppf(0.975, max(n_used, 1)))),
        float((middle + spread * norm.ppf(0.975)) ** 1.5),
    )


def _variances(scores, sample_weight):
    """Weighted variances λ (c,) of scores (n, c); infinite where they are only rounding."""
    variances = sample_weight @ np.square(scores - sample_weight @ scores)
    return np.where(variances > 1e-12 * variances.max(), variances, np.inf)


def _distances(scores, variances):
    return np.sqrt(np.sum(np.square(scores) / variances, axis=1))


class Verdict(NamedTuple):
    """Where a new sample lies among those that a model was fitted to."""

    residual: float
    larger_than: float  # share of the fitted samples with a smaller residual
    kind: str  # of the outlier map


def judge(scores, residuals, weights, score, residual):
    """The Verdict on a new sample, from its score (c,) and its residual length.

    scores (n, c), residuals (n,) and weights (n,), which sum to 1, are those of the fitted samples.
    """
    fitted = outlier_map(scores, residuals, weights)
    distance = _distances(np.atleast_2d(score), _variances(scores, weights))[0]
    return Verdict(
        float(residual), float(np.mean(residuals < residual)), fitted.quadrant(distance, residual)
    )


class Fitted(NamedTuple):
    """A fitted model, and what is known of the samples that it was fitted to."""

    model: Any
    clean: np.ndarray  # (n, d)
    X: np.ndarray  # (n, d) as the model got them, perhaps occluded
    occluded: np.ndarray  # indices
    squares: np.ndarray  # (n,) squared distances of the reconstructions from the clean samples
    residuals: np.ndarray  # (n,) residual lengths


class Measure(NamedTuple):
    """A number of a fitted model."""

    of: Callable[[Fitted], float]
    needs_truth: bool = True  # NaN where the clean samples are not known


def _sum(squares):
    """Their sum; NaN where there are none."""
    return float(squares.sum()) if len(squares) else np.nan


MEASURES = {  # name in a fit's row → its measure
    "error": Measure(lambda fit: float(fit.squares.sum())),
    "error_clean": Measure(lambda fit: _sum(np.delete(fit.squares, fit.occluded))),
    "error_occluded": Measure(lambda fit: _sum(fit.squares[fit.occluded])),
    "clean_among_top": Measure(lambda fit: clean_among_top(fit.model.sample_weight_, fit.occluded)),
    "auc": Measure(lambda fit: occlusion_auc(fit.residuals, fit.occluded)),
    "collapsed": Measure(lambda fit: is_collapsed(fit.residuals), needs_truth=False),
}
