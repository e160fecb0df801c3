"""Every limit on what is read, in one place, and the sentences that tell a user."""

MAX_BYTES = 50 * 2**20  # of a file
MAX_MEMBERS = 20_000  # files in an archive or folder, variables in a Matlab file
MAX_UNPACKED = 400 * 2**20  # bytes of an archive's files, unpacked
MAX_RATIO = 200  # unpacked to packed, of a file above 1 MiB
MAX_PIXELS = 25_000_000  # of one picture
MAX_SIDE = 20_000  # pixels
MAX_DECODED = 600_000_000  # pixels of all pictures together, as stored
MAX_SLOW = 10_000_000  # of these, pixels that Pillow decodes in Python, a microsecond each
MAX_SCANS = 30  # of a progressive JPEG, each a pass over all its pixels
MAX_BLOCKS = 10_000  # that a picture's file is made of
MAX_DEPTH = 32  # folders around a file of an archive
MAX_IMAGES = 20_000
MAX_VALUES = 40_000_000  # numbers of an array, or pixels of all images together
MIN_IMAGES = 3
MIN_SIDE = 2  # pixels
MAX_MEMORY = 900 * 2**20  # bytes for reading an upload
MAX_SECONDS = 20  # of processor time for it
NAMES_SHOWN = 5  # in a message
MESSAGE_LENGTH = 800  # characters
NAME_LENGTH = 80  # characters of a class's name

FORMATS = ("PNG", "JPEG", "PPM", "BMP", "TIFF", "GIF")  # PPM includes PGM
PICTURES = "PNG, JPEG, PGM/PPM, BMP, TIFF, GIF"  # the same as users know them
LIMITS = (
    f"At least {MIN_IMAGES} images of {MIN_SIDE} pixels a side, at most {MAX_IMAGES:,} images. "
    f"At most {MAX_BYTES // 2**20} MB a file, or for all files that come at once; in a zip or "
    f"folder {MAX_MEMBERS:,} files and {MAX_UNPACKED // 2**20} MB unpacked, "
    f"{MAX_RATIO} times the packed size, at most {MAX_DEPTH} folders deep. "
    f"At most {MAX_PIXELS // 10**6} million pixels, {MAX_SIDE:,} a side, {MAX_SCANS} scans "
    f"(of a progressive JPEG) and {MAX_BLOCKS:,} blocks of its file a picture; "
    f"{MAX_DECODED // 10**6} million pixels in all, "
    f"{MAX_SLOW // 10**6} million of them in PGM/PPM as text or with an unusual maximum, or in "
    f"packed BMP; {MAX_VALUES // 10**6} million values in an array, or pixels of all images once "
    f"resized. Reading an upload takes at most {MAX_SECONDS} seconds of processor time and "
    f"{MAX_MEMORY // 2**20} MB of memory."
)
