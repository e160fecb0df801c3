"""Activated samples: which images EPCA trusts, in four linked views."""

import streamlit as st

from epca.ui import activated, beside, experiment, newface, router

setup = router.enter()
view = activated.View(setup)

st.title("Activated samples")
st.markdown(f"**{view.sentence}**")
experiment.warn_of_collapse(view.result.rows["EPCA"])
activated.linked(setup, view)
newface.show(setup, view)
beside.show(setup, view.result)
