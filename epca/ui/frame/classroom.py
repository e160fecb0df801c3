"""Follow me: a teacher's session publishes what it shows, the others of the room take it over.

A session knows of its room only the code or the secret, so that a room that ends is gone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from secrets import token_hex

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

from epca.classroom import codes
from epca.classroom.room import Room, View
from epca.classroom.rooms import NoRoom, Refused, Rooms
from epca.ui.frame import links, shown
from epca.ui.frame.images import UPLOAD
from epca.ui.frame.settings import DATASET

ROOM = "room"  # the key of the code of the room one follows, which the address carries
SECRET = "room_secret"  # in the teacher's link alone
COOKIE = "_streamlit_xsrf"  # Streamlit gives one to every browser


@cache
def rooms() -> Rooms:
    """Those of this server."""
    return Rooms()


def seat() -> str:
    """Who asks: a browser, so that a page loaded again has no second vote; else the session."""
    if "_seat" not in st.session_state:
        token, _ = decode_xsrf_token_string(st.context.cookies.get(COOKIE, ""))
        st.session_state["_seat"] = token.hex() if token else token_hex(16)
    return st.session_state["_seat"]


def enter() -> None:
    """Before a page is drawn: take the teacher's link, come in, take over what is shown."""
    st.session_state["_is_drawn"] = False
    if (held := st.session_state.pop("_held", None)) is not None:
        st.session_state.update(held)
        st.session_state.pop("_goto", None)
    if SECRET in st.query_params:
        secret = st.query_params[SECRET]
        del st.query_params[SECRET]  # the class may be looking at the address
        if why := resume(secret):
            links.say(why)
    if code := followed_code():
        st.session_state[ROOM] = code  # else it would be lost on the way to the teacher's page
    room = followed()
    if room is None or is_aside():
        return
    version, view = room.shown()
    if version != st.session_state.get("_version"):
        if view is not None and not view.is_private:
            shown.drop_link()
        st.session_state["_version"] = version
        shown.take_over(view)


def hold() -> None:
    """Before a change of page: keep what is set.

    A look at the room that the browser sent meanwhile would undo it: it has the former values.
    """
    if led_code() or followed_code():
        st.session_state["_held"] = shown.values()


# The teacher's side


def lead(secret: str) -> str:
    """Open the teacher's room and lead it from here; why not, in words, else ""."""
    try:
        room = rooms().open(secret)
    except Refused as error:
        return str(error)
    room.lead(_session(), seat())
    st.session_state.update({"_led": secret, "_led_code": room.code, ROOM: ""})
    st.session_state.pop("_summary", None)
    return ""


def resume(secret: str) -> str:
    """`lead`, with the page and the settings that the class looks at."""
    why = lead(secret)
    if (room := led()) is not None:  # it may have ended meanwhile
        shown.take_over(room.view)
    return why


def left_room() -> Room | None:
    """The room that was opened in this browser, where its page was loaded again."""
    return rooms().led_by(seat())


def led_code() -> str:
    """The code of the room that is led from here; "" for none."""
    return st.session_state.get("_led_code", "")


def led() -> Room | None:
    """The room that is led from here, if it is open and nobody leads it elsewhere."""
    room = rooms().get(led_code())
    return room if room is not None and room.leader == _session() else None


def _session() -> str:
    """The window: of two windows of one browser only the last leads."""
    return st.session_state.setdefault("_session", token_hex(16))


def secret() -> str:
    return st.session_state["_led"]


def publish() -> None:
    """After a page is drawn: have the room see it."""
    room = led()
    if room is None:
        return
    values = shown.values()
    is_private = values.get(DATASET.key) == UPLOAD
    room.show(View(st.session_state["_stem"], {} if is_private else values, is_private))


@contextmanager
def drawing() -> Iterator[None]:
    """Around the page, which may end early."""
    try:
        yield
    finally:
        st.session_state["_is_drawn"] = True


def is_drawn() -> bool:
    """Whether the page is complete: parts of it that run alone may then act for all of it."""
    return st.session_state.get("_is_drawn", False)


def summary_of(code: str) -> str:
    """The questions of the room and their counts as CSV, for the teacher's download."""
    room = rooms().get(code)
    return "" if room is None else room.summary()


def end() -> None:
    """End the room that is led from here; its summary stays. For callbacks."""
    state = st.session_state
    if (room := led()) is not None:
        state["_summary"] = room.summary()
        rooms().end(state["_led"])
    forget()


def forget() -> None:
    """Lead no room any more; for callbacks."""
    for key in ("_led", "_led_code"):
        st.session_state.pop(key, None)


# The others' side


def followed_code() -> str:
    """The code of the room that this window is in; "" for none."""
    return "" if led_code() else codes.read(links.text_of(ROOM))


def followed() -> Room | None:
    """The room that this window is in, if it is open.

    A code that the session has not been in counts as a try.
    """
    state = st.session_state
    code = followed_code()
    if not code:
        return None
    if state.get("_tried") != code:
        try:
            rooms().join(code, seat())
        except NoRoom:
            pass  # the page waits for it
        except Refused as error:
            state["_refused_room"] = str(error)
            return None
        state["_tried"] = code
        state.pop("_refused_room", None)
    room = rooms().get(code)
    if room is None or not room.attend(seat(), follows=not is_aside() and not has_departed()):
        return None
    state["_been_in"] = code
    return room


def has_been_in() -> bool:
    """Whether the room that this window is in was open for it before."""
    return st.session_state.get("_been_in") == followed_code()


def why_not() -> str:
    """Why this window may not come in; "" where it may."""
    return st.session_state.get("_refused_room", "")


def is_behind(room: Room | None) -> bool:
    """Whether the teacher of the room shows something that this window has not taken over."""
    is_following = room is not None and not is_aside()
    return is_following and room.version != st.session_state.get("_version")


def is_aside() -> bool:
    return st.session_state.get("_is_aside", False)


def note_taken() -> None:
    """After a page is drawn: note how it is where this window has just taken it over."""
    state = st.session_state
    if is_guided() and state.get("_taken_version") != state["_version"]:
        state.update({"_taken_version": state["_version"], "_taken": deepcopy(shown.here())})


def has_departed() -> bool:
    """Whether this window shows something else than what it took over from the teacher."""
    state = st.session_state
    if "_taken" not in state or state["_taken_version"] != state["_version"]:
        return False
    return state["_taken"] != shown.here()


def is_guided() -> bool:
    """Whether this window follows a teacher, who then gives the answers."""
    return followed() is not None and not is_aside()


def join(text: str) -> str:
    """Come into the room of this code; why not, in words, else "". For callbacks."""
    code = codes.read(text)
    if not code:
        return "A code has eight letters and digits, such as ABCD-EFGH."
    try:
        rooms().join(code, seat())
    except Refused as error:
        return str(error)
    st.session_state.update({ROOM: code, "_tried": code, "_is_aside": False})
    return ""


def step_aside() -> None:
    """Explore alone: what the teacher shows changes nothing here. For callbacks."""
    st.session_state["_is_aside"] = True


def come_back() -> None:
    """See what the teacher shows; for callbacks."""
    st.session_state.update({"_is_aside": False, "_version": None})


def leave() -> None:
    """Leave the room; for callbacks."""
    if (room := followed()) is not None:
        room.leave(seat())
    st.session_state.update({ROOM: "", "_is_aside": False, "_version": None, "_tried": ""})
