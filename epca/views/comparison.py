"""PCA, EPCA and other methods fitted to the same occluded images: their texts and pictures."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from epca import metrics
from epca.data import ImageSet
from epca.experiment import Fit, Prepared, Scenario
from epca.images import IN_A_ROW
from epca.views import texts

OCCLUDED = "Occluded"  # label of the images as the methods get them
MASK = "Mask"  # label of the pixels that are occluded


class Comparison(NamedTuple):
    """Fits to the same occluded images, by method."""

    scenario: Scenario
    prepared: Prepared
    fits: dict[str, Fit]
    is_preview: bool = False

    @property
    def models(self) -> dict[str, Any]:
        return {label: fit.model for label, fit in self.fits.items()}

    @property
    def rows(self) -> dict[str, dict]:
        return {label: fit.row for label, fit in self.fits.items()}

    @property
    def table(self) -> pd.DataFrame:
        """A row per method, unrounded."""
        return pd.DataFrame(list(self.rows.values()))

    @property
    def name(self) -> str:
        """What EPCA is called here."""
        return texts.epca_name(self.scenario.left_out)

    @property
    def occlusion_text(self) -> str:
        n_images = len(self.prepared.clean)
        n_occluded = len(self.prepared.occluded.samples)
        which = f"{n_occluded} of these {n_images}" if n_occluded < n_images else f"All {n_images}"
        verb = "is" if n_occluded == 1 else "are"
        text = f"{which} images {verb} occluded"
        if self.prepared.images.is_occluded:
            return f"{text} further; which ones came occluded is not known."
        return f"{text}."

    @property
    def no_truth(self) -> str:
        """Why nobody can say how many of the activated are clean."""
        return texts.no_parts(self.prepared)

    @property
    def error_change(self) -> str:
        """EPCA's reconstruction error relative to PCA's."""
        squared_length = self.prepared.images.squared_length
        errors = (self.rows[label]["error"] for label in ("EPCA", "PCA"))
        return texts.change(metrics.against(*errors, squared_length))

    @property
    def activated(self) -> str:
        return f"{self.models['EPCA'].n_activated_} of {len(self.prepared.clean)}"

    @property
    def clean_activated(self) -> str:
        return texts.clean_activated(self.rows["EPCA"], self.prepared)

    @property
    def weights_share(self) -> str:
        return texts.weights_share(self.rows["EPCA"])

    @property
    def numbers(self) -> dict[str, tuple[str, str]]:
        """Label → (number, what it means)."""
        error = "EPCA's error against PCA's"
        if self.scenario.left_out:
            error = f"{self.name}: error against PCA's"
        return {
            error: (self.error_change, "‖clean − reconstruction‖², Eq. 57."),
            "Activated images": (self.activated, "Images with α > 0."),
            "Clean among the activated": (
                self.clean_activated,
                f"{self.name} does not know which images are occluded; we do. "
                "“–” stands where none or every one is, or where nobody knows.",
            ),
        }

    @property
    def shown(self) -> np.ndarray:
        """IN_A_ROW images spread over the set: occluded ones, then, where these are few, others."""
        occluded = self.prepared.occluded.samples
        others = np.delete(np.arange(len(self.prepared.clean)), occluded)
        count = min(IN_A_ROW, len(self.prepared.clean))
        n_occluded = min(len(occluded), count)
        return np.concatenate([spread(occluded, n_occluded), spread(others, count - n_occluded)])

    @property
    def stages(self) -> dict[str, np.ndarray]:
        """Label → images (1, k, h, w) of the shown ones: clean, occluded, reconstructed."""
        occluded = self.prepared.occluded.X[self.shown]
        stages = {first_stage(self.prepared.images): self.prepared.clean[self.shown]}
        stages[OCCLUDED] = occluded
        stages |= {label: model.reconstruct(occluded) for label, model in self.models.items()}
        shape = self.prepared.images.image_shape
        return {label: X.reshape(1, len(X), *shape) for label, X in stages.items()}

    @property
    def named_stages(self) -> dict[str, np.ndarray]:
        """The same with EPCA by the name it has here."""
        names = {"EPCA": self.name}
        return {names.get(label, label): images for label, images in self.stages.items()}


def first_stage(images: ImageSet) -> str:
    """What the images are before we occlude them."""
    return "As they come" if images.is_occluded else "Clean"


def spread(values: np.ndarray, count: int) -> np.ndarray:
    """`count` of the values (n,), evenly spread over them."""
    return values[np.linspace(0, len(values) - 1, count).round().astype(int)]
