"""Pictures: every format, depth and orientation becomes grey levels, and what was done is said."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageOps

from epca.data import DataError, read_bytes, read_path, read_picture
from tests.files import encode, pack, pictures, pngs, tiff, write_pngs, written

FORMATS = {"png": "PNG", "jpg": "JPEG", "pgm": "PPM", "bmp": "BMP", "tif": "TIFF", "gif": "GIF"}

PNG = encode(pictures(1, seed=9)[0])


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_round_trips(ending):
    files = {
        f"set/{i}.{ending}": encode(picture, FORMATS[ending])
        for i, picture in enumerate(pictures(4, 16, 12))
    }
    images = read_bytes("set.zip", pack(files))
    assert images.images.shape == (4, 16, 12)
    assert images.labels is None
    if ending != "jpg":
        np.testing.assert_array_equal(images.images, pictures(4, 16, 12))


def test_class_folders_in_natural_order(tmp_path):
    for name in ("s10", "s2", "s1"):
        write_pngs(tmp_path / "faces" / name, pictures(12, seed=int(name[1:])))
    images = read_path(tmp_path / "faces")
    assert images.class_names == ("s1", "s2", "s10")
    assert np.bincount(images.labels).tolist() == [12, 12, 12]
    np.testing.assert_array_equal(images.images[:12], pictures(12, seed=1))  # 2.png before 10.png
    files = {
        f"top/faces/{p.parent.name}/{p.name}": p.read_bytes()
        for p in (tmp_path / "faces").rglob("*.png")
    }
    zipped = read_bytes("faces.zip", pack(files))
    np.testing.assert_array_equal(zipped.images, images.images)
    assert zipped.class_names == images.class_names


def test_formats_by_content_not_by_name():
    files = {
        "a.jpg": encode(pictures()[0]),
        "b.txt": encode(pictures()[1], "BMP"),
        "c": encode(pictures()[2], "GIF"),
    }
    np.testing.assert_array_equal(read_bytes("set.rar", pack(files)).images, pictures()[:3])


def test_mixed_sizes_and_other_files():
    files = pngs(pictures(4))
    files |= {
        "5.png": encode(pictures(1, 20, 30)[0]),
        "notes.txt": b"hello",
        "inner.zip": pack({"x.png": b"x"}),
    }
    images = read_bytes("set.zip", pack(files))
    assert images.images.shape == (5, 8, 8)
    assert images.notices[0].startswith(
        "1 of 5 images had another size than 8 × 8 and were stretched to it"
    )
    assert images.notices[1] == "2 files that are no pictures were left out: inner.zip, notes.txt."


def test_a_single_other_file_is_told_of_as_one():
    images = read_bytes("set.zip", pack(pngs(pictures(4)) | {"notes.txt": b"hello"}))
    assert images.notices == ("1 file that is no picture was left out: notes.txt.",)


def test_size_does_not_change_proportions():
    files = pngs(pictures(3, 112, 92))
    images = read_bytes("set.zip", pack(files), size=32)
    assert images.images.shape == (3, 32, 26)
    assert images.notices == ("Resized from 92 × 112 to 26 × 32 pixels.",)
    assert read_bytes("set.zip", pack(files)).images.shape == (3, 112, 92)


def test_exif_orientation():
    """A camera held upright stores a picture lying, with a mark; its white corner is top right."""
    files = {}
    for i in range(3):
        lying = np.zeros((8, 16), np.uint8)
        lying[:4, :8] = 255
        lying[-1, i] = 99
        exif = Image.Exif()
        exif[0x0112] = 6  # turn by 90° clockwise
        files[f"{i}.png"] = encode(lying, exif=exif)
    images = read_bytes("set.zip", pack(files)).images
    assert images.shape == (3, 16, 8)
    assert images[0, :8, 4:].min() == 255
    assert images[0, :, :4].max() < 255


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("format", ["PNG", "JPEG", "TIFF"])
def test_every_orientation_in_every_format(format, orientation):
    """Whatever the camera wrote, the picture comes out as Pillow turns it."""
    stored = np.zeros((6, 10), np.uint8)
    stored[:3, :5] = 255
    exif = Image.Exif()
    exif[0x0112] = orientation
    files = {}
    for i in range(3):
        picture = stored.copy()
        picture[-1, i * 3] = 128
        files[f"{i}.{format}"] = encode(picture, format, exif=exif)
    images = read_bytes("set.zip", pack(files)).images
    with Image.open(BytesIO(files[f"0.{format}"])) as image:
        upright = np.asarray(ImageOps.exif_transpose(image))
    assert images.shape[1:] == upright.shape == ((6, 10) if orientation < 5 else (10, 6))
    np.testing.assert_allclose(images[0], upright, atol=2)


def test_odd_names_of_folders_and_files():
    files = {}
    for folder in ("²", "①", "3²", "9" * 4000):
        files |= pngs(pictures(2, seed=len(folder)), folder[:200])
    files |= {"3²/Screen Shot 12:30.png": PNG, ".git/x.png": PNG, "__MACOSX/x.png": PNG}
    images = read_bytes("set.zip", pack(files))
    assert len(images.class_names) == 4
    assert len(images.images) == 9


def several(pixels, format):
    """One file of several frames or pages."""
    first, *others = (Image.fromarray(picture) for picture in pixels)
    return written(first.save, format, save_all=True, append_images=others)


def test_colour_16_bit_float_palette_and_moving_pictures():
    grey = pictures(1)[0]
    cmyk = Image.fromarray(np.stack([grey] * 3, axis=-1)).convert("CMYK")
    files = {
        "a.png": encode(grey.astype(np.uint16) * 257),
        "b.tif": tiff(np.linspace(-1, 3, 64).reshape(8, 8)),
        "c.gif": several(pictures(3), "GIF"),
        "d.jpg": written(cmyk.save, "JPEG"),
        "e.png": encode(np.stack([grey] * 3, axis=-1)),
    }
    images = read_bytes("set.zip", pack(files))
    np.testing.assert_array_equal(images.images[0], grey)
    assert (images.images[1].min(), images.images[1].max()) == (0, 255)
    np.testing.assert_array_equal(images.images[2], pictures(3)[0])
    np.testing.assert_array_equal(images.images[4], grey)
    text = " ".join(images.notices)
    for part in ("first frame", "divided by 257", "Floating-point", "Colours were"):
        assert part in text


def test_floating_point_pictures_share_one_scale():
    """A set's brightness stays comparable: every picture by the range of all, whatever its own."""
    values = np.random.default_rng(0).uniform(-1, 1, (3, 8, 8))
    values[1:] *= 0.5
    values[0, 0, :2] = -1, 3
    images = read_bytes(
        "set.zip", pack({f"{i}.tif": tiff(value) for i, value in enumerate(values)})
    )
    np.testing.assert_array_equal(
        images.images, np.rint((values.astype(np.float32) + 1.0) / 4 * 255)
    )
    assert images.notices == (
        "Floating-point pictures: Values from -1 to 3 were stretched to 0…255.",
    )
    shares = read_bytes(
        "set.zip", pack({f"{i}.tif": tiff(value) for i, value in enumerate(pictures(3) / 510)})
    )
    assert shares.images.max() == 128  # from 0 to 1, not stretched to its own largest value
    assert shares.notices == (
        "Floating-point pictures: Values from 0 to 1 were multiplied by 255.",
    )


def test_pictures_of_more_than_8_bits_share_one_scale():
    dark = pictures(2, seed=1).astype(np.uint16)
    bright = pictures(2, seed=2).astype(np.uint16) * 257
    files = {f"{i}.png": encode(picture) for i, picture in enumerate([*dark, *bright])}
    images = read_bytes("set.zip", pack(files))
    np.testing.assert_array_equal(images.images[:2], np.rint(dark / 257))
    np.testing.assert_array_equal(images.images[2:], pictures(2, seed=2))
    rule = (
        "Pictures of more than 8 bits: 16-bit values were divided by 257, so that 65535 became 255."
    )
    assert images.notices == (rule,)
    alone = read_bytes(
        "set.zip",
        pack({f"{i}.tif": encode(dark[i % 2] + np.uint16(i // 2), "TIFF") for i in range(3)}),
    )
    np.testing.assert_array_equal(alone.images[:2], dark)  # 8 bits in the room of 16
    assert alone.notices == ()
    large = read_bytes(
        "set.zip",
        pack({f"{i}.tif": encode(dark[i % 2] * np.int32(10**5) + i, "TIFF") for i in range(3)}),
    )
    np.testing.assert_array_equal(
        large.images[:2], np.rint((dark - dark.min()) / np.ptp(dark) * 255.0)
    )
    assert "stretched to 0…255" in large.notices[0]


def test_colours_of_16_bits_are_said():
    header = b"P6 8 8 65535\n"
    files = {
        f"{i}.ppm": header + np.repeat(picture.astype(">u2") * 257, 3).tobytes()
        for i, picture in enumerate(pictures(3))
    }
    images = read_bytes("set.zip", pack(files))
    np.testing.assert_array_equal(images.images, pictures(3))
    assert images.notices[-1] == "Colours of 16 bits were reduced to 8."


def test_pages_of_a_tiff_are_said():
    images = read_bytes(
        "set.zip",
        pack(
            {"a.tif": several(pictures(3), "TIFF"), "b.png": PNG, "c.png": encode(pictures(3)[1])}
        ),
    )
    np.testing.assert_array_equal(images.images[0], pictures(3)[0])
    assert images.notices == (
        "Of pictures with several frames or pages the first frame was taken.",
    )


def test_one_picture_of_any_depth_becomes_grey_levels_of_the_shape_asked_for():
    deep = (np.arange(64).reshape(8, 8) * 1000).astype(np.uint16)
    grey = read_picture("deep.png", encode(deep), (8, 8))
    np.testing.assert_array_equal(grey, np.rint(np.arange(64).reshape(8, 8) * 1000 / 257))
    assert read_picture("wide.png", encode(pictures(1)[0]), (4, 6)).shape == (4, 6)
    with pytest.raises(DataError, match="this is no picture"):
        read_picture("note.txt", b"hello", (4, 4))
