"""Image sets: the catalogue, the readers of files and folders, and the limits they obey."""

from epca.data.catalogue import Entry, catalogue, load_dataset, stamp
from epca.data.imageset import DataError, ImageSet
from epca.data.limits import LIMITS
from epca.data.pictures import read_picture
from epca.data.readers import ACCEPTED, endings, read_bytes, read_files, read_path

__all__ = [
    "ACCEPTED",
    "LIMITS",
    "DataError",
    "Entry",
    "ImageSet",
    "catalogue",
    "endings",
    "load_dataset",
    "read_bytes",
    "read_files",
    "read_path",
    "read_picture",
    "stamp",
]
