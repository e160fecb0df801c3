"""The dashboard's entry point: `streamlit run app.py`."""

import streamlit as st

from epca.images import favicon
from epca.ui import router

st.set_page_config(page_title=router.TITLE, page_icon=favicon(), layout="wide")
router.run()
