"""The settings of the experiment, one row each, for sidebar, links, pinning and scripts.

A row is all there is to a setting, besides the field of the Scenario or Occlusion it fills.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from epca.corruption import KINDS
from epca.data import ImageSet
from epca.literal import literal
from epca.registry import METHODS
from epca.scenario import Scenario
from epca.ui.frame.rules import Among, Rule, Several, Switch, Whole
from epca.views.texts import sigma_code, sigma_text

EXPONENTS = tuple(range(-20, 21))  # of σ = 2^exponent, the paper's grid
HIGHEST_RANK = 100


@dataclass(frozen=True)
class Setting:
    """A value that a control sets and a link carries."""

    key: str  # in the link and in the session: it stays, whatever the label says
    label: str
    default: Any
    help: str
    rule: Rule | Callable[[ImageSet], Rule]  # what is allowed, or what these images allow
    field: str = ""  # of the Scenario or of its Occlusion; "" for none
    unit: Callable[[Any], Any] = lambda value: value  # value → the field's
    control: str = ""  # of Streamlit; "" for the rule's own
    is_small: bool = False  # shares the sidebar's row of small controls

    def rule_for(self, images: ImageSet | None) -> Rule:
        return self.rule(images) if callable(self.rule) else self.rule


def kinds_for(images: ImageSet) -> Among:
    """The kinds of occlusion that these images allow."""
    has_classes = len(images.class_names) > 1
    kinds = tuple(name for name, kind in KINDS.items() if has_classes or not kind.needs_labels)
    return Among(kinds, label=kind_label)


def kind_label(kind: str) -> str:
    return KINDS[kind].label


def ranks_for(images: ImageSet) -> Whole:
    """The ranks that these images allow."""
    highest = min(len(images.images) - 1, images.images[0].size, HIGHEST_RANK)
    return Whole(1, max(highest, 2))


def percent(value: int) -> float:
    return value / 100


def power(exponent: int) -> float:
    return 2.0**exponent


DATASET = Setting(
    "dataset",
    "Data set",
    "orl",
    "The sets that are here. The page Data shows them, tells how to get more and takes your own.",
    Among(("orl",)),  # the sidebar knows what is there
)
SETTINGS = {
    row.key: row
    for row in (
        Setting(
            "samples",
            "Occluded images (%)",
            20,
            "How many of the images are occluded.",
            Whole(0, 100),
            field="samples",
            unit=percent,
            control="slider",
        ),
        Setting(
            "pixels",
            "Occluded pixels (%)",
            40,
            "How much of an occluded image is lost. Whole images ignore it.",
            Whole(0, 80),
            field="pixels",
            unit=percent,
            control="slider",
        ),
        Setting(
            "c",
            "Rank c",
            20,
            "Dimensions of the learned subspace; far fewer than there are images.",
            ranks_for,
            field="n_components",
            control="slider",
        ),
        Setting(
            "sigma",
            "σ",
            0,
            "σ of the σ-loss. Smaller: more robust. Larger: closer to PCA. "
            "Its unit is a residual length: the orange line shows where most of PCA's lie.",
            Among(EXPONENTS, label=sigma_text, code=sigma_code),
            field="sigma",
            unit=power,
            control="select_slider",
        ),
        Setting(
            "left_out",
            "Left-out residuals",
            False,
            "A guard against collapse. EPCA then judges every image by the residual it would have "
            "in a fit without it, so that no image earns trust by being fitted exactly. This is "
            "“EPCA, left-out” and not the paper's method.",
            Switch(),
            field="left_out",
        ),
        Setting(
            "kind",
            "Occlusion",
            "salt-and-pepper",
            "How images are occluded. The paper resets the same pixels in every occluded image.",
            kinds_for,
            field="kind",
            is_small=True,
        ),
        Setting(
            "seed",
            "Seed",
            0,
            "Another seed occludes other images and pixels.",
            Whole(0, 9999),
            field="seed",
            is_small=True,
        ),
    )
}
CHOSEN_METHODS = Setting(
    "methods",
    "Methods to compare",
    ["EPCA", "PCA", "R1PCA", "PCA-OM", "PCA-AN"],
    "The methods that the page Compare shows.",
    Several(tuple(METHODS)),
)
PROJECTOR = Setting("projector", "Projector", False, "Larger type, for a room.", Switch())


class Setup(NamedTuple):
    """What a page works on: the sidebar's experiment, and the pinned one beside it, if any."""

    scenario: Scenario
    images: ImageSet
    texts: tuple[tuple[str, str], ...] = ()  # label and value of every setting, as users read them
    pinned: Any = None  # a Setup


def setup_of(values: Mapping[str, Any], images: ImageSet) -> Setup:
    """The Setup of the settings' values, by key."""
    fields = {}
    texts = [(DATASET.label, literal(images.name))]
    for row in SETTINGS.values():
        value = values[row.key]
        fields[row.field] = row.unit(value)
        texts.append((row.label, row.rule_for(images).show(value)))
    return Setup(Scenario(dataset=images.name).at(**fields), images, tuple(texts))


def defaults() -> dict[str, Any]:
    """The default of every setting of the experiment but the data set."""
    return {row.key: row.default for row in SETTINGS.values()}


SEPARATOR = "|"


def pin_text(texts: Mapping[str, str]) -> str:
    """The settings' texts by key as one, which a link carries; `unpin` reads it."""
    return SEPARATOR.join(f"{key}={text}" for key, text in texts.items())


def is_of(text: str, dataset: str) -> bool:
    """Whether `pin_text` wrote down a setting of this data set."""
    return f"{DATASET.key}={dataset}" in text.split(SEPARATOR)


def unpin(text: str, load: Callable[[str], ImageSet]) -> Setup:
    """The Setup that `pin_text` wrote down; ValueError says what is wrong with it.

    A setting that the text does not name has its default.
    """
    given = dict(part.partition("=")[::2] for part in text.split(SEPARATOR))
    known = [DATASET.key, *SETTINGS]
    if not set(given) <= set(known):
        raise ValueError(f"part of it is no setting; settings are {', '.join(known)}.")
    images = load(given.pop(DATASET.key, DATASET.default))
    values = defaults()
    for key, value in given.items():
        rule = SETTINGS[key].rule_for(images)
        try:
            values[key] = rule.read([value])
        except (ValueError, KeyError):
            raise ValueError(f"{key} must be {rule.text}.") from None
    return setup_of(values, images)
