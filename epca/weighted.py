"""Weighted PCA: min over m and W of Σ η_i ‖(I − WWᵀ)(x_i − m)‖² (Eqs. 34, 38, 39), in two ways."""

from copy import copy
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, blas, cholesky, solve_triangular

from epca.eigen import Symmetric, first_steps, is_leading, leading_pairs, solve_dense
from epca.rows import residual_lengths

FIRST_TOL = 1e-9  # of eigenvectors, see `epca.eigen.lanczos`
TOL = 1e-8  # of those that follow in a fit, whose own tolerance is far larger
ELSEWHERE = 1e-3  # part of a start that looks beyond the subspace it comes from
EVEN_WEIGHTS = 1e4  # weights and variances whose largest is at most so many times the smallest
EVEN_VARIANCES = 1e5  # lose no digits when they are divided by
MOST_UNEVEN = 1e9  # times; variances that differ more are lost among inner products
LEAST_NEW = 1e-3  # part of a vector that those before it leave; of less, inner products lose digits


class Subspace:
    """An affine subspace m + span(W) of the coordinates. It unpacks into m and W.

    Attributes
    ----------
    mean : (r,) m
    components : (r, c) W, orthonormal columns by falling (weighted) variance
    scores : (n, c) Wᵀ(x − m) of the samples where weighted PCA found them, else None
    residuals : (n,) their distances to the subspace, or None
    n_steps : see `epca.eigen.Pairs`
    """

    def __init__(self, mean, components, scores=None, residuals=None, n_steps=0):
        self.mean = mean
        self.components = components
        self.scores = scores
        self.residuals = residuals
        self.n_steps = n_steps

    def __iter__(self):
        return iter((self.mean, self.components))

    def with_reduction(self, reduction):
        """The subspace itself, as it needs nothing from the Reduction."""
        return self

    def turned(self, axes):
        """The same subspace with other components, W·axes, for orthonormal axes (c, c)."""
        return Subspace(self.mean, self.components @ axes, self.scores @ axes, self.residuals)


class SampleSubspace(Subspace):
    """A Subspace as combinations of the centred samples X: m = Xᵀη, W = XᵀC.

    An iteration needs only the scores; m and W are formed when somebody asks for them.
    """

    def __init__(self, reduction, weights, coefficients, scores, n_steps):
        self.reduction = reduction
        self.weights = weights  # (n,) η
        self.coefficients = coefficients  # (n, c) C
        self.scores = scores
        self.n_steps = n_steps

    def with_reduction(self, reduction):
        """The same, as known by this Reduction; None for one that itself keeps the subspace.

        Two that know each other would stay in memory until the garbage collector finds them.
        """
        other = copy(self)
        other.reduction = reduction
        return other

    def turned(self, axes):
        return self._with(self.coefficients @ axes, self.scores @ axes)

    def iterated(self, weights):
        """The SampleSubspace of (Σ η_i x_i x_iᵀ)W with the same m, for m = 0 and weights η (n,).

        Its coefficients are η∘V for the scores V; one product with the Gram matrix gives its own
        scores. Returns None where digits are lost.
        """
        coefficients = weights[:, None] * self.scores
        scores = self.reduction.gram @ coefficients
        try:
            factor = cholesky(coefficients.T @ scores, check_finite=False)
        except LinAlgError:
            return None
        if (factor.diagonal() < LEAST_NEW * np.linalg.norm(factor, axis=0)).any():
            return None
        return self._with(divide(coefficients, factor), divide(scores, factor))

    def _with(self, coefficients, scores):
        """One with the same m."""
        return SampleSubspace(self.reduction, self.weights, coefficients, scores, self.n_steps)

    @cached_property
    def residuals(self):
        """What the scores leave of ‖x − m‖; formed where that is so little that digits are lost."""
        products = self.reduction.gram @ self.weights  # ⟨x_i, m⟩
        square = self.weights @ products  # ‖m‖²
        squares = self.reduction.squares + square
        left = squares - 2 * products - np.einsum("ij,ij->i", self.scores, self.scores)
        lost = left < 1e-3 * squares
        if lost.any():
            left[lost] = residual_lengths(self.reduction.centred[lost], *self.in_features) ** 2
        return np.sqrt(left)

    @cached_property
    def mean(self):
        return self.weights @ self.reduction.coordinates

    @cached_property
    def components(self):
        return self._combine(self.reduction.coordinates)

    @cached_property
    def in_features(self):
        """m (d,) and W (d, c) in the features of the centred data."""
        centred = self.reduction.centred
        return self.weights @ centred, self._combine(centred)

    def _combine(self, points):
        """W from points (n, r), orthonormal to the last digit."""
        components = self.coefficients.T @ points
        return divide(components.T, cholesky(components @ components.T, check_finite=False))


class WeightedGram:
    """D^½GD^½ (n, n) for D = diag(η), Ση = 1, with the Gram matrix G centred at m = Xᵀη.

    Centring is a projection, D^½(I − 1ηᵀ) = (I − √η√ηᵀ)D^½. For products nothing is formed.
    """

    def __init__(self, gram, weights):
        self.gram = gram
        self.weights = weights
        self.null = self.roots = np.sqrt(weights)

    def __len__(self):
        return len(self.gram)

    def product(self, vector):
        product = blas.dsymv(1.0, self.gram.T, self.roots * vector, lower=1)
        product *= self.roots
        return product

    def form(self):
        products = self.gram @ self.weights
        shift = self.roots * (products - self.weights @ products / 2)
        matrix = np.outer(self.roots, self.roots)
        matrix *= self.gram
        return blas.dsyr2(-1.0, self.roots, shift, a=matrix.T, lower=1, overwrite_a=1)


class Search(NamedTuple):
    """How to find the eigenvectors of a weighted PCA.

    Lanczos' method can miss one of several equal eigenvalues. Of a weighted matrix these come from
    a symmetry that maps samples to others, as far from the mean, of equal weight; such are equal
    counts of categories. So the answer is checked for classical PCA, and for the first weights of a
    fit if there may be a symmetry. Where one was missed, the whole fit does without the method.
    """

    near: Subspace | None = None  # found for other weights: the search starts there
    tol: float = FIRST_TOL
    is_checked: bool = True

    def __call__(self, matrix, n_components, start):
        """The leading Pairs of a matrix (r, r); start(near) is where to look, (r,)."""
        size = len(matrix)
        direction = random_direction(size)
        n_steps = first_steps(size, n_components) if self.near is None else self.near.n_steps
        if self.near is not None and n_steps:
            suggested = start(self.near)
            direction = suggested / np.linalg.norm(suggested) + ELSEWHERE * direction
        pairs = leading_pairs(matrix, n_components, direction, n_steps, self.tol)
        if self.is_checked and pairs.n_steps and not is_leading(matrix, pairs):
            return solve_dense(matrix.form(), n_components)
        if self.near is None:
            return pairs._replace(n_steps=9 * pairs.n_steps // 10)  # from nearby, fewer will do
        return pairs


def by_scatter(mean, scatter, n_components, search, project):
    """The Subspace of samples with this weighted mean (r,) and scatter matrix (r, r).

    project(m, W) gives the scores of the samples, or None, and their residual lengths.
    """

    def start(near):
        return near.components.sum(axis=1)

    _, vectors, n_steps = search(Symmetric(scatter), n_components, start)
    return Subspace(mean, vectors, *project(mean, vectors), n_steps)


def by_samples(reduction, weights, n_components, search):
    """The same from inner products, for n ≤ d and weights η (n,) with sum 1.

    With D = diag(η) and the Gram matrix G centred at m, D^½GD^½ = UΘUᵀ has the eigenvalues of the
    scatter matrix, W = XᵀC for C = D^½UΘ^-½, and GC are the scores. By Lanczos' method this costs
    n² per step, whatever d.

    Returns None where variances differ so much that inner products lose the small ones.
    """
    matrix = WeightedGram(reduction.gram, weights)

    def start(near):
        return matrix.roots * near.scores.sum(axis=1)

    pairs = search(matrix, n_components, start)
    found = coefficients_and_scores(reduction.gram, weights, pairs)
    return None if found is None else SampleSubspace(reduction, weights, *found, pairs.n_steps)


def coefficients_and_scores(gram, weights, pairs):
    """C = D^½UΘ^-½ (n, c) and the scores of all samples, GC = D^-½UΘ^½ (n, c).

    Dividing by uneven weights or variances would lose digits. Then the scores are taken anew from
    the Gram matrix, and both are made to belong to an orthonormal W.
    """
    values, vectors, _ = pairs
    if values[-1] * MOST_UNEVEN <= values[0]:
        return None
    roots = np.sqrt(weights)[:, None]
    sizes = np.sqrt(values)
    coefficients = vectors * (roots / sizes)
    is_even = weights.max() <= EVEN_WEIGHTS * weights.min()
    if is_even and values[0] <= EVEN_VARIANCES * values[-1]:
        return coefficients, vectors * (sizes / roots)
    coefficients -= weights[:, None] * coefficients.sum(axis=0)
    scores = gram @ coefficients
    scores -= weights @ scores
    try:
        factor = cholesky(coefficients.T @ scores, check_finite=False)
    except LinAlgError:
        return None
    return divide(coefficients, factor), divide(scores, factor)


def divide(columns, factor):
    """columns (n, c) times the inverse of an upper triangle (c, c)."""
    return columns @ solve_triangular(factor, np.eye(len(factor)), check_finite=False)


@lru_cache(maxsize=8)
def random_direction(size):
    """A fixed vector (r,) of length 1 that no symmetry makes orthogonal to an axis."""
    direction = np.random.default_rng(0).standard_normal(size)
    direction /= np.linalg.norm(direction)
    direction.setflags(write=False)
    return direction
