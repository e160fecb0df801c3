"""ROBPCA: PCA of the samples that no direction shows to be outlying."""

from numbers import Real

import numpy as np
from scipy.special import gammainc, gammaincinv, ndtri

from epca.base import BasePCA, Parameter, is_integer, require
from epca.linalg import CHUNK
from epca.solver import Solution

WITHIN = 0.975  # share of regular samples that a cut-off lets pass
SAME = 1e-12  # of their range: numbers nearer to each other are the same


def univariate_mcd(values, n_kept):
    """Centre and scale (k,) of each column of values (n, k) by the h = n_kept that lie closest.

    The h consecutive sorted numbers of smallest variance give a first centre and scale; all numbers
    within 2.24 scales of that centre give the final ones (minimum covariance determinant). The
    scales are consistent for normal numbers.

    >>> centre, scale = univariate_mcd(np.array([[1.0], [2.0], [3.0], [4.0], [100.0]]), 4)
    >>> centre.item(), round(scale.item(), 2)
    (2.5, 1.21)
    """
    n_samples = len(values)
    ordered = np.sort(values, axis=0)
    middle = ordered[n_samples // 2].copy()
    ordered -= middle  # sums of squares then lose fewer digits
    sums = _before(ordered)
    squares = _before(np.square(ordered))
    spreads = squares[n_kept:] - squares[:-n_kept]
    spreads -= np.square(sums[n_kept:] - sums[:-n_kept]) / n_kept
    window = spreads.argmin(axis=0) + np.arange(n_kept)[:, None]
    closest = np.take_along_axis(ordered, window, axis=0)
    centre = closest.mean(axis=0)
    scale = np.sqrt(closest.var(axis=0) / _variance_within(n_kept / n_samples))
    reach = np.sqrt(2 * gammaincinv(0.5, WITHIN)) * scale
    reach += SAME * (ordered[-1] - ordered[0])
    is_near = np.abs(ordered - centre) <= reach
    centre = ordered.mean(axis=0, where=is_near)
    variance = ordered.var(axis=0, where=is_near)
    return middle + centre, np.sqrt(variance / _variance_within(WITHIN))


def _before(ordered):
    """Sums (n + 1, k) of the numbers before each place."""
    return np.vstack([np.zeros(ordered.shape[1]), np.cumsum(ordered, axis=0)])


def _variance_within(share):
    """Variance of a standard normal number that is known to be among the middle share of them."""
    half_square = gammaincinv(0.5, share)
    return gammainc(1.5, half_square) / share


def cut_off(distances, n_kept):
    """What hardly any regular sample's distance exceeds, from the distances (n,) of all samples.

    Their 2/3 powers are nearly normal.
    """
    (centre,), (scale,) = univariate_mcd(distances[:, None] ** (2 / 3), n_kept)
    return (centre + scale * ndtri(WITHIN)) ** 1.5


class ROBPCA(BasePCA):
    """PCA of the samples that neither a projection nor their distance shows to be outlying.

    max over directions v:  |x_iᵀv − centre(Xv)| / scale(Xv),   the outlyingness of sample i

    1. For pairs of samples, v = their normalised difference; centre and scale of all projections on
       v by the univariate MCD of h = max(⌊share·n⌋, ⌊(n + c + 1)/2⌋) samples. A sample's
       outlyingness is its largest over all v.
    2. PCA of the h least outlying samples; distances of all samples to that subspace.
    3. A cut-off for the distances: their 2/3 powers are about normal, so (centre + 1.96 scale)^1.5
       by the univariate MCD.
    4. m and W by PCA of the samples within the cut-off. They have weight 1, the others 0.

    **Deviation:** the authors end with an MCD of the scores. It moves m within the subspace and
    turns W, but leaves the subspace and every reconstruction as they are, and is left out. A
    direction is skipped where h samples have the same projection on it.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    share : the share of samples trusted at first, from 0.5 to 1; smaller → more robust; 1 → PCA
        unless a sample lies beyond the cut-off
    n_directions : pairs of samples to look along; all pairs where there are fewer
    random_state : seed of the pairs

    Attributes
    ----------
    orthogonal_distance_ : (n,) distance to the subspace
    score_distance_ : (n,) distance from m within it, in standard deviations of the weighted samples
    flag_ : (n,) whether one of both is beyond its cut-off, so that the sample is an outlier

    Examples
    --------
    >>> X = np.array([[0, 0], [1, 1.1], [2, 1.9], [3, 3], [4, 4.1], [5, 4.9], [2, 9.0]])
    >>> np.flatnonzero(ROBPCA(1).fit(X).flag_)
    array([6])
    """

    label = "ROBPCA"
    has_preview = False  # it turns on which samples are just within a limit
    year = 2005
    reference = (
        "M. Hubert, P. J. Rousseeuw, K. Vanden Branden, ROBPCA: a new approach to robust "
        "principal component analysis, Technometrics 47(1), 2005"
    )
    objective = (
        r"\min_{m,\ W^\top W=I}\ \sum_{i\in H}\|(I-WW^\top)(x_i-m)\|^2,\quad "
        r"H:\ \text{small}\ \max_v\frac{|x_i^\top v-\mathrm{centre}(Xv)|}{\mathrm{scale}(Xv)}"
    )
    parameters = {
        "share": Parameter(
            "Share of the samples trusted at first; smaller is more robust.",
            low=0.5,
            high=1.0,
            step=0.05,
        ),
        "n_directions": Parameter(
            "How many pairs of samples give a direction to look along for outliers.",
            low=1,
            high=10_000,
            step=50,
        ),
    }

    def __init__(self, n_components, *, share=0.75, n_directions=250, random_state=0):
        self.n_components = n_components
        self.share = share
        self.n_directions = n_directions
        self.random_state = random_state

    def _solve(self, reduction, callback):
        is_share = isinstance(self.share, Real) and 0.5 <= self.share <= 1
        require(is_share, "share", self.share, "a number between 0.5 and 1")
        is_count = is_integer(self.n_directions) and self.n_directions >= 1
        require(is_count, "n_directions", self.n_directions, "an integer >= 1")
        n_samples = len(reduction.data)
        rounding = SAME * (reduction.spread + np.linalg.norm(reduction.mean))
        n_kept = max(int(self.share * n_samples), (n_samples + self.n_components + 1) // 2)
        subspace, distances = reduction.classical(self.n_components)
        weights = np.ones(n_samples)
        if distances.max() > reduction.smoothing:  # else no sample fits better than another
            # fourth powers of what comes are taken; a power of 2 changes no digit
            exponent = np.frexp(reduction.spread)[1]
            points = np.ldexp(reduction.coordinates, -exponent)
            outlyingness = self._outlyingness(points, n_kept, callback)
            weights[np.argsort(outlyingness, kind="stable")[n_kept:]] = 0
            _, distances = reduction.weighted_pca(weights, self.n_components)
            limit = cut_off(distances, n_kept) + rounding
            weights = (distances <= limit).astype(float)
            subspace, distances = reduction.weighted_pca(weights, self.n_components)
        self._measure_distances(reduction, subspace, distances, weights)
        self.flag_ |= distances > cut_off(distances, n_kept) + rounding
        objective = np.array([weights @ np.square(distances)])
        return Solution(subspace, distances, weights, objective, 0)

    def _outlyingness(self, points, n_kept, callback):
        """The largest outlyingness (n,) of points (n, r) over the directions of step 1."""
        n_samples = len(points)
        first, second = self._pairs(n_samples)
        outlyingness = np.zeros(n_samples)
        width = max(1, CHUNK // (4 * n_samples))
        for start in range(0, len(first), width):
            chosen = slice(start, start + width)
            directions = points[first[chosen]] - points[second[chosen]]
            projections = points @ directions.T  # their lengths cancel
            centres, scales = univariate_mcd(projections, n_kept)
            is_used = scales > SAME * np.abs(projections).max(axis=0)
            far = np.abs(projections[:, is_used] - centres[is_used]) / scales[is_used]
            outlyingness = np.maximum(outlyingness, far.max(axis=1, initial=0))
            if callback is not None:
                callback(start // width + 1, np.nan, np.ones(n_samples))
        return outlyingness

    def _pairs(self, n_samples):
        """Indices of the two samples of each pair, as two arrays."""
        if n_samples * (n_samples - 1) // 2 <= self.n_directions:
            return np.triu_indices(n_samples, 1)
        generator = np.random.default_rng(self.random_state)
        first = generator.integers(n_samples, size=self.n_directions)
        others = generator.integers(1, n_samples, size=self.n_directions)
        return first, (first + others) % n_samples

    def _measure_distances(self, reduction, subspace, distances, weights):
        """Set both distances, and the flag by the one within the subspace."""
        scores = reduction.project(subspace)[0]
        variances = weights @ np.square(scores) / max(weights.sum() - 1, 1)
        is_used = variances > SAME * variances.max()
        squares = np.square(scores[:, is_used]) / variances[is_used]
        self.orthogonal_distance_ = distances.copy()  # classical PCA's are shared
        self.score_distance_ = np.sqrt(squares.sum(axis=1))
        limit = np.sqrt(2 * gammaincinv(self.n_components / 2, WITHIN))
        self.flag_ = self.score_distance_ > limit
