"""How far robust reconstructions are from images, as long work like that of `epca.tasks`."""

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from epca import metrics
from epca.parallel import single_thread
from epca.scenario import Prepared

STEP = 100  # images at a time

Work = Generator[tuple[float, str], Callable[[float, str], None], np.ndarray]


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
