"""Measures of a fitted model, as functions of arrays. NaN where a measure has no meaning for the data at hand."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import subspace_angles
from scipy.optimize import linear_sum_assignment
from scipy.stats import chi2, norm
from sklearn.metrics import roc_auc_score
from sklearn.metrics.cluster import contingency_matrix


def reconstruction_error(clean, reconstructed, rows=slice(None)):
    """ε = ‖X − X̂‖_F² (Eq. 57) of some rows: clean samples against what a model made of the occluded ones, both (n, d)."""
    return float(np.square(clean[rows] - reconstructed[rows]).sum())


COLLAPSED = 0.01  # smallest residual length relative to the median, below which a fit has collapsed


def is_collapsed(residuals):
    """Whether some training samples are fitted exactly: α then marks the interpolated samples, not the clean ones.

    True when the smallest residual length is below 1% of the median; healthy fits of face images stay above 40%.
    """
    return bool(residuals.min() < COLLAPSED * np.median(residuals))


def weights_share(objective, losses):
    """Which part of EPCA's objective J the weights make: 1 − Σf/J, between 0 and 2√(f₁f₂)/J, for losses f (n,)."""
    return float(1 - np.sum(losses) / objective)


def matching_accuracy(labels, clusters):
    """Share of samples whose cluster is matched to their class, by the best one-to-one matching (Hungarian)."""
    table = contingency_matrix(labels, clusters)
    return float(table[linear_sum_assignment(-table)].sum() / len(labels))


class Accuracy(NamedTuple):
    """Clustering accuracy over several runs of k-means."""

    mean: float
    sd: float
    best: float
    runs: np.ndarray


def clustering_accuracy(coordinates, labels, *, runs=10, random_state=0):
    """k-means with as many clusters as classes on coordinates (n, c), matched to labels (n,), over seeded runs.

    **Deviation:** the paper clusters the reconstructed images; their distances are those of the coordinates, c numbers each.
    """
    from sklearn.cluster import KMeans  # here, as few need it and all would wait for it

    n_classes = len(np.unique(labels))
    accuracies = np.empty(runs)
    for run in range(runs):
        kmeans = KMeans(n_classes, n_init=1, random_state=random_state + run)
        accuracies[run] = matching_accuracy(labels, kmeans.fit_predict(coordinates))
    return Accuracy(
        float(accuracies.mean()), float(accuracies.std()), float(accuracies.max()), accuracies
    )


def clean_among(chosen, occluded):
    """Share of clean samples among the chosen ones, both given as indices."""
    return float(np.mean(~np.isin(chosen, occluded))) if len(chosen) else np.nan


def clean_among_top(weights, occluded):
    """Share of clean samples among the m of largest weight (n,), m = number of clean ones; NaN if all are equal."""
    n_clean = len(weights) - len(occluded)
    if not 0 < n_clean < len(weights) or np.ptp(weights) <= 1e-12 * weights.max():
        return np.nan
    return clean_among(np.argsort(-weights, kind="stable")[:n_clean], occluded)


def occlusion_auc(residuals, occluded):
    """Area under the ROC curve of the residual length (n,) as a detector of occluded samples; NaN if none or all are."""
    truth = np.isin(np.arange(len(residuals)), occluded)
    return float(roc_auc_score(truth, residuals)) if 0 < truth.sum() < len(truth) else np.nan


def largest_angle(components, other):
    """Largest principal angle in radians between the row spaces of components (c, d) and other (c′, d)."""
    return float(subspace_angles(components.T, other.T).max())


QUADRANTS = {  # (far within the subspace, far from it) → kind
    (False, False): "regular",
    (True, False): "good leverage",
    (False, True): "orthogonal outlier",
    (True, True): "bad leverage",
}


class OutlierMap(NamedTuple):
    """Distance within the subspace and to it, with cut-offs that 2.5% of regular samples exceed."""

    score_distance: np.ndarray  # (n,)
    orthogonal_distance: np.ndarray  # (n,)
    score_cutoff: float
    orthogonal_cutoff: float

    def quadrant(self, score_distance, orthogonal_distance):
        """The kind of a sample at these distances."""
        return QUADRANTS[
            bool(score_distance > self.score_cutoff),
            bool(orthogonal_distance > self.orthogonal_cutoff),
        ]


def outlier_map(scores, residuals, sample_weight):
    """Score and orthogonal distances (n,) from scores (n, c), residual lengths (n,) and weights (n,) that sum to 1.

    SD_i = √(Σ_j v_ij²/λ_j) with λ_j the weighted variance of score j, cut off at √χ²_{c, 0.975}; OD_i is the residual
    length, cut off where OD^⅔, taken as normal with its median and MAD, has its 97.5% quantile (Wilson–Hilferty).
    """
    variances = sample_weight @ np.square(scores - sample_weight @ scores)
    used = variances > 1e-12 * variances.max()
    score_distance = np.sqrt(np.sum(np.square(scores[:, used]) / variances[used], axis=1))
    roots = residuals ** (2 / 3)
    middle = np.median(roots)
    spread = 1.4826 * np.median(np.abs(roots - middle))
    return OutlierMap(
        score_distance,
        residuals,
        float(np.sqrt(chi2.ppf(0.975, max(used.sum(), 1)))),
        float((middle + spread * norm.ppf(0.975)) ** 1.5),
    )
