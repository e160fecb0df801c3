"""Files, folders and uploaded bytes → ImageSet.

A file's content tells what it is, and not its name. Nothing is unpacked to disk, no link is
followed, no pickle is loaded, and limits are checked before memory is spent. Pictures and arrays
are treated alike: those larger than the size asked for are resized to it by the same filter, and
smaller ones stay as they are.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from numbers import Integral
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from epca.data.archives import bounded_reader, check_members, open_archive
from epca.data.arrays import read_arrays
from epca.data.decoding import read_header
from epca.data.imageset import MASKS, NAN, NONE, UNKNOWN, DataError, LacksMemory, listed
from epca.data.limits import (
    MAX_BYTES,
    MAX_MEMBERS,
    MAX_UNPACKED,
    MIN_IMAGES,
    MIN_SIDE,
    PICTURES,
)
from epca.data.masks import check_names
from epca.data.matlab import find_level_4, read_matlab
from epca.data.npy import read_npy
from epca.data.pictures import read_pictures

# a file of this name, or with .txt, says that the images beside it are occluded as they come
MARK = "occluded"


def checked_options(size, is_occluded, unknown):
    """The options of every reader as a dict; DataError where one is none of theirs."""
    if not (size is None or (isinstance(size, Integral) and size >= MIN_SIDE)):
        raise DataError(f"size={size!r} must be None or an integer >= {MIN_SIDE}.")
    if unknown not in UNKNOWN:
        raise DataError(f"unknown={unknown!r} must be one of {', '.join(UNKNOWN)}.")
    return {"size": size, "is_occluded": is_occluded, "unknown": unknown}


def read_path(path, *, size=None, is_occluded=False, unknown=NONE):
    """Read a folder of pictures (class folders or flat) or any file that `read_bytes` takes."""
    path = Path(path)
    options = checked_options(size, is_occluded, unknown)
    with _own_errors(path.name):
        if path.is_dir():
            return _read_folder(path, options)
        if not path.exists():
            raise DataError(f"{path}: there is no such file or folder; check the path.")
        if not path.is_file():
            raise DataError(f"{path.name}: it is neither a file nor a folder; choose another.")
        if path.stat().st_size > MAX_BYTES:
            raise DataError(_too_large(path.name, path.stat().st_size))
        return read_bytes(path.name, path.read_bytes(), source=path.name, **options)


def read_bytes(name, content, *, source="upload", size=None, is_occluded=False, unknown=NONE):
    """Read the content of a file in one of FORMATS.

    A single picture is refused with the advice to bring others.
    """
    name = Path(name).name[-80:]
    options = checked_options(size, is_occluded, unknown)
    with _own_errors(name):
        if not content:
            raise DataError(f"{name}: the file is empty; choose another.")
        if len(content) > MAX_BYTES:
            raise DataError(_too_large(name, len(content)))
        for kind in FORMATS:
            if kind.matches(content):
                return kind.read(name, content, source, options)
        if read_header(content, name) is None:
            raise DataError(f"{name}: neither pictures nor arrays. {ACCEPTED}")
        raise DataError(
            f"{name}: one image cannot be compared; "
            f"give at least {MIN_IMAGES} at once, or a zip of them."
        )


def read_files(files, *, source="upload", size=None, is_occluded=False, unknown=NONE):
    """Read files [(name, content)] that come at once: one as `read_bytes` does, else pictures.

    Pictures are read as a zip of them would be, with the same limits; folders in their names are
    classes.
    """
    options = checked_options(size, is_occluded, unknown)
    if len(files) == 1:
        return read_bytes(*files[0], source=source, **options)
    name = f"{len(files)} files"
    with _own_errors(name):
        _check_loose(name, files)
        if unknown == MASKS:
            check_names(name, [_path(file) for file, _ in files])
        contents, is_marked = _without_mark(_by_path(files))
        options["is_occluded"] = is_occluded or is_marked
        return read_pictures(name, list(contents), contents.__getitem__, source, **options)


def _check_loose(name, files):
    """Refuse what is too much, and whole sets among loose pictures."""
    if len(files) > MAX_MEMBERS:
        raise DataError(f"{name}; at most {MAX_MEMBERS:,} are read. Give fewer.")
    total = sum(len(content) for _, content in files)
    if total > MAX_BYTES:
        raise DataError(_too_large(name, total))
    sets = [
        Path(file).name[-80:]
        for file, content in files
        if any(kind.matches(content) for kind in FORMATS)
    ]
    if sets:
        raise DataError(
            f"{name}: {listed(sets)} cannot be read together with other files; "
            "give one archive or file of arrays alone, or pictures only."
        )


def _by_path(files):
    """Path → content; files of the same name, from several folders, are numbered."""
    found = {}
    copies = Counter()
    for name, content in files:
        path = first = _path(name)
        *folders, last = path
        while path in found:
            copies[first] += 1
            path = (*folders, f"{Path(last).stem} ({copies[first] + 1}){Path(last).suffix}")
        found[path] = content
    return found


def _path(name):
    """A loose file's name as a tuple of folders and the file."""
    *folders, last = PurePosixPath(name.replace("\\", "/")).parts or ("unnamed",)
    return (*(part for part in folders if part not in ("/", "..")), last)


@contextmanager
def _own_errors(name):
    """Whatever broken content makes a library raise reaches the user as a DataError."""
    try:
        yield
    except DataError:
        raise
    except PermissionError:
        raise DataError(f"{name}: no permission to read it; change its permissions.") from None
    except MemoryError:
        raise LacksMemory(
            f"{name}: there is not enough memory to read it; give fewer or smaller images."
        ) from None
    except Exception as error:
        reason = re.sub(r" object at 0x\w+", "", str(error)[:150]).replace("\n", " ")
        why = f" ({reason})" if reason else ""
        raise DataError(
            f"{name}: it could not be read{why}; copy it again or choose another."
        ) from None


def _too_large(name, size):
    most = MAX_BYTES // 2**20
    return (
        f"{name}: {size / 2**20:.0f} MB; at most {most} MB are read. Give fewer or smaller images."
    )


def _read_folder(folder, options):
    files = {}
    total = 0
    for parent, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in names:
            path = Path(parent) / name
            # links are not followed
            if not name.startswith(".") and stat.S_ISREG(path.lstat().st_mode):
                files[path.relative_to(folder).parts] = path
                total += path.stat().st_size
            if len(files) > MAX_MEMBERS or total > MAX_UNPACKED:
                most = f"{MAX_MEMBERS:,} files or {MAX_UNPACKED // 2**20} MB"
                raise DataError(f"{folder.name}: more than {most}; give fewer or smaller images.")
    files, is_marked = _without_mark(files)
    options["is_occluded"] = options["is_occluded"] or is_marked

    def read(path):
        return files[path].read_bytes()

    return read_pictures(folder.name, list(files), read, folder.name, **options)


def _raise(error):
    raise error


def _without_mark(files):
    """The files but for marks, and whether there was one."""
    marks = [path for path in files if path[-1].lower() in (MARK, f"{MARK}.txt")]
    return {path: file for path, file in files.items() if path not in marks}, bool(marks)


def _read_zip(name, content, source, options):
    stem = Path(name).stem
    with open_archive(name, content) as archive:
        members = check_members(name, archive.infolist())
        read = bounded_reader(name, archive)
        if members and all(path[-1].endswith(".npy") for path in members):
            arrays = {}
            for path, member in members.items():
                if path[-1][:-4] in arrays:
                    raise DataError(f"{name}: {path[-1][-80:]!r} is in it twice; pack it again.")
                arrays[path[-1][:-4]] = read_npy(name, read(member))
            return read_arrays(stem, arrays, source, **options)
        members, is_marked = _without_mark(members)
        contents = {path: read(member) for path, member in members.items()}
        options["is_occluded"] = options["is_occluded"] or is_marked
        return read_pictures(stem, list(contents), contents.__getitem__, source, **options)


def _read_one_npy(name, content, source, options):
    arrays = {"images": read_npy(name, content)}
    return read_arrays(Path(name).stem, arrays, source, **options)


def _read_mat(name, content, source, options):
    arrays, others = read_matlab(name, content)
    unknown = NONE if options["unknown"] == NAN else options["unknown"]
    options = options | {"others": others, "by_columns": True, "unknown": unknown}
    return read_arrays(Path(name).stem, arrays, source, **options)


def _refuse_hdf(name, *_):
    raise DataError(
        f"{name}: a Matlab v7.3 file is not read; save it again in Matlab with save(file, '-v7')."
    )


class Format(NamedTuple):
    """A kind of file: how users know it, its endings, how its content begins, how it is read."""

    text: str
    endings: tuple[str, ...]
    matches: Callable[[bytes], bool]
    read: Callable  # name, content, source, options → ImageSet


FORMATS = (
    Format(
        f"Pictures ({PICTURES}), several at once or in a zip (one folder per class, or none), .npz",
        (".zip", ".npz"),
        lambda content: content.startswith(b"PK"),
        _read_zip,
    ),
    Format(".npy", (".npy",), lambda content: content.startswith(b"\x93NUMPY"), _read_one_npy),
    Format("", (), lambda content: content.startswith((b"\x89HDF", b"MATLAB 7.3")), _refuse_hdf),
    Format(
        ".mat (up to v7)",
        (".mat",),
        lambda content: content.startswith(b"MATLAB 5.0") or find_level_4(content),
        _read_mat,
    ),
)
ACCEPTED = f"{', '.join(kind.text for kind in FORMATS if kind.text)}."


def endings():
    """The endings of the files that are read, each with its point."""
    return tuple(ending for kind in FORMATS for ending in kind.endings)
