"""Glossary: every symbol and word of the pages."""

import streamlit as st

from epca.ui.frame import router
from epca.views import glossary

router.enter()
st.title("Glossary")
st.markdown("Symbols are the paper's; numbers are those of its equations.")
st.table(glossary.table())
