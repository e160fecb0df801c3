"""METHODS: label → class. EPCA first, then every method class found in `epca/baselines/`."""

import importlib
import pkgutil

from epca import baselines
from epca.base import BasePCA
from epca.estimator import EPCA


def discover(package):
    """Method classes defined in the package's modules, in the order of the file names."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, BasePCA) and value.__module__ == module.name:
                yield value


METHODS = {method.label: method for method in (EPCA, *discover(baselines))}
