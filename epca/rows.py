"""Samples in rows, a few at a time: their scatter, their residual lengths, their variance."""

import numpy as np
from scipy.linalg import blas

CHUNK = 2**18  # numbers handled at once: a few rows of any width stay in the processor's cache


def chunks(points):
    """Slices of a few rows of points (n, r) each, in order."""
    step = max(1, CHUNK // points.shape[1])
    return (slice(start, start + step) for start in range(0, len(points), step))


def scatter_matrix(points, mean, weights):
    """The lower triangle (r, r) of Q = Σ η_i (x_i − m)(x_i − m)ᵀ (Eq. 39)."""
    width = points.shape[1]
    scatter = np.zeros((width, width), order="F")
    roots = np.sqrt(weights)[:, None]
    for rows in chunks(points):
        centred = points[rows] - mean
        centred *= roots[rows]
        scatter = blas.dsyrk(1.0, centred.T, beta=1.0, c=scatter, lower=1, overwrite_c=1)
    return scatter


def project(points, mean, components):
    """Scores v_i = Wᵀ(x_i − m) (n, c) and residual lengths t_i = ‖(I − WWᵀ)(x_i − m)‖ (n,).

    The points are (n, r), m (r,), W (r, c) has orthonormal columns. √(‖x − m‖² − ‖v‖²) loses digits
    where a sample is fitted well: there the residual is formed.
    """
    scores = np.empty((len(points), components.shape[1]))
    squares = np.empty(len(points))
    for rows in chunks(points):
        centred = points[rows] - mean
        inside = np.matmul(centred, components, out=scores[rows])
        total = np.einsum("ij,ij->i", centred, centred)
        outside = total - np.einsum("ij,ij->i", inside, inside)
        near = outside < 1e-3 * total
        residuals = centred[near] - inside[near] @ components.T
        outside[near] = np.einsum("ij,ij->i", residuals, residuals)
        squares[rows] = outside
    return scores, np.sqrt(squares)


def residual_lengths(points, mean, components):
    """t (n,) of `project` alone."""
    return project(points, mean, components)[1]


def total_variance(points, weights):
    """Σ η_i ‖x_i − m‖² of points (n, r) about their weighted mean m; weights η (n,) with sum 1."""
    mean = weights @ points
    total = 0.0
    for rows in chunks(points):
        centred = points[rows] - mean
        total += weights[rows] @ np.einsum("ij,ij->i", centred, centred)
    return float(total)
