"""The images that a visitor has selected: their control, and what was cleared last."""

from epca.data import ImageSet
from epca.ui.frame.rules import Several
from epca.ui.frame.settings import Setting

MOST_SELECTED = 100


def _any_of(images: ImageSet) -> Several:
    return Several(tuple(range(len(images.images))))


SELECTED = Setting(
    "sel",
    "Selected images",
    [],
    "Marked in every view; the inspector takes the first ones apart. "
    f"At most {MOST_SELECTED}; the link has them.",
    _any_of,
)
CLEARED = "_cleared"  # where the session has what was selected before it was cleared
