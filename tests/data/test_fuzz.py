"""Broken and random bytes: never anything but a DataError, in bounded memory."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epca.data import DataError, limits, read_bytes
from epca.data.imageset import UNKNOWN
from tests.files import big_mat4, mat, npy, npz, pack, pictures, pngs, tiff
from tests.hostile import PNG, header4
from tests.refused import GOOD_MAT, GOOD_MAT4, GOOD_NPZ, GOOD_ZIP

FLOAT_ZIP = pack({f"{i}.tif": tiff(picture / 99) for i, picture in enumerate(pictures(3))})
MASKED = pngs(pictures(3)) | {"0_mask.png": PNG}
BIG_MAT4 = big_mat4(5, fea=pictures().reshape(6, 64), gnd=np.arange(6)[:, None])


@pytest.mark.slow
def test_every_byte_of_a_matlab_file_may_be_wrong():
    """No value of any byte ends the process or raises anything but a DataError."""
    level_5 = mat(False, fea=pictures(3).reshape(3, 64).astype(float), gnd=np.arange(3.0))
    for content, positions in [
        (level_5, range(128, 400)),
        (GOOD_MAT4, range(60)),
        (BIG_MAT4, range(60)),
    ]:
        for position in positions:
            for value in (0, 1, 8, 11, 14, 15, 20, 127, 255):
                broken = bytearray(content)
                broken[position] = value
                only_data_errors(bytes(broken))


@pytest.mark.parametrize("content", [GOOD_MAT4, BIG_MAT4])
def test_a_matlab_file_cut_anywhere(content):
    for length in range(len(content)):
        only_data_errors(content[:length])


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
            pack(MASKED),
            npz(images=pictures(), masks=pictures()),
        ]
    ),
    st.sampled_from(UNKNOWN),
    st.data(),
)
def test_mutated_files_never_surprise(content, unknown, data):
    content = bytearray(content)
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    only_data_errors(bytes(content), unknown=unknown)


def only_data_errors(content, **options):
    tracemalloc.start()
    try:
        read_bytes("fuzz", content, **options)
    except DataError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 2 * limits.MAX_UNPACKED
