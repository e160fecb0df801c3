"""The matrix of Compare where fits take so long that it is shown before it is complete."""

import numpy as np
import pytest

from epca.ui.parts import matrix
from epca.views.compare import FITTING
from epca.views.texts import TAKES_NONE
from tests.compared import lines
from tests.files import faces_of, npy
from tests.visit import components, offered, turn_to, visit_with_upload

LABELS = ["Cauchy PCA", "EPCA", "R1PCA"]


@pytest.fixture
def shown_at_once(monkeypatch):
    """Every state of the matrix is shown, as where every fit takes a while."""
    monkeypatch.setattr(matrix, "PATIENCE", -1.0)


def test_methods_that_fail_last_are_in_the_matrix_and_the_table(shown_at_once):
    faces = faces_of(3).astype(float)
    faces[::3, 2:4, 2:5] = np.nan
    app = visit_with_upload("mine.npy", npy(faces), unknown="nan")
    app.session_state["methods"] = LABELS
    turn_to(app, "compare")
    assert not app.exception
    rows = components(app)["matrix"]["rows"]
    assert FITTING not in [row.get("text") for row in rows]
    table = offered(app)["table"].set_index("method")
    assert set(LABELS) <= set(table.index)
    assert (table.loc[["EPCA", "R1PCA"], "failure"] == TAKES_NONE).all()
    assert set(lines(app)) >= set(LABELS)
