"""What the page Data shows of a data set and its occlusion."""

import numpy as np

from epca.data import Entry, ImageSet, catalogue
from epca.experiment import Prepared
from epca.images import IN_A_ROW
from epca.views import texts
from epca.views.comparison import MASK, OCCLUDED, first_stage, spread

ROWS = 8  # of the gallery
COLUMNS = 12
LONGEST_TITLE = 40  # characters


class View:
    """Texts and pictures of a data set and its occlusion."""

    def __init__(self, prepared: Prepared, entry: Entry | None) -> None:
        """entry : what the catalogue knows of these images; None for an upload"""
        self.prepared = prepared
        self.images = prepared.images
        self.entry = entry
        self.page = 1

    @property
    def title(self) -> str:
        """What stands on top of the page; of a long name its end, which fits one line."""
        title = self.entry.title if self.entry else self.images.name
        return title if len(title) <= LONGEST_TITLE else f"…{title[-LONGEST_TITLE:]}"

    @property
    def facts(self) -> str:
        n_images, height, width = self.images.images.shape
        classes = "no classes"
        if self.images.labels is not None:
            classes = f"{len(self.images.class_names)} classes"
        low = np.nanmin(self.prepared.clean)
        high = np.nanmax(self.prepared.clean)
        found = f"**{n_images}** images of {width} × {height} pixels, {classes}, "
        found += f"grey levels {low:.0f} to {high:.0f}."
        if unknown := texts.unknown(self.images):
            found += f" {unknown} {texts.WHO_TAKES_UNKNOWN}"
        return found

    @property
    def source(self) -> str:
        return source(self.images, self.entry)

    @property
    def occlusion_text(self) -> str:
        occluded = self.prepared.occluded
        n_occluded = len(occluded.samples)
        further = ""
        more = ""
        if self.images.is_occluded:
            further = " further"
            more = "; which ones came occluded is not known"
        if not n_occluded:
            return f"No image is occluded{further}{more}. The sidebar sets how."
        share = occluded.mask[occluded.samples].mean()
        where = f"in {share:.0%} of their pixels"
        verb = "are"
        if n_occluded == 1:
            where = f"in {share:.0%} of its pixels"
            verb = "is"
        count = f"{n_occluded} of {len(occluded.X)} images"
        return f"{count} {verb} occluded{further}, {where}{more}. The sidebar sets how."

    @property
    def shown(self) -> np.ndarray:
        occluded = self.prepared.occluded.samples
        choice = occluded if len(occluded) else np.arange(len(self.prepared.clean))
        return spread(choice, min(IN_A_ROW, len(choice)))

    @property
    def occlusion_rows(self) -> dict[str, np.ndarray]:
        """Label → images (1, k, h, w): clean, occluded, mask."""
        occluded = self.prepared.occluded
        stages = {
            first_stage(self.images): self.prepared.clean[self.shown],
            OCCLUDED: occluded.X[self.shown],
            MASK: 255.0 * occluded.mask[self.shown],
        }
        shape = self.images.image_shape
        return {label: X.reshape(1, -1, *shape) for label, X in stages.items()}

    @property
    def _n_rows(self) -> int:
        """Rows of the gallery: a class per row; without classes the images follow each other."""
        if self.images.labels is None:
            return -(-len(self.images.images) // COLUMNS)
        return len(self.images.class_names)

    def _row(self, number: int) -> np.ndarray:
        """Indices of the images of a row, cut to its width."""
        if self.images.labels is None:
            start = number * COLUMNS
            return np.arange(start, min(start + COLUMNS, len(self.images.images)))
        return np.flatnonzero(self.images.labels == number)[:COLUMNS]

    @property
    def n_pages(self) -> int:
        return -(-self._n_rows // ROWS)

    @property
    def _first_row(self) -> int:
        return (self.page - 1) * ROWS

    @property
    def _page_rows(self) -> list[np.ndarray]:
        last = min(self._first_row + ROWS, self._n_rows)
        return [self._row(number) for number in range(self._first_row, last)]

    @property
    def gallery(self) -> np.ndarray:
        """Images (rows, columns, h, w) of this page; NaN: short rows, unknown pixels."""
        cells = np.full((len(self._page_rows), COLUMNS, *self.images.image_shape), np.nan)
        for i, row in enumerate(self._page_rows):
            cells[i, : len(row)] = self.prepared.clean[row].reshape(-1, *self.images.image_shape)
        return cells

    @property
    def gallery_text(self) -> str:
        rows = self._page_rows
        if self.images.labels is None:
            return f"Images {rows[0][0]} to {rows[-1][-1]} of {len(self.images.images)}."
        names = self.images.class_names
        first = names[self._first_row]
        last = names[self._first_row + len(rows) - 1]
        return (
            f"One class per row, at most {COLUMNS} images each: {first} to {last}, "
            f"{len(names)} classes in all."
        )


def source(images: ImageSet, entry: Entry | None) -> str:
    """Where the images come from, and what their owners ask for.

    entry : what the catalogue knows of them; None for an upload
    """
    if entry is None or not entry.citation:
        return f"Source: {images.source}."
    terms = f"Cite: {entry.citation}. Terms: {entry.terms}"
    return f"Source: {images.source}. {terms}"


def elsewhere() -> dict[str, list[str]]:
    """The sets of the catalogue that are not here, and how to get them."""
    entries = [entry for entry in catalogue()[0].values() if not entry.is_available]
    return {
        "name": [entry.name for entry in entries],
        "how to get it": [entry.how_to_get for entry in entries],
    }
