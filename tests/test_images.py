"""Pictures: every pixel where it belongs."""

import re
from base64 import b64decode
from io import BytesIO

import numpy as np
from PIL import Image

from epca.images import (
    BLUE,
    VERMILION,
    data_url,
    favicon,
    heat_montage,
    montage,
    png,
    qr_code,
    row,
)


def test_montage_places_every_image(generator):
    images = generator.integers(0, 256, (2, 3, 4, 5)).astype(float)
    picture = montage(images, gap=1, zoom=2)
    assert picture.shape == (2 * 10, 3 * 12, 2)
    for i in range(2):
        for column in range(3):
            cell = picture[i * 10 : i * 10 + 10, column * 12 : column * 12 + 12]
            np.testing.assert_array_equal(cell[1:-1:2, 1:-1:2, 0], images[i, column])
            np.testing.assert_array_equal(cell[2:-1:2, 2:-1:2, 0], images[i, column])
            assert np.all(cell[1:-1, 1:-1, 1] == 255)
            assert np.all(cell[[0, -1], :, 1] == 0)
            assert np.all(cell[:, [0, -1], 1] == 0)


def test_montage_draws_each_pixel_three_by_three_unless_told_otherwise():
    assert montage(np.zeros((1, 1, 4, 5))).shape == (3 * 4 + 2 * 2, 3 * 5 + 2 * 2, 2)


def test_montage_clips_and_rounds():
    picture = montage(np.array([[[[-5.0, 300.0, 99.6]]]]), gap=0, zoom=1)
    assert picture[0, :, 0].tolist() == [0, 255, 100]


def test_png_round_trip(generator):
    pixels = generator.integers(0, 256, (6, 7, 2)).astype(np.uint8)
    with Image.open(BytesIO(png(pixels))) as image:
        np.testing.assert_array_equal(np.asarray(image), pixels)


def test_an_address_holds_the_picture(generator):
    pixels = generator.integers(0, 256, (7, 5, 3)).astype(np.uint8)
    kind, content = data_url(pixels).split(",")
    assert kind == "data:image/png;base64"
    assert b64decode(content) == png(pixels)


def test_favicon():
    """A blue line across, samples in vermilion, white elsewhere."""
    picture = favicon()
    assert picture.size == (32, 32)
    assert picture.getpixel((2, 30)) == BLUE
    assert picture.getpixel((24, 26)) == VERMILION
    assert picture.getpixel((0, 0)) == (255, 255, 255)


def test_heat_of_signed_values():
    values = np.array([[-10.0, 0.0], [10.0, 5.0]]).reshape(1, 1, 2, 2)
    pixels = heat_montage(values, 10, gap=0, zoom=1)
    assert pixels[0, 0].tolist() == [*BLUE, 255]
    assert pixels[0, 1].tolist() == [255, 255, 255, 255]
    assert pixels[1, 0].tolist() == [*VERMILION, 255]
    assert pixels[1, 1].tolist() == [234, 174, 128, 255]  # halfway to vermilion
    assert heat_montage(np.full((1, 1, 1, 1), np.nan), 1, gap=0, zoom=1)[0, 0, 3] == 0


def test_images_become_one_row():
    X = np.arange(12.0).reshape(2, 6)
    cells = row(X, (2, 3))
    assert cells.shape == (1, 2, 2, 3)
    np.testing.assert_array_equal(cells[0, 1].ravel(), X[1])


def test_a_qr_code_is_black_on_white_with_a_quiet_zone_and_asks_no_other_host():
    link = "http://127.0.0.1:8501/learn?room=ABCDEFGH"
    svg = qr_code(link)
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    assert f'fill="#fff" d="M0 0h{size}v{size}h-{size}z"' in svg  # all of it is white first
    assert re.search(r'stroke="#000" d="M4 4\.5h7', svg)  # its first corner, four modules inside
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert svg != qr_code(link + "2")
