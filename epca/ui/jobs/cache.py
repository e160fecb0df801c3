"""Results by key within a budget of bytes."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any
from weakref import WeakSet, WeakValueDictionary

MISSING = object()  # what a cache gives for a key it does not have
WORD = 64  # bytes counted for anything that is no array


class Cache:
    """Drops what was not used for longest once the budget is spent; the newest always stays.

    A result that takes more than half of the budget comes on top of it. So large images and the
    fits to them do not drive each other out.
    """

    def __init__(self, budget: int, group: "Group | None" = None) -> None:
        self.used_at = 0.0
        self._budget = budget
        self._group = group
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._making: WeakValueDictionary = WeakValueDictionary()  # key → the lock of its makers

    def get(self, key: Hashable) -> Any:
        """The result, which counts as used now; MISSING without one."""
        with self._lock:
            if key not in self._entries:
                return MISSING
            self._entries.move_to_end(key)
            self.used_at = time.monotonic()
            return self._entries[key][0]

    def put(self, key: Hashable, result: Any) -> None:
        size = size_of(result)
        with self._lock:
            self._entries[key] = (result, size)
            self._entries.move_to_end(key)
            while len(self._entries) > 1 and self._used() > self._allowed():
                self._entries.popitem(last=False)
            self.used_at = time.monotonic()
        if self._group is not None:
            self._group.settle(self)

    def get_or_make(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The result; where it is missing, one thread makes it and the others wait for that."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            found = self.get(key)
            if found is MISSING:
                found = make()
                self.put(key, found)
            return found

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    @property
    def n_bytes(self) -> int:
        with self._lock:
            return self._used()

    def __len__(self) -> int:
        return len(self._entries)

    def _used(self) -> int:
        return sum(size for _, size in self._entries.values())

    def _allowed(self) -> int:
        largest = max(size for _, size in self._entries.values())
        return self._budget + (largest if largest > self._budget // 2 else 0)


class Group:
    """Caches that share a budget besides their own; the one used longest ago is emptied first."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._caches: WeakSet[Cache] = WeakSet()
        self._lock = threading.Lock()

    def settle(self, busy: Cache) -> None:
        """Empty the caches that were not used for longest while all hold too much, but not this."""
        with self._lock:
            self._caches.add(busy)
            others = sorted(set(self._caches) - {busy}, key=lambda cache: cache.used_at)
            while others and busy.n_bytes + sum(other.n_bytes for other in others) > self._budget:
                others.pop(0).clear()


def size_of(value: Any) -> int:
    """About how many bytes a result holds: its arrays, wherever they sit in it, each once."""
    seen: set[int] = set()
    todo = [value]
    total = 0
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, type):
            continue
        seen.add(id(item))
        total += _own_size(item)
        todo += _parts(item)
    return total


def _own_size(item: Any) -> int:
    if hasattr(item, "nbytes"):
        return int(item.nbytes)
    if hasattr(item, "memory_usage"):  # a table
        usage = item.memory_usage(deep=True)
        return int(usage if isinstance(usage, int) else usage.sum())
    return len(item) if isinstance(item, bytes | str) else WORD


def _parts(item: Any) -> list:
    if hasattr(item, "nbytes") or hasattr(item, "memory_usage"):
        return []
    if isinstance(item, Mapping):
        return [*item.keys(), *item.values()]
    if isinstance(item, list | tuple | set | frozenset):
        return list(item)
    return list(getattr(item, "__dict__", {}).values())
