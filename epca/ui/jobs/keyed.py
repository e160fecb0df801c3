"""Large arguments that a process elsewhere gets once and caches, known by keys."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from epca.ui.jobs.cache import MISSING, Cache

CACHED = 256 * 2**20  # bytes that a process elsewhere caches


@dataclass(frozen=True)
class Keyed:
    """An argument of work, known by its key.

    Work in this process takes the value. Elsewhere make(*arguments) makes it again, so that only
    the arguments travel, which may be Keyed, too; without `make` the value itself does.
    """

    key: Hashable
    value: Any
    make: Callable | None = None
    arguments: tuple = ()


@dataclass(frozen=True)
class Named:
    """Stands for a Keyed on its way to another process."""

    key: Hashable


def values(arguments: tuple) -> tuple:
    """The arguments as work in this process takes them."""
    return tuple(item.value if isinstance(item, Keyed) else item for item in arguments)


def names(arguments: tuple) -> tuple:
    """The arguments as they travel."""
    return tuple(Named(item.key) if isinstance(item, Keyed) else item for item in arguments)


def keys(arguments: tuple) -> tuple:
    """What tells the arguments from others: a Keyed's key, else the argument itself."""
    return tuple(item.key if isinstance(item, Keyed) else item for item in arguments)


def walk(arguments: tuple) -> Iterator[Keyed]:
    """Every Keyed among the arguments, and among theirs."""
    for item in arguments:
        if isinstance(item, Keyed):
            yield item
            yield from walk(item.arguments)


def recipe(arguments: tuple, key: Hashable) -> tuple[Callable, tuple]:
    """How the Keyed of this key is made elsewhere."""
    for item in walk(arguments):
        if item.key == key:
            return (same, (item.value,)) if item.make is None else (item.make, item.arguments)
    raise KeyError(key)


def same(value: Any) -> Any:
    return value


class Store:
    """What a process cached, within a budget of bytes. ask(key) gives the recipe of what it lacks.

    The arguments in a recipe have travelled: they hold Named, and no Keyed.
    """

    def __init__(self, budget: int) -> None:
        self._cache = Cache(budget)

    def values(self, arguments: tuple, ask: Callable[[Hashable], tuple]) -> tuple:
        """The arguments with what their names stand for."""
        return tuple(
            self._value(item.key, ask) if isinstance(item, Named) else item for item in arguments
        )

    def _value(self, key: Hashable, ask: Callable[[Hashable], tuple]) -> Any:
        found = self._cache.get(key)
        if found is MISSING:
            make, arguments = ask(key)
            found = make(*self.values(arguments, ask))
            self._cache.put(key, found)
        return found
