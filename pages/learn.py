"""Learn: the lessons, for teachers all of their links and answers, and the glossary."""

import streamlit as st

from epca.ui.frame import handout, lesson, roombar, router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.heading import head
from epca.views import glossary, methods

router.enter()
head(
    "Learn",
    "A lesson leads through the pages: each step sets the experiment, outlines what to look at "
    "and asks a question. Hint and answer open when you want them.",
)
row = st.container(key="class", horizontal=True, vertical_alignment="center")
is_teacher = draw(CONTROLS["teacher"], place=row)
roombar.doors(row)
if is_teacher:
    handout.show()
else:
    lesson.overview()
words = st.expander("Glossary", key="glossary", on_change="rerun", bind="query-params")
if words.open:
    words.table(glossary.table())
title = "The methods in other words, and those that are not here"
others = st.expander(title, key="relatives", on_change="rerun", bind="query-params")
if others.open:
    others.table(methods.words_table())
    others.markdown("**Other methods, and why they are not here**")
    others.table(methods.not_here_table())
