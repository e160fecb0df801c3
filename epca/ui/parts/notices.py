"""Warnings that several pages share, with what cures them."""

from typing import Any

import streamlit as st

from epca.data import ImageSet
from epca.registry import TAKES_NAN
from epca.ui.frame.settings import CHOSEN_METHODS, SETTINGS
from epca.views import texts

# Measured on ORL at the paper's occlusion, which a test does again.
GUARD = (
    "Judges every image by the residual it would have in a fit without it. On ORL at c = 80 with "
    "the paper's occlusion, 18 images are activated instead of 2, all of them clean instead of "
    "none, and the error falls by 7.5%. Where EPCA does not collapse the error may rise a little: "
    "by 2.8% there at c = 30. It does not help against exact copies, which vouch for each other. "
    "It is not the paper's method."
)


def end_where_unknown(images: ImageSet) -> None:
    """On pages that need PCA and EPCA: where pixels are unknown, say who takes them, and end."""
    if images.unknown is None:
        return
    st.info(texts.NEEDS_KNOWN)
    chosen = st.session_state.get(CHOSEN_METHODS.key, CHOSEN_METHODS.default)
    others = [label for label in chosen if label != TAKES_NAN]
    st.button(
        f"Compare with {TAKES_NAN}",
        key="compare_unknown",
        type="primary",
        on_click=st.session_state.update,
        args=({CHOSEN_METHODS.key: [TAKES_NAN, *others], "_goto": "compare"},),
        help=f"Opens Compare with {TAKES_NAN} among its methods.",
    )
    st.stop()


def warn_of_collapse(row: dict[str, Any]) -> None:
    """Warn where a fit collapsed; offer a lower c, and left-out residuals unless they are on."""
    text = texts.collapse(row)
    if not text:
        return
    place = st.container(key="cures", horizontal=True, vertical_alignment="center")
    place.warning(text, icon=":material/warning:")
    if texts.can_be_guarded(row):
        place.button(
            "Use left-out residuals",
            key="use_left_out",
            on_click=st.session_state.update,
            args=({SETTINGS["left_out"].key: True},),
            help=GUARD,
        )
    lower = texts.lower_rank(row)
    if not lower:
        return
    place.button(
        f"Lower c to {lower}",
        key="lower_c",
        on_click=st.session_state.update,
        args=({SETTINGS["c"].key: lower},),
        help="Half of the present rank; the lower it is, the fewer images can be fitted exactly.",
    )
