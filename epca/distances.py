"""How far reconstructions are from images; of robust ones as long work like `epca.tasks`'."""

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from epca import metrics
from epca.parallel import single_thread
from epca.scenario import Prepared

STEP = 100  # images at a time

Work = Generator[tuple[float, str], Callable[[float, str], None], np.ndarray]


def distances(
    prepared: Prepared, model: Any, reconstructed: np.ndarray | None = None
) -> np.ndarray:
    """The distance (n,) of each reconstruction from the clean image.

    Without a truth it is the distance from the image itself. So it is, too, where an image is
    clean, and for a projection the fit knows it: only occluded images are reconstructed.

    reconstructed : (n, d) model.reconstruct of all images, where it is at hand
    """
    X = prepared.occluded.X
    has_truth = not prepared.images.is_occluded
    if reconstructed is None and (model.is_cellwise or prepared.images.unknown is not None):
        reconstructed = model.reconstruct(X)
    if reconstructed is not None:
        return metrics.distances(prepared.clean if has_truth else X, reconstructed)
    found = model.residuals_.copy()
    rows = prepared.occluded.samples
    if has_truth and len(rows):
        back = model.inverse_transform(model.scores_[rows])
        found[rows] = metrics.distances(prepared.clean[rows], back)
    return found


def robust_distances(prepared: Prepared, model: Any) -> Work:
    """The distance (n,) of each robust reconstruction from the clean image.

    Without a truth it is the distance from the image itself.
    """
    X = prepared.occluded.X
    aim = X if prepared.images.is_occluded else prepared.clean
    found = []
    for start in range(0, len(X), STEP):
        yield start / len(X), f"image {start} of {len(X)}"
        rows = slice(start, start + STEP)
        with single_thread():
            back = model.reconstruct(X[rows], robust=True)
        found.append(metrics.distances(aim[rows], back))
    return np.concatenate(found)
