"""The teacher's page: a plan for a first class, and every step with all that a teacher needs."""

import streamlit as st

from epca.images import qr_code
from epca.lessons import LESSONS
from epca.lessons.plan import PLAN, Part
from epca.literal import literal
from epca.ui.frame import links
from epca.ui.frame.lesson import NUMBERS, effort, link, name

QR_WIDTH = 140  # pixels


def show() -> None:
    """Made to be printed: links in full, and as QR codes."""
    st.header(f"A first class, {sum(part.minutes for part in PLAN)} minutes", anchor=False)
    st.table(_plan())
    for number, lesson in zip(NUMBERS, LESSONS, strict=True):
        st.header(name(number), anchor=False)
        st.markdown(f"{lesson.goal} *{effort(lesson)}.*")
        for step in range(1, len(lesson.steps) + 1):
            with st.container(key=f"handout_{number}_{step}", horizontal=True):
                _show_step(number, step)


def _plan() -> dict[str, list]:
    """The plan as a table, with the minutes at which its parts begin."""
    rows: dict[str, list] = {"from": [], "minutes": [], "what": [], "steps": []}
    start = 0
    for part in PLAN:
        rows["from"].append(f"{start}′")
        rows["minutes"].append(part.minutes)
        rows["what"].append(f"**{part.title}.** {part.text}")
        rows["steps"].append(_steps(part))
        start += part.minutes
    return rows


def _steps(part: Part) -> str:
    return ", ".join(f"{number}.{step}" for number, step in part.steps) or "–"


def _show_step(number: int, step: int) -> None:
    """What to look at and to ask, the choices, the answer, the link."""
    chosen = LESSONS[number - 1].steps[step - 1]
    address = link(number, step, links.base())
    with st.container():
        st.markdown(
            f"**{number}.{step}** {chosen.look} **{chosen.question}**  \n"
            f"Choices: {_choices(chosen.full_choices, chosen.right)}  \n"
            f"Hint: {chosen.hint}  \nAnswer: {chosen.full_answer}  \n"
            f"[{address}]({address})"
        )
    alt = f"QR code of the link to step {number}.{step}"
    st.image(qr_code(address), width=QR_WIDTH, alt=alt)


def _choices(choices: tuple[str, ...], right: int) -> str:
    """In one line, the right one marked."""
    marked = [
        f"**{literal(choice)}** ✓" if place == right else literal(choice)
        for place, choice in enumerate(choices)
    ]
    return " · ".join(marked)
