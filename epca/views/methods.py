"""The methods as pages present them: in groups, by their parameters, in other words."""

from typing import Any

import numpy as np
import pandas as pd

from epca.base import BEYOND, PAPER
from epca.experiment import Scenario
from epca.registry import METHODS
from epca.relatives import NOT_HERE, OTHER_WORDS
from epca.views import texts

SYMBOLS = {"sigma": "σ", "gamma": "γ", "tau": "τ"}  # names of parameters as users read them
BUILT_FOR = {  # what a method judges → the occlusion that it is built for
    "images": "Built for occlusion of some images while others are clean: it judges whole images.",
    "pixels": "Built for occlusion of some pixels, be it in every image: it judges single pixels.",
    "nothing": "",
}
GROUPS = {  # what a group's methods have in common
    PAPER: "The nine that the paper compares. All of them judge whole images.",
    BEYOND: "What else robust PCA means: methods of other fields, and a variant of ours.",
}


def groups() -> dict[str, list[str]]:
    """Heading of a group of methods → their labels."""
    found: dict[str, list[str]] = {}
    for label, method in METHODS.items():
        found.setdefault(method.group, []).append(label)
    return found


def parameters_text(scenario: Scenario, label: str) -> str:
    """The method's own parameters in short, those that were changed first."""
    model = scenario.model(label)
    values = model.get_params()
    usual = METHODS[label](1).get_params()
    names = sorted(model.parameters, key=lambda name: values[name] == usual[name])
    return ", ".join(filter(None, (_parameter_text(name, values[name]) for name in names)))


def _parameter_text(name: str, value: Any) -> str:
    symbol = SYMBOLS.get(name, name)
    if name == "left_out":
        return "left-out residuals" if value else ""
    if value is None:
        return f"{symbol} from the data"
    if isinstance(value, str):
        return f"{symbol} = {value}"
    text = texts.sigma_text(np.log2(value)) if name == "sigma" else texts.written_out(value)
    return f"{symbol} = {text}"


def judges(label: str) -> str:
    """What a method gives more or less trust to."""
    if label == "PCA":
        return "nothing"
    return "pixels" if METHODS[label].is_cellwise else "images"


def help_text(label: str) -> str:
    """A method in other words, and which occlusion it is built for."""
    return f"{OTHER_WORDS.get(label, '')} {BUILT_FOR[judges(label)]}".strip()


def words_table() -> pd.DataFrame:
    """One row per method: what it is elsewhere, and what it judges."""
    rows = {
        label: {
            "in other words": OTHER_WORDS.get(label, texts.UNKNOWN),
            "judges": judges(label),
        }
        for label in METHODS
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")


def not_here_table() -> pd.DataFrame:
    """One row per method that is not here: what it does, and why it is left out."""
    columns = ["method", "judges", "what it does", "why it is not here"]
    return pd.DataFrame(NOT_HERE).set_axis(columns, axis=1).set_index("method")
