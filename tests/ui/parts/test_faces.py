"""The table of faces: what it sends of pictures, texts and numbers."""

import numpy as np
import pytest

from epca.images import data_url
from epca.ui.parts import faces
from epca.views.pictures import Heat, laid_out

IMAGES = np.arange(2 * 12.0).reshape(1, 2, 4, 3)


@pytest.fixture
def sent(monkeypatch):
    """What the component gets, by name."""
    found = {}
    monkeypatch.setattr(faces, "_component", lambda key, data: found.update(data, key=key))
    return found


def test_a_line_per_stage_with_its_picture_its_text_and_its_numbers(sent):
    stages = {"A": IMAGES, "B": Heat(IMAGES - 12, 20.0), "C": "it broke."}
    cells = [{"text": "1.0", "best": True, "share": None}]
    lines = {"B": {"note": "p = 1", "colour": "#000", "cells": cells}}
    measures = [{"heading": "error", "help": "small is good"}]
    faces.show_faces(stages, [7, 9], key="k", lines=lines, measures=measures, n_sticky=1)
    first, second, third = sent["rows"]
    assert first["picture"] == data_url(laid_out(IMAGES, gap=1, zoom=1))
    assert second["picture"] == data_url(laid_out(stages["B"], gap=1, zoom=1))
    assert first["alt"] == "A: images 7, 9"
    assert second["cells"] == cells
    assert third["text"] == "it broke."
    assert "picture" not in third
    assert [line["sticky"] for line in sent["rows"]] == [True, False, False]
    assert sent["columns"] == 2
    assert sent["aspect"] == pytest.approx(2 * (3 + 2) / (4 + 2))
    assert sent["measures"] == [
        {"width": faces.WIDTH, "minor": False, "heading": "error", "help": "small is good"}
    ]


def test_without_a_height_to_spare_the_table_measures_what_is_above_it(sent):
    faces.show_faces({"A": IMAGES}, [7, 9], key="k")
    assert sent["spare"] is None
    faces.show_faces({"A": IMAGES}, [7, 9], key="k", spare=20)
    assert sent["spare"] == 20
