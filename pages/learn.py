"""Learn: the lessons, and for teachers all of their links and answers."""

import streamlit as st

from epca.ui.frame import lesson, router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw

router.enter()
st.title("Learn")
st.markdown(
    "A lesson leads through the pages step by step: it sets the experiment, says what to look at "
    "and asks; hint and answer stay hidden until you want them. The link in the address bar "
    "carries the lesson and the step."
)
if draw(CONTROLS["teacher"]):
    lesson.all_answers()
else:
    lesson.overview()
