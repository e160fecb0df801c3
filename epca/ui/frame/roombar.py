"""The bar of a room at the window's end: the teacher's, and that of those who follow.

Each is drawn again about every second, alone: the page runs again only where the teacher shows
something else. Nothing here holds a room, so that one that ends is gone.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.classroom import codes
from epca.classroom.room import Room
from epca.images import qr_code
from epca.ui.frame import classroom, links, pulse, voting
from epca.ui.frame.fragments import fragment

QR_WIDTH = 260  # pixels
LOCAL = ("localhost", "127.0.0.1", "[::1]")


def show() -> None:
    """The bar, if this session is in a room."""
    links.carry(
        classroom.ROOM,
        _check_code,
        lambda text, why: f"The link has {links.quoted(classroom.ROOM, text)}, {why}",
    )
    if classroom.led_code():
        with st.bottom.container(key="room_bar", horizontal=True):
            _lead()
    elif classroom.followed_code():
        with st.bottom.container(key="room_bar"):
            _follow()
    elif (room := classroom.left_room()) is not None and not st.session_state.get("_is_left"):
        with st.bottom.container(key="room_bar", horizontal=True):
            _offer_left(room)


def _check_code(text: str) -> str:
    if not codes.read(text):
        raise ValueError("which is no room's code.")
    return text


def doors(place: DeltaGenerator) -> None:
    """On the page Learn: ways into a room, and out of one the summary of its questions."""
    state = st.session_state
    if not classroom.led_code() and not classroom.followed_code():
        place.button(
            "Open a room",
            on_click=_open,
            help="For teachers: a class follows what you show, and answers your questions.",
        )
        box = place.popover("Join a room", help="See what your teacher shows.")
        with box.form("join", border=False):
            st.text_input(
                "Code of the room",
                key="typed_code",
                max_chars=codes.LONGEST,
                help="Eight letters and digits, such as ABCD-EFGH.",
            )
            st.form_submit_button("Join", on_click=_join, help="Come into the room.")
        if why := state.pop("_wrong_code", ""):
            box.warning(why)
    if "_summary" in state:
        _offer_summary(place, state["_summary"])
    _say_why()


def _open() -> None:
    st.session_state["_closed_door"] = classroom.lead(codes.new_secret())


def _resume(secret: str) -> None:
    st.session_state["_closed_door"] = classroom.resume(secret)


def _join() -> None:
    st.session_state["_wrong_code"] = classroom.join(st.session_state["typed_code"])


def _stay_away() -> None:
    st.session_state["_is_left"] = True


def _offer_summary(place: DeltaGenerator, text: str | Callable[[], str]) -> None:
    place.download_button(
        "Summary (CSV)",
        text,
        "questions.csv",
        "text/csv",
        on_click="ignore",
        help="All questions of the room and how often each choice was taken; no names.",
    )


# The teacher's bar


def _lead() -> None:
    """How many follow and what they answer; ways to invite, ask and end."""
    room = classroom.led()
    if room is None:
        _offer_again()
        return
    with st.container(key="room_state"):
        _watch_class()
    _invite(room.code)
    with st.container(width="content"):
        voting.ask()
    with st.popover("My link", help="Brings you back to this room."):
        st.markdown(
            "Keep this link for yourself. It brings you back after a reload, from another "
            "computer, or when the server was started anew: the code stays the same. Whoever has "
            "it leads the room."
        )
        link = f"{links.base()}/learn?{classroom.SECRET}={classroom.secret()}"
        st.code(link, language=None, wrap_lines=True)
    with st.popover("End room", help="For all who follow."):
        st.markdown(
            "Ends the room for all who follow. The page Learn keeps the summary of its questions "
            "until you open another room, reload or leave."
        )
        _offer_summary(st.container(), partial(classroom.summary_of, room.code))
        st.button("End the room", on_click=classroom.end, help="Nobody follows any more.")


def _offer_again() -> None:
    """The room was idle for long, or somebody has opened it by the teacher's link elsewhere."""
    code = codes.show(classroom.led_code())
    st.markdown(f"Room **{code}** is closed, or led in another window.", width="content")
    st.button("Lead it from here", on_click=_lead_again, help="Opens it under the same code.")
    st.button("Leave", on_click=classroom.forget, help="Leaves it as it is.")
    _say_why()


def _offer_left(room: Room) -> None:
    """The room was led in this browser, whose page was loaded again."""
    st.markdown("You led a room in this browser, and it is still open.", width="content")
    st.button(
        f"Lead room {codes.show(room.code)} again",
        on_click=_resume,
        args=(room.secret,),
        type="primary",
        help="Brings you to what the class looks at.",
    )
    st.button("Not now", on_click=_stay_away, help="Your link to the room leads there later.")
    _say_why()


def _say_why() -> None:
    if why := st.session_state.pop("_closed_door", ""):
        st.warning(why)


def _lead_again() -> None:
    st.session_state["_closed_door"] = classroom.lead(classroom.secret())


@fragment
def _watch_class() -> None:
    pulse.beat()
    room = classroom.led()
    if room is None:
        if classroom.is_drawn():
            st.rerun()
        return
    if classroom.is_drawn():
        classroom.publish()  # what parts of the page have changed without it
    following, aside = room.present()
    verb = "follows" if following == 1 else "follow"
    text = f"Room **{codes.show(room.code)}** · {following} {verb}"
    st.markdown(f"{text} · {aside} on their own" if aside else text)
    if room.vote is not None:
        voting.lead_vote(room.vote)


def _invite(code: str) -> None:
    link = f"{links.base()}/learn?{classroom.ROOM}={code}"
    with st.popover("Invite", help="The link and the QR code of this room."):
        st.markdown(f"Open this link, or type **{codes.show(code)}** on the page Learn.")
        st.image(
            qr_code(link), width=QR_WIDTH, alt=f"QR code of the link to room {codes.show(code)}"
        )
        st.code(link, language=None, wrap_lines=True)
        if any(f"//{host}" in link for host in LOCAL):
            st.warning(
                "This address works on this computer only. Start `epca app --host 0.0.0.0` and "
                "open the page by the computer's name or number in the network."
            )


# The bar of those who follow


def _waiting(code: str) -> str:
    """Why nothing is shown: a room that was open has ended, one that never was may be mistyped."""
    if classroom.has_been_in():
        return (
            f"Room **{code}** is closed now: the teacher has ended it, or is away. This page "
            "waits in case it opens again."
        )
    return f"Room **{code}** is not open now. This page waits for it; check the code."


@fragment
def _follow() -> None:
    room = classroom.followed()
    pulse.beat(pulse.EVERY if room is None else pulse.every(sum(room.present())))
    code = classroom.followed_code()
    if classroom.is_drawn() and (not code or classroom.is_behind(room)):
        st.rerun()
    row = st.container(horizontal=True, vertical_alignment="center")
    if room is None:
        row.markdown(classroom.why_not() or _waiting(codes.show(code)), width="content")
    elif classroom.is_aside():
        row.markdown(f"On your own, in room **{codes.show(code)}**", width="content")
        text = "Shows what the teacher shows."
        row.button("Come back", on_click=classroom.come_back, type="primary", help=text)
    else:
        _show_following(row, codes.show(code))
    row.button("Leave", on_click=classroom.leave, help="Leaves the room; your settings stay.")
    if room is not None and room.view is not None and room.view.is_private:
        st.markdown("The teacher shows images of their own, which stay private: you cannot see it.")
    if room is not None and room.vote is not None:
        voting.show_ballot(room.vote)


def _show_following(row: DeltaGenerator, code: str) -> None:
    """Whether the page shows what the teacher shows, the way back to it, and the way aside."""
    if classroom.has_departed():
        text = f"You follow room **{code}**, but have set or opened something else."
        row.markdown(text, width="content")
        text = "Shows what the teacher shows. Their next change does so too."
        row.button("Come back", on_click=classroom.come_back, type="primary", help=text)
    else:
        row.markdown(f"You follow room **{code}**", width="content")
    text = "The page then changes by your hand alone. Else what you set lasts until the "
    text += "teacher shows something new."
    row.button("Explore on my own", on_click=classroom.step_aside, help=text)
