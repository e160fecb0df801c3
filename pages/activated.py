"""Activated samples: which images EPCA trusts, in four linked views."""

import streamlit as st

from epca.ui import activated, router

view = activated.View(*router.enter())

st.title("Activated samples")
st.markdown(f"**{view.sentence}**")
if view.result.rows["EPCA"]["collapsed"]:
    st.warning(
        "Some images are fitted exactly. α now marks what is interpolated, not what is clean. Lower c or raise σ.",
        icon=":material/warning:",
    )
activated.linked(view)
st.download_button("Table (CSV)", view.table.to_csv(index=False), "activated.csv", "text/csv", on_click="ignore")
