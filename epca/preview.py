"""The samples on a few axes alone: a fit to these is a preview of the fit to all."""

from functools import cached_property

import numpy as np
from scipy.linalg import eigh, qr

from epca.linalg import Reduction
from epca.rows import chunks, project

WIDTH = 20  # vectors of a block
BLOCKS = 6
RANK = 30  # of the PCA whose residuals weigh the samples
NEAREST = 0.1  # of the median residual: nearer samples weigh no more
LONG = 3e10  # n·d·min(n, d) to which an iteration is about proportional


class FewAxes(Reduction):
    """Samples as q coordinates each, and the length e of what these leave out.

    That length is exact, and part of the residual whatever the fit: t² = t²(coordinates) + e². So
    residuals and objective of a preview are true ones, of a subspace that could be better.

    Half of the axes look for PCA's subspace, the others for that of robust methods, where samples
    weigh the less, the farther they are from PCA's.
    """

    gram = None

    @cached_property
    def _found(self):
        """The axes (d, q), orthonormal columns, and the coordinates (n, q)."""
        exponent = np.frexp(self.spread)[1]  # by a power of 2, so that any data fit
        centred = np.empty(self.data.shape, np.float32)  # half the time, and digits enough
        for rows, part in self._parts():
            centred[rows] = np.ldexp(part, -exponent)
        plain = krylov(centred, np.ones(len(centred)))
        squares = np.ldexp(self.squares, -2 * exponent)
        lengths = _lengths(squares, centred @ _orthonormal(plain))
        least = max(NEAREST * np.median(lengths), np.ldexp(self.smoothing, -exponent))
        weights = 1 / np.maximum(lengths, least)
        robust = krylov(centred, weights / weights.max())
        axes = _orthonormal(np.column_stack([plain, robust]).astype(float))
        return axes, np.concatenate([part @ axes for _, part in self._parts()])

    def _parts(self):
        """The centred samples a few at a time, as (rows, values)."""
        return ((rows, self.data[rows] - self.mean) for rows in chunks(self.data))

    @property
    def coordinates(self):
        return self._found[1]

    @cached_property
    def outside(self):
        """e (n,)."""
        inside = np.einsum("ij,ij->i", self.coordinates, self.coordinates)
        return np.sqrt(np.maximum(self.squares - inside, 0))

    def total_variance(self, weights):
        mean = sum(weights[rows] @ part for rows, part in self._parts())
        return max(weights @ self.squares - mean @ mean, 0.0)

    def lift(self, vectors):
        return self._found[0] @ vectors

    def _project(self, mean, components):
        scores, residuals = project(self.coordinates, mean, components)
        return scores, np.hypot(residuals, self.outside)


def _lengths(squares, inside):
    """Residuals (n,) of PCA within a space where the samples have coordinates (n, p).

    squares (n,) are the samples' squared lengths.
    """
    _, turn = eigh(inside.T @ inside, check_finite=False)
    captured = np.square(inside @ turn[:, -RANK:]).sum(axis=1)
    return np.sqrt(np.maximum(squares - captured, 0))


def few_axes(reduction):
    """The FewAxes of a Reduction, found once for it."""
    known = vars(reduction)
    if "_few_axes" not in known:
        known["_few_axes"] = FewAxes(reduction.data, reduction.mean, reduction.unknown)
    return known["_few_axes"]


def krylov(points, weights):
    """Vectors (d, q) whose span holds nearly the leading eigenvectors of Σ η x xᵀ.

    They are blocks B, QB, Q²B … for a random B, which does well also where eigenvalues fall slowly
    (Musco and Musco, 2015). The points are (n, d), the weights η (n,).
    """
    weights = weights[:, None].astype(points.dtype)
    random = np.random.default_rng(0).standard_normal((len(points), WIDTH)).astype(points.dtype)
    blocks = [_orthonormal(points.T @ (weights * random))]
    for _ in range(BLOCKS - 1):
        blocks.append(_orthonormal(points.T @ (weights * (points @ blocks[-1]))))
    return np.column_stack(blocks)


def _orthonormal(vectors):
    """Orthonormal columns that span what the vectors (d, p) do."""
    return qr(vectors, mode="economic", check_finite=False)[0]


def takes_long(n_samples, n_features):
    """Whether exact fits to so many samples take more than about two seconds."""
    return n_samples * n_features * min(n_samples, n_features) > LONG
