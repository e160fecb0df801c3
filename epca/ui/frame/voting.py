"""Questions to a room: the teacher asks, the class answers, all see what came of it.

Nothing here holds a room, so that one that ends is gone.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.classroom import votes
from epca.classroom.votes import LONGEST_CHOICE, LONGEST_QUESTION, MOST, Question, Vote
from epca.literal import literal
from epca.ui.frame import classroom, lesson
from epca.ui.frame.fragments import fragment
from epca.ui.frame.popovers import close, popover

ASKING = "asking"  # the popover in which the teacher chooses a question


@fragment
def ask() -> None:
    """The question of the lesson's step, or one of the teacher's own."""
    text = "Have the class answer a question."
    with popover("Ask", ASKING, text):
        step = lesson.current()
        if step is not None:
            st.markdown(f"**{literal(step.question)}**")
            asked = Question(step.question, step.full_choices, step.right)
            text = "The class chooses an answer; you see how many chose which."
            st.button("Ask this step's question", on_click=_start, args=(asked,), help=text)
            lesson.warn_of_changes(step)
        with st.form("own_question", border=False):
            st.text_input(
                "A question of your own",
                key="own_question_text",
                max_chars=LONGEST_QUESTION,
                help="All see it just as you have typed it.",
            )
            _type_choices()
            st.form_submit_button("Ask", on_click=_ask_own, help="Starts the vote.")
        if why := st.session_state.pop("_unasked", ""):
            st.warning(why)
    if st.session_state.pop("_is_asked", False) and classroom.is_drawn():
        st.rerun()  # another part of the bar shows the vote: it would wait for its next look


def _type_choices() -> None:
    """Two in a row, so that the button below them is in sight."""
    for first in range(1, MOST + 1, 2):
        row = st.container(horizontal=True)
        for number in (first, first + 1):
            row.text_input(
                f"Choice {number}",
                key=f"own_choice_{number}",
                max_chars=LONGEST_CHOICE,
                help="Two to four; empty ones are left out.",
            )


def _start(asked: Question) -> bool:
    """Whether the room takes the question; one that has ended says so by itself."""
    room = classroom.led()
    if room is None:
        return False
    is_asked = room.ask(asked)
    if is_asked:
        close(ASKING)
        st.session_state["_is_asked"] = True
    else:
        st.session_state["_unasked"] = "This room takes no more questions: open a new one."
    return is_asked


def _ask_own() -> None:
    state = st.session_state
    keys = [f"own_choice_{number}" for number in range(1, MOST + 1)]
    try:
        asked = votes.question(state["own_question_text"], [state[key] for key in keys])
    except ValueError as error:
        state["_unasked"] = str(error)
        return
    if _start(asked):
        state.update(dict.fromkeys(["own_question_text", *keys], ""))


def lead_vote(vote: Vote) -> None:
    """What the teacher sees of a question: its answers so far, and ways to end it."""
    row = st.container(horizontal=True, vertical_alignment="center")
    _show_question(vote, row)
    if vote.is_open:
        text = "Shows the answers to all and takes no more."
        row.button("Reveal", on_click=_reveal, type="primary", help=text)
    row.button("Put away", on_click=_put_away, help="The summary has the question and its counts.")
    _show_answers(vote)


def _reveal() -> None:
    if (room := classroom.led()) is not None:
        room.reveal()


def _put_away() -> None:
    if (room := classroom.led()) is not None:
        room.put_away()


def show_ballot(vote: Vote) -> None:
    """What the class sees of a question: its choices, then all answers."""
    own = vote.answer_of(classroom.seat())
    if not vote.is_open:
        _show_question(vote, st.container())
        _show_answers(vote, own)
        return
    key = f"vote_{classroom.followed_code()}_{vote.number}"
    choices = vote.question.choices
    st.radio(
        literal(vote.question.text),
        range(len(choices)),
        index=own,
        key=key,
        format_func=lambda place: literal(choices[place]),
        horizontal=True,
        on_change=_answer,
        args=(vote.number, key),
        help="You may change your answer until the teacher reveals all.",
    )


def _answer(number: int, key: str) -> None:
    if (room := classroom.followed()) is not None:
        room.answer(classroom.seat(), number, st.session_state[key])


# What both see


def _show_question(vote: Vote, place: DeltaGenerator) -> None:
    count = sum(vote.counts)
    answers = "1 answer" if count == 1 else f"{count} answers"
    place.markdown(f"**{literal(vote.question.text)}** {answers}", width="content")


def _show_answers(vote: Vote, own: int | None = None) -> None:
    """A bar for each choice; once they are revealed, which one is right."""
    counts = vote.counts
    row = st.container(key="room_answers", horizontal=True)
    for place, choice in enumerate(vote.question.choices):
        marks = [f"{counts[place]}"]
        if not vote.is_open and place == vote.question.right:
            marks.append("right")
        if place == own:
            marks.append("yours")
        share = counts[place] / max(sum(counts), 1)
        row.progress(share, f"{literal(choice)} · **{', '.join(marks)}**")
