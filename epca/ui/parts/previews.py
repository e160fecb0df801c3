"""Where fits take long, a preview comes first; the exact fits replace it when they are ready."""

import streamlit as st

from epca import tasks
from epca.ui.frame import images
from epca.ui.frame.settings import Setup
from epca.ui.jobs import bars
from epca.ui.parts import results
from epca.views import preview
from epca.views.comparison import Comparison

SEEN = "_previewed"  # where the session has the key of the preview that was shown last


def compare(setup: Setup) -> Comparison:
    """`results.compare`, or a preview of it, which says so, until it is ready.

    What it shows has one place, so that the page below stays in its own while it runs again.
    """
    with st.container(key="waiting_results"):
        return _compare(setup) if images.is_large(setup.images) else results.compare(setup)


def _compare(setup: Setup) -> Comparison:
    exact = [results.fit_request(setup, label) for label in results.COMPARED]
    if all(request.peek() is not None for request in exact):
        return _compare_with_preview(setup)
    shown = _preview(setup)
    if shown is None:
        return results.compare(setup)
    place = st.empty()
    place.markdown(preview.text(shown))
    st.session_state[SEEN] = _request(setup, "EPCA").key
    if any(bars.follow(request) is None for request in exact):  # one after the other
        return shown
    place.empty()
    return _compare_with_preview(setup)


def _compare_with_preview(setup: Setup) -> Comparison:
    """The exact result; it says how far off the preview was, if that was shown before."""
    found = results.compare(setup)
    asked = _request(setup, "EPCA")
    if st.session_state.get(SEEN) == asked.key and (former := asked.peek()) is not None:
        st.caption(preview.difference(former.row, found.rows["EPCA"]))
    return found


def _preview(setup: Setup) -> Comparison | None:
    """Both fits within few dimensions; None where they failed."""
    fits = {label: bars.get(_request(setup, label)) for label in results.COMPARED}
    if any(fit is None or fit.model is None for fit in fits.values()):
        return None
    prepared = images.preview(setup.scenario, setup.images)
    return Comparison(setup.scenario, prepared, fits, is_preview=True)


def _request(setup: Setup, label: str) -> bars.Request:
    """The Request for a preview, which the server itself computes, before other work."""
    scenario = setup.scenario.for_method(label)
    return images.request(
        f"Preview of {label}",
        setup.images,
        ("preview", scenario, label),
        tasks.fit,
        images.preview(setup.scenario, setup.images),
        scenario,
        label,
        is_cachable=tasks.is_lasting,
        is_here=True,
        is_short=True,
    )
