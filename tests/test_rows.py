"""Rows in chunks: the scatter is the formula, lengths do not lose their digits."""

import numpy as np
import pytest

from epca import rows
from epca.rows import project, residual_lengths, scatter_matrix, total_variance


@pytest.mark.parametrize("chunk", [1, 64, 2**18])
def test_scatter_in_chunks(chunk, generator, monkeypatch):
    monkeypatch.setattr(rows, "CHUNK", chunk)
    points = generator.standard_normal((50, 12))
    weights = generator.random(50)
    mean = weights @ points / weights.sum()
    expected = (points - mean).T @ np.diag(weights) @ (points - mean)
    np.testing.assert_allclose(
        np.tril(scatter_matrix(points, mean, weights)), np.tril(expected), atol=1e-12
    )


def test_residual_lengths_do_not_cancel():
    """Of a sample a million times nearer to the subspace than to the mean.

    √(‖x‖² − ‖Wᵀx‖²) would have four correct digits, not nine.
    """
    tiny = 1.2345678901234567e-6
    points = np.array([[0.6, 0.8, tiny]])
    components = np.array([[0.6, 0.8, 0.0]]).T
    length = residual_lengths(points, np.zeros(3), components)[0]
    assert length == pytest.approx(tiny, rel=1e-9)


@pytest.mark.parametrize("chunk", [1, 64, 2**18])
def test_scores_and_variance_in_chunks(chunk, generator, monkeypatch):
    monkeypatch.setattr(rows, "CHUNK", chunk)
    points = generator.standard_normal((50, 12)) + 3
    weights = generator.random(50)
    weights /= weights.sum()
    components = np.linalg.qr(generator.standard_normal((12, 4)))[0]
    mean = generator.standard_normal(12)
    scores, lengths = project(points, mean, components)
    np.testing.assert_allclose(scores, (points - mean) @ components, atol=1e-12)
    residuals = (points - mean) @ (np.eye(12) - components @ components.T)
    np.testing.assert_allclose(lengths, np.linalg.norm(residuals, axis=1), rtol=1e-12)
    variance = np.sum(weights @ np.square(points - weights @ points))
    assert total_variance(points, weights) == pytest.approx(variance, rel=1e-12)
