"""EPCA Lab: robust PCA that learns which samples to trust, as a library and a dashboard.

The public names are loaded on first use, because importing scikit-learn (and with it pandas) takes
a second.
"""

from importlib import import_module

_HOMES = {"EPCA": "epca.estimator", "METHODS": "epca.registry", "load_dataset": "epca.data"}
__all__ = list(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(
            f"module 'epca' has no attribute {name!r}; it has {', '.join(_HOMES)}."
        )
    return getattr(import_module(_HOMES[name]), name)


def __dir__():
    return [*globals(), *_HOMES]
