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
    """`results.compare`, or a preview of it, which says so, until it is ready."""
    if not images.is_large(setup.images):
        return results.compare(setup)
    exact = [results.fit_request(setup, label) for label in results.COMPARED]
    if all(request.peek() is not None for request in exact):
        return _compare_with_preview(setup)
    place = st.empty()
    shown = _preview(setup)
    is_late = any(bars.follow(request) is None for request in exact)  # one after the other
    if is_late and shown is not None:
        place.markdown(preview.text(shown))
        st.session_state[SEEN] = _request(setup, "EPCA").key
        return shown
    return _compare_with_preview(setup)


def _compare_with_preview(setup: Setup) -> Comparison:
    """The exact result; it says how far off the preview was, if that was shown before."""
    found = results.compare(setup)
    asked = _request(setup, "EPCA")
    if st.session_state.get(SEEN) == asked.key and (former := asked.peek()) is not None:
        st.caption(preview.difference(former.row, found.rows["EPCA"]))
    return found


def _preview(setup: Setup) -> Comparison | None:
    """The fits to the leading axes; None where there are none."""
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
