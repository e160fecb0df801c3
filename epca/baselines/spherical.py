"""Spherical PCA: every sample has the same pull."""

import numpy as np

from epca.base import BasePCA, check_loop
from epca.linalg import smoothing_length
from epca.solver import Solution


class SphericalPCA(BasePCA):
    """PCA of the directions in which the samples lie, seen from their spatial median.

    min over m:  Σ_i ‖x_i − m‖,   then   max over WᵀW = I:  Σ_i ‖Wᵀ(x_i − m)‖²/‖x_i − m‖²

    1. From the coordinates' medians, repeat: r_i = ‖x_i − m‖; m = Σ(x_i/r_i)/Σ(1/r_i) (Weiszfeld).
       Σr_i never rises, and half of the samples would have to be wrong to carry m away.
    2. u_i = (x_i − m)/r_i, the samples on a sphere about m.
    3. W = top c eigenvectors of Σu_i u_iᵀ. Ranks are nested.

    A sample far off pulls no more than any other, but it pulls as much: samples are not ignored.
    `sample_weight_` is ∝ 1/r².

    **Deviation:** lengths enter as √(r² + ε²), ε = 1e-6 of the median length at the start, since m
    may lie on a sample. Components are ordered by their weighted variance, as for all methods here,
    and not by the squared median deviation of the scores.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    max_iter, tol : m rests when it moves by at most tol of the median length

    Examples
    --------
    >>> X = np.array([[0, 0], [1, 1.1], [2, 1.9], [3, 3], [4, 4.1], [40, -40.0]])
    >>> SphericalPCA(1).fit(X).components_.round(2)
    array([[0.69, 0.72]])
    """

    label = "Spherical PCA"
    year = 1999
    reference = (
        "N. Locantore, J. S. Marron, D. G. Simpson, N. Tripoli, J. T. Zhang, K. L. Cohen, "
        "Robust principal component analysis for functional data, Test 8(1), 1999"
    )
    objective = (
        r"m=\arg\min_m\ \sum_i\|x_i-m\|,\quad "
        r"\max_{W^\top W=I}\ \sum_i\frac{\|W^\top(x_i-m)\|^2}{\|x_i-m\|^2}"
    )

    def __init__(self, n_components, *, max_iter=1000, tol=1e-8):
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        check_loop(self.max_iter, self.tol)
        points = reduction.coordinates
        median = np.median(points, axis=0)
        lengths = reduction.distances_from(median)
        typical = np.median(lengths)
        smoothing = smoothing_length(typical, np.linalg.norm(reduction.mean))
        lengths = np.hypot(lengths, smoothing)
        history = [lengths.sum()]
        converged = False
        while not converged and len(history) <= self.max_iter:
            moved = (1 / lengths) @ points / np.sum(1 / lengths)
            converged = bool(np.linalg.norm(moved - median) <= self.tol * typical)
            median = moved
            lengths = np.hypot(reduction.distances_from(median), smoothing)
            history.append(lengths.sum())
            if callback is not None:
                callback(len(history) - 1, history[-1], lengths**-2)
        weights = lengths**-2
        subspace = reduction.pca_about(median, weights, self.n_components)
        history = np.array(history)
        return Solution(subspace, subspace.residuals, weights, history, len(history) - 1, converged)
