"""What the paper published, and what we changed and why: both as data."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

NOTES = {  # data set → why its figures cannot be compared one to one
    "orl": "this is not the paper's crop; that is orl-cai",
    "jaffe": "the paper's crop is not known",
    "umist": "the paper's crop or scale is not known",
}
OTHER_CROPS = {"orl": "orl-cai"}


@cache
def _tables():
    return json.loads(files("epca.paper").joinpath("tables.json").read_text(encoding="utf-8"))


def published(measure: str, dataset: str, n_components: int, method: str) -> float:
    """The paper's figure, or NaN where the paper has none.

    The measure "error" is its Table I, "accuracy" (a share) its Table III.

    >>> published("error", "orl-cai", 10, "EPCA") / 1e8, published("accuracy", "yale", 50, "PCA")
    (1.68, 0.3394)
    """
    table = _tables()[measure].get(OTHER_CROPS.get(dataset, dataset), {"unit": 1, "c": {}})
    figure = table["c"].get(str(n_components), {}).get(method, np.nan)
    return round(figure * table["unit"], 4)


def unit(dataset: str) -> float:
    """The unit in which the paper gives the errors of a data set; 1e7 for any other."""
    return _tables()["error"].get(OTHER_CROPS.get(dataset, dataset), {"unit": 1e7})["unit"]


def unit_text(dataset: str) -> str:
    """That unit, as people read it: 10⁷."""
    return f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[round(np.log10(unit(dataset)))]}"


class Deviation(NamedTuple):
    """One place where we deviate from the paper.

    `id` stands in links, so that it stays. `kind` is "erratum" (the paper is wrong), "open" (it
    does not say) or "choice" (we do it differently).
    """

    id: str
    kind: str
    place: str  # in the paper
    what: str  # what is wrong or missing there
    ours: str  # what we do
    shown: tuple[str, ...]  # "file::name" of each test, class or function that shows it


def deviations() -> list[Deviation]:
    """All deviations, in the order of the paper."""
    text = files("epca.paper").joinpath("deviations.toml").read_text(encoding="utf-8")
    items = tomllib.loads(text)["deviation"]
    return [Deviation(**item | {"shown": tuple(item["shown"])}) for item in items]
