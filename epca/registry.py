"""METHODS: label → class. EPCA first, then the classes found in `epca/baselines/`, by year."""

import importlib.util
import pkgutil

from epca import baselines
from epca.base import BasePCA
from epca.estimator import EPCA


def find_methods():
    """Import every module of `epca.baselines` and collect the method classes defined there."""
    found = []
    for module in pkgutil.iter_modules(baselines.__path__, f"{baselines.__name__}."):
        members = vars(importlib.import_module(module.name)).values()
        classes = [value for value in members if isinstance(value, type)]
        found += [
            item for item in classes if item.__module__ == module.name and issubclass(item, BasePCA)
        ]
    methods = sorted(found, key=lambda method: method.year)
    return {method.label: method for method in (EPCA, *methods)}


METHODS = find_methods()
