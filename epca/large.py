"""Fits to more samples than memory holds. They are read in chunks, twice in every iteration.

Memory holds a few chunks, a matrix (d, d), some numbers per sample, and the scores (n, c).
"""

from functools import partial

import numpy as np

from epca.base import warn_unless_converged
from epca.linalg import Samples, require_scale, residual_lengths
from epca.rows import scatter_matrix
from epca.sources import rows_of
from epca.weighted import TOL, Search, by_scatter


def fit(model, source, callback=None):
    """Fit an EPCA, or another method that works by weighted PCA, to a source of samples.

    The model is that of `model.fit`. The callback is that of `fit_reduced`.

    Parameters
    ----------
    source : a path to a .npy file, an array (n, d) such as a memory-mapped one, a Dask array, whose
        chunks stay where they are, or a function that returns an iterator of arrays (m, d), always
        the same ones

    >>> from epca import EPCA
    >>> X = np.random.default_rng(0).standard_normal((1000, 8)) * np.arange(1, 9)
    >>> model = fit(EPCA(2), lambda: iter(np.split(X, 10)))
    >>> bool(np.allclose(model.alpha_, EPCA(2).fit(X).alpha_))
    True
    """
    model.fit_reduced(ChunkedSamples(source, model.label), callback)
    warn_unless_converged(model)
    return model


class ChunkedSamples(Samples):
    """Samples that are read in chunks. Many fits can share them, through `fit_reduced`.

    Weighted PCA is that of `Reduction` for n > d: one pass finds the weighted mean and the scatter
    matrix, another one the residual lengths.

    label : who does not take NaN, as an error says it
    """

    def __init__(self, source, label="such a fit"):
        self.data = rows_of(source)
        n_samples = len(self.data)
        if n_samples < 2:
            raise ValueError(f"The source has {n_samples} samples; there must be at least 2.")
        start = self.data[np.arange(min(n_samples, 100))].mean(axis=0)
        with np.errstate(invalid="ignore"):  # infinity makes the mean NaN, which is refused
            self.mean, self.scatter = self._moments(np.full(n_samples, 1 / n_samples), start)
        if not np.isfinite(self.mean).all():
            raise ValueError(
                f"The samples contain NaN or infinity, which {label} does not take here. Replace "
                "them by numbers. METHODS with takes_nan take NaN as an unknown pixel, but they "
                "need all samples in memory."
            )
        self.spread = np.sqrt(max(np.trace(self.scatter), 0))
        require_scale("The source has a spread of", self.spread)

    def _moments(self, weights, shift):
        """The weighted mean (d,) and the lower triangle of the scatter matrix, for Ση = 1.

        Both are taken about a shift (d,) near the mean. Where that turns out to be so far from it
        that digits were lost, they are taken once more.
        """
        sums = self.data.total(partial(moments, shift=shift), weights)
        if sums[-1] @ sums[-1] > 0.9 * np.trace(sums):
            shift = shift + sums[-1]
            sums = self.data.total(partial(moments, shift=shift), weights)
        offset = sums[-1]
        return shift + offset, np.asfortranarray(sums[:-1] - np.outer(offset, offset))

    def _find_classical(self, n_components):
        zero = np.zeros_like(self.mean)
        return by_scatter(zero, self.scatter, n_components, Search(), self._measure)

    def _measure(self, mean, components):
        measure = partial(residual_lengths, mean=self.mean + mean, components=components)
        return None, self.data.each(measure)

    def weighted_pca(self, weights, n_components, near=None):
        """As `Reduction.weighted_pca`."""
        search = Search(near, TOL, is_checked=False)
        if near is None:
            search = Search(self.classical(n_components)[0])
        mean, scatter = self._moments(weights / weights.sum(), self.mean + search.near.mean)
        found = by_scatter(mean - self.mean, scatter, n_components, search, self._measure)
        return found, found.residuals

    def in_features(self, subspace):
        """m (d,), from the plain mean on, and W (d, c)."""
        return tuple(subspace)

    def project(self, subspace):
        """Scores (n, c) of the samples in a Subspace, and their distances (n,) to it."""
        score = partial(scores, mean=self.mean + subspace.mean, components=subspace.components)
        return self.data.each(score), subspace.residuals

    def total_variance(self, weights):
        """Σ η_i ‖x_i − m‖² about the weighted mean m, for weights η (n,) with sum 1."""
        offset = self.data.total(partial(weighted_sum, shift=self.mean), weights)
        return self.data.total(partial(variance, mean=self.mean + offset), weights)

    @property
    def coordinates(self):
        raise TypeError(
            "This method needs all samples in memory. "
            "Those that work by weighted PCA, such as EPCA and PCA, do not."
        )

    centred = lift = iterate = pursuits = coordinates


def moments(chunk, weights, shift):
    """(d + 1, d): the lower triangle of Σ η(x − s)(x − s)ᵀ, and Σ η(x − s) below it."""
    return np.vstack([scatter_matrix(chunk, shift, weights), weighted_sum(chunk, weights, shift)])


def weighted_sum(chunk, weights, shift):
    """Σ η(x − s) (d,)."""
    return weights @ (chunk - shift)


def variance(chunk, weights, mean):
    """Σ η‖x − m‖²."""
    centred = chunk - mean
    return float(weights @ np.einsum("ij,ij->i", centred, centred))


def scores(chunk, mean, components):
    """Wᵀ(x − m) (m, c)."""
    return (chunk - mean) @ components
