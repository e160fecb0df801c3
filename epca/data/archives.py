"""Zip archives: what no honest archive of images has is refused before anything is unpacked."""

import re
import stat
import zipfile
from io import BytesIO
from pathlib import PurePosixPath

from epca.data.imageset import DataError
from epca.data.limits import MAX_DEPTH, MAX_MEMBERS, MAX_RATIO, MAX_UNPACKED


def open_archive(name, content):
    """The archive in these bytes."""
    # files and folders, counted before zipfile builds a directory of millions
    if content.count(b"PK\x01\x02") > 2 * MAX_MEMBERS:
        raise DataError(f"{name}: more than {MAX_MEMBERS:,} files; give fewer.")
    return zipfile.ZipFile(BytesIO(content))


def check_members(name, infos):
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
        if info.filename.count("/") + info.filename.count("\\") > MAX_DEPTH:
            raise DataError(
                f"{name}: {info.filename[:80]!r} in it lies more than {MAX_DEPTH} folders deep; "
                "pack it again with fewer."
            )
        path = PurePosixPath(info.filename.replace("\\", "/"))
        _check_member(name, path, info)
        if path.parts in members:
            raise DataError(f"{name}: {info.filename[:80]!r} is in it twice; pack it again.")
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


def bounded_reader(name, archive):
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
