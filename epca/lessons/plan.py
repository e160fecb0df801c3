"""A first class of 45 minutes: what to do, for how long, with which steps of the lessons."""

from typing import NamedTuple


class Part(NamedTuple):
    """Some minutes of the class."""

    minutes: int
    title: str
    text: str
    steps: tuple = ()  # (lesson, step), counted from 1


PLAN = (
    Part(
        4,
        "Come in",
        "Open a room on Learn and show its QR code. On Home, let the class find a face that PCA "
        "gives back as noise and EPCA as a face.",
    ),
    Part(
        10,
        "What PCA does to occluded faces",
        "Ask each question in the room before you go on. Collect guesses first: how much smaller "
        "will the error be?",
        ((1, 1), (1, 2), (1, 3), (1, 4)),
    ),
    Part(
        6,
        "The σ-loss",
        "Draw t and t² on the board. Move σ yourself, and let the class say when EPCA becomes PCA.",
        ((2, 1), (2, 2), (2, 3)),
    ),
    Part(
        9,
        "The activated images",
        "Do 3.3 by hand before you show its bars.",
        ((3, 1), (3, 2), (3, 3), (3, 5)),
    ),
    Part(
        5,
        "On their own",
        "All press “Explore on my own” and look for a setting in which EPCA loses to another "
        "method. Two of them show theirs.",
    ),
    Part(
        8,
        "When it fails",
        "Activated no longer means clean. Let the class guess before you reveal.",
        ((4, 1), (4, 2), (4, 4), (4, 6)),
    ),
    Part(
        3,
        "What stays",
        "Ask in your own words: what would you check before you trust the activated images? End "
        "the room and keep its summary.",
    ),
)
