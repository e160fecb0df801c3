"""Activated samples: which images EPCA trusts, in four linked views."""

import streamlit as st

from epca.ui import activated, experiment, router

view = activated.View(*router.enter())

st.title("Activated samples")
st.markdown(f"**{view.sentence}**")
experiment.warn_of_collapse(view.result)
activated.linked(view)
st.download_button("Table (CSV)", view.table.to_csv(index=False), "activated.csv", "text/csv", on_click="ignore")
