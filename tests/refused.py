"""Files that must be refused, and what is said of each."""

import pickle
import stat
from functools import cache

import numpy as np
from scipy.sparse import eye_array

from tests.files import encode, mat, mat4, npy, npz, pack, pictures, pngs, tiff
from tests.hostile import (
    MATLAB,
    PNG,
    Payload,
    bomb_png,
    header4,
    many_entries,
    many_scans,
    mat_bomb,
    mat_of_floats,
    mat_of_many_arrays,
    member,
    twice,
)

GOOD_ZIP = pack(pngs(pictures(4)))
GOOD_NPZ = npz(images=pictures(), labels=np.arange(6))
GOOD_MAT = mat(fea=pictures().reshape(6, 64), gnd=np.arange(6))
GOOD_MAT4 = mat4(fea=pictures().reshape(6, 64), gnd=np.arange(6.0))

CASES = {  # what is wrong: (name, content or how to make it, what is said)
    "empty file": ("a.png", b"", "the file is empty"),
    "text renamed .png": ("a.png", b"hello, I am a text", "neither pictures nor arrays"),
    "one picture": (
        "a.png",
        PNG,
        "one image cannot be compared; give at least 3 at once",
    ),
    "truncated PNG": (
        "a.zip",
        pack({"a.png": PNG[:60], "b.png": PNG, "c.png": PNG}),
        "a.png: lines of the picture are missing in its file; replace it or leave it out",
    ),
    "truncated JPEG": (
        "a.zip",
        pack({f"{i}.jpg": encode(pictures(1, 64, 64)[0], "JPEG")[:900] for i in range(3)}),
        "is broken",
    ),
    "truncated zip": ("a.zip", GOOD_ZIP[:-40], "could not be read"),
    "truncated npz": ("a.npz", GOOD_NPZ[:-40], "could not be read"),
    "truncated npy": ("a.npy", npy(pictures())[:-40], "the file ends before its array does"),
    "truncated mat": (
        "a.mat",
        GOOD_MAT[: len(GOOD_MAT) // 2],
        "could not be read|none of its arrays",
    ),
    "flat zip bomb": (
        "a.zip",
        lambda: pack({"a.png": bytes(30 * 2**20)}),
        "unpacks to over 200 times its size",
    ),
    "many-member zip bomb": (
        "a.zip",
        lambda: pack({f"{i}.bin": bytes(2**20) for i in range(500)}),
        "unpacks to more than 400 MB",
    ),
    "nested zip bomb": (
        "a.zip",
        pack({"inner.zip": pack({"a.png": bytes(2**24)})}),
        "no picture among its 1 files",
    ),
    "mat bomb": ("a.mat", mat_bomb, "unpacks to more than 400 MB"),
    "wide PNG bomb": (
        "a.zip",
        pack({f"{i}.png": bomb_png(50_000, 50_000) for i in range(3)}),
        "more than 89,478,485 pixels",
    ),
    "50 000 pixels wide": ("a.png", bomb_png(50_000), "20,000 a side"),
    "npy that claims terabytes": (
        "a.npy",
        npy(pictures()).replace(b"(6, 8, 8)", b"(9999999, 999999, 99)").replace(b" " * 12, b"", 1),
        "could not be read|at most 40,000,000 are read",
    ),
    "parent folder": ("a.zip", member("../evil.png"), "lies outside of the archive"),
    "absolute name": ("a.zip", member("/etc/evil.png"), "lies outside of the archive"),
    "drive letter": ("a.zip", member("C:\\evil.png"), "lies outside of the archive"),
    "link in zip": (
        "a.zip",
        member("link.png", b"/etc/passwd", mode=stat.S_IFLNK | 0o777),
        "is a link",
    ),
    "encrypted zip": ("a.zip", member("x.png", encrypted=True), "it is encrypted"),
    "zip without images": (
        "a.zip",
        pack({"a.txt": b"a", "b.csv": b"1,2"}),
        "no picture among its 2 files",
    ),
    "empty zip": ("a.zip", pack({}), "no picture among its 0 files"),
    "object array": (
        "a.npz",
        npz(images=np.array([{}, [], 1], dtype=object)),
        "array of Python objects is not read, because it could run code",
    ),
    "pickle": ("a.npy", pickle.dumps(Payload()), "neither pictures nor arrays"),
    "NaN": (
        "a.npz",
        npz(images=np.where(np.arange(64) == 7, np.nan, 1.0).reshape(4, 4, 4)),
        "1 value is NaN or infinite",
    ),
    "infinity": ("a.npz", npz(images=np.full((4, 4, 4), np.inf)), "64 values are NaN or infinite"),
    "one image": ("a.npz", npz(images=pictures(1)), "1 image cannot be compared"),
    "two classes of one": (
        "a.npz",
        npz(images=pictures(2), labels=np.arange(2)),
        "2 images cannot be compared; at least 3",
    ),
    "all identical": (
        "a.npz",
        npz(images=np.full((5, 4, 4), 9, np.uint8)),
        "all 5 images are identical",
    ),
    "labels too short": (
        "a.npz",
        npz(images=pictures(), labels=np.arange(5)),
        "5 labels for 6 images",
    ),
    "labels NaN": (
        "a.npz",
        npz(images=pictures(), labels=np.full(6, np.nan)),
        "labels of type float64 are not read",
    ),
    "four dimensions": (
        "a.npz",
        npz(images=np.zeros((4, 8, 8, 3), np.uint8)),
        r"shape \(4, 8, 8, 3\) is no set of grey images",
    ),
    "no images at all": (
        "a.npz",
        npz(images=np.zeros((0, 8, 8), np.uint8)),
        r"shape \(0, 8, 8\) is no set of grey images",
    ),
    "complex": (
        "a.npz",
        npz(images=np.ones((4, 8, 8), complex)),
        "images of type complex128 are not read",
    ),
    "strings": ("a.npz", npz(images=np.full((4, 8, 8), "x")), "images of type <U1 are not read"),
    "no square": ("a.npz", npz(X=pictures(5, 7, 6).reshape(5, 42)), "42 pixels make no square"),
    "unknown arrays": (
        "a.npz",
        npz(a=pictures(), b=pictures()),
        r"none of its arrays \(a, b\) is known; name them images and labels",
    ),
    "one-pixel images": (
        "a.npz",
        npz(images=np.arange(9, dtype=np.uint8).reshape(9, 1, 1)),
        "1 × 1 pixels are too small",
    ),
    "Matlab v7.3": (
        "a.mat",
        b"\x89HDF\r\n\x1a\n" + bytes(100),
        r"save it again in Matlab with save\(file, '-v7'\)",
    ),
    "Matlab v7.3 with text": (
        "a.mat",
        b"MATLAB 7.3 MAT-file, Platform".ljust(512) + b"\x89HDF\r\n",
        "Matlab v7.3",
    ),
    "Matlab cell": (
        "a.mat",
        mat(fea=np.array([pictures()[0], "x"], dtype=object)),
        "fea in it is a cell array, which is not read",
    ),
    "Matlab complex": (
        "a.mat",
        mat(fea=np.full((4, 64), 1j)),
        "fea in it is complex, which is not read; save a full array",
    ),
    "Matlab sparse": (
        "a.mat",
        mat(fea=eye_array(64)),
        "fea in it is a sparse matrix, which is not read",
    ),
    "Matlab no square": (
        "a.mat",
        mat(fea=pictures(5, 7, 6).reshape(5, 42)),
        r"give the images as \(height, width, n\)",
    ),
    "Matlab without images": (
        "a.mat",
        mat(gnd=np.arange(6), names=np.array([{}])),
        r"none of its arrays \(gnd, names \(a ",
    ),
    "Matlab v4 complex": (
        "a.mat",
        mat4(fea=np.full((4, 64), 1j)),
        "fea in it is complex, which is not read",
    ),
    "Matlab v4 text": (
        "a.mat",
        mat4(fea=np.array(["ann", "bob"])),
        "fea in it is text, which is not read",
    ),
    "Matlab v4 sparse": (
        "a.mat",
        mat4(fea=eye_array(64)),
        "fea in it is a sparse matrix, which is not read",
    ),
    "Matlab v4 truncated": (
        "a.mat",
        GOOD_MAT4[:100],
        "could not be read .*a matrix is longer than the file",
    ),
    "Matlab v4 and a wrong header": (
        "a.mat",
        GOOD_MAT4 + b"\xff" * 20,
        "could not be read .*a header that cannot be one",
    ),
    "Matlab v4 and half a header": ("a.mat", GOOD_MAT4 + bytes(9), "could not be read"),
    "Matlab v4 that claims exabytes": (
        "a.mat",
        header4(2**31 - 1, 2**31 - 1),
        "a matrix is longer than the file",
    ),
    "Matlab v4 of too many values": (
        "a.mat",
        lambda: header4(6400, 6400) + bytes(6400**2),
        "at most 40,000,000 values are read in all",
    ),
    "Matlab v4 of too many variables": (
        "a.mat",
        header4(0, 0) * 30_000,
        "more than 20,000 variables",
    ),
    "Matlab v4 from a VAX": (
        "a.mat",
        header4(8, 8, 2050, ">") + bytes(64),
        "neither pictures nor arrays",
    ),
    "Matlab of too many elements": (
        "a.mat",
        MATLAB + bytes(8 * 30_000),
        "more than 20,000 variables",
    ),
    "Matlab of many large arrays": (
        "a.mat",
        mat_of_many_arrays,
        "at most 40,000,000 values are read in all",
    ),
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
    "zip of a million entries": ("a.zip", lambda: many_entries(10**6), "more than 20,000 files"),
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
    "labels beyond Unicode": (
        "a.npz",
        npz(images=pictures(4), labels=np.frombuffer(b"\x05\x00\x11\x00" * 4, "<U1")),
        "labels with characters beyond Unicode",
    ),
    "npy of a version to come": (
        "a.npy",
        npy(pictures(4)).replace(b"NUMPY\x01", b"NUMPY\x09"),
        "version 9.0 of .npy is not read",
    ),
    "the same name twice": ("a.zip", twice("a.png"), "'a.png' is in it twice; pack it again"),
    "NaN among whole numbers": (
        "a.mat",
        mat_of_floats([1.0, np.nan, 3.0, 4.0]),
        "fea is of type uint8 and has values that are none, such as NaN",
    ),
    "very long name": ("x" * 5000 + ".png", b"text", "neither pictures nor arrays"),
    "unicode name": ("ü∂ƒ😀.png", b"text", "ü∂ƒ😀.png: neither pictures nor arrays"),
}


@cache
def refused(case):
    """Name, content and what is said of it; large files are made when they are asked for."""
    name, content, message = CASES[case]
    return name, content() if callable(content) else content, message
