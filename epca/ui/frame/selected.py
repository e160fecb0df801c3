"""The images that a visitor has selected, and who judges them: controls, what was cleared last."""

from epca.data import ImageSet
from epca.ui.frame.rules import Among, Several
from epca.ui.frame.settings import Setting
from epca.views.inspected import JUDGES

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
JUDGE = Setting(
    "judge",
    "Ignored by",
    None,
    "What a method that judges single pixels takes for occlusion, beside the mask of those that "
    "are occluded. It is fitted when you choose it; click again to take it back.",
    Among(JUDGES),
    control="segmented_control",
)
CLEARED = "_cleared"  # where the session has what was selected before it was cleared
