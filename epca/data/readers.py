"""Files, folders and uploaded bytes → ImageSet.

A file's content tells what it is, and not its name. Nothing is unpacked to disk, no link is
followed, no pickle is loaded, and limits are checked before memory is spent.
"""

import os
import re
import stat
import zipfile
from collections.abc import Callable
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np

from epca.data.arrays import read_arrays
from epca.data.imageset import DataError
from epca.data.limits import (
    MAX_BYTES,
    MAX_MEMBERS,
    MAX_RATIO,
    MAX_UNPACKED,
    MAX_VALUES,
    MIN_IMAGES,
    PICTURES,
)
from epca.data.matlab import find_level_4, read_matlab
from epca.data.pictures import read_header, read_pictures

# a file of this name, or with .txt, says that the images beside it are occluded as they come
MARK = "occluded"


def read_path(path, *, size=None, is_occluded=False):
    """Read a folder of pictures (class folders or flat) or any file that `read_bytes` takes."""
    path = Path(path)
    with _own_errors(path.name):
        if path.is_dir():
            return _read_folder(path, size, is_occluded)
        if not path.exists():
            raise DataError(f"{path}: there is no such file or folder; check the path.")
        if not path.is_file():
            raise DataError(f"{path.name}: it is neither a file nor a folder; choose another.")
        if path.stat().st_size > MAX_BYTES:
            raise DataError(_too_large(path.name, path.stat().st_size))
        options = {"size": size, "is_occluded": is_occluded}
        return read_bytes(path.name, path.read_bytes(), source=str(path), **options)


def read_bytes(name, content, *, source="upload", size=None, is_occluded=False):
    """Read a file's content: a zip of pictures, .npz, .npy or .mat.

    A single picture is refused with the advice to bring others.
    """
    name = Path(name).name[-80:]
    options = {"size": size, "is_occluded": is_occluded}
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
            f"{name}: one image cannot be compared; put at least {MIN_IMAGES} into a zip."
        )


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
        raise DataError(
            f"{name}: there is not enough memory to read it; give fewer or smaller images."
        ) from None
    except Exception as error:
        what = f"{type(error).__name__}: {str(error)[:150]}".replace("\n", " ")
        raise DataError(
            f"{name}: it could not be read ({what}); copy it again or choose another."
        ) from None


def _too_large(name, size):
    most = MAX_BYTES // 2**20
    return (
        f"{name}: {size / 2**20:.0f} MB; at most {most} MB are read. Give fewer or smaller images."
    )


def _read_folder(folder, size, is_occluded):
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
    options = {"size": size, "is_occluded": is_occluded or is_marked}

    def read(path):
        return files[path].read_bytes()

    return read_pictures(folder.name, list(files), read, str(folder), **options)


def _raise(error):
    raise error


def _without_mark(files):
    """The files but for marks, and whether there was one."""
    marks = [path for path in files if path[-1].lower() in (MARK, f"{MARK}.txt")]
    return {path: file for path, file in files.items() if path not in marks}, bool(marks)


def _read_zip(name, content, source, options):
    stem = Path(name).stem
    # files and folders, counted before zipfile builds a directory of millions
    if content.count(b"PK\x01\x02") > 2 * MAX_MEMBERS:
        raise DataError(f"{name}: more than {MAX_MEMBERS:,} files; give fewer.")
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = _check_members(name, archive.infolist())
        read = _bounded_reader(name, archive)
        if members and all(path[-1].endswith(".npy") for path in members):
            arrays = {
                path[-1][:-4]: _read_npy(name, BytesIO(read(member)))
                for path, member in members.items()
            }
            return read_arrays(stem, arrays, source, **options)
        members, is_marked = _without_mark(members)
        contents = {path: read(member) for path, member in members.items()}
        options["is_occluded"] = options["is_occluded"] or is_marked
        return read_pictures(stem, list(contents), contents.__getitem__, source, **options)


def _check_members(name, infos):
    """Path → member of what may be read; refuses what no honest archive of images has."""
    infos = [info for info in infos if not info.is_dir()]
    if len(infos) > MAX_MEMBERS:
        raise DataError(
            f"{name}: {len(infos):,} files; at most {MAX_MEMBERS:,} are read. Give fewer."
        )
    if sum(info.file_size for info in infos) > MAX_UNPACKED:
        raise DataError(_unpacks_to_too_much(name))
    members = {}
    for info in infos:
        path = PurePosixPath(info.filename.replace("\\", "/"))
        _check_member(name, path, info)
        if path.parts and not any(part.startswith((".", "__")) for part in path.parts):
            members[path.parts] = info
    return members


def _check_member(name, path, info):
    shown = f"{info.filename[:80]!r} in it"
    if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", str(path)):
        raise DataError(f"{name}: {shown} lies outside of the archive; pack it again without.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise DataError(f"{name}: {shown} is a link; pack the file itself.")
    if info.flag_bits & 1:
        raise DataError(f"{name}: it is encrypted; pack it again without a password.")
    if info.file_size > 2**20 and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        what = f"unpacks to over {MAX_RATIO} times its size"
        raise DataError(f"{name}: {shown} {what}; that is no image.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError(
            f"{name}: it is packed in a way that is not read; pack it again as an ordinary zip."
        )


def _unpacks_to_too_much(name):
    most = MAX_UNPACKED // 2**20
    return f"{name}: it unpacks to more than {most} MB; give fewer or smaller images."


def _bounded_reader(name, archive):
    """A function read(member) → bytes.

    It refuses a member whose size is not what the archive's directory says, and too much in all.
    """
    left = MAX_UNPACKED

    def read(member):
        nonlocal left
        with archive.open(member) as file:
            content = file.read(member.file_size)
            if len(content) < member.file_size or file.read(1):
                raise DataError(
                    f"{name}: {member.filename[:80]!r} in it has another size than the archive "
                    "says; pack it again."
                )
        left -= len(content)
        if left < 0:
            raise DataError(_unpacks_to_too_much(name))
        return content

    return read


def _read_npy(name, file):
    """An array, never from a pickle; its header is checked before its values are read."""
    if np.lib.format.read_magic(file) == (1, 0):
        header = np.lib.format.read_array_header_1_0(file)
    else:
        header = np.lib.format.read_array_header_2_0(file)
    shape, by_columns, dtype = header
    count = int(np.prod([int(side) for side in shape], dtype=object))
    if min(shape, default=0) < 0:
        raise DataError(f"{name}: an array of shape {shape} cannot be; save it again.")
    if dtype.hasobject:
        raise DataError(
            f"{name}: an array of Python objects is not read, it could run code; save numbers."
        )
    if count > MAX_VALUES or count * dtype.itemsize > MAX_UNPACKED:
        raise DataError(
            f"{name}: an array of {count:,} values; at most {MAX_VALUES:,} are read. "
            "Give fewer or smaller images."
        )
    content = file.read(count * dtype.itemsize)
    if len(content) < count * dtype.itemsize:
        raise DataError(f"{name}: the file ends before its array does; copy it again.")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C")


def _read_one_npy(name, content, source, options):
    arrays = {"images": _read_npy(name, BytesIO(content))}
    return read_arrays(Path(name).stem, arrays, source, **options)


def _read_mat(name, content, source, options):
    arrays, others = read_matlab(name, content)
    options = options | {"others": others, "by_columns": True}
    return read_arrays(Path(name).stem, arrays, source, **options)


def _refuse_hdf(name, *_):
    raise DataError(
        f"{name}: a Matlab v7.3 file is not read; save it again in Matlab with save(file, '-v7')."
    )


class Format(NamedTuple):
    """A kind of file: how users know it, how its content begins, how it is read."""

    text: str
    matches: Callable[[bytes], bool]
    read: Callable  # name, content, source, options → ImageSet


FORMATS = (
    Format(
        f"Pictures ({PICTURES}) in a zip with one folder per class or none, .npz",
        lambda content: content.startswith(b"PK"),
        _read_zip,
    ),
    Format(".npy", lambda content: content.startswith(b"\x93NUMPY"), _read_one_npy),
    Format("", lambda content: content.startswith((b"\x89HDF", b"MATLAB 7.3")), _refuse_hdf),
    Format(
        ".mat (up to v7)",
        lambda content: content.startswith(b"MATLAB 5.0") or find_level_4(content),
        _read_mat,
    ),
)
ACCEPTED = f"{', '.join(kind.text for kind in FORMATS if kind.text)}."
