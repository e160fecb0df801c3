"""Bad input: one sentence each, never anything but a DataError, in bounded memory."""

import os
import pickle
import stat
import struct
import tracemalloc
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import eye_array

from epca.data import DataError, limits, read_bytes, read_path
from tests.test_data import big_mat4, encode, mat, mat4, npy, npz, pack, pictures, tiff

PNG = encode(pictures(1)[0])
GOOD_ZIP = pack({f"{i}.png": encode(picture) for i, picture in enumerate(pictures(4))})
GOOD_NPZ = npz(images=pictures(), labels=np.arange(6))
GOOD_MAT = mat(fea=pictures().reshape(6, 64), gnd=np.arange(6))
GOOD_MAT4 = mat4(fea=pictures().reshape(6, 64), gnd=np.arange(6.0))
FLOAT_ZIP = pack({f"{i}.tif": tiff(picture / 99) for i, picture in enumerate(pictures(3))})
BIG_MAT4 = big_mat4(5, fea=pictures().reshape(6, 64), gnd=np.arange(6)[:, None])


class Payload:
    """Unpickling it would create a file."""

    def __reduce__(self):
        return open, ("executed", "w")


def bomb_png(width, height=1):
    """A PNG whose header claims a huge picture and whose data are a few bytes."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def member(name, content=PNG, *, mode=None, encrypted=False):
    """A zip of good pictures and one member with this name and these attributes."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for i, picture in enumerate(pictures(4)):
            archive.writestr(f"{i}.png", encode(picture))
        info = zipfile.ZipInfo(name)
        if mode:
            info.external_attr = mode << 16
        archive.writestr(info, content)
    content = buffer.getvalue()
    if encrypted:
        content = content.replace(b"PK\x03\x04\x14\x00\x00\x00", b"PK\x03\x04\x14\x00\x01\x00")
        content = content.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00")
    return content


def many_scans(n_scans, side=16):
    """A progressive JPEG whose last scan is repeated, a few bytes each time."""
    content = encode(np.zeros((side, side), np.uint8), "JPEG", progressive=True)
    scan = content[content.rindex(b"\xff\xda") : -2]
    return content[:-2] + scan * (n_scans - content.count(b"\xff\xda")) + content[-2:]


def many_entries(n_entries):
    """A zip whose directory names the same place many times."""
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, *[0] * 7, 1, *[0] * 6) + b"a"
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, n_entries % 65536, n_entries % 65536, len(entry) * n_entries, 4, 0)
    return b"PK\x03\x04" + entry * n_entries + end


def header4(rows, columns, kind=50, order="<"):
    return struct.pack(f"{order}5i", kind, rows, columns, 0, 4) + b"fea\0"


def mat_of_many_arrays():
    """Each array within the limit and stored in bytes, but of type double: together they would fill the memory."""
    count = limits.MAX_VALUES // 4
    parts = [struct.pack("<IIII", 6, 8, 6, 0), struct.pack("<IIii", 5, 8, 1, count), struct.pack("<HHI", 1, 1, 97)]
    body = b"".join(parts) + struct.pack("<II", 2, count) + bytes(count)
    packed = zlib.compress(struct.pack("<II", 14, len(body)) + body)
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + (struct.pack("<II", 15, len(packed)) + packed) * 20


def mat_bomb():
    """A Matlab file whose packed part unpacks to a gigabyte."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(2**20)) for _ in range(1024)) + packer.flush()
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + struct.pack("<II", 15, len(packed)) + packed


CASES = {
    "empty file": ("a.png", b"", "the file is empty"),
    "text renamed .png": ("a.png", b"hello, I am a text", "neither pictures nor arrays"),
    "one picture": ("a.png", PNG, "one image cannot be compared; put at least 3 into a zip"),
    "truncated PNG": ("a.zip", pack({"a.png": PNG[:60], "b.png": PNG, "c.png": PNG}), "a.png: the picture is broken"),
    "truncated JPEG": (
        "a.zip",
        pack({f"{i}.jpg": encode(pictures(1, 64, 64)[0], "JPEG")[:900] for i in range(3)}),
        "is broken",
    ),
    "truncated zip": ("a.zip", GOOD_ZIP[:-40], "could not be read"),
    "truncated npz": ("a.npz", GOOD_NPZ[:-40], "could not be read"),
    "truncated npy": ("a.npy", npy(pictures())[:-40], "the file ends before its array does"),
    "truncated mat": ("a.mat", GOOD_MAT[: len(GOOD_MAT) // 2], "could not be read|none of its arrays"),
    "flat zip bomb": ("a.zip", pack({"a.png": bytes(300 * 2**20)}), "unpacks to over 200 times its size"),
    "many-member zip bomb": ("a.zip", pack({f"{i}.bin": bytes(2**20) for i in range(500)}), "unpacks to more than 400 MB"),
    "nested zip bomb": ("a.zip", pack({"inner.zip": pack({"a.png": bytes(2**24)})}), "no picture among its 1 files"),
    "mat bomb": ("a.mat", mat_bomb(), "unpacks to more than 400 MB"),
    "wide PNG bomb": (
        "a.zip",
        pack({f"{i}.png": bomb_png(50_000, 50_000) for i in range(3)}),
        "more than 89,478,485 pixels",
    ),
    "50 000 pixels wide": ("a.png", bomb_png(50_000), "20,000 a side"),
    "npy that claims terabytes": (
        "a.npy",
        npy(pictures()).replace(b"(6, 8, 8)", b"(9999999, 999999, 99)").replace(b" " * 12, b"", 1),
        "could not be read|at most 20,000,000 are read",
    ),
    "parent folder": ("a.zip", member("../evil.png"), "lies outside of the archive"),
    "absolute name": ("a.zip", member("/etc/evil.png"), "lies outside of the archive"),
    "drive letter": ("a.zip", member("C:\\evil.png"), "lies outside of the archive"),
    "link in zip": ("a.zip", member("link.png", b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "is a link"),
    "encrypted zip": ("a.zip", member("x.png", encrypted=True), "it is encrypted"),
    "zip without images": ("a.zip", pack({"a.txt": b"a", "b.csv": b"1,2"}), "no picture among its 2 files"),
    "empty zip": ("a.zip", pack({}), "no picture among its 0 files"),
    "object array": ("a.npz", npz(images=np.array([{}, [], 1], dtype=object)), "array of Python objects is not read"),
    "pickle": ("a.npy", pickle.dumps(Payload()), "neither pictures nor arrays"),
    "NaN": ("a.npz", npz(images=np.where(np.arange(64) == 7, np.nan, 1.0).reshape(4, 4, 4)), "1 values are NaN or infinite"),
    "infinity": ("a.npz", npz(images=np.full((4, 4, 4), np.inf)), "64 values are NaN or infinite"),
    "one image": ("a.npz", npz(images=pictures(1)), "1 image cannot be compared"),
    "two classes of one": ("a.npz", npz(images=pictures(2), labels=np.arange(2)), "2 images cannot be compared; at least 3"),
    "all identical": ("a.npz", npz(images=np.full((5, 4, 4), 9, np.uint8)), "all 5 images are identical"),
    "labels too short": ("a.npz", npz(images=pictures(), labels=np.arange(5)), "5 labels for 6 images"),
    "labels NaN": ("a.npz", npz(images=pictures(), labels=np.full(6, np.nan)), "labels of type float64 are not read"),
    "four dimensions": (
        "a.npz",
        npz(images=np.zeros((4, 8, 8, 3), np.uint8)),
        r"shape \(4, 8, 8, 3\) is no set of grey images",
    ),
    "no images at all": ("a.npz", npz(images=np.zeros((0, 8, 8), np.uint8)), r"shape \(0, 8, 8\) is no set of grey images"),
    "complex": ("a.npz", npz(images=np.ones((4, 8, 8), complex)), "images of type complex128 are not read"),
    "strings": ("a.npz", npz(images=np.full((4, 8, 8), "x")), "images of type <U1 are not read"),
    "no square": ("a.npz", npz(X=pictures(5, 7, 6).reshape(5, 42)), "42 pixels make no square"),
    "unknown arrays": (
        "a.npz",
        npz(a=pictures(), b=pictures()),
        r"none of its arrays \(a, b\) is known; name them images and labels",
    ),
    "one-pixel images": ("a.npz", npz(images=np.arange(9, dtype=np.uint8).reshape(9, 1, 1)), "1 × 1 pixels are too small"),
    "Matlab v7.3": ("a.mat", b"\x89HDF\r\n\x1a\n" + bytes(100), r"save it again in Matlab with save\(file, '-v7'\)"),
    "Matlab v7.3 with text": ("a.mat", b"MATLAB 7.3 MAT-file, Platform".ljust(512) + b"\x89HDF\r\n", "Matlab v7.3"),
    "Matlab cell": ("a.mat", mat(fea=np.array([pictures()[0], "x"], dtype=object)), "fea in it is a cell array, which is not read"),
    "Matlab complex": ("a.mat", mat(fea=np.full((4, 64), 1j)), "fea in it is complex, which is not read; save a full array"),
    "Matlab sparse": ("a.mat", mat(fea=eye_array(64)), "fea in it is a sparse matrix, which is not read"),
    "Matlab no square": ("a.mat", mat(fea=pictures(5, 7, 6).reshape(5, 42)), r"give the images as \(height, width, n\)"),
    "Matlab without images": ("a.mat", mat(gnd=np.arange(6), names=np.array([{}])), r"none of its arrays \(gnd, names \(a "),
    "Matlab v4 complex": ("a.mat", mat4(fea=np.full((4, 64), 1j)), "fea in it is complex, which is not read"),
    "Matlab v4 text": ("a.mat", mat4(fea=np.array(["ann", "bob"])), "fea in it is text, which is not read"),
    "Matlab v4 sparse": ("a.mat", mat4(fea=eye_array(64)), "fea in it is a sparse matrix, which is not read"),
    "Matlab v4 truncated": ("a.mat", GOOD_MAT4[:100], "could not be read .*a matrix is longer than the file"),
    "Matlab v4 and a wrong header": ("a.mat", GOOD_MAT4 + b"\xff" * 20, "could not be read .*a header that cannot be one"),
    "Matlab v4 and half a header": ("a.mat", GOOD_MAT4 + bytes(9), "could not be read"),
    "Matlab v4 that claims exabytes": ("a.mat", header4(2**31 - 1, 2**31 - 1), "a matrix is longer than the file"),
    "Matlab v4 of too many values": ("a.mat", header4(5000, 5000) + bytes(25_000_000), "at most 20,000,000 values are read in all"),
    "Matlab v4 of too many variables": ("a.mat", header4(0, 0) * 30_000, "more than 20,000 variables"),
    "Matlab v4 from a VAX": ("a.mat", header4(8, 8, 2050, ">") + bytes(64), "neither pictures nor arrays"),
    "Matlab of too many elements": (
        "a.mat",
        b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + bytes(8 * 30_000),
        "more than 20,000 variables",
    ),
    "Matlab of many large arrays": ("a.mat", mat_of_many_arrays(), "at most 20,000,000 values are read in all"),
    "JPEG of many scans": (
        "a.zip",
        pack({"a.jpg": many_scans(5000), "b.png": PNG, "c.png": PNG}),
        "a.jpg has more than 30 scans, the most that are read",
    ),
    "JPEG of one scan too many": ("a.jpg", many_scans(31), "more than 30 scans"),
    "JPEG of many scans that feigns its end": (
        "a.jpg",
        many_scans(99).replace(b"\xff\xda", b"\xff\xfe\x00\x04\xff\xd9\xff\xff\xda"),
        "more than 30 scans",
    ),
    "zip of a million entries": ("a.zip", many_entries(1_000_000), "more than 20,000 files"),
    "text PGM that takes minutes": (
        "a.zip",
        pack({f"{i}.pgm": b"P2 4000 1000 255\n" + b"0 " * 64 for i in range(3)}),
        "12,000,000 pixels in PGM/PPM files written as text .* Save them as PNG",
    ),
    "NaN in a picture": (
        "a.zip",
        pack({f"{i}.tif": tiff(np.full((8, 8), value)) for i, value in enumerate([0, 1, np.nan])}),
        "2.tif: it has values that are NaN or infinite",
    ),
    "very long name": ("x" * 5000 + ".png", b"text", "neither pictures nor arrays"),
    "unicode name": ("ü∂ƒ😀.png", b"text", "ü∂ƒ😀.png: neither pictures nor arrays"),
}


@pytest.mark.parametrize("case", CASES)
def test_refused_in_one_sentence(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, content, message = CASES[case]
    with pytest.raises(DataError, match=message) as caught:
        read_bytes(name, content)
    text = str(caught.value)
    assert len(text) < 450
    assert "\n" not in text
    assert text.endswith(".")
    assert os.listdir(tmp_path) == []  # nothing executed, nothing written


@pytest.mark.skipif(np.longdouble().itemsize <= 8, reason="no such numbers on this machine")
def test_numbers_beyond_double_precision():
    with pytest.raises(DataError, match="images of type float128 are not read"):
        read_bytes("a.npz", npz(images=np.full((4, 8, 8), np.finfo(np.longdouble).max)))


def test_too_many_bytes_members_and_images(monkeypatch):
    monkeypatch.setattr("epca.data.readers.MAX_BYTES", 100)
    with pytest.raises(DataError, match="at most 0 MB are read"):
        read_bytes("a.zip", GOOD_ZIP)
    monkeypatch.undo()
    monkeypatch.setattr("epca.data.readers.MAX_MEMBERS", 3)
    with pytest.raises(DataError, match="4 files; at most 3"):
        read_bytes("a.zip", GOOD_ZIP)
    monkeypatch.undo()
    monkeypatch.setattr("epca.data.pictures.MAX_IMAGES", 3)
    with pytest.raises(DataError, match="4 images; at most 3"):
        read_bytes("a.zip", GOOD_ZIP)
    monkeypatch.setattr("epca.data.arrays.MAX_IMAGES", 3)
    with pytest.raises(DataError, match="6 images; at most 3"):
        read_bytes("a.npz", GOOD_NPZ)


def test_a_zip_that_lies_about_its_size(monkeypatch):
    """The directory claims a few bytes; what is unpacked counts."""
    monkeypatch.setattr("epca.data.readers.MAX_UNPACKED", 200)
    monkeypatch.undo()
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
    for i, picture in enumerate(pictures(3)):
        (folder / f"{i}.png").write_bytes(encode(picture))
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "loop").symlink_to(folder)
    assert len(read_path(folder).images) == 3  # links are not followed
    with pytest.raises(DataError, match="there is no such file or folder"):
        read_path(tmp_path / "gone.npz")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0)
    with pytest.raises(DataError, match="no permission to read it"):
        read_path(folder)


def test_permission_errors_are_said(tmp_path, monkeypatch):
    """The same for root, who has every permission: as if the system had refused."""
    (tmp_path / "a.npz").write_bytes(GOOD_NPZ)
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda path: (_ for _ in ()).throw(PermissionError(13, "denied")))
    with pytest.raises(DataError, match=r"a.npz: no permission to read it"):
        read_path(tmp_path / "a.npz")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_packings_are_refused(method):
    """Their decoders do not heed a limit on what they return."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for i, picture in enumerate(pictures(4)):
            archive.writestr(f"{i}.png", encode(picture))
    with pytest.raises(DataError, match="packed in a way that is not read"):
        read_bytes("a.zip", buffer.getvalue())


def test_every_byte_of_a_matlab_file_may_be_wrong():
    """No value of any byte ends the process or raises anything but a DataError."""
    level_5 = mat(False, fea=pictures(3).reshape(3, 64).astype(float), gnd=np.arange(3.0))
    for content, positions in [(level_5, range(128, 400)), (GOOD_MAT4, range(60)), (BIG_MAT4, range(60))]:
        for position in positions:
            for value in (0, 1, 8, 11, 14, 15, 20, 127, 255):
                broken = bytearray(content)
                broken[position] = value
                only_data_errors(bytes(broken))


@pytest.mark.parametrize("content", [GOOD_MAT4, BIG_MAT4])
def test_a_matlab_file_cut_anywhere(content):
    for length in range(len(content)):
        only_data_errors(content[:length])


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
    values = {name: value for name, value in vars(limits).items() if name.startswith(("MAX_", "MIN_"))}
    assert len(values) == 13
    for name, value in values.items():
        ways = f"{value:,} ", f"{value // 2**20} MB", f"{value // 10**6} million", f"{value} times"
        assert any(way in limits.LIMITS for way in ways if not way.startswith("0 ")), name
    readme = (Path(__file__).resolve().parents[1] / "datasets" / "README.md").read_text(encoding="utf-8")
    assert limits.LIMITS in " ".join(readme.split())


@pytest.mark.parametrize("n_scans", [6, limits.MAX_SCANS])
def test_ordinary_progressive_jpegs_are_read(n_scans):
    files = {f"{i}.jpg": encode(picture, "JPEG", progressive=True) for i, picture in enumerate(pictures(3, 16, 16))}
    appended = b"\x00\x02" + b"\xff\xda\x00\x02" * 999  # as a film might have; not part of the picture
    assert len(read_bytes("a.zip", pack(files | {"scans.jpg": many_scans(n_scans) + appended})).images) == 4


@settings(max_examples=300)
@given(
    st.binary(max_size=2000),
    st.sampled_from(
        [
            b"",
            b"PK\x03\x04",
            b"\x93NUMPY\x01\x00",
            b"\x89PNG\r\n\x1a\n",
            b"MATLAB 5.0 MAT-file",
            header4(3, 64),
            header4(3, 64, 1000, ">"),
        ]
    ),
)
def test_random_bytes_never_surprise(content, start):
    only_data_errors(start + content)


@settings(max_examples=500)
@given(
    st.sampled_from(
        [
            GOOD_ZIP,
            GOOD_NPZ,
            GOOD_MAT,
            GOOD_MAT4,
            BIG_MAT4,
            npy(pictures()),
            PNG,
            mat(False, X=pictures().reshape(6, 64)),
            FLOAT_ZIP,
        ]
    ),
    st.data(),
)
def test_mutated_files_never_surprise(content, data):
    content = bytearray(content)
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    only_data_errors(bytes(content))


def only_data_errors(content):
    tracemalloc.start()
    try:
        read_bytes("fuzz", content)
    except DataError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 2 * limits.MAX_UNPACKED
