"""The lesson that is on: its panel beside every page, its links, and the page that lists all of them."""

from urllib.parse import urlencode

import streamlit as st

from epca.corruption import KINDS
from epca.lessons import LESSONS
from epca.ui import settings, waterfill

ELSEWHERE = {
    "methods": settings.METHODS_SETTING.default,
    "sel": [],
    "show": "all",
    "sweep": False,
    "csweep": False,
}
ELSEWHERE |= dict.fromkeys(("map", "fine", "cluster", "try"), False) | {
    "repeat": False,
    "seeds": 5,
    "losses": waterfill.EXAMPLE,
}
NUMBERS = range(1, len(LESSONS) + 1)


def name(number):
    return f"{number} {LESSONS[number - 1].title}"


def choose():
    """In the sidebar: which lesson is on, if any; returns its number. The link keeps it."""
    return st.sidebar.selectbox(
        "Lesson", NUMBERS, index=None, key="lesson", bind="query-params", format_func=name, on_change=go, placeholder="none",
        help="A panel beside the pages leads through the lesson. The page Learn lists all.",
    )  # fmt: skip


def go(step=1):
    """Go to a step of the lesson that is on: set the experiment and open its page; for callbacks."""
    if (number := st.session_state["lesson"]) is not None:
        chosen = LESSONS[number - 1].steps[step - 1]
        settings.apply(
            {"dataset": settings.SETTINGS["dataset"].default} | ELSEWHERE | chosen.settings
        )
        st.session_state.update(step=step, _goto=chosen.page)


def start(number):
    st.session_state["lesson"] = number
    go()


def link(number, step):
    """Address, relative to the dashboard's, that opens the step with its settings."""
    chosen = LESSONS[number - 1].steps[step - 1]
    shown = {"kind": lambda kind: KINDS[kind][0], "sigma": settings.sigma_text}
    query = {
        key: shown.get(key, str)(value) if not isinstance(value, list) else value
        for key, value in chosen.settings.items()
    }
    query = {
        key: value.lower() if value in ("True", "False") else value for key, value in query.items()
    }
    page = "" if chosen.page == "home" else chosen.page
    return f"./{page}?{urlencode(query | {'lesson': name(number), 'step': step}, doseq=True)}"


def panel(number):
    """The step that is on: what to look at, a question, hint and answer on request, the ways on."""
    lesson = LESSONS[number - 1]
    count = len(lesson.steps)
    if not 1 <= st.session_state.get("step", 1) <= count:
        st.session_state["step"] = 1
    st.markdown(f"**Lesson {name(number)}**")
    step = st.segmented_control(
        "Step", range(1, count + 1), default=1, key="step", bind="query-params", required=True, persist_state="session",
        on_change=lambda: go(st.session_state["step"]), help="Opens the step's page with its settings.",
    )  # fmt: skip
    chosen = lesson.steps[step - 1]
    st.markdown(chosen.look)
    st.markdown(f"**{chosen.question}**")
    with st.expander("Hint", key=f"hint {number} {step}"):
        st.markdown(chosen.hint)
    with st.expander("Answer", key=f"answer {number} {step}"):
        st.markdown(chosen.full_answer)
    ways = st.container(horizontal=True)
    ways.button("Back", on_click=go, args=(step - 1,), disabled=step == 1, help="The step before.")
    ways.button(
        "Next",
        on_click=go,
        args=(step + 1,),
        disabled=step == count,
        help="The next step: its page and its settings.",
    )
    ways.button(
        "Reset to this step", on_click=go, args=(step,), help="Its page and its settings again."
    )
    ways.button(
        "End",
        on_click=st.session_state.update,
        args=({"lesson": None},),
        help="Ends the lesson; the settings stay.",
    )


def overview():
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


def all_answers():
    """For teachers: every step with its link, question, hint and answer; made to be printed."""
    for number, lesson in zip(NUMBERS, LESSONS, strict=True):
        st.header(name(number))
        st.markdown(lesson.aim)
        for step, chosen in enumerate(lesson.steps, 1):
            st.markdown(
                f"**{number}.{step}** [{chosen.page}]({link(number, step)}): {chosen.look}  \n*{chosen.question}*  \n"
                f"Hint: {chosen.hint}  \nAnswer: {chosen.full_answer}"
            )
