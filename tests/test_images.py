"""Pictures: every pixel where it belongs."""

from io import BytesIO

import numpy as np
from PIL import Image

from epca.images import favicon, montage, png


def test_montage_places_every_image(generator):
    images = generator.integers(0, 256, (2, 3, 4, 5)).astype(float)
    picture = montage(images, gap=1, zoom=2)
    assert picture.shape == (2 * 10, 3 * 12, 2)
    for row in range(2):
        for column in range(3):
            cell = picture[row * 10 : row * 10 + 10, column * 12 : column * 12 + 12]
            np.testing.assert_array_equal(cell[1:-1:2, 1:-1:2, 0], images[row, column])
            np.testing.assert_array_equal(cell[2:-1:2, 2:-1:2, 0], images[row, column])
            assert np.all(cell[1:-1, 1:-1, 1] == 255)
            assert np.all(cell[[0, -1], :, 1] == 0)
            assert np.all(cell[:, [0, -1], 1] == 0)


def test_montage_clips_and_rounds():
    picture = montage(np.array([[[[-5.0, 300.0, 99.6]]]]), gap=0, zoom=1)
    assert picture[0, :, 0].tolist() == [0, 255, 100]


def test_png_round_trip(generator):
    pixels = generator.integers(0, 256, (6, 7, 2)).astype(np.uint8)
    with Image.open(BytesIO(png(pixels))) as image:
        np.testing.assert_array_equal(np.asarray(image), pixels)


def test_favicon():
    assert favicon().size == (32, 32)
