"""What a change on the page Framework costs: all methods on a cloud, and the three figures.

OPENBLAS_NUM_THREADS=1 pytest tests/benchmarks/bench_framework.py
"""

import numpy as np
import pytest

from epca.activation import activate
from epca.data.clouds import MOST, draw_cloud
from epca.nonconvex import local_minima
from epca.plots.framework import bars_figure, waterfill_figure
from epca.views.framework import LEARNERS, learn


@pytest.mark.parametrize("n", [21, MOST])
@pytest.mark.parametrize("gamma", [1.0, 1.5, 5.0])
@pytest.mark.parametrize("learner", LEARNERS)
def test_change(benchmark, learner, gamma, n):
    points = np.vstack([draw_cloud("one far outlier", seed) for seed in range(3)])[:n]

    def compute():
        learned = learn(points, learner, 0.125, gamma)
        weights = learned.activation.weights
        waterfill_figure(learned.losses, weights, learned.activation.multiplier**0.5)
        bars_figure(learned.losses, weights, "", "")
        bars_figure(learned.activation.direct_weights, weights, "", "")

    benchmark.pedantic(compute, rounds=15, warmup_rounds=2)


@pytest.mark.parametrize("gamma", [0.2, 0.9, 1.0, 5.0])
def test_losses(benchmark, gamma):
    losses = np.ones(12)  # equal ones take longest
    benchmark.pedantic(
        local_minima if gamma < 1 else activate, args=(losses, gamma), rounds=9, warmup_rounds=1
    )
