"""The images that Activated takes apart: from clean to residual, and what is ignored in them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from epca.registry import METHODS
from epca.views import pictures
from epca.views.activated import View
from epca.views.comparison import MASK, first_stage

JUDGES = tuple(label for label, method in METHODS.items() if method.is_cellwise)


class Judge(NamedTuple):
    """A fitted method that judges single pixels."""

    label: str
    model: Any


class Inspected(NamedTuple):
    """Which images are taken apart, and how."""

    view: View
    ids: list[int]
    is_robust: bool = False  # whether EPCA reconstructs robustly
    judge: Judge | None = None  # who else says what is occluded

    @property
    def what(self) -> tuple:
        """What tells these pictures from others of the same fit."""
        return (self.is_robust, self.judge and self.judge.label, *self.ids)

    @property
    def heads(self) -> tuple[str, ...]:
        """What the pictures of an image are: the mask stands beside what is taken for it."""
        names = pictures.STAGES
        if self.is_robust:
            names = tuple(name for name in pictures.ROBUST_STAGES if name != MASK)
        if self.judge is not None:
            names += (self.judge.label,)
        if self._has_mask:
            names += (MASK,)
        return (first_stage(self.view.images), *names[1:])

    @property
    def rows(self) -> dict[str, pictures.Coloured]:
        """Label → pictures of an image, as `heads` has them."""
        X = self.view.prepared.occluded.X
        further = []
        if self.is_robust:
            further.append(pictures.ignored(self.view.model, X, self.ids, is_robust=True))
        if self.judge is not None:
            further.append(pictures.ignored(self.judge.model, X, self.ids))
        if self._has_mask:
            further.append(255.0 * self.view.prepared.occluded.mask[self.ids])
        options = {"is_robust": self.is_robust, "further": further}
        rows = pictures.beside(self.view.prepared, self.ids, self.view.model, **options)
        return {f"image {i}": row for i, row in zip(self.ids, rows, strict=True)}

    @property
    def texts(self) -> list[str]:
        """How many pixels of these images are taken for occlusion, a sentence for each picture."""
        X = self.view.prepared.occluded.X[self.ids]
        weights = {}
        if self.is_robust:
            weights[pictures.IGNORED] = self.view.model.pixel_weights(X)
        if self.judge is not None:
            weights[self.judge.label] = self.judge.model.cell_weight_[self.ids]
        return [self._ignored_text(name, found) for name, found in weights.items()]

    @property
    def _has_mask(self) -> bool:
        is_judged = self.is_robust or self.judge is not None
        return is_judged and self.view.prepared.truth is not None

    def _ignored_text(self, name: str, weights: np.ndarray) -> str:
        text = f"In “{name}”, white pixels are taken for occlusion: "
        text += f"{_listed((weights < 0.5).sum(axis=1))} of {weights.shape[1]:,}"
        if self.view.prepared.truth is None:
            return f"{text}."
        mask = self.view.prepared.occluded.mask[self.ids]
        return f"{text}; in fact occluded: {_listed(mask.sum(axis=1))}."


def _listed(counts: Sequence[int] | np.ndarray) -> str:
    return ", ".join(f"{count:,}" for count in counts)
