"""Files as visitors bring them, written in memory: pictures, archives of them, arrays of NumPy and of Matlab."""

import struct
import zipfile
from io import BytesIO

import numpy as np
from PIL import Image
from scipy.io import savemat


def pictures(n=6, height=8, width=8, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (n, height, width)).astype(np.uint8)


def written(write, *arguments, **options):
    """What a function that takes a file first writes into it."""
    buffer = BytesIO()
    write(buffer, *arguments, **options)
    return buffer.getvalue()


def encode(pixels, format="PNG", **options):
    return written(Image.fromarray(pixels).save, format, **options)


def tiff(array):
    return encode(array.astype(np.float32), "TIFF")


def pack(files, method=zipfile.ZIP_DEFLATED):
    """A zip of {name: content}."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def pngs(pixels, folder=""):
    """Pictures as the files 0.png, 1.png, … of a folder."""
    return {
        f"{folder and folder + '/'}{i}.png": encode(picture) for i, picture in enumerate(pixels)
    }


def write_pngs(folder, pixels):
    """The same on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in pngs(pixels).items():
        (folder / name).write_bytes(content)


def npz(**arrays):
    return written(np.savez, **arrays)


def npy(array):
    return written(np.save, array)


def mat(compressed=True, **arrays):
    return written(savemat, arrays, do_compression=compressed)


def mat4(**arrays):
    return written(savemat, arrays, format="4")


def big_mat4(precision, **arrays):
    """A level-4 file as a big-endian machine writes it; precision: 0 to 5 for f8, f4, i4, i2, u2, u1."""
    content = b""
    for name, array in arrays.items():
        content += (
            struct.pack(">5i", 1000 + 10 * precision, *array.shape, 0, len(name) + 1)
            + name.encode()
            + b"\0"
        )
        content += array.astype(">" + ("f8", "f4", "i4", "i2", "u2", "u1")[precision]).tobytes("F")
    return content
