"""What the matrix of Compare shows, as a test reads it."""

from epca.views.measures import BEST
from tests.visit import components


def plain(text):
    return text.removeprefix(BEST)


def lines(app):
    """Label → line of the matrix."""
    return {line["label"]: line for line in components(app)["matrix"]["rows"]}


def cells(app):
    """Label → {heading: cell} of the matrix's methods."""
    headings = [measure["heading"] for measure in components(app)["matrix"]["measures"]]
    return {
        label: dict(zip(headings, line["cells"], strict=True))
        for label, line in lines(app).items()
        if "cells" in line
    }


def texts(app, heading):
    """Label → text of this column of the matrix."""
    return {label: line[heading]["text"] for label, line in cells(app).items()}
