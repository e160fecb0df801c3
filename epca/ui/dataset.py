"""What the page Data shows, and what it does with an upload."""

import numpy as np
import streamlit as st

from epca.data import DataError, catalogue, load_dataset, read_bytes
from epca.images import IN_A_ROW
from epca.ui import store
from epca.ui.experiment import spread

ROWS, COLUMNS = 8, 12  # of the gallery
MOST_PIXELS = (
    5_000_000  # of an upload, all images together: a fit holds about five numbers for each
)
OWN_LIMIT = (
    f"The dashboard takes {MOST_PIXELS // 1024:,} images of 32 × 32 pixels. "
    "Give fewer, put the file into datasets/, or use the library."
)


class View:
    """Texts and pictures of a data set and its occlusion."""

    def __init__(self, setup):
        self.images, self.page = setup.images, 1
        self.prepared = store.prepare(setup.scenario, setup.images)
        self.entry = catalogue()[0].get(setup.images.name)

    @property
    def title(self):
        return self.entry.title if self.entry else self.images.name

    @property
    def facts(self):
        n_images, height, width = self.images.images.shape
        classes = (
            f"{len(self.images.class_names)} classes"
            if self.images.labels is not None
            else "no classes"
        )
        low, high = self.images.images.min(), self.images.images.max()
        lines = [
            f"**{n_images}** images of {width} × {height} pixels, {classes}, grey levels {low} to {high}."
        ]
        lines.append(f"Source: {self.images.source}.")
        if self.entry and self.entry.citation:
            lines.append(f"Cite: {self.entry.citation}. Terms: {self.entry.terms}")
        return "  \n".join(lines)

    @property
    def occlusion_text(self):
        occluded = self.prepared.occluded
        n_hit, n_images = int(occluded.mask.any(axis=1).sum()), len(occluded.X)
        share = occluded.mask[occluded.samples].mean() if len(occluded.samples) else 0.0
        further, more = (
            (" further", "; who was occluded before is not known")
            if self.images.is_occluded
            else ("", "")
        )
        if not n_hit:
            return f"No image is occluded{further}{more}. The sidebar sets how."
        verb, whose = ("is", "its") if n_hit == 1 else ("are", "their")
        return f"{n_hit} of {n_images} images {verb} occluded{further}, in {share:.0%} of {whose} pixels{more}. The sidebar sets how."

    @property
    def shown(self):
        occluded = self.prepared.occluded.samples
        choice = occluded if len(occluded) else np.arange(len(self.prepared.clean))
        return spread(choice, min(IN_A_ROW, len(choice)))

    @property
    def occlusion_rows(self):
        """Label → images (1, k, h, w): before, after, mask."""
        occluded = self.prepared.occluded
        stages = {"Before": self.prepared.clean, "After": occluded.X, "Mask": 255.0 * occluded.mask}
        return {
            label: X[self.shown].reshape(1, -1, *self.images.image_shape)
            for label, X in stages.items()
        }

    @property
    def _rows(self):
        """Indices by row of the gallery: a class a row, cut to its width; without classes, one after the other."""
        labels = self.images.labels
        if labels is None:
            return [
                range(i, min(i + COLUMNS, len(self.images.images)))
                for i in range(0, len(self.images.images), COLUMNS)
            ]
        return [
            np.flatnonzero(labels == label)[:COLUMNS]
            for label in range(len(self.images.class_names))
        ]

    @property
    def n_pages(self):
        return -(-len(self._rows) // ROWS)

    @property
    def _page_rows(self):
        return self._rows[(self.page - 1) * ROWS : self.page * ROWS]

    @property
    def gallery(self):
        """Images (rows, columns, h, w) of this page; NaN where a row is short."""
        cells = np.full((len(self._page_rows), COLUMNS, *self.images.image_shape), np.nan)
        for i, row in enumerate(self._page_rows):
            cells[i, : len(row)] = self.images.images[list(row)]
        return cells

    @property
    def gallery_text(self):
        first, last = (self.page - 1) * ROWS, (self.page - 1) * ROWS + len(self._page_rows) - 1
        if self.images.labels is None:
            return f"Images {self._page_rows[0][0]} to {self._page_rows[-1][-1]} of {len(self.images.images)}."
        names = self.images.class_names
        return f"One class a row, at most {COLUMNS} images each: {names[first]} to {names[last]}, {len(names)} classes in all."


def receive(file, is_occluded):
    """Read an upload and switch to it; what is wrong with it is said, and the former data stay."""
    key = (file.file_id, is_occluded)
    received, problem = st.session_state.get("_received", (None, ""))
    if received != key:
        try:
            images = read_bytes(file.name, file.getvalue(), size=32, is_occluded=is_occluded)
            if images.images.size > MOST_PIXELS:
                raise DataError(
                    f"{file.name}: {len(images.images):,} images are too many. {OWN_LIMIT}"
                )
        except DataError as error:
            problem = str(error)
        else:
            store.keep_upload(images, file.name)
            st.session_state.update(_received=(key, ""), _switch_to=store.UPLOAD)
            st.rerun()
        st.session_state["_received"] = (key, problem)
    if problem:
        st.error(problem)
        return
    st.success(
        f"{len(store.uploaded().images)} images read; choose “{store.UPLOAD}” in the sidebar to go back to them."
    )


def offer_downloads():
    """A button for each set that scikit-learn can fetch; nothing is fetched before it is pressed."""
    for entry in catalogue()[0].values():
        if entry.load is not None and not entry.is_here:
            ask = {"_download": entry.name}
            st.button(
                f"Download {entry.title}", key=f"download_{entry.name}", on_click=st.session_state.update, args=(ask,),
                help="Needs a network; scikit-learn keeps the set on the server.",
            )  # fmt: skip
    name = st.session_state.pop("_download", None)
    if name is None:
        return
    try:
        with st.spinner(f"Downloading {name} …", show_time=True):
            load_dataset(name, download=True)
    except DataError as error:
        st.error(str(error))
    else:
        st.session_state["_switch_to"] = name
        st.rerun()


def elsewhere():
    """The sets of the catalogue that are not here, and how to get them."""
    entries = [entry for entry in catalogue()[0].values() if not entry.is_here]
    return {
        "name": [entry.name for entry in entries],
        "how to get it": [entry.how_to_get for entry in entries],
    }
