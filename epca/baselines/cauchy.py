"""Cauchy PCA: judges every pixel of every sample by itself."""

from numbers import Real

import numpy as np
from scipy.linalg import blas

from epca.base import BasePCA, Parameter, check_loop, count_active, require
from epca.cells import BAD_PIXEL, Cells, cell_scale, cell_weights
from epca.linalg import Subspace, solve_dense
from epca.solver import Solution, trimmed


class CauchyPCA(BasePCA):
    """A subspace with Cauchy's loss on single pixels: where one is occluded, the others still help.

    min over m, WᵀW = I, V:  Σ_ij log(1 + (x_ij − m_j − (VWᵀ)_ij)²/κ²)

    1. Start with PCA of the share `start` of the samples that fit best (the loop of PCA-AN). M is
       the projection of X; κ = scale · 1.4826 · median|X − M|, and stays so.
    2. R = X − M; the pixels' weights Ω = 1/(1 + R²/κ²); Z = M + Ω∘R, the data with distrusted
       pixels moved to where the others say.
    3. m and W by PCA of Z; M is the projection of Z. Repeat from step 2.

    log(1 + u) is concave and Ω ≤ 1, so each step minimises a majoriser of the objective, which
    never rises. It is not convex: from the start of plain PCA the result is often much worse.

    NaN in X is an unknown pixel: its weight is 0. So known bad pixels need not be guessed:
    `X = np.where(mask, np.nan, X)`. Their medians stand in for them at the start, and in
    explained_variance_ratio_.

    **Deviation:** the authors find the subspace by singular value projection. Start, scale and
    these steps are ours.

    Parameters
    ----------
    n_components : rank c, from 1 to min(n − 1, d)
    scale : κ in typical residuals; smaller → more pixels are ignored; large → PCA
    start : the samples to start with, as a fraction (a float below 1) or a count; smaller → more
        samples may be occluded as a whole
    max_iter, tol : stop when the objective falls by at most tol of its value

    Attributes
    ----------
    cell_weight_ : (n, d) Ω, how far each pixel is trusted
    cell_scale_ : κ; a pixel that is off by more has a weight below ½
    sample_weight_ : (n,) the mean weight of a sample's pixels, normalised

    Examples
    --------
    >>> X = np.outer(np.arange(10.0), np.ones(6)) + np.sin(np.arange(60.0) ** 2).reshape(10, 6)
    >>> X[2, 3] = 15
    >>> np.argwhere(CauchyPCA(1).fit(X).cell_weight_ < 0.5)
    array([[2, 3]])
    """

    label = "Cauchy PCA"
    year = 2014
    reference = "P. Xie, E. Xing, Cauchy principal component analysis, arXiv 1412.6506, 2014"
    objective = (
        r"\min_{m,\ W^\top W=I,\ V}\ \sum_{ij}\log\!\left(1+"
        r"\frac{(x_{ij}-m_j-(VW^\top)_{ij})^2}{\kappa^2}\right)"
    )
    parameters = {
        "scale": Parameter(
            "From how many typical residuals on a pixel is not trusted; "
            "smaller ignores more pixels, large is PCA.",
            low=0.5,
            high=100.0,
            step=0.5,
        ),
        "start": Parameter(
            "How many samples to start with, as a fraction, in Python also as a count.",
            low=0.01,
            high=0.99,
            step=0.05,
        ),
    }
    is_cellwise = True
    takes_nan = True
    is_rotation_invariant = False
    has_preview = False

    def __init__(self, n_components, *, scale=BAD_PIXEL, start=0.75, max_iter=500, tol=1e-4):
        self.n_components = n_components
        self.scale = scale
        self.start = start
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, reduction, callback):
        is_scale = isinstance(self.scale, Real) and 0 < self.scale < np.inf
        require(is_scale, "scale", self.scale, "a finite number > 0")
        check_loop(self.max_iter, self.tol)
        X = reduction.centred
        if reduction.unknown is not None:
            X = np.where(reduction.unknown, np.nan, X)
        subspace, fitted = self._start(reduction, callback)
        scale = cell_scale(X - fitted, reduction.smoothing, self.scale)
        residuals, weights, objective = judge(X, fitted, scale)
        history = [objective]
        converged = False
        while not converged and len(history) <= self.max_iter:
            residuals *= weights
            fitted += residuals  # now Z
            subspace = principal_axes(fitted, self.n_components)
            fitted -= subspace.mean
            fitted = fitted @ subspace.components @ subspace.components.T
            fitted += subspace.mean
            residuals, weights, objective = judge(X, fitted, scale)
            converged = bool(history[-1] - objective <= self.tol * objective)
            history.append(objective)
            if callback is not None:
                callback(len(history) - 1, objective, weights.mean(axis=1))
        return Solution(
            subspace,
            np.linalg.norm(residuals, axis=1),
            weights.mean(axis=1),
            np.array(history),
            len(history) - 1,
            converged,
            Cells(weights, scale),
        )

    def _start(self, reduction, callback):
        """The trimmed Subspace in the features of X and the projection (n, d) of X on it."""
        n_active = count_active("start", self.start, len(reduction.data))

        def tell(_, objective, weights):
            callback(0, objective, weights)

        loop = {"max_iter": self.max_iter, "tol": self.tol, "callback": callback and tell}
        found = trimmed(reduction, self.n_components, n_active, **loop).model
        subspace = Subspace(*reduction.in_features(found))
        return subspace, subspace.mean + reduction.project(found)[0] @ subspace.components.T


def judge(X, fitted, scale):
    """Residuals R = X − M (n, d), 0 where X is NaN; the weights Ω; the objective."""
    residuals = X - fitted
    is_unknown = np.isnan(residuals)
    residuals[is_unknown] = 0
    weights = cell_weights(residuals, scale)
    objective = -np.log(weights).sum()
    weights[is_unknown] = 0
    return residuals, weights, objective


def principal_axes(points, n_components):
    """The Subspace of classical PCA of points (n, d)."""
    mean = points.mean(axis=0)
    centred = points - mean
    n_samples, n_features = points.shape
    if n_samples > n_features:
        scatter = blas.dsyrk(1.0, centred.T, lower=1)
        return Subspace(mean, solve_dense(scatter, n_components).vectors)
    gram = blas.dsyrk(1.0, centred.T, trans=1, lower=1)
    vectors = solve_dense(gram, n_components).vectors
    return Subspace(mean, np.linalg.qr(centred.T @ vectors)[0])
