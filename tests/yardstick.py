"""What the fast code must equal: the specification, line by line and slowly.

It works on the raw data, with dense matrices and general-purpose solvers.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.stats import norm

from epca import METHODS


class Slow(NamedTuple):
    mean: np.ndarray
    projector: np.ndarray
    alpha: np.ndarray
    k: int
    history: list


def projector(model):
    """WWᵀ of a fitted model, (d, d)."""
    return model.components_.T @ model.components_


def objective(losses, weights, gamma=1.0):
    """Σ f / (1 − α^γ), which the α-step minimises."""
    return np.sum(losses / (1 - weights**gamma))


def slow_activate(losses):
    """Eqs. 11 and 12 by trying every k."""
    order = np.argsort(losses, kind="stable")
    root = np.sqrt(losses[order])
    for k in range(2, len(losses) + 1):
        level = root[:k].sum() / (k - 1)
        if root[k - 1] < level and (k == len(losses) or level <= root[k]):
            alpha = np.zeros(len(losses))
            alpha[order[:k]] = 1 - root[:k] / level
            return alpha, k
    raise AssertionError("Theorem 1 promises a k.")


def best_over_supports(losses, gamma):
    """The smallest Σ f / (1 − α^γ) that a general-purpose solver finds on any support."""
    n = len(losses)
    return min(
        _best_on_support(losses[list(support)], gamma) + np.delete(losses, support).sum()
        for size in range(2, n + 1)
        for support in combinations(range(n), size)
    )


def _best_on_support(losses, gamma):
    starts = [np.full(len(losses), 1 / len(losses)), (1 / losses) / np.sum(1 / losses)]
    solutions = [
        minimize(
            lambda w: objective(losses, np.clip(w, 0, 1 - 1e-12), gamma),
            start,
            bounds=[(1e-12, 1 - 1e-9)] * len(losses),
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        )
        for start in starts
    ]
    return min((s.fun for s in solutions if abs(s.x.sum() - 1) < 1e-9), default=np.inf)


def slow_epca(X, c, sigma, *, max_iter=100, tol=1e-6):
    """Algorithm 3 with the start, order, stop and smoothing of our specification."""
    n, d = X.shape
    mean = X.mean(axis=0)
    smoothing = 1e-6 * np.sqrt(np.mean(np.sum((X - mean) ** 2, axis=1)))
    W = np.linalg.eigh((X - mean).T @ (X - mean))[1][:, -c:]
    alpha = np.full(n, 1 / n)

    def lengths():
        residual = (X - mean) @ (np.eye(d) - W @ W.T)
        return np.sqrt(np.sum(residual**2, axis=1) + smoothing**2)

    def loss(t):
        return (1 + sigma) * t**2 / (t + sigma)  # (16)

    t = lengths()
    history = [np.sum(loss(t) / (1 - alpha))]  # (27)
    for _ in range(max_iter):
        weight = (1 + sigma) * (t + 2 * sigma) / (2 * (t + sigma) ** 2)  # (28)
        eta = weight / (1 - alpha)
        mean = eta @ X / eta.sum()  # (34)
        Q = (X - mean).T @ (eta[:, None] * (X - mean))  # (39)
        W = np.linalg.eigh(Q)[1][:, -c:]  # (38)
        t = lengths()
        alpha, k = slow_activate(loss(t))  # (40), (41)
        history.append(np.sum(loss(t) / (1 - alpha)))
        if abs(history[-1] - history[-2]) <= tol * abs(history[-1]):
            break
    return Slow(mean, W @ W.T, alpha, k, history)


def slow_optimal_mean(X, c, *, max_iter=200, tol=1e-9):
    """Residual lengths (n,) of the ℓ2,1 solution with optimal mean, by the same reweighting.

    It minimises Σ‖(I − WWᵀ)(x_i − m)‖.
    """
    smoothing = 1e-6 * np.sqrt(np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=1)))
    eta = np.ones(len(X))
    last = np.inf
    for _ in range(max_iter):
        mean = eta @ X / eta.sum()
        W = np.linalg.eigh((X - mean).T @ (eta[:, None] * (X - mean)))[1][:, -c:]
        t = np.sqrt(np.sum(((X - mean) - (X - mean) @ W @ W.T) ** 2, axis=1) + smoothing**2)
        if last - t.sum() <= tol * t.sum():
            break
        last = t.sum()
        eta = 1 / (2 * t)
    return t


def slow_estimate_clean(X):
    """The estimate of the clean images, image by image: (images, is_occluded, π, refused)."""
    low = X.min()
    factor = 255 / np.ptp(X)
    grey = (X - low) * factor
    good = np.full(len(X), True)
    for number in range(3):
        method = METHODS["PCA"] if number else METHODS["EPCA"]
        c = min(10 if number else 5, good.sum() - 2)
        model = method(c).fit(grey[good])
        scores = model.transform(grey[good])
        prior = np.diag(1 / np.maximum(model.sample_weight_ @ scores**2, 1e-9))
        s = np.median(np.abs(grey[good] - model.reconstruct(grey[good])), axis=0)
        s *= 1.4826 * np.sqrt(good.sum() / (good.sum() - c))
        s = np.maximum(s, 0.3 * np.median(s))
        found = [_slow_row(x, model, prior, s, 1 / np.ptp(grey)) for x in grey]
        share = np.array([row[0] for row in found])
        good = share <= 1 / 8
        refused = good.sum() < len(X) / 2
        if refused:
            good = np.argsort(np.argsort(share, kind="stable")) < len(X) / 2
    images = X.copy()
    for i in np.flatnonzero(~good):
        _, trust, fitted = found[i]
        images[i, trust <= 0.5] = fitted[trust <= 0.5] / factor + low
    return images, ~good, share, refused


def _slow_row(x, model, prior, s, density):
    """π, P and the fit of one image."""
    W = model.components_.T
    centred = x - model.mean_
    fitted = W @ (W.T @ centred)
    share, spread = 0.1, 1.0
    for number in range(1, 10):
        r = centred - fitted
        if number <= 4:
            trust = np.minimum(1, s / np.maximum(np.abs(r), 1e-300))
        else:
            inlier = (1 - share) * norm.pdf(r, scale=s * spread)
            trust = inlier / (inlier + share * density)
            share = np.clip(1 - trust.mean(), 0.001, 0.999)
            spread = np.clip(np.sqrt(np.sum(trust * (r / s) ** 2) / trust.sum()), 0.5, 2)
        if number < 9:
            Q = np.diag(trust / (s * spread) ** 2)
            fitted = W @ np.linalg.solve(W.T @ Q @ W + prior, W.T @ Q @ centred)
    return share, trust, model.mean_ + fitted
