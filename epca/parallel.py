"""Fits side by side: each has one thread, and they end when nobody wants more of them."""

import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def single_thread() -> AbstractContextManager:
    """A context in which BLAS and k-means (OpenMP) use one thread.

    Sums are then added in one order, on any machine.
    """
    return _threads().limit(limits=1)


@contextmanager
def closing(results: Generator) -> Iterator[Generator]:
    """End what still runs when the caller wants no more; joblib would warn that it was asked to."""
    try:
        yield results
    finally:
        with warnings.catch_warnings(action="ignore"):
            results.close()


class Watched:
    """A callback that remembers whether it raised: such an error is the caller's, not the fit's."""

    def __init__(self, callback: Callable[..., None]) -> None:
        self.callback = callback
        self.has_raised = False

    def __call__(self, *state: Any) -> None:
        try:
            self.callback(*state)
        except Exception:
            self.has_raised = True
            raise


def reason(error: Exception) -> str:
    """Why a fit failed, as a sentence."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    return f"{str(error).rstrip('.') or type(error).__name__}."


OUT_OF_MEMORY = "there was not enough memory."  # a failure that another try may not have
