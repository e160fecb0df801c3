"""The script of a page as a notebook: a cell for each of its sections."""

import json
import re
from typing import Any

SECTION = re.compile(r"\n\n+(?=# )")  # a comment after an empty line opens one
WRITES = 'Path("faces.png").write_bytes('  # as scripts do with their faces
SHOW = 'from IPython.display import Image\n\nImage("faces.png")'
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(code: str) -> str:
    """The script as a notebook (nbformat 4.5).

    Its docstring becomes the heading. Of every section the comment becomes text and the rest code;
    the picture that the script writes is shown, too.
    """
    _, docstring, rest = code.split('"""', 2)
    title, _, more = docstring.strip().partition(". ")
    texts = [("markdown", f"# {title}\n\n{more}")]
    imports, *sections = SECTION.split(rest)
    texts.append(("code", imports))
    for section in sections:
        comment, rest = re.fullmatch(r"((?:# [^\n]*\n)+)(.*)", section, re.DOTALL).groups()
        texts.append(("markdown", re.sub(r"(?m)^# ", "", comment)))
        texts.append(("code", rest))
        if WRITES in rest:
            texts.append(("code", SHOW))
    cells = [_cell(i, kind, text.strip()) for i, (kind, text) in enumerate(texts)]
    found = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    own = {"execution_count": None, "outputs": []} if kind == "code" else {}
    lines = text.splitlines(keepends=True)
    return {"id": f"cell-{number}", "cell_type": kind, "metadata": {}, "source": lines} | own
