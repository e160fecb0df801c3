"""Scripts and styles: files of their own beside the Python that uses them."""

from importlib.resources import files


def read(package: str, name: str) -> str:
    """Return the text of a file that lies in a package, as `read(__package__, "gallery.css")`."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
