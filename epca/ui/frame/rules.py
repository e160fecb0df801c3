"""What a setting may be: how its values are written in a link, read, checked, shown and drawn.

A rule has: text, what is allowed, in words; allows(value); nearest(value), an allowed one; write,
the texts of a value in a link; read, its reverse, which raises ValueError or KeyError; show, the
value as users see it; control, the name of Streamlit's control, and options(default,
control), its arguments; has_labels, whether users see another text than the link has.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

NUMBER = r"-?[0-9]{1,9}(\.[0-9]{1,15})?(e-?[0-9]{1,2})?"
START = {"select_slider": "value", "segmented_control": "default"}  # argument; else an index
NONE = "none"  # what is shown where nothing is chosen


def as_text(value: Any) -> str:
    return str(value)


@dataclass(frozen=True)
class Whole:
    """A whole number from low to high; None as well where it is optional."""

    low: int
    high: int
    control: ClassVar[str] = "number_input"
    has_labels: ClassVar[bool] = False

    @property
    def text(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def allows(self, value: Any) -> bool:
        return value is None or self.low <= value <= self.high

    def nearest(self, value: Any) -> Any:
        return None if value is None else min(max(value, self.low), self.high)

    def write(self, value: Any) -> list[str]:
        return [] if value is None else [str(value)]

    def read(self, texts: Sequence[str]) -> int:
        text = texts[-1]
        if not (re.fullmatch(r"-?[0-9]{1,9}", text) and self.low <= int(text) <= self.high):
            raise ValueError(text)
        return int(text)

    def show(self, value: Any) -> str:
        return NONE if value is None else str(value)

    def options(self, default: Any, control: str) -> dict[str, Any]:
        start = self.nearest(default)
        return {"min_value": self.low, "max_value": self.high, "value": start}


@dataclass(frozen=True)
class Decimal:
    """A number from low to high; None stands for an open end."""

    low: float | None
    high: float | None
    step: float | None = None
    control: ClassVar[str] = "number_input"
    has_labels: ClassVar[bool] = False

    @property
    def text(self) -> str:
        parts = ["a number"]
        if self.low is not None:
            parts.append(f"from {self.low:g}")
        if self.high is not None:
            parts.append(f"to {self.high:g}")
        return " ".join(parts)

    def allows(self, value: Any) -> bool:
        if value is None:
            return True
        is_high_enough = self.low is None or self.low <= value
        return is_high_enough and (self.high is None or value <= self.high)

    def nearest(self, value: Any) -> Any:
        if self.allows(value):
            return value
        return self.low if self.low is not None and value < self.low else self.high

    def write(self, value: Any) -> list[str]:
        return [] if value is None else [f"{value:.15g}"]

    def read(self, texts: Sequence[str]) -> float | int:
        text = texts[-1]
        if not re.fullmatch(NUMBER, text):
            raise ValueError(text)
        value = int(text) if isinstance(self.step, int) else float(text)
        if not self.allows(value):
            raise ValueError(text)
        return value

    def show(self, value: Any) -> str:
        return NONE if value is None else f"{value:g}"

    def options(self, default: Any, control: str) -> dict[str, Any]:
        bounds = {"min_value": self.low, "max_value": self.high, "step": self.step}
        if isinstance(self.step, float) and default is not None:
            default = float(default)  # Streamlit wants all of one type
        return bounds | {"value": default}


@dataclass(frozen=True)
class Switch:
    """On or off."""

    control: ClassVar[str] = "toggle"
    has_labels: ClassVar[bool] = False
    text: ClassVar[str] = "true or false"

    def allows(self, value: Any) -> bool:
        return isinstance(value, bool)

    def nearest(self, value: Any) -> bool:
        return bool(value)

    def write(self, value: bool) -> list[str]:
        return [str(value).lower()]

    def read(self, texts: Sequence[str]) -> bool:
        return {"true": True, "false": False}[texts[-1].lower()]

    def show(self, value: Any) -> str:
        return "on" if value else "off"

    def options(self, default: bool, control: str) -> dict[str, Any]:
        return {"value": default}


@dataclass(frozen=True)
class Among:
    """One of some values; `code` writes it in a link, `label` shows it to users."""

    values: tuple
    label: Callable[[Any], str] = as_text
    code: Callable[[Any], str] = as_text
    control: ClassVar[str] = "selectbox"

    @property
    def text(self) -> str:
        codes = [self.code(value) for value in self.values]
        return f"one of {_listed(codes)}"

    def allows(self, value: Any) -> bool:
        return value is None or value in self.values

    def nearest(self, value: Any) -> Any:
        return value if self.allows(value) else self.values[0]

    def write(self, value: Any) -> list[str]:
        return [] if value is None else [self.code(value)]

    def read(self, texts: Sequence[str]) -> Any:
        return {self.code(value): value for value in self.values}[texts[-1]]

    def show(self, value: Any) -> str:
        return NONE if value is None else self.label(value)

    @property
    def has_labels(self) -> bool:
        return self.label is not self.code

    def options(self, default: Any, control: str) -> dict[str, Any]:
        options = {"options": self.values, "format_func": self.label}
        start = None if default is None else self.nearest(default)
        if control in START:
            return options | {START[control]: start}
        return options | {"index": None if start is None else self.values.index(start)}


@dataclass(frozen=True)
class Several(Among):
    """Some of the values, as a list."""

    control: ClassVar[str] = "multiselect"

    def allows(self, value: Any) -> bool:
        return set(value) <= set(self.values)

    def nearest(self, value: Any) -> list:
        return [item for item in value if item in self.values]

    def write(self, value: Iterable) -> list[str]:
        return [self.code(item) for item in value]

    def read(self, texts: Sequence[str]) -> list:
        known = {self.code(value): value for value in self.values}
        return [known[text] for text in dict.fromkeys(texts)]

    def show(self, value: Iterable) -> str:
        return ", ".join(map(self.label, value)) or NONE

    def options(self, default: Any, control: str) -> dict[str, Any]:
        start = self.nearest(default)
        return {"options": self.values, "format_func": self.label, "default": start}


@dataclass(frozen=True)
class Words:
    """A short text."""

    longest: int
    control: ClassVar[str] = "text_input"
    has_labels: ClassVar[bool] = False

    @property
    def text(self) -> str:
        return f"a text of at most {self.longest} characters"

    def allows(self, value: Any) -> bool:
        return len(value) <= self.longest

    def nearest(self, value: str) -> str:
        return value[: self.longest]

    def write(self, value: str) -> list[str]:
        return [value]

    def read(self, texts: Sequence[str]) -> str:
        if not self.allows(texts[-1]):
            raise ValueError(texts[-1])
        return texts[-1]

    def show(self, value: str) -> str:
        return value

    def options(self, default: str, control: str) -> dict[str, Any]:
        return {"max_chars": self.longest, "value": default}


def _listed(codes: list[str]) -> str:
    return ", ".join(codes if len(codes) <= 12 else [codes[0], "…", codes[-1]])


Rule = Whole | Decimal | Switch | Among | Words
