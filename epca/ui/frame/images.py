"""The images a visitor works on: those of the catalogue, or an upload, which is theirs alone."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from epca import experiment, tasks
from epca.data import DataError, Entry, ImageSet, catalogue, stamp
from epca.preview import takes_long
from epca.scenario import Prepared, Scenario
from epca.ui.frame.settings import DATASET
from epca.ui.jobs import bars
from epca.ui.jobs.cache import Cache
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.request import Request
from epca.ui.jobs.server import private_cache, runner

SHORT = 2_000_000  # pixels of a set that is prepared in a moment, and so before other work
UPLOAD = "your-upload"  # its key; files are not named so
SPARE = "digits"  # comes with a package that nothing works without


def uploaded() -> ImageSet | None:
    """The images this visitor uploaded."""
    return st.session_state.get("_upload")


def upload_name() -> str:
    """The file they came in, or a name for the folder of loose pictures."""
    return st.session_state["_upload_name"]


def upload_options() -> dict[str, Any]:
    """How they were read: `size` and `unknown` of `load_dataset`."""
    return st.session_state.get("_upload_options", {})


def receive_upload(images: ImageSet, name: str, options: dict[str, Any]) -> None:
    """Have the visitor work on these images, which were read with these options."""
    news = {"_upload": images, "_upload_name": name, "_upload_options": options}
    st.session_state.update(news | {"_switch_to": UPLOAD})


def known(images: ImageSet) -> Entry | None:
    """What the catalogue knows of the images: nothing of an upload, whatever its name."""
    return None if images is uploaded() else catalogue()[0].get(images.name)


def load(name: str, entries: Mapping[str, Entry] | None = None) -> ImageSet:
    """The images of a data set, or the upload; DataError says why there are none.

    entries : of the catalogue, where they are at hand: it looks through folders
    """
    if name == UPLOAD:
        if uploaded() is None:
            raise DataError("it was an upload, and uploads stay in their owner's session.")
        return uploaded()
    entry = (catalogue()[0] if entries is None else entries).get(name)
    if entry is None:  # a path would be read, but a link must not reach the server's files
        raise DataError("the data set is not in the catalogue; choose one that is.")
    options = {"is_here": True, "is_short": True}
    return bars.demand(Request("Reading images", tasks.load, name, stamp(entry), **options))


def load_default() -> ImageSet:
    """The images that are shown where nothing else is: faces, or digits where there are none."""
    try:
        return load(DATASET.default)
    except DataError:
        return load(SPARE)


def cache_for(images: ImageSet) -> Cache | None:
    """The session's own cache for an upload; None, the shared one, for all else.

    What was prepared from the same files, read before, is the upload's, too.
    """
    own = uploaded()
    is_own = own is not None and images.digest == own.digest
    return private_cache() if is_own else None


def request(
    title: str, images: ImageSet, work: Callable, *arguments: Any, **options: Any
) -> Request:
    """A Request for work on these images: known by their content, never by their name."""
    options |= {"source": images.digest, "cache": cache_for(images)}
    return Request(title, work, *arguments, **options)


def remember(images: ImageSet, key: Hashable, make: Callable[[], Any]) -> Any:
    """The cached result of make(), which needs only a moment; all who ask share it.

    key : its name and all that it depends on besides the images; nobody may change what is made
    """
    cache = cache_for(images)
    cache = runner().cache if cache is None else cache
    return cache.get_or_make(("made", images.digest, key), make)


def prepare(scenario: Scenario, images: ImageSet) -> Prepared:
    """The occluded images, shared by all fits to them; the page ends where there are none."""
    arguments = (scenario.data, keyed(images))
    options = {"is_here": True, "is_short": is_quick(images)}
    prepared = bars.get(request("Preparing images", images, tasks.prepare, *arguments, **options))
    if prepared is None:
        st.stop()
    return prepared


def is_large(images: ImageSet) -> bool:
    """Whether fits to these images take so long that previews come first."""
    n_images = len(images.images)
    return takes_long(n_images, images.images.size // n_images) and images.unknown is None


def preview(scenario: Scenario, images: ImageSet) -> Prepared:
    """The occluded images for previews."""
    return experiment.preview(prepare(scenario, images))


def typical_residuals(scenario: Scenario, images: ImageSet) -> np.ndarray | None:
    """The two lengths between which most of PCA's residuals lie; None where that is cancelled.

    A preview knows them well enough.
    """
    c = scenario.n_components
    work = tasks.typical_residuals
    if is_quick(images):
        key = ("typical residuals", scenario.data, c)
        prepared = prepare(scenario, images)
        return remember(images, key, lambda: tasks.at_once(work(prepared, c)))
    make = keyed_preview if is_large(images) else keyed_prepared
    options = {"is_here": is_large(images), "is_short": True}
    return bars.get(request("PCA's residuals", images, work, make(scenario, images), c, **options))


def is_quick(images: ImageSet) -> bool:
    """Whether one PCA of these images takes less time than a turn in the line."""
    return images.images.size < SHORT


def keyed(images: ImageSet) -> Keyed:
    """The images as an argument of work elsewhere: they are sent there once."""
    return Keyed(images.digest, images)


def keyed_prepared(scenario: Scenario, images: ImageSet) -> Keyed:
    """The occluded images as an argument of work elsewhere, where they are made from the images."""
    data = scenario.data
    prepared = prepare(scenario, images)
    return Keyed((images.digest, data), prepared, tasks.prepared, (data, keyed(images)))


def keyed_preview(scenario: Scenario, images: ImageSet) -> Keyed:
    """The occluded images for previews as an argument of work in the server."""
    return Keyed(("preview", images.digest, scenario.data), preview(scenario, images))
