"""The lesson that is on: its bar above every page, its links, the page that lists them all."""

from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca import assets
from epca.lessons import LESSONS
from epca.lessons.step import Lesson, Step
from epca.literal import literal
from epca.ui.frame import controls, links, settings, spotlight
from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.images import load, load_default
from epca.ui.frame.rules import Among
from epca.ui.frame.settings import CHOSEN_METHODS, DATASET, SETTINGS, Setting

SHARED = (DATASET, CHOSEN_METHODS)  # settings of no single page, besides SETTINGS
NUMBERS = tuple(range(1, len(LESSONS) + 1))
STYLE = f"<style>{assets.read(__package__, 'lesson.css')}</style>"
VISITS = "_lesson_visits"  # how often a step was gone to, in this session
WHOSE = "The numbers are of the step's own setting."
CHANGED = (
    "The page has another setting than this step, so it may show other numbers. “Reset step” "
    "brings the step's setting back."
)


def name(number: int) -> str:
    return f"{number} {LESSONS[number - 1].title}"


LESSON = Setting(
    "lesson",
    "Lesson",
    None,
    "A bar above the pages leads through the lesson. The page Learn lists all.",
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


def show(page: str, *, is_guided: bool = False) -> None:
    """The bar of the lesson that is on, if one is; the address carries which.

    page : the stem of the page below it
    is_guided : whether a teacher leads, who then asks the questions and gives the answers
    """
    place = links.carrier(LESSON.key)
    number = draw(LESSON, place=place, carrier=place)
    if number is not None:
        st.html(STYLE)
        with st.container(key="lesson_bar", border=True):
            _show_step(number, page, is_guided)


def current() -> Step | None:
    """The step that is on."""
    number = st.session_state.get(LESSON.key)
    if number is None:
        return None
    return LESSONS[number - 1].steps[st.session_state[STEP.key] - 1]


def go(step: int = 1) -> None:
    """Go to a step of the lesson that is on: set the experiment, open its page; for callbacks."""
    number = st.session_state[LESSON.key]
    if number is None:
        return
    chosen = LESSONS[number - 1].steps[step - 1]
    visits = st.session_state.get(VISITS, 0) + 1
    st.session_state.update(_elsewhere() | chosen.settings)
    st.session_state.update({STEP.key: step, VISITS: visits, "_goto": chosen.page})


def _elsewhere() -> dict[str, Any]:
    """The defaults of what a step does not name, in the sidebar and on every page."""
    shared = {row.key: row.default for row in SHARED}
    return settings.defaults() | controls.defaults() | shared


def start(number: int) -> None:
    st.session_state[LESSON.key] = number
    go()


def end() -> None:
    st.session_state[LESSON.key] = None


def link(number: int, step: int, base: str = ".") -> str:
    """Address that opens the step with its settings; `base` is the dashboard's."""
    chosen = LESSONS[number - 1].steps[step - 1]
    name = chosen.settings.get(DATASET.key)
    images = load_default() if name is None else load(name)
    rows = SETTINGS | controls.CONTROLS | {row.key: row for row in SHARED}
    values = settings.defaults() | chosen.settings
    query = {key: rows[key].rule_for(images).write(value) for key, value in values.items()}
    query |= {LESSON.key: number, STEP.key: step}
    page = "" if chosen.page == "home" else chosen.page
    return f"{base.rstrip('/')}/{page}?{urlencode(query, doseq=True)}"


def _show_step(number: int, page: str, is_guided: bool) -> None:
    """The step that is on: ways on, what to look at, a question; hint and answers on request."""
    lesson = LESSONS[number - 1]
    row = st.container(key="lesson_ways", horizontal=True, vertical_alignment="center")
    row.markdown(f"**{name(number)}**", width="content")
    step = draw(
        STEP,
        rule=Among(tuple(range(1, len(lesson.steps) + 1))),
        place=row,
        required=True,
        label_visibility="collapsed",
        on_change=lambda: go(st.session_state[STEP.key]),
    )
    chosen = lesson.steps[step - 1]
    _ways(row, step, len(lesson.steps))
    with row.popover("Hint", help="What to look at."):
        st.markdown(chosen.hint)
    if not is_guided:
        with row.popover("Choose", help="Answers to choose from; tells whether yours is right."):
            _choose(chosen, f"choice_{number}_{step}")
            warn_of_changes(chosen)
        with row.popover("Answer", help=WHOSE):
            st.markdown(chosen.full_answer)
            warn_of_changes(chosen)
    row.button("End lesson", on_click=end, help="Ends the lesson; the settings stay.")
    st.markdown(f"{chosen.look} **{chosen.question}**")
    if page == chosen.page:
        spotlight.show(chosen.target, f"{number}.{step}.{st.session_state.get(VISITS, 0)}")


def warn_of_changes(step: Step) -> None:
    """Below a step's answer or choices: say so where the page may show other numbers."""
    state = st.session_state
    own = {DATASET.key: DATASET.default} | step.settings
    if any(key in state and state[key] != value for key, value in own.items()):
        st.warning(CHANGED)


@fragment
def _choose(step: Step, key: str) -> None:
    """The choices of a step, and whether the one that is taken is right."""
    choices = step.full_choices
    choice = st.radio(
        literal(step.question),
        range(len(choices)),
        index=None,
        key=key,
        format_func=lambda place: literal(choices[place]),
        help="You may try again.",
    )
    if choice == step.right:
        st.success("Right.")
    elif choice is not None:
        st.warning(f"Not yet. Look again: {step.hint}")


def _ways(row: DeltaGenerator, step: int, count: int) -> None:
    is_first = step == 1
    is_last = step == count
    row.button("Back", on_click=go, args=(step - 1,), disabled=is_first, help="The step before.")
    row.button(
        "Next",
        on_click=go,
        args=(step + 1,),
        disabled=is_last,
        help="The next step: its page and its settings.",
    )
    again = "This step's page and its settings again."
    row.button("Reset step", on_click=go, args=(step,), help=again)


def effort(lesson: Lesson) -> str:
    return f"{len(lesson.steps)} steps, about {lesson.minutes} minutes"


def overview() -> None:
    """All lessons on one screen: what each is about, how long it takes, a button to start it."""
    with st.container(key="lessons"):
        for number, lesson in zip(NUMBERS, LESSONS, strict=True):
            row = st.container(horizontal=True, vertical_alignment="center")
            row.button(
                "Start",
                key=f"start {number}",
                on_click=start,
                args=(number,),
                help="Opens its first step, with a bar above it.",
            )
            with row.container(gap=None):
                st.header(name(number), anchor=False)
                st.markdown(f"{lesson.goal} *{effort(lesson)}.*")
