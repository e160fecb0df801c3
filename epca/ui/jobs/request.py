"""What a page asks the runner for."""

from collections.abc import Callable, Hashable
from typing import Any

from epca.ui.jobs import keyed
from epca.ui.jobs.cache import MISSING, Cache
from epca.ui.jobs.runner import always
from epca.ui.jobs.server import runner


class Request:
    """A piece of work a page asks for: its title, the generator function, its arguments.

    Its key, by which the result is cached, is made of the function and all its arguments, so that
    none can be forgotten. What cannot be told by its value, as an array, must be Keyed.

    source : what the result depends on besides the arguments, as the content of a file they name
    cache : the session's own; None → the one that all visitors share
    is_cachable : says which results may be cached
    is_here : whether the server itself does it (see `executors`)
    is_short : whether it may go before other work in the line
    """

    def __init__(
        self,
        title: str,
        work: Callable,
        *arguments: Any,
        source: Hashable = None,
        cache: Cache | None = None,
        is_cachable: Callable[[Any], bool] = always,
        is_here: bool = False,
        is_short: bool = False,
    ) -> None:
        self.title = title
        self.key = (work.__module__, work.__qualname__, source, *keyed.keys(arguments))
        hash(self.key)  # refuses arguments without a value that tells them from others
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
