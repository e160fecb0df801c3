"""Image sets: the catalogue, the readers of files and folders, and the guard in front of them."""

from epca.data.catalogue import catalogue, load_dataset
from epca.data.imageset import DataError, ImageSet
from epca.data.limits import ACCEPTED
from epca.data.readers import read_bytes, read_path, read_picture

__all__ = ["ACCEPTED", "DataError", "ImageSet", "catalogue", "load_dataset", "read_bytes", "read_path", "read_picture"]
