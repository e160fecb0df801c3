"""Rows of pictures on a page."""

from collections.abc import Iterable

import numpy as np
import streamlit as st

from epca.images import png
from epca.views.pictures import laid_out


def show_rows(stages: dict[str, np.ndarray], ids: Iterable, what: str = "images") -> None:
    """One row of pictures per stage: label → images (1, k, h, w), or pixels already laid out."""
    names = ", ".join(map(str, ids))
    for label, images in stages.items():
        place = st.container(gap=None)
        place.markdown(f"**{label}**")
        place.image(png(laid_out(images)), width="stretch", alt=f"{label}: {what} {names}")
