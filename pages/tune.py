"""Tune: what σ and c do to these images, with the clean ones at hand and without them."""

import streamlit as st

from epca.ui import ranks, router, tune

setup = router.enter()
view = tune.View(setup)

st.title("Tune σ and c")
st.markdown(
    "Curves marked **oracle** use the clean images, which a real user does not have; beside them is what to look at instead. "
    "A click on a point sets σ and c."
)
tune.show_now(view)
st.header("σ sweep")
tune.show_sigma(view)
st.header("Rank c")
ranks.show_rank(view)
st.header("σ × c map")
ranks.show_map(view)
st.header("Take away")
tune.offer(view)
