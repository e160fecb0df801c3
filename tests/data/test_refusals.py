"""Bad input: one sentence each, nothing executed, nothing written, every limit said."""

import os
import re
import struct
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from epca.data import DataError, limits, load_dataset, read_bytes, read_files, read_path
from tests.files import encode, npy, npz, pack, pictures, pngs, write_pngs
from tests.hostile import PNG, many_scans
from tests.refused import CASES, GOOD_NPZ, GOOD_ZIP, refused


@pytest.mark.parametrize("case", CASES)
def test_refused_in_one_sentence(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, content, message = refused(case)
    with pytest.raises(DataError, match=message) as caught:
        read_bytes(name, content)
    text = str(caught.value)
    assert len(text) < 450
    assert "\n" not in text
    assert text.endswith(".")
    assert not re.search(r"Error|Exception|BadZip", text)  # no class of ours or Python's
    assert os.listdir(tmp_path) == []  # nothing executed, nothing written


@pytest.mark.skipif(np.longdouble().itemsize <= 8, reason="no such numbers on this machine")
def test_numbers_beyond_double_precision():
    with pytest.raises(DataError, match="images of type float128 are not read"):
        read_bytes("a.npz", npz(images=np.full((4, 8, 8), np.finfo(np.longdouble).max)))


def test_two_arrays_of_one_name_are_refused():
    """The last one would win without a word."""
    files = {f"{folder}images.npy": npy(pictures()) for folder in ("", "b/")}
    with pytest.raises(DataError, match=r"^a\.zip: 'images\.npy' is in it twice; pack it again"):
        read_bytes("a.zip", pack(files))


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200b", "\ufeff", "\x1b", "\n"])
def test_signs_that_are_not_seen_are_shown(sign):
    """Some would turn the text that follows a name."""
    images = read_bytes(f"a{sign}b.npz", npz(images=pictures(), labels=[f"c{sign}d", "e"] * 3))
    assert images.name == "a\N{REPLACEMENT CHARACTER}b"
    assert images.class_names == ("c\N{REPLACEMENT CHARACTER}d", "e")


def test_too_many_bytes_members_and_images(monkeypatch):
    monkeypatch.setattr("epca.data.readers.MAX_BYTES", 100)
    with pytest.raises(DataError, match="at most 0 MB are read"):
        read_bytes("a.zip", GOOD_ZIP)
    monkeypatch.undo()
    monkeypatch.setattr("epca.data.archives.MAX_MEMBERS", 3)
    with pytest.raises(DataError, match="4 files; at most 3"):
        read_bytes("a.zip", GOOD_ZIP)
    monkeypatch.undo()
    monkeypatch.setattr("epca.data.pictures.MAX_IMAGES", 3)
    with pytest.raises(DataError, match="4 images; at most 3"):
        read_bytes("a.zip", GOOD_ZIP)
    monkeypatch.setattr("epca.data.arrays.MAX_IMAGES", 3)
    with pytest.raises(DataError, match="6 images; at most 3"):
        read_bytes("a.npz", GOOD_NPZ)


def test_a_zip_that_lies_about_its_size():
    """The directory claims a few bytes; what is unpacked counts."""
    lying = GOOD_ZIP
    with zipfile.ZipFile(BytesIO(GOOD_ZIP)) as archive:
        for info in archive.infolist():
            size = struct.pack("<I", info.file_size)
            lying = lying.replace(size, struct.pack("<I", 1))
    with pytest.raises(DataError, match=r"another size than the archive says|could not be read"):
        read_bytes("a.zip", lying)


def test_folders(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    with pytest.raises(DataError, match="no picture among its 0 files"):
        read_path(folder)
    (tmp_path / "secret.png").write_bytes(PNG)
    write_pngs(folder, pictures(3))
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "loop").symlink_to(folder)
    assert len(read_path(folder).images) == 3  # links are not followed
    with pytest.raises(DataError, match="there is no such file or folder"):
        read_path(tmp_path / "gone.npz")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_a_folder_without_permission(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0)
    with pytest.raises(DataError, match="no permission to read it"):
        read_path(folder)


def test_permission_errors_are_said(tmp_path, monkeypatch):
    """The same for root, who has every permission: as if the system had refused."""
    (tmp_path / "a.npz").write_bytes(GOOD_NPZ)
    monkeypatch.setattr(
        "pathlib.Path.read_bytes", lambda path: (_ for _ in ()).throw(PermissionError(13, "denied"))
    )
    with pytest.raises(DataError, match=r"a.npz: no permission to read it"):
        read_path(tmp_path / "a.npz")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_packings_are_refused(method):
    """Their decoders do not heed a limit on what they return."""
    with pytest.raises(DataError, match="packed in a way that is not read"):
        read_bytes("a.zip", pack(pngs(pictures(4)), method))


def test_too_many_pixels_in_all(monkeypatch):
    monkeypatch.setattr("epca.data.pictures.MAX_DECODED", 200)
    with pytest.raises(DataError, match="256 pixels in all; at most 200"):
        read_bytes("a.zip", GOOD_ZIP)


def test_pipes_and_devices(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    for path in (tmp_path / "pipe.npz", "/dev/zero"):
        with pytest.raises(DataError, match="neither a file nor a folder"):
            read_path(path)
    with pytest.raises(DataError, match="there is no such file or folder"):
        read_path(tmp_path / "gone")


def test_every_limit_is_told_to_the_user_and_in_the_readme():
    values = {
        name: value for name, value in vars(limits).items() if name.startswith(("MAX_", "MIN_"))
    }
    assert len(values) == 17
    for name, value in values.items():
        ways = f"{value:,} ", f"{value // 2**20} MB", f"{value // 10**6} million", f"{value} times"
        assert any(way in limits.LIMITS for way in ways if not way.startswith("0 ")), name
    readme = (Path(__file__).resolve().parents[2] / "datasets" / "README.md").read_text(
        encoding="utf-8"
    )
    assert limits.LIMITS in " ".join(readme.split())


@pytest.mark.parametrize("n_scans", [6, limits.MAX_SCANS])
def test_ordinary_progressive_jpegs_are_read(n_scans):
    files = {
        f"{i}.jpg": encode(picture, "JPEG", progressive=True)
        for i, picture in enumerate(pictures(3, 16, 16))
    }
    film = b"\x00\x02" + b"\xff\xda\x00\x02" * 999  # appended, and not part of the picture
    files["scans.jpg"] = many_scans(n_scans) + film
    assert len(read_bytes("a.zip", pack(files)).images) == 4


READERS = {
    "load_dataset": lambda _, **options: load_dataset("orl", **options),
    "read_bytes": lambda folder, **options: read_bytes("a.npy", npy(pictures()), **options),
    "read_files": lambda folder, **options: read_files([("a.npy", npy(pictures()))] * 2, **options),
    "read_path": lambda folder, **options: read_path(folder, **options),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("size", [0, -3, 1, 2.5, "32", True])
def test_bad_size(reader, size, tmp_path):
    with pytest.raises(DataError, match=rf"^size={size!r} must be None or an integer >= 2\.$"):
        READERS[reader](tmp_path, size=size)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("unknown", ["Masks", None])
def test_what_means_unknown_is_one_of_four(reader, unknown, tmp_path):
    """Whatever else it was meant to be would have every pixel known, without a word."""
    with pytest.raises(DataError, match=rf"^unknown={unknown!r} must be one of none, nan, transp"):
        READERS[reader](tmp_path, unknown=unknown)
