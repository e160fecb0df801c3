"""METHODS: label → class, by group: EPCA, then the classes found in `epca/baselines/`, by year.

The methods that the paper compares come first, then those beyond it.
"""

import importlib.util
import pkgutil

from epca import baselines
from epca.base import PAPER, BasePCA
from epca.estimator import EPCA, LeftOutEPCA


def find_methods():
    """Import every module of `epca.baselines` and collect the method classes defined there."""
    found = []
    for module in pkgutil.iter_modules(baselines.__path__, f"{baselines.__name__}."):
        members = vars(importlib.import_module(module.name)).values()
        classes = [value for value in members if isinstance(value, type)]
        found += [
            item for item in classes if item.__module__ == module.name and issubclass(item, BasePCA)
        ]
    methods = [EPCA, LeftOutEPCA, *sorted(found, key=lambda method: method.year)]
    methods.sort(key=lambda method: method.group != PAPER)
    return {method.label: method for method in methods}


METHODS = find_methods()
TAKES_NAN = next(label for label, method in METHODS.items() if method.takes_nan)
PAPER_METHODS = tuple(label for label, method in METHODS.items() if method.group == PAPER)
