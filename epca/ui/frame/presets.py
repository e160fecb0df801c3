"""Experiments to choose by name, and what each shows on the default data set."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from epca.data import ImageSet
from epca.ui.frame.lesson import LESSON
from epca.ui.frame.settings import DATASET, defaults, kind_label
from epca.views.texts import sigma_text


class Preset(NamedTuple):
    """An experiment to choose by name: all settings but the data set."""

    label: str
    named: dict[str, Any]  # the values of those that it names; others have their defaults
    shows: str  # on the default data set, in a sentence or two
    witness: str = ""  # the method beyond the usual ones that makes the point on Compare

    @property
    def values(self) -> dict[str, Any]:
        """A value for every setting but the data set."""
        return defaults() | self.named

    @property
    def text(self) -> str:
        """Its settings in words."""
        values = self.values
        return (
            f"{kind_label(values['kind'])}, {values['samples']}% of the images, "
            f"{values['pixels']}% of their pixels, c = {values['c']}, "
            f"σ = {sigma_text(values['sigma'])}"
        )


def _named(kind: str, samples: int, pixels: int, c: int, sigma: int = 0) -> dict[str, Any]:
    values = {"kind": kind, "samples": samples, "pixels": pixels, "c": c, "sigma": sigma}
    return values | {"left_out": False, "seed": 0}


PRESETS = {
    "paper": Preset(
        "the paper's setting",
        _named("shared-pixels", 20, 20, 30),
        "A fifth of the images have noise in the same fifth of their pixels: EPCA's error is 14% "
        "below PCA's.",
    ),
    "opening": Preset(
        "the opening setting",
        _named("salt-and-pepper", 20, 40, 20),
        "A fifth of the images have salt and pepper: PCA gives back noise, EPCA faces. Its error "
        "is 45% below PCA's.",
    ),
    "fifth": Preset(
        "a fifth of the images",
        _named("noise-images", 20, 20, 30),
        "Whole images are noise, the others are clean, and judging images wins: EPCA's error is "
        "36% below PCA's. Cauchy PCA judges pixels: its error is 10% above.",
        "Cauchy PCA",
    ),
    "pixels": Preset(
        "every image a little",
        _named("own-pixels", 100, 10, 30),
        "No image is clean, so judging images is no help: EPCA is as good as PCA. Cauchy PCA "
        "judges pixels: its error is 26% lower.",
        "Cauchy PCA",
    ),
    "squares": Preset(
        "black squares",
        _named("block-black", 20, 20, 30),
        "Nobody wins. EPCA and Cauchy PCA are within 2% of PCA. PCA-AN is best, and still has "
        "three times the error that PCA has without occlusion.",
        "Cauchy PCA",
    ),
    "heavy": Preset(
        "heavy occlusion",
        _named("shared-pixels", 50, 60, 30),
        "Half of the images lose more than half of their pixels. EPCA still activates clean images "
        "only, and its error is 19% below PCA's.",
    ),
    "collapse": Preset(
        "collapse",
        _named("shared-pixels", 20, 20, 100),
        "c is too large: EPCA fits some occluded images exactly, and activates these.",
    ),
    "nearly-pca": Preset(
        "large σ: nearly PCA",
        _named("shared-pixels", 20, 20, 30, sigma=20),
        "Beyond all residuals σ makes the loss a square: EPCA's error is within 0.2% of PCA's.",
    ),
}


def preset_of(values: Mapping[str, Any]) -> Preset | None:
    """The preset that has these values, if any."""
    for preset in PRESETS.values():
        if all(values.get(key) == value for key, value in preset.values.items()):
            return preset
    return None


def regime(values: Mapping[str, Any], images: ImageSet) -> Preset | None:
    """The preset that these values are, if it has a witness and its text holds for the images.

    None during a lesson: they may be the answer to its question.
    """
    preset = preset_of(values)
    is_asked = values.get(LESSON.key) is not None
    is_told = preset and preset.witness and images.name == DATASET.default and not is_asked
    return preset if is_told else None


def shown_preset(values: Mapping[str, Any]) -> str:
    """The name of the experiment that has these values."""
    preset = preset_of(values)
    return preset.label if preset else "a setting of your own"
