"""What the paper published, and what we changed and why: both as data."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

NOTES = {  # data set → why its figures cannot be compared one to one
    "orl": "another crop than the paper's: orl-cai is that",
    "jaffe": "the paper's crop is not known",
    "umist": "the paper's crop or scale is not known",
}
OTHER_CROPS = {"orl": "orl-cai"}


@cache
def _tables():
    return json.loads(files("epca.paper").joinpath("tables.json").read_text(encoding="utf-8"))


def published(measure, dataset, n_components, method):
    """The paper's figure: its Table I for measure "error", Table III for "accuracy" (a share); NaN where it has none.

    >>> published("error", "orl-cai", 10, "EPCA") / 1e8, published("accuracy", "yale", 50, "PCA")
    (1.68, 0.3394)
    """
    table = _tables()[measure].get(OTHER_CROPS.get(dataset, dataset), {"unit": 1, "c": {}})
    figure = table["c"].get(str(n_components), {}).get(method, np.nan)
    return round(figure * table["unit"], 4)


def unit(dataset):
    """The unit in which the paper gives the errors of a data set; 1e7 for any other."""
    return _tables()["error"].get(OTHER_CROPS.get(dataset, dataset), {"unit": 1e7})["unit"]


def unit_text(dataset):
    """That unit, for reading."""
    return f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[round(np.log10(unit(dataset)))]}"


class Deviation(NamedTuple):
    """One place where we leave the paper: an error in it ("erratum"), or something it leaves open or does otherwise."""

    kind: str  # "erratum", "open" or "choice"
    place: str  # in the paper
    what: str  # what is wrong or missing
    ours: str  # what we do
    shown: tuple[str, ...]  # where: "file::name" of a test, or of a class or function


def deviations():
    """All of them, in the paper's order."""
    items = tomllib.loads(
        files("epca.paper").joinpath("deviations.toml").read_text(encoding="utf-8")
    )["deviation"]
    return [Deviation(**item | {"shown": tuple(item["shown"])}) for item in items]
