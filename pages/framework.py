"""Framework: the idea on points one can move, and on losses one types in."""

import streamlit as st

from epca.ui import framework, router, waterfill

router.enter()

st.title("Framework")
st.markdown(
    "Any learner with a loss per sample becomes robust in two ways: a σ-loss tames what fits badly, and weights α activate what "
    "fits best. Add an outlier and watch the lines. This page has points of its own, whatever the sidebar says."
)
framework.show_cloud()

st.header("Losses of your own")
waterfill.show()
