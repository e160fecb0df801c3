"""METHODS: label → class. EPCA first, then every method class found in `epca/baselines/`, the oldest first."""

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
        found += [
            value
            for value in members
            if isinstance(value, type) and value.__module__ == module.name
        ]
    methods = sorted(
        (value for value in found if issubclass(value, BasePCA)), key=lambda method: method.year
    )
    return {method.label: method for method in (EPCA, *methods)}


METHODS = find_methods()
