"""The lesson that is on: its panel beside every page, its links, the page that lists them all."""

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from epca.lessons import LESSONS
from epca.ui.frame import controls, sidebar
from epca.ui.frame.drawing import draw
from epca.ui.frame.images import load
from epca.ui.frame.rules import Among
from epca.ui.frame.settings import CHOSEN_METHODS, DATASET, SETTINGS, Setting

SHARED = (DATASET, CHOSEN_METHODS)  # settings of no single page, besides SETTINGS
NUMBERS = tuple(range(1, len(LESSONS) + 1))


def name(number: int) -> str:
    return f"{number} {LESSONS[number - 1].title}"


LESSON = Setting(
    "lesson",
    "Lesson",
    None,
    "A panel beside the pages leads through the lesson. The page Learn lists all.",
    Among(NUMBERS, label=name),
)
STEP = Setting(
    "step",
    "Step",
    1,
    "Opens the step's page with its settings.",
    Among((1,)),
    control="segmented_control",
)


def choose() -> int | None:
    """In the sidebar: which lesson is on, if any; returns its number."""
    options = {"on_change": go, "placeholder": "none"}
    return draw(LESSON, place=st.sidebar, **options)


def go(step: int = 1) -> None:
    """Go to a step of the lesson that is on: set the experiment, open its page; for callbacks."""
    number = st.session_state[LESSON.key]
    if number is None:
        return
    chosen = LESSONS[number - 1].steps[step - 1]
    sidebar.apply(_elsewhere() | chosen.settings)
    st.session_state.update({STEP.key: step, "_goto": chosen.page})


def _elsewhere() -> dict[str, Any]:
    """The defaults of what a step does not name, on every page."""
    return controls.defaults() | {row.key: row.default for row in SHARED}


def start(number: int) -> None:
    st.session_state[LESSON.key] = number
    go()


def end() -> None:
    st.session_state[LESSON.key] = None


def link(number: int, step: int) -> str:
    """Address, relative to the dashboard's, that opens the step with its settings."""
    chosen = LESSONS[number - 1].steps[step - 1]
    images = load(chosen.settings.get(DATASET.key, DATASET.default))
    rows = SETTINGS | controls.CONTROLS | {row.key: row for row in SHARED}
    query = {key: rows[key].rule_for(images).write(value) for key, value in chosen.settings.items()}
    query |= {LESSON.key: number, STEP.key: step}
    page = "" if chosen.page == "home" else chosen.page
    return f"./{page}?{urlencode(query, doseq=True)}"


def panel(number: int) -> None:
    """The step that is on: what to look at, a question, hint and answer on request, ways on."""
    lesson = LESSONS[number - 1]
    st.markdown(f"**Lesson {name(number)}**")
    step = draw(
        STEP,
        rule=Among(tuple(range(1, len(lesson.steps) + 1))),
        required=True,
        on_change=lambda: go(st.session_state[STEP.key]),
    )
    chosen = lesson.steps[step - 1]
    st.markdown(chosen.look)
    st.markdown(f"**{chosen.question}**")
    with st.expander("Hint", key=f"hint {number} {step}"):
        st.markdown(chosen.hint)
    with st.expander("Answer", key=f"answer {number} {step}"):
        st.markdown(chosen.full_answer)
    _ways(step, len(lesson.steps))


def _ways(step: int, count: int) -> None:
    ways = st.container(horizontal=True)
    is_first = step == 1
    is_last = step == count
    ways.button("Back", on_click=go, args=(step - 1,), disabled=is_first, help="The step before.")
    ways.button(
        "Next",
        on_click=go,
        args=(step + 1,),
        disabled=is_last,
        help="The next step: its page and its settings.",
    )
    again = "Its page and its settings again."
    ways.button("Reset to this step", on_click=go, args=(step,), help=again)
    ways.button("End", on_click=end, help="Ends the lesson; the settings stay.")


def overview() -> None:
    """All lessons with what each is about and a button to start it."""
    for number, lesson in zip(NUMBERS, LESSONS, strict=True):
        st.header(name(number))
        st.markdown(f"{lesson.aim} {len(lesson.steps)} steps.")
        st.button(
            "Start",
            key=f"start {number}",
            on_click=start,
            args=(number,),
            help="Opens its first step, with a panel beside it.",
        )


def all_answers() -> None:
    """For teachers: every step with its link, question, hint and answer; made to be printed."""
    for number, lesson in zip(NUMBERS, LESSONS, strict=True):
        st.header(name(number))
        st.markdown(lesson.aim)
        for step, chosen in enumerate(lesson.steps, 1):
            st.markdown(
                f"**{number}.{step}** [{chosen.page}]({link(number, step)}): {chosen.look}  \n"
                f"*{chosen.question}*  \nHint: {chosen.hint}  \nAnswer: {chosen.full_answer}"
            )
