"""Mask images: on request alone they say where pictures are unknown, else they are pictures."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from epca.data import DataError, confined, load_dataset, read_bytes, read_files
from epca.data.imageset import VANISHED
from epca.data.masks import RULE
from tests.files import encode, mat, npy, npz, pack, pictures, pngs, tiff
from tests.hostile import bomb_png

HIDDEN = np.random.default_rng(1).random((6, 8, 8)) < 0.2
EXPECTED = np.where(HIDDEN, np.nan, pictures()).reshape(6, 64)
WHITE = np.where(HIDDEN, np.uint8(128), np.uint8(127))  # at least half white, and not


def masks_of(levels, ending="png", format="PNG"):
    return {f"{i}_mask.{ending}": encode(level, format) for i, level in enumerate(levels)}


FILES = pngs(pictures()) | masks_of(WHITE)


def read(files, **options):
    return read_bytes("mine.zip", pack(files), unknown="masks", **options)


def changed(**contents):
    """The files with others instead, by their stems; those with None are left out."""
    new = {f"{stem}.png": content for stem, content in contents.items()}
    return {name: content for name, content in (FILES | new).items() if content is not None}


def in_zip(folder):
    return read(FILES)


def loose(folder):
    return read_files(list(reversed(FILES.items())), unknown="masks")


def in_folder(folder):
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    return load_dataset(folder, unknown="masks")


def confined_child(folder):
    return confined.read_files([("mine.zip", pack(FILES))], unknown="masks")


@pytest.mark.parametrize("way", [in_zip, loose, in_folder, confined_child])
def test_masks_say_where_pictures_are_unknown(way, tmp_path):
    found = way(tmp_path)
    np.testing.assert_array_equal(found.X, EXPECTED)
    np.testing.assert_array_equal(found.unknown, HIDDEN)
    share = f"{HIDDEN.mean():.1%} of the pixels are unknown."
    assert found.notices == ("6 of 6 images have a mask.", share)


@pytest.mark.parametrize("unknown", ["none", "nan", "transparent"])
def test_unless_asked_for_masks_are_pictures_as_all(unknown):
    found = read_bytes("mine.zip", pack(FILES), unknown=unknown)
    assert found.unknown is None
    np.testing.assert_array_equal(found.images[::2], pictures())
    np.testing.assert_array_equal(found.images[1::2], WHITE)
    arrays = npz(images=pictures(), masks=HIDDEN)
    found = read_bytes("mine.npz", arrays, unknown=unknown)
    assert found.unknown is None
    np.testing.assert_array_equal(found.images, pictures())
    assert "left out: masks" in found.notices[0]


def test_a_picture_without_a_mask_is_known_everywhere():
    found = read(changed(**{"2_mask": None}))
    assert not found.unknown[2].any()
    np.testing.assert_array_equal(np.delete(found.unknown, 2, 0), np.delete(HIDDEN, 2, 0))
    assert "5 of 6 images have a mask." in found.notices


def test_masks_belong_to_pictures_of_their_folder():
    """Their format and the case of their suffix do not matter, and classes are the pictures'."""
    files = {}
    for i, (picture, hidden) in enumerate(zip(pictures(), HIDDEN, strict=True)):
        folder = f"{'ann' if i < 3 else 'bob'}/{i % 3}"
        files[f"{folder}.bmp"] = encode(picture, "BMP")
        files[f"{folder}_MASK.tif"] = encode(hidden, "TIFF")  # of one bit
    found = read(files)
    np.testing.assert_array_equal(found.X, EXPECTED)
    np.testing.assert_array_equal(found.labels, [0, 0, 0, 1, 1, 1])
    assert found.class_names == ("ann", "bob")


@pytest.mark.parametrize(
    "content",
    [
        lambda hidden: encode(np.stack([np.where(hidden, 255, 0)] * 3, -1).astype(np.uint8)),
        lambda hidden: encode(np.where(hidden, 40_000, 20_000).astype(np.uint16)),
        lambda hidden: tiff(np.where(hidden, 0.6, 0.4)),
    ],
    ids=["colour", "16 bits", "floating point"],
)
def test_masks_have_a_scale_of_their_own(content):
    files = pngs(pictures())
    files |= {f"{i}_mask.png": content(hidden) for i, hidden in enumerate(HIDDEN)}
    found = read(files)
    np.testing.assert_array_equal(found.X, EXPECTED)
    assert found.notices[0] == "6 of 6 images have a mask."


def test_masks_are_resized_with_their_pictures_as_alpha_is():
    levels = pictures(4, 40, 30)
    hidden = np.random.default_rng(2).random((4, 5, 5)) < 0.3
    hidden = np.kron(hidden, np.ones((8, 6))).astype(bool)
    opacity = np.where(hidden, 0, 255).astype(np.uint8)
    both = pngs(np.stack([levels, opacity], axis=-1))
    expected = read_bytes("mine.zip", pack(both), size=16, unknown="transparent")
    found = read(pngs(levels) | masks_of(255 - opacity), size=16)
    assert found.digest == expected.digest
    arrays = npz(images=levels, masks=hidden)
    found = read_bytes("mine.npz", arrays, size=16, unknown="masks")
    assert found.digest == expected.digest


def test_a_mask_stands_upright_as_its_picture_does():
    """The picture lies and says so; its mask was saved upright."""
    lying = Image.Exif()
    lying[0x0112] = 6  # turn it by 90°
    levels = pictures(3, 8, 12)
    hidden = np.zeros((3, 12, 8), np.uint8)
    hidden[:, :2] = 255
    files = {f"{i}.png": encode(picture, exif=lying) for i, picture in enumerate(levels)}
    found = read(files | masks_of(hidden))
    np.testing.assert_array_equal(found.unknown, hidden > 0)
    known = np.rot90(levels, -1, (1, 2))[:, 2:]
    np.testing.assert_array_equal(found.images[:, 2:], known)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (changed(**{"0_mask": encode(WHITE[0, :, :7])}), r"0_mask.png has 7 × 8 .* picture 8 × 8"),
        (changed(**{"0": None}), r"0_mask.png is a mask without its picture, 0 in the same folder"),
        (changed(**{"0_mask_mask": encode(WHITE[0])}),
         "0_mask_mask.png is by its name a mask of 0_mask.png, which is a mask itself"),
        (changed(**{"a/0": FILES["0.png"], "0": None}), "0_mask.png is a mask without"),
        (pngs(pictures()), "none of its 6 pictures is a mask. A mask lies beside"),
        (FILES | {"0.gif": encode(pictures(1)[0], "GIF")}, "0.gif, 0.png, 0_mask.png nobody knows"),
        (FILES | masks_of(WHITE, "bmp", "BMP"), "0.png, 0_mask.bmp, 0_mask.png nobody knows"),
        (pngs(pictures()) | masks_of(HIDDEN.astype(np.uint8)), "its masks leave every pixel known"),
        (changed(**{"3_mask": encode(np.full((8, 8), 255, np.uint8))}),
         r"no pixel of image 3 .* leave it out. In a mask, white .* means unknown: .* invert"),
        (pngs(pictures()) | masks_of(np.full((6, 8, 8), 255, np.uint8)),
         r"no pixel of its 6 images is known; .* In a mask, white .* means unknown: .* invert"),
        (changed(**{"2_mask": b"no mask"}),
         r"2_mask.png has the name of the mask of 2.png, but is no picture .* save it again"),
        (pngs(pictures()) | {"2_mask.png": b"no mask"}, "2_mask.png has the name of the mask"),
        (changed(**{"0_mask": FILES["0_mask.png"][:60]}), "lines of the picture are missing"),
        (changed(**{"0_mask": bomb_png(30_000, 30_000)}), "0_mask.png has"),
        (changed(**{str(i): None for i in (0, 1, 2, 3)} | {f"{i}_mask": None for i in range(4)}),
         "2 images cannot be compared"),
    ],
)  # fmt: skip
def test_masks_that_cannot_be_used_are_refused_in_one_sentence(files, message):
    with pytest.raises(DataError, match=message):
        read(files)


def test_other_files_beside_masks_are_left_out():
    """Named as the mask of a picture that has one, or as that of none."""
    found = read(FILES | {"2_mask.txt": b"how it was made", "about_mask.txt": b"text"})
    np.testing.assert_array_equal(found.unknown, HIDDEN)
    left_out = "2 files that are no pictures were left out: 2_mask.txt, about_mask.txt."
    assert found.notices[0] == left_out


def test_loose_files_of_the_same_name_are_refused():
    """From several folders: else the second mask would be taken for a picture."""
    files = [*FILES.items(), ("1_mask.png", FILES["2_mask.png"])]
    with pytest.raises(DataError, match=r"several are called 1_mask.png, .* or a zip of their"):
        read_files(files, unknown="masks")
    assert len(read_files(files).images) == 13


def test_masks_have_the_limits_of_pictures(monkeypatch):
    monkeypatch.setattr("epca.data.pictures.MAX_DECODED", 12 * 64)
    assert len(read(FILES).images) == 6
    monkeypatch.setattr("epca.data.pictures.MAX_DECODED", 12 * 64 - 1)
    with pytest.raises(DataError, match="768 pixels in all"):
        read(FILES)
    monkeypatch.undo()
    monkeypatch.setattr("epca.data.pictures.MAX_IMAGES", 11)
    with pytest.raises(DataError, match="12 images; at most 11"):
        read(FILES)


@pytest.mark.parametrize(
    "masks",
    [HIDDEN, HIDDEN.astype(np.uint8), HIDDEN.astype(float), WHITE, np.where(HIDDEN, 65535, 0)],
    ids=["bool", "0 and 1", "float", "grey", "16 bits"],
)
def test_an_array_of_masks(masks):
    found = read_bytes("mine.npz", npz(images=pictures(), masks=masks), unknown="masks")
    np.testing.assert_array_equal(found.X, EXPECTED)
    assert found.notices == (f"{HIDDEN.mean():.1%} of the pixels are unknown.",)


@pytest.mark.parametrize(
    ("levels", "under"),
    [(pictures() / 255, -999.0), (pictures() / 255, 1e300), (pictures().astype(np.int16), -32768)],
)
def test_what_lies_under_a_mask_decides_on_no_scale(levels, under):
    content = npz(images=np.where(HIDDEN, under, levels).astype(levels.dtype), masks=HIDDEN)
    np.testing.assert_array_equal(read_bytes("a.npz", content, unknown="masks").X, EXPECTED)


@pytest.mark.parametrize("under", [-999.0, 65535.0])
def test_what_lies_under_a_mask_decides_on_no_scale_of_pictures(under):
    covered = np.where(HIDDEN, under, pictures().astype(float))
    files = {f"{i}.tif": tiff(picture) for i, picture in enumerate(covered)}
    np.testing.assert_array_equal(read(files | masks_of(WHITE)).X, EXPECTED)


def test_masks_too_small_for_the_size_leave_all_known_and_that_is_said():
    levels = pictures(6, 64, 64)
    hidden = np.zeros(levels.shape, bool)
    hidden[:, 0, 0] = True
    arrays = npz(images=levels, masks=hidden)
    files = pngs(levels) | masks_of(np.where(hidden, np.uint8(255), np.uint8(0)))
    plain = read_bytes("a.zip", pack(pngs(levels)), size=16)
    for found in (read_bytes("a.npz", arrays, size=16, unknown="masks"), read(files, size=16)):
        assert found.unknown is None
        assert VANISHED in found.notices
        assert not any("pixels are unknown" in notice for notice in found.notices)
    assert np.abs(found.images.astype(int) - plain.images).max() <= 8


def test_masks_lie_as_their_images_do():
    rows = npz(faces=pictures().reshape(6, 64), masks=HIDDEN.reshape(6, 64))
    np.testing.assert_array_equal(read_bytes("a.npz", rows, unknown="masks").X, EXPECTED)
    last = mat(images=np.moveaxis(pictures(), 0, -1), masks=np.moveaxis(HIDDEN, 0, -1))
    np.testing.assert_array_equal(read_bytes("a.mat", last, unknown="masks").X, EXPECTED)
    columns = mat(
        fea=pictures().transpose(0, 2, 1).reshape(6, 64),
        masks=HIDDEN.transpose(0, 2, 1).reshape(6, 64).astype(float),
    )
    np.testing.assert_array_equal(read_bytes("a.mat", columns, unknown="masks").X, EXPECTED)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (npz(images=pictures(), masks=HIDDEN[:5]), r"masks of shape \(5, 8, 8\) for images of"),
        (npz(images=pictures(), masks=HIDDEN.reshape(6, 64)), r"masks of shape \(6, 64\)"),
        (npz(images=pictures(), masks=HIDDEN[:, :, :7]), r"masks of shape \(6, 8, 7\)"),
        (npz(images=pictures(), masks=np.full((6, 8, 8), "x")), "masks of type <U1"),
        (
            npz(images=pictures(), masks=np.where(HIDDEN, np.nan, 0)),
            "NaN or infinite, are not read",
        ),
        (npz(images=pictures(), masks=np.zeros((6, 8, 8))), "its masks leave every pixel known"),
        (npz(images=pictures(), masks=np.ones((6, 8, 8))), r"of its 6 images .*1 in an array"),
        (npz(images=pictures(), mask=HIDDEN), r"its arrays \(images, mask\) holds masks"),
        (npy(pictures()), r"its arrays \(images\) holds masks"),
        (mat(fea=pictures().reshape(6, 64)), r"its arrays \(fea\) holds masks"),
        (mat(fea=pictures().reshape(6, 64), masks="text"), "masks in it is"),
        (npz(images=np.where(HIDDEN, np.nan, pictures()), masks=HIDDEN), "NaN or infinite"),
    ],
)
def test_arrays_of_masks_that_cannot_be_used(content, message):
    with pytest.raises(DataError, match=message):
        read_bytes("mine", content, unknown="masks")


def test_a_set_of_a_package_has_no_masks():
    with pytest.raises(DataError, match="digits has no masks; leave unknown='masks' out"):
        load_dataset("digits", unknown="masks")


def test_the_rule_is_told_where_sets_are_described():
    text = (Path(__file__).parents[2] / "datasets" / "README.md").read_text(encoding="utf-8")
    for word in ("_mask", "masks", "at least half white"):
        assert word in RULE
        assert word in " ".join(text.split())
