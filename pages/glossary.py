"""The glossary's old address: it is part of the page Learn now."""

import streamlit as st

from epca.ui.frame import router

router.enter()
st.switch_page(router.path("learn"), query_params={"glossary": "true"})
