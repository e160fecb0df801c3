"""The present page and its settings as an address to give away."""

from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from epca.ui.frame import controls
from epca.ui.frame.images import UPLOAD
from epca.ui.frame.pinning import PINNED
from epca.ui.frame.selected import SELECTED
from epca.ui.frame.settings import CHOSEN_METHODS, DATASET, SETTINGS

EMBEDDED = {"embed": "true"}  # Streamlit then leaves its own frame out


def address(*, is_embedded: bool = False) -> str:
    """The address of this page with its settings, and nothing else that the visitor's may have.

    An upload is left out, for it stays in its owner's session.
    """
    own = (DATASET.key, CHOSEN_METHODS.key, SELECTED.key, PINNED)
    query = {}
    for key in (*own, *SETTINGS, *controls.defaults()):
        texts = [text for text in st.query_params.get_all(key) if UPLOAD not in text]
        if texts:
            query[key] = texts
    if is_embedded:
        query |= EMBEDDED
    parts = urlsplit(st.context.url or "")
    path = parts.path or "/"
    return urlunsplit(parts._replace(path=path, query=urlencode(query, doseq=True)))
