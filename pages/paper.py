"""Paper: its tables and figures beside what this code gives, and everything we changed."""

import streamlit as st

from epca.ui import paper, router

router.enter()

st.title("Paper")
st.markdown(
    "What the paper reports and what this code gives: R. Zhang, H. Zhang, X. Li, *Enhanced Principal Component Analysis under a "
    "Collaborative-Robust Framework*. This page has runs of its own, whatever the sidebar says."
)
place = st.container()
paper.show_changes()
with place:  # last, for a run takes its time, and what stands below is worth reading meanwhile
    run = paper.choose()
    if run is not None:
        paper.show(run)
