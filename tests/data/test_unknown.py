"""Unknown pixels of files: NaN or transparent ones, on request alone."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from epca.data import DataError, confined, load_dataset, read_bytes
from tests.files import encode, mat, npy, npz, pack, pictures, pngs

HIDDEN = np.random.default_rng(1).random((6, 8, 8)) < 0.2
WITH_NAN = np.where(HIDDEN, np.nan, pictures())


def with_alpha(opacity):
    """A zip of the pictures with these opacities (n, h, w)."""
    pairs = zip(pictures(), opacity, strict=True)
    return pack(pngs([np.stack([grey, alpha], axis=-1) for grey, alpha in pairs]))


def test_nan_is_refused_with_the_hint_unless_it_is_asked_for():
    with pytest.raises(DataError, match=r"NaN or infinite.*choose NaN under “Unknown pixels”"):
        read_bytes("mine.npy", npy(WITH_NAN))
    with pytest.raises(DataError, match="NaN or infinite"):
        read_bytes("mine.npy", npy(WITH_NAN), unknown="transparent")


@pytest.mark.parametrize("content", [npy(WITH_NAN), npz(images=WITH_NAN)])
def test_nan_is_an_unknown_pixel_on_request(content):
    found = read_bytes("mine.npz", content, unknown="nan")
    np.testing.assert_array_equal(found.unknown, HIDDEN)
    np.testing.assert_array_equal(found.images, np.where(HIDDEN, 0, pictures()))
    np.testing.assert_array_equal(found.X, WITH_NAN.reshape(6, 64))
    assert f"{HIDDEN.mean():.1%} of the pixels are unknown." in found.notices


def test_unknown_pixels_do_not_change_the_scale_of_the_others():
    found = read_bytes("mine.npy", npy(WITH_NAN / 255), unknown="nan")
    np.testing.assert_array_equal(found.X, WITH_NAN.reshape(6, 64))


def test_other_values_and_files_stay_refused():
    endless = WITH_NAN.copy()
    endless[0, 0, 0] = np.inf
    with pytest.raises(DataError, match=r"mine: 1 values are infinite; .* or by NaN") as refusal:
        read_bytes("mine.npy", npy(endless), unknown="nan")
    assert "choose NaN" not in str(refusal.value)  # it is chosen
    with pytest.raises(DataError, match="NaN or infinite"):
        read_bytes("mine.mat", mat(images=np.moveaxis(WITH_NAN, 0, -1)), unknown="nan")
    with pytest.raises(DataError, match="unknown='NaN' must be one of none, nan, transparent"):
        load_dataset("orl", unknown="NaN")


def test_every_image_needs_known_pixels_and_they_must_differ():
    empty = WITH_NAN.copy()
    empty[2] = np.nan
    with pytest.raises(DataError, match=r"no pixel of image 2 \(counted from 0\) is known"):
        read_bytes("mine.npy", npy(empty), unknown="nan")
    alike = np.where(HIDDEN, np.nan, pictures()[0].astype(float))
    with pytest.raises(DataError, match="all 6 images are identical"):
        read_bytes("mine.npy", npy(alike), unknown="nan")


def test_transparent_pixels_are_unknown_on_request():
    opacity = np.where(HIDDEN, 127, 128).astype(np.uint8)
    found = read_bytes("mine.zip", with_alpha(opacity), unknown="transparent")
    np.testing.assert_array_equal(found.unknown, HIDDEN)
    np.testing.assert_array_equal(found.X, WITH_NAN.reshape(6, 64))


@pytest.mark.parametrize("unknown", ["none", "nan"])
def test_else_transparent_pixels_are_as_opaque_ones(unknown):
    opacity = np.where(HIDDEN, 0, 255).astype(np.uint8)
    found = read_bytes("mine.zip", with_alpha(opacity), unknown=unknown)
    assert found.unknown is None
    np.testing.assert_array_equal(found.images, pictures())


def test_a_transparent_colour_of_a_palette_is_unknown():
    files = {}
    for i, levels in enumerate(pictures() // 16):
        picture = Image.fromarray(levels).convert("P")
        files[f"{i}.gif"] = encode(np.asarray(picture), "GIF", transparency=3)
    found = read_bytes("mine.zip", pack(files), unknown="transparent")
    np.testing.assert_array_equal(found.unknown, pictures() // 16 == 3)


def test_pictures_without_transparency_have_no_unknown_pixel():
    found = read_bytes("mine.zip", pack(pngs(pictures())), unknown="transparent")
    assert found.unknown is None
    assert found.digest == read_bytes("mine.zip", pack(pngs(pictures()))).digest


def test_resizing_takes_known_pixels_alone():
    """The left half of each image is unknown, and bright: nothing of it comes to the right."""
    levels = np.full((4, 16, 16), 250.0) - np.arange(4)[:, None, None]
    levels[:, :, 8:] = 40 + np.arange(4)[:, None, None]
    hidden = np.zeros(levels.shape, bool)
    hidden[:, :, :8] = True
    content = npy(np.where(hidden, np.nan, levels))
    found = read_bytes("mine.npy", content, size=8, unknown="nan")
    np.testing.assert_array_equal(found.unknown, hidden[:, ::2, ::2])
    np.testing.assert_allclose(found.images[:, :, 4:], levels[:, ::2, 8::2], atol=1)
    opacity = np.where(hidden, 0, 255)
    both = np.stack([levels, opacity], axis=-1).astype(np.uint8)
    pictured = read_bytes("mine.zip", pack(pngs(both)), size=8, unknown="transparent")
    np.testing.assert_array_equal(pictured.unknown, found.unknown)
    np.testing.assert_array_equal(pictured.images, found.images)


def test_the_digest_tells_what_is_unknown():
    black = read_bytes("mine.npy", npy(np.where(HIDDEN, 0.0, pictures())))
    found = read_bytes("mine.npy", npy(WITH_NAN), unknown="nan")
    np.testing.assert_array_equal(found.images, black.images)
    assert len({black.digest, found.digest, replace(found, unknown=~HIDDEN).digest}) == 3


@pytest.mark.parametrize("labels", [{}, {"labels": np.arange(6) % 2}])
def test_the_confined_reader_tells_the_same(labels):
    content = npz(images=WITH_NAN, **labels)
    found = confined.read_files([("mine.npz", content)], unknown="nan")
    expected = read_bytes("mine.npz", content, unknown="nan")
    np.testing.assert_array_equal(found.unknown, HIDDEN)
    np.testing.assert_array_equal(found.labels, expected.labels)
    assert found.digest == expected.digest


def test_a_path_is_read_with_the_option(tmp_path):
    (tmp_path / "mine.npy").write_bytes(npy(WITH_NAN))
    found = load_dataset(tmp_path / "mine.npy", unknown="nan")
    np.testing.assert_array_equal(found.unknown, HIDDEN)
