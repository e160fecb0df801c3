"""Which methods a page compares: buttons in groups, while the link carries one list of all."""

from collections.abc import Collection, Sequence

import streamlit as st

from epca.data import ImageSet
from epca.registry import TAKES_NAN
from epca.ui.frame import links
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.presets import Preset
from epca.ui.frame.rules import Among
from epca.ui.frame.settings import CHOSEN_METHODS
from epca.views.methods import GROUPS, groups, help_text


def choose(witness: str = "") -> tuple[str, ...]:
    """Show a button per method; return the labels of those that are on, in the buttons' order.

    The witness, if any, has a button of its own unless it is on.
    """
    chosen = draw(CHOSEN_METHODS, place=links.carrier("methods"))
    for name, labels in groups().items():
        key = f"methods_of_{name.replace(' ', '_')}"
        st.session_state[key] = [label for label in labels if label in chosen]
        st.pills(
            name.capitalize(),
            labels,
            key=key,
            selection_mode="multi",
            on_change=_take,
            args=(key, labels),
            help=GROUPS[name],
        )
    if witness and witness not in chosen:
        st.button(
            f"Add {witness}",
            on_click=st.session_state.update,
            args=({CHOSEN_METHODS.key: [*chosen, witness]},),
            type="primary",
            help=help_text(witness),
        )
    return _in_order(chosen)


def witness(images: ImageSet, regime: Preset | None) -> str:
    """The method not to miss: the one that takes unknown pixels, else the regime's, if any."""
    if images.unknown is not None:
        return TAKES_NAN
    return regime.witness if regime else ""


def _take(key: str, labels: list[str]) -> None:
    """Take over what is on in a group."""
    others = set(st.session_state[CHOSEN_METHODS.key]) - set(labels)
    st.session_state[CHOSEN_METHODS.key] = list(_in_order(others | set(st.session_state[key])))


def _in_order(chosen: Collection[str]) -> tuple[str, ...]:
    return tuple(label for labels in groups().values() for label in labels if label in chosen)


def axes(fitted: Sequence[str]) -> dict[str, Among]:
    """The rules of the charts' methods. Across offers the method of Up last.

    A method that is no longer fitted is replaced without a notice.
    """
    rules = {}
    for key in ("up", "map_of", "across"):
        up = st.session_state.get("up", CONTROLS["up"].default)
        is_last = up if key == "across" else None
        rules[key] = Among(tuple(sorted(fitted, key=lambda label: label == is_last)))
        if st.session_state.get(key) not in (None, *fitted):
            st.session_state[key] = rules[key].nearest(CONTROLS[key].default)
    return rules
