"""One experiment as a value: data, occlusion, rank, σ; and the data that all its fits share."""

from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from epca.base import BasePCA
from epca.corruption import Corruption, occlude
from epca.data import ImageSet, load_dataset
from epca.linalg import Reduction, reduce_to_span
from epca.preview import few_axes
from epca.registry import METHODS


@dataclass(frozen=True)
class Occlusion:
    """Which images are occluded, and how: the arguments of `epca.corruption.occlude`."""

    kind: str = "shared-pixels"
    samples: float = 0.2
    pixels: float = 0.2
    seed: int = 0

    def apply(self, images: ImageSet) -> Corruption:
        """Occlude the images. A field that `occlude` does not know is refused there.

        Unknown pixels stay unknown, NaN.
        """
        options = asdict(self)
        occluded = occlude(
            images.images.reshape(len(images.images), -1),
            image_shape=images.image_shape,
            labels=images.labels,
            random_state=options.pop("seed"),
            **options,
        )
        if images.unknown is None:
            return occluded
        is_known = ~images.unknown.reshape(occluded.mask.shape)
        mask = occluded.mask & is_known
        X = np.where(is_known, occluded.X, np.nan)
        return Corruption(X, mask, np.flatnonzero(mask.any(axis=1)))


@dataclass(frozen=True)
class Scenario:
    """One experiment: data, occlusion, rank, σ and whether EPCA takes left-out residuals.

    Every field but the first three and the last goes to all methods with a parameter of its name;
    one that no method has is refused. Other parameters are given as (method label, name, value).
    """

    dataset: str = "orl"
    occlusion: Occlusion = Occlusion()
    n_components: int = 30
    sigma: float = 1.0
    left_out: bool = False
    parameters: tuple[tuple[str, str, Any], ...] = ()

    def __post_init__(self) -> None:
        for name in self._shared:
            if not any(takes(label, name) for label in METHODS):
                raise TypeError(f"{name} would be ignored: no method has a parameter of this name.")

    @property
    def _shared(self) -> list[str]:
        return [name for name in _names(self) if name not in OWN]

    def model(self, label: str) -> BasePCA:
        """The method, not yet fitted."""
        shared = {name: getattr(self, name) for name in self._shared if takes(label, name)}
        own = {name: value for method, name, value in self.parameters if method == label}
        return METHODS[label](self.n_components, **shared | own)

    def for_method(self, label: str) -> "Scenario":
        """The scenario without what does not concern the method: equal ones give equal fits."""
        usual = type(self)
        unused = {name: getattr(usual, name) for name in self._shared if not takes(label, name)}
        parameters = tuple(item for item in self.parameters if item[0] == label)
        return replace(self, parameters=parameters, **unused)

    @property
    def data(self) -> "Scenario":
        """The scenario without what concerns fits alone: equal ones share their prepared data."""
        return type(self)(self.dataset, self.occlusion)

    def at(self, **values: Any) -> "Scenario":
        """The scenario with other values of its fields or of those of its occlusion."""
        hidden = {name: values.pop(name) for name in _names(self.occlusion) if name in values}
        return replace(self, occlusion=replace(self.occlusion, **hidden), **values)

    @property
    def values(self) -> dict[str, Any]:
        """The values that a table shows: every field but the parameters, also the occlusion's."""
        found = {name: getattr(self, name) for name in _names(self)}
        occlusion = asdict(found.pop("occlusion"))
        del found["parameters"]
        dataset = {"dataset": found.pop("dataset")}
        return dataset | occlusion | found

    @property
    def axes(self) -> list[str]:
        """The names that a sweep may vary."""
        return [name for name in self.values if name != "dataset"]


OWN = ("dataset", "occlusion", "n_components", "parameters")  # fields that are no parameters


def takes(label: str, name: str) -> bool:
    """Whether the method has a parameter of this name."""
    return name in _parameters(METHODS[label])


@cache
def _parameters(method: type[BasePCA]) -> frozenset[str]:
    return frozenset(signature(method).parameters)


def has_sigma(label: str) -> bool:
    """Whether σ is a parameter of the method."""
    return takes(label, "sigma")


def _names(value: Any) -> list[str]:
    return [field.name for field in fields(value)]


class Prepared(NamedTuple):
    """What all fits to the same occluded images share."""

    images: ImageSet
    clean: np.ndarray  # (n, d) uint8; floats with NaN where some pixels are unknown
    occluded: Corruption
    reduction: Reduction

    @property
    def truth(self) -> np.ndarray | None:
        """Which images are occluded (n,); None where nobody knows, as they came occluded."""
        return None if self.images.is_occluded else self.occluded.mask.any(axis=1)

    @property
    def is_mixed(self) -> bool:
        """Whether some images are occluded and some are clean, and it is known which."""
        is_partial = 0 < len(self.occluded.samples) < len(self.clean)
        return is_partial and not self.images.is_occluded


def prepare(scenario: Scenario, images: ImageSet | None = None) -> Prepared:
    """Load the scenario's images, or take the ones given, and occlude them."""
    images = load_dataset(scenario.dataset) if images is None else images
    occluded = scenario.occlusion.apply(images)
    # grey levels as they are: as floats they would take eight times the memory
    clean = images.images.reshape(occluded.X.shape) if images.unknown is None else images.X
    return Prepared(images, clean, occluded, reduce_to_span(occluded.X))


def preview(prepared: Prepared) -> Prepared:
    """The same images for fits that need a moment only: on a few axes (`epca.preview`)."""
    return prepared._replace(reduction=few_axes(prepared.reduction))
