"""The usual solver of PCP, line by line: Lin, Chen, Ma, The augmented Lagrange multiplier method
for exact recovery of corrupted low-rank matrices, 2010 (inexact ALM).
"""

import numpy as np

from epca.baselines.pcp import shrink_singular_values, soft


def inexact_alm(X, penalty, *, tol=1e-6):
    """L and S (n, d) for λ = penalty; the step μ grows without end, and so it comes to rest."""
    norm = np.linalg.norm(X, 2)
    dual = X / max(norm, np.abs(X).max() / penalty)
    step = 1.25 / norm
    largest_step = 1e7 * step
    sparse = np.zeros_like(X)
    rest = np.inf
    while rest > tol * np.linalg.norm(X):
        low_rank, _ = shrink_singular_values(X - sparse + dual / step, 1 / step)
        sparse = soft(X - low_rank + dual / step, penalty / step)
        dual = dual + step * (X - low_rank - sparse)
        step = min(1.5 * step, largest_step)
        rest = np.linalg.norm(X - low_rank - sparse)
    return low_rank, sparse
