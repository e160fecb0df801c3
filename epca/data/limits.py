"""Every limit on what is read, in one place, and the sentence that tells a user."""

MAX_BYTES = 50 * 2**20  # of a file
MAX_MEMBERS = 20_000  # files in an archive or folder
MAX_UNPACKED = 400 * 2**20  # bytes of an archive's files, unpacked
MAX_RATIO = 200  # unpacked to packed, of a file above 1 MiB
MAX_PIXELS = 25_000_000  # of one picture
MAX_SIDE = 20_000  # pixels
MAX_DECODED = 600_000_000  # pixels of all pictures together, as stored
MAX_IMAGES = 20_000
MAX_VALUES = 20_000_000  # numbers of an array, or pixels of all images together
MIN_IMAGES = 3
MIN_SIDE = 2  # pixels
MAX_CLASSES_SHOWN = 5  # names in a message

FORMATS = ("PNG", "JPEG", "PPM", "BMP", "TIFF", "GIF")  # PPM includes PGM
ACCEPTED = (
    "Pictures (PNG, JPEG, PGM/PPM, BMP, TIFF, GIF) in a zip with one folder per class or none, .npz or .npy, or .mat (v5 to v7). "
    f"At most {MAX_BYTES // 2**20} MB, unpacked {MAX_UNPACKED // 2**20} MB; {MAX_IMAGES:,} images; "
    f"{MAX_PIXELS // 10**6} million pixels and {MAX_SIDE:,} a side a picture, {MAX_DECODED // 10**6} million in all. "
    f"At least {MIN_IMAGES} images."
)
