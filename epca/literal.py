"""Text from outside, shown as it is: links, names of files, classes and arrays, messages."""

import html
import re
import unicodedata

# An invisible character that parts two others: Streamlit replaces :name: and links addresses in
# text that is unescaped already.
JOINER = "\N{WORD JOINER}"
SIGNS = re.compile(r"[\\`*{}\[\]<>#|~$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
ADDRESS = re.compile(r"(?i)(:(?=\S)|www(?=\.)|(?<=\S)@)")
LIST = re.compile(r"^(\d*)([-+.)=])")


def literal(text: object) -> str:
    r"""The text so that Markdown shows it: no character in it means anything.

    >>> print(literal("![x](y) *z* $1$"))
    !\[x\](y) \*z\* \$1\$
    >>> literal("mine.npy: 12 images"), literal("- a")
    ('mine.npy: 12 images', '\\- a')
    """
    line = " ".join(str(text).split())
    escaped = ADDRESS.sub(rf"\1{JOINER}", SIGNS.sub(r"\\\g<0>", line))
    return LIST.sub(r"\1\\\2", escaped)


def literal_html(text: object) -> str:
    """The text so that HTML shows it, and the few tags that charts understand."""
    return html.escape(str(text))


def literal_cell(text: object) -> object:
    """A cell of a CSV: a text that a spreadsheet would take for a formula gets an apostrophe.

    Signs of full width count, and those behind characters that are not seen.
    """
    if not isinstance(text, str):
        return text
    seen = [sign for sign in unicodedata.normalize("NFKC", text) if is_seen(sign)]
    return f"'{text}" if seen and seen[0] in "=+-@" else text


def is_seen(sign: str) -> bool:
    """Whether it is neither a blank nor of the kind that only formats text."""
    return not sign.isspace() and unicodedata.category(sign) != "Cf"
