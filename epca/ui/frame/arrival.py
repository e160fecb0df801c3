"""What changes when other images come: nothing stays selected, c and the occlusion suit them."""

import streamlit as st

from epca.choosing import PER_DIMENSION, starting_rank
from epca.data import ImageSet
from epca.ui.frame import links
from epca.ui.frame.selected import CLEARED, SELECTED
from epca.ui.frame.settings import SETTINGS, ranks_for
from epca.ui.jobs import bars


def announce() -> None:
    """Say that the visitor chose other images; for callbacks, and before the sidebar is drawn.

    Links, lessons and resets do not call it: they name the settings they want.
    """
    st.session_state["_has_arrived"] = True


def receive(images: ImageSet) -> None:
    """Adapt the settings to images that the visitor has just chosen, before they are drawn.

    What was changed for the former images is taken back, unless the visitor changed it since. The
    same images in another size keep the settings.
    """
    state = st.session_state
    was_chosen = state.pop("_has_arrived", False)
    former = state.get("_at_work", images)
    state["_at_work"] = images
    if images.digest == former.digest:
        return
    if not was_chosen:  # what was changed for the former images was set anew
        state.pop("_adapted", None)
        return
    state[SELECTED.key] = []
    state.pop(CLEARED, None)
    if _kind(images) != _kind(former):
        _suit(images, former)
        _write_address()


def _kind(images: ImageSet) -> tuple[str, int, bool]:
    """What the settings depend on."""
    return images.name, len(images.images), images.is_occluded


def _suit(images: ImageSet, former: ImageSet) -> None:
    """Change what does not suit the images, unless the visitor chose it for them before."""
    state = st.session_state
    chosen_for = {}
    for key, (value, start, kind) in state.pop("_adapted", {}).items():
        if state.get(key) == start:
            state[key] = value
            chosen_for[key] = kind
    state["_adapted"] = {}
    for key, suit in SUITED.items():
        kind = chosen_for.get(key, _kind(former))
        value = _value(key)
        if kind != _kind(images) and (start := suit(images, value)) != value:
            state[key] = start
            state["_adapted"][key] = (value, start, kind)


def _write_address() -> None:
    """If the address contradicts the session, run again without it: the controls write it anew.

    A control with other bounds is a new one, and a new one takes what the address has.
    """
    state = st.session_state
    address = st.query_params
    if all(address.get(key) in (None, str(_value(key))) for key in SUITED):
        return
    others = {key: address.get_all(key) for key in address if key not in state}
    stem = state["_stem"]
    state.update({"_stem": "", bars.RESUMED: True})  # as if the visitor came from another page
    st.switch_page(f"pages/{stem}.py", query_params=others)


def _suit_rank(images: ImageSet, former: int) -> int:
    """Start with as many dimensions as EPCA can fit without a collapse in most cases.

    Where the images have no more pixels than that, the control's own bounds will do.
    """
    n_images = len(images.images)
    start = starting_rank(n_images)
    if former <= start or start >= ranks_for(images).high:
        return former
    links.say(
        f"{n_images} images are few for a rank of {former}, so c starts at {start} here: "
        f"at most one dimension per {PER_DIMENSION} images."
    )
    return start


def _suit_occlusion(images: ImageSet, former: int) -> int:
    """Occlude nothing further where the images are occluded as they come."""
    if not images.is_occluded or not former:
        return former
    links.say(
        "These images are occluded as they come, so the sidebar's occlusion is set to 0. Which of "
        "them are occluded is not known, and nothing compares with clean images."
    )
    return 0


# settings that are changed to suit the images: key → (images, value) → a value that does
SUITED = {"c": _suit_rank, "samples": _suit_occlusion}


def _value(key: str) -> int:
    return st.session_state.get(key, SETTINGS[key].default)
