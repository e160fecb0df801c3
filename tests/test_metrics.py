"""Measures by hand."""

import numpy as np

from epca.metrics import is_collapsed, reconstruction_error


def test_reconstruction_error():
    clean, reconstructed = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [6.0, 4.0]])
    assert reconstruction_error(clean, reconstructed) == 4 + 9


def test_is_collapsed():
    assert is_collapsed(np.array([0.009, 1.0, 1.0, 2.0]))
    assert not is_collapsed(np.array([0.011, 1.0, 1.0, 2.0]))
    assert not is_collapsed(np.zeros(4))
