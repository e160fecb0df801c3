"""What a page asks the runner for."""

from collections.abc import Callable, Hashable
from typing import Any

from epca.ui.jobs.cache import MISSING, Cache
from epca.ui.jobs.runner import always
from epca.ui.jobs.server import runner


class Request:
    """A piece of work a page asks for: its title, its key, the generator function, its arguments.

    cache : the session's own; None → the one that all visitors share
    is_cachable : says which results may be cached
    is_here : whether the server itself does it (see `executors`)
    is_short : whether it may go before other work in the line
    """

    def __init__(
        self,
        title: str,
        key: Hashable,
        work: Callable,
        *arguments: Any,
        cache: Cache | None = None,
        is_cachable: Callable[[Any], bool] = always,
        is_here: bool = False,
        is_short: bool = False,
    ) -> None:
        self.title = title
        self.key = (work.__module__, work.__qualname__, key)
        self.call = (self.key, work, *arguments)
        self.options = {
            "cache": cache,
            "is_cachable": is_cachable,
            "is_here": is_here,
            "is_short": is_short,
        }

    def peek(self) -> Any:
        """The cached result, or None."""
        found = runner().peek(self.key, self.options["cache"])
        return None if found is MISSING else found
