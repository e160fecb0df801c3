"""Watch: the algorithm step by step, and two runs side by side."""

import streamlit as st

from epca.ui import router, runs, watch

view = watch.load(router.enter())

st.title("Watch")
st.markdown(view.sentence)
watch.play(view)
st.caption(view.memory)
runs.show(view)
