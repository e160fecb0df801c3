"""Arrays of NumPy and of Matlab: images are upright on the scale 0…255, and labels are found."""

import struct
import tracemalloc

import numpy as np
import pytest

from epca.data import load_dataset, read_bytes
from epca.data.arrays import to_grey
from epca.data.scale import Scale
from tests.files import big_mat4, mat, mat4, npy, npz, pack, pictures, pngs, tiff


@pytest.mark.parametrize(
    ("images", "labels"), [("images", "labels"), ("X", "y"), ("X", "Y"), ("fea", "gnd")]
)
def test_npz(images, labels):
    flat = pictures().reshape(6, 64)
    for stack in (pictures(), flat):
        result = read_bytes("set.npz", npz(**{images: stack, labels: np.array([3, 3, 5, 5, 9, 9])}))
        np.testing.assert_array_equal(result.images, pictures())
        assert result.labels.tolist() == [0, 0, 1, 1, 2, 2]
        assert result.class_names == ("3", "5", "9")


def test_npz_names_as_labels_and_no_labels():
    assert read_bytes(
        "set.npz", npz(images=pictures(3), labels=np.array(["bob", "ann", "bob"]))
    ).class_names == (
        "ann",
        "bob",
    )
    assert read_bytes("set.npz", npz(pixels=pictures())).labels is None
    assert read_bytes(
        "set.npz", npz(images=pictures(3), labels=[1e300, 2e300, 1.0])
    ).class_names == ("1.0", "1e+300", "2e+300")


def test_npy():
    for array in (pictures(5, 6, 9), np.asfortranarray(pictures(5, 6, 9))):
        np.testing.assert_array_equal(read_bytes("set.npy", npy(array)).images, pictures(5, 6, 9))


@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize(("images", "labels"), [("fea", "gnd"), ("X", "Y")])
def test_mat_is_stood_upright(images, labels, compressed):
    """Matlab writes a picture column by column; a white top right corner must stay top right."""
    upright = pictures(4)
    upright[:, :2, -2:] = 255
    by_columns = upright.transpose(0, 2, 1).reshape(4, 64).astype(float)
    content = mat(compressed, **{images: by_columns, labels: np.array([[1], [1], [2], [2]])})
    result = read_bytes("set.mat", content)
    np.testing.assert_array_equal(result.images, upright)
    assert result.labels.tolist() == [0, 0, 1, 1]
    assert "Matlab stores images column by column; they were stood upright." in result.notices
    turned = read_bytes(
        "set.mat", mat(compressed, **{images: by_columns.T, labels: np.array([[1, 1, 2, 2]])})
    )
    np.testing.assert_array_equal(turned.images, upright)
    stacked = read_bytes(
        "set.mat",
        mat(compressed, **{images: np.moveaxis(upright, 0, -1), labels: np.array([[1, 1, 2, 2]])}),
    )
    np.testing.assert_array_equal(stacked.images, upright)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i2", "u2", "u1"])
def test_matlab_level_4(dtype):
    """Every precision, written by SciPy and by a big-endian machine."""
    upright = pictures(4)
    by_columns = upright.transpose(0, 2, 1).reshape(4, 64)
    labels = np.array([[3], [3], [5], [5]])
    ours = mat4(fea=by_columns.astype(dtype), gnd=labels.astype(float))
    precision = ("f8", "f4", "i4", "i2", "u2", "u1").index(dtype)
    for content in (ours, big_mat4(precision, fea=by_columns, gnd=labels)):
        result = read_bytes("set.mat", content)
        np.testing.assert_array_equal(result.images, upright)
        assert result.class_names == ("3", "5")
        assert result.notices == (
            "Matlab stores images column by column; they were stood upright.",
        )


def test_labels_that_matlab_does_not_hold_as_numbers_are_said():
    names = np.array(["ann", "bob", "ann"], dtype=object)
    X = pictures(3).reshape(3, 64)
    rule = (
        "Labels are one number per image, named labels, y, Y, gnd, target; "
        "in Matlab, [~, ~, gnd] = unique(names) makes numbers "
    )
    for content, what in [
        (mat(fea=X, gnd=names), "gnd (a cell array)"),
        (mat(fea=X, gnd=np.array([1, 2, 1], dtype=object)), "gnd (a cell array)"),
        (mat(False, fea=X, gnd=names.astype(str)), "gnd (text)"),
        (mat(fea=X, gnd={"name": "ann"}), "gnd (a structure)"),
        (mat(fea=X, names=names, other=np.eye(2)), "other, names (a cell array)"),
        (mat4(fea=X, gnd=np.array(["ann", "bob", "ann"])), "gnd (text)"),
        (mat4(fea=X, gnd=np.array([1, 2j, 1])), "gnd (complex)"),
        (mat(False, fea=X) + opaque("gnd"), "gnd (an object)"),
    ]:
        result = read_bytes("set.mat", content)
        assert result.labels is None
        assert f"No labels were read; left out: {what}. {rule}of names." in result.notices
    assert "left out" not in " ".join(
        read_bytes("set.mat", mat(fea=X, gnd=np.arange(3), names=names)).notices
    )


def opaque(name):
    """A Matlab variable of class string or categorical: it has a name where others have a shape."""
    flags = struct.pack("<IIII", 6, 8, 17, 0)
    parts = [
        struct.pack("<II", 1, len(text)) + text.encode().ljust(8, b"\0")
        for text in (name, "MCOS", "string")
    ]
    body = flags + b"".join(parts)
    return struct.pack("<II", 14, len(body)) + body


def test_the_one_array_that_is_no_label_holds_the_images():
    result = read_bytes("set.npz", npz(pixels=pictures(), y=np.arange(6) // 2))
    np.testing.assert_array_equal(result.images, pictures())
    assert result.class_names == ("0", "1", "2")


@pytest.mark.parametrize(
    ("array", "rule"),
    [
        (pictures().astype(float), None),
        (pictures().astype(np.int32), None),
        (pictures() / 255, "Values from 0 to 1 were multiplied by 255."),
        (
            pictures().astype(np.uint16) * 257,
            "16-bit values were divided by 257, so that 65535 became 255.",
        ),
        (pictures() > 127, "Values from 0 to 1 were multiplied by 255."),
    ],
)
def test_scales(array, rule):
    result = read_bytes("set.npz", npz(images=array))
    np.testing.assert_array_equal(
        result.images, pictures() if array.dtype != bool else 255 * (pictures() > 127)
    )
    assert result.notices == ((rule,) if rule else ())


def test_byte_order_logical_values_and_labels():
    big = (pictures().astype(np.uint16) * 257).astype(">u2")
    np.testing.assert_array_equal(read_bytes("set.npy", npy(big)).images, pictures())
    logical = (pictures() > 127).reshape(6, 64)
    np.testing.assert_array_equal(
        read_bytes("set.mat", mat(X=logical, Y=np.arange(6))).images,
        255 * (pictures() > 127).transpose(0, 2, 1),
    )
    assert read_bytes(
        "set.npz", npz(images=pictures(3), labels=np.array([b"ann", b"bob", b"ann"]))
    ).class_names == ("ann", "bob")
    assert read_bytes(
        "set.mat", mat(X=pictures().reshape(6, 64), Y=np.arange(6.0))
    ).class_names == tuple("012345")
    square = np.moveaxis(pictures(8, 8, 10), 0, -1)  # (h, w, n) with n = h
    np.testing.assert_array_equal(
        read_bytes("set.mat", mat(images=square, labels=np.arange(8))).images, pictures(8, 8, 10)
    )


@pytest.mark.parametrize("largest", [1.7e308, 1e-320])
def test_extreme_ranges_do_not_overflow(largest):
    values = np.where(pictures() > 127, largest, -largest)
    np.testing.assert_array_equal(
        read_bytes("set.npz", npz(images=values)).images, 255 * (pictures() > 127)
    )


def test_other_ranges_are_stretched():
    result = read_bytes("set.npz", npz(images=pictures() * 4.0 - 100))
    assert (result.images.min(), result.images.max()) == (0, 255)
    assert result.notices[0].startswith("Values from -100 to ")


@pytest.mark.parametrize(
    ("low", "high", "rule"),
    [
        (0, 1.0000001, "Values from 0 to 1 were stretched to 0…255."),
        (0, 1.02, "Values from 0 to 1.02 were stretched to 0…255."),
        (0.5, 15.5, "Values from 0.5 to 15.5 were stretched to 0…255."),
    ],
)
def test_fractions_of_few_grey_levels_are_stretched(low, high, rule):
    """Rounding, as of those up to 255, would leave two grey levels of what lies a hair above 1."""
    levels = pictures()
    levels[0, 0, :2] = 0, 255
    values = low + levels / 255 * (high - low)
    found = read_bytes("set.npz", npz(images=values))
    np.testing.assert_array_equal(found.images, levels)
    assert found.notices == (rule,)
    tiffs = pack({f"{i}.tif": tiff(picture) for i, picture in enumerate(values)})
    found = read_bytes("set.zip", tiffs)
    np.testing.assert_array_equal(found.images, levels)
    assert found.notices == (f"Floating-point pictures: {rule}",)


def test_few_whole_grey_levels_stay():
    """Also as floating-point numbers, in arrays and in pictures."""
    values = pictures() % 16
    tiffs = pack({f"{i}.tif": tiff(picture) for i, picture in enumerate(values)})
    for found in (read_bytes("a.npz", npz(images=values * 1.0)), read_bytes("a.zip", tiffs)):
        np.testing.assert_array_equal(found.images, values)
        assert found.notices == ()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("type_", [np.int32, np.uint16, np.float16, np.float32, np.float64])
def test_scaling_takes_little_memory_beside_the_array(order, type_):
    """And gives what scaling all at once would."""
    values = (np.random.default_rng(0).random((20, 300, 310)) * 30_000).astype(type_, order=order)
    low = float(values.min())
    scale = Scale(low, float(values.max()), "")
    share = (values.astype(float) / 2 - low / 2) / (scale.high / 2 - low / 2)
    tracemalloc.start()
    try:
        grey = to_grey("set", values, [])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 3 * values.size
    assert grey.dtype == np.uint8
    np.testing.assert_array_equal(scale(values), np.rint(share * 255))


def test_marked_as_occluded(tmp_path):
    files = pngs(pictures(3))
    assert not read_bytes("set.zip", pack(files)).is_occluded
    assert read_bytes("set.zip", pack(files), is_occluded=True).is_occluded
    marked = read_bytes("set.zip", pack(files | {"OCCLUDED.txt": b""}))
    assert marked.is_occluded
    assert marked.notices == ()
    assert read_bytes("set.npz", npz(images=pictures(), occluded=np.array(True))).is_occluded
    (tmp_path / "set.zip").write_bytes(pack(files))
    assert load_dataset(tmp_path / "set.zip", is_occluded=True).is_occluded
