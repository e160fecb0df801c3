"""What the paths of pictures say: their order and their classes."""

import re

import numpy as np


def natural(name):
    """Sort key with numbers by value: s2 before s10."""
    parts = re.split(r"([0-9]{1,18})", str(name))
    return [
        (0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part)
        for part in parts
        if part
    ]


def folder_labels(paths):
    """The class (n,) of each picture and the names of the classes; (None, ()) if all have the same.

    The classes are the folders that the pictures lie in, below the folders that all have in common.
    """
    parents = [path[:-1] for path in paths]
    common = 0
    for names in zip(*parents, strict=False):
        if len(set(names)) > 1:
            break
        common += 1
    classes = [parent[common] if len(parent) > common else "(no folder)" for parent in parents]
    if len(set(classes)) == 1:
        return None, ()
    names = sorted(set(classes), key=natural)
    numbers = {name: number for number, name in enumerate(names)}
    return np.array([numbers[name] for name in classes]), tuple(names)
