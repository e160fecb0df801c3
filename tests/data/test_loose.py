"""Several files at once are read as a zip of them; arrays are resized as pictures are."""

import numpy as np
import pytest

from epca.data import DataError, read_bytes, read_files
from tests.files import encode, mat, npy, npz, pack, pictures, pngs
from tests.hostile import PNG


def same(first, second):
    np.testing.assert_array_equal(first.images, second.images)
    assert first.class_names == second.class_names
    assert (first.labels is None) == (second.labels is None)
    assert first.notices == second.notices
    assert first.is_occluded == second.is_occluded


@pytest.mark.parametrize(
    "files",
    [
        pngs(pictures(12, 40, 50)),  # 2.png before 10.png
        pngs(pictures(3), "ann") | pngs(pictures(3, seed=1), "bob"),
        pngs(pictures(4)) | {"notes.txt": b"hello"},
        pngs(pictures(4)) | {"occluded.txt": b""},
        pngs(pictures(3)) | {"large.png": encode(pictures(1, 20, 30)[0])},
    ],
)
def test_loose_files_are_read_as_a_zip_of_them(files):
    loose = read_files(list(reversed(files.items())), size=32)
    same(loose, read_bytes("set.zip", pack(files), size=32))
    assert loose.name == f"{len(files)} files"


def test_loose_files_of_the_same_name_are_all_read():
    files = [("face.png", encode(picture)) for picture in pictures(4)]
    assert len(read_files(files).images) == 4


def test_one_file_is_read_as_always():
    content = pack(pngs(pictures(4)))
    same(read_files([("set.zip", content)]), read_bytes("set.zip", content))
    with pytest.raises(DataError, match="one image cannot be compared; give at least 3 at once"):
        read_files([("a.png", PNG)])


@pytest.mark.parametrize(
    "others",
    [
        {"a.zip": pack(pngs(pictures(4)))},
        {"a.npz": npz(images=pictures()), "b.npy": npy(pictures())},
        {"a.mat": mat(fea=pictures().reshape(6, 64))},
    ],
)
def test_archives_among_loose_pictures_are_refused_in_one_sentence(others):
    names = ", ".join(others)
    files = [*pngs(pictures(3)).items(), *others.items()]
    with pytest.raises(DataError) as caught:
        read_files(files)
    assert str(caught.value) == (
        f"{len(files)} files: {names} cannot be read together with other files; "
        "give one archive or file of arrays alone, or pictures only."
    )


def test_loose_files_have_the_limits_of_an_archive(monkeypatch):
    files = list(pngs(pictures(4)).items())
    monkeypatch.setattr("epca.data.readers.MAX_MEMBERS", 3)
    with pytest.raises(DataError, match="4 files; at most 3 are read"):
        read_files(files)
    monkeypatch.undo()
    monkeypatch.setattr("epca.data.readers.MAX_BYTES", 2**9)  # all together, not each
    assert max(len(content) for _, content in files) < 2**9
    with pytest.raises(DataError, match="4 files: 0 MB; at most 0 MB are read"):
        read_files(files)
    monkeypatch.undo()
    with pytest.raises(DataError, match="3 files: no picture among its 3 files"):
        read_files([(f"{i}.txt", b"text") for i in range(3)])


@pytest.mark.parametrize("size", [8, 32, 48, None])
@pytest.mark.parametrize("write", ["npz", "npy", "mat"])
def test_arrays_are_resized_as_pictures_are(write, size):
    """By the same filter to the same size; smaller ones stay as they are."""
    pixels = pictures(5, 40, 30)
    contents = {
        "npz": npz(images=pixels),
        "npy": npy(pixels),
        "mat": mat(images=np.moveaxis(pixels, 0, -1)),
    }
    of_pictures = read_bytes("set.zip", pack(pngs(pixels)), size=size)
    of_arrays = read_bytes(f"set.{write}", contents[write], size=size)
    np.testing.assert_array_equal(of_arrays.images, of_pictures.images)
    assert of_arrays.notices == of_pictures.notices
    assert max(of_arrays.image_shape) == min(size or 40, 40)
