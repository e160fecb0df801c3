"""Learn: the lessons, and for teachers all of their links and answers."""

import streamlit as st

from epca.ui import lesson, router

router.enter()
st.title("Learn")
st.markdown(
    "A lesson leads through the pages step by step: it sets the experiment, says what to look at and asks; hint and answer stay "
    "hidden until you want them. The link in the address bar keeps the lesson and the step."
)
if st.toggle(
    "Teacher's page",
    key="teacher",
    bind="query-params",
    help="All links and answers, to print or hand out.",
):
    lesson.all_answers()
else:
    lesson.overview()
