"""Files as visitors bring them, written in memory: pictures, archives, NumPy and Matlab arrays."""

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
    """A level-4 file of a big-endian machine; precision is 0 to 5 for f8, f4, i4, i2, u2, u1."""
    content = b""
    for name, array in arrays.items():
        kind = 1000 + 10 * precision
        content += struct.pack(">5i", kind, *array.shape, 0, len(name) + 1)
        content += name.encode() + b"\0"
        content += array.astype(">" + ("f8", "f4", "i4", "i2", "u2", "u1")[precision]).tobytes("F")
    return content


def faces_of(seed):
    """Forty images, 12 × 12, of a visitor; other seeds have none of them."""
    generator = np.random.default_rng(seed)
    basis = generator.random((6, 144))
    coordinates = generator.random((40, 6))
    pixels = coordinates @ basis + 0.1 * generator.random((40, 144))
    return np.rint(255 * pixels / pixels.max()).astype(np.uint8).reshape(40, 12, 12)
