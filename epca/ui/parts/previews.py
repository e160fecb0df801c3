"""Where fits take long, a preview comes first; the exact fits replace it when they are ready."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca import tasks
from epca.experiment import Fit
from epca.registry import METHODS
from epca.ui.frame import images
from epca.ui.frame.settings import Setup
from epca.ui.jobs import bars
from epca.ui.jobs.request import Request
from epca.ui.jobs.server import runner
from epca.ui.parts import results
from epca.views import preview
from epca.views.comparison import Comparison

SEEN = "_previewed"  # where the session has the keys of the previews that were shown last


def compare(setup: Setup) -> Comparison:
    """`results.compare`, or a preview of it, which says so, until it is ready.

    What it shows has one place, so that the page below stays in its own while it runs again.
    """
    with place(setup):
        soon = ahead(setup, results.COMPARED)
        if not soon:
            return results.compare(setup)
        fits = {label: soon.get(label) or results.fit(setup, label) for label in results.COMPARED}
        if any(fit is None or fit.model is None for fit in fits.values()):
            return results.compare(setup)  # it says which failed
    return comparison(setup, fits, is_preview=True)


def place(setup: Setup) -> DeltaGenerator:
    """Where bars, previews and differences are told of; it keeps its height with large images."""
    return st.container(key=f"waiting_{'large' if images.is_large(setup.images) else 'results'}")


def comparison(setup: Setup, fits: Mapping[str, Fit], *, is_preview: bool) -> Comparison:
    """These fits, of which some may be previews."""
    prepare = images.preview if is_preview else images.prepare
    prepared = prepare(setup.scenario, setup.images)
    return Comparison(setup.scenario, prepared, dict(fits), is_preview)


def ahead(setup: Setup, labels: Sequence[str]) -> dict[str, Fit]:
    """Previews of the methods that are not fitted yet, by label; the page says what they are.

    There are none where fits are quick or a preview fails. Otherwise the exact fits follow in the
    background. Once all are ready there are no previews, either, and the page says how far off
    those were that it showed.
    """
    exact = _exact(setup, labels)
    missing = {label: asked for label, asked in exact.items() if asked.peek() is None}
    for label in METHODS.keys() - missing.keys():  # those no longer chosen, too
        bars.leave(results.title(label))
    if not exact:
        return {}
    words, work = (column.empty() for column in st.columns([3, 2], vertical_alignment="center"))
    if missing:
        soon = [_request(setup, label) for label in missing]
        with work.container(), bars.together(soon) as fits:
            if runner().is_apart:  # so that they do not keep the previews waiting
                bars.begin(list(missing.values()))
            found = dict(zip(missing, fits, strict=True))
        if any(fit is None or fit.model is None for fit in found.values()):
            return {}
        words.markdown(preview.text(comparison(setup, found, is_preview=True)))
        keys = {label: _request(setup, label).key for label in found}
        if not keys.items() <= st.session_state.get(SEEN, {}).items():  # some may be exact by now
            st.session_state[SEEN] = keys
        with work.container():
            is_ready = bars.follow_all(list(missing.values()))
        if not is_ready:
            return found
        work.empty()
    words.caption(_difference(setup, exact))
    return {}


def are_exact(setup: Setup, labels: Sequence[str]) -> bool:
    """Whether no preview is shown of any of these methods."""
    return all(asked.peek() is not None for asked in _exact(setup, labels).values())


def _exact(setup: Setup, labels: Sequence[str]) -> dict[str, Request]:
    """The Requests for the exact fits that previews come before."""
    if not images.is_large(setup.images):
        return {}
    has_preview = [label for label in labels if METHODS[label].has_preview]
    return {label: results.fit_request(setup, label) for label in has_preview}


def _difference(setup: Setup, exact: Mapping[str, Request]) -> str:
    """How far off the previews were that were shown before; nothing where none was."""
    seen = st.session_state.get(SEEN, {})
    rows = {"soon": {}, "exact": {}}
    for label, asked in exact.items():
        found = {"soon": _request(setup, label), "exact": asked}
        fits = {name: request.peek() for name, request in found.items()}
        is_known = all(fit is not None and fit.model is not None for fit in fits.values())
        if is_known and seen.get(label) == found["soon"].key:
            for name, fit in fits.items():
                rows[name][label] = fit.row
    return preview.difference(rows["soon"], rows["exact"]) if rows["soon"] else ""


def _request(setup: Setup, label: str) -> Request:
    """The Request for a preview, which the server itself computes, before other work."""
    scenario = setup.scenario.for_method(label)
    return images.request(
        f"Preview of {label}",
        setup.images,
        tasks.fit,
        images.keyed_preview(setup.scenario, setup.images),
        scenario,
        label,
        is_cachable=tasks.is_lasting,
        is_here=True,
        is_short=True,
    )
