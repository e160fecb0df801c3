"""What is said of a preview."""

import numpy as np
import pytest

from epca.experiment import Scenario, fit, prepare
from epca.experiment import preview as preview_of
from epca.views import preview
from epca.views.comparison import Comparison


@pytest.mark.parametrize(
    ("soon", "exact", "said"),
    [
        ((1.008, 5.0), (1.0, 5.0), "Exact. The preview's error was 0.80% higher."),
        ((0.9, 5.0), (1.0, 5.0), "Exact. The preview's error was 10.00% lower."),
        ((1.00001, 5.0), (1.0, 5.0), "Exact. The preview's error was the same to four digits."),
        ((np.nan, 5.5), (np.nan, 5.0), "Exact. The preview's objective was 10.00% higher."),
        ((0.0, 5.0), (0.0, 5.0), "Exact. The preview's error was the same to four digits."),
    ],
)
def test_the_difference_is_said_in_words(soon, exact, said):
    rows = [dict(zip(("error", "objective"), values, strict=True)) for values in (soon, exact)]
    assert preview.difference(*rows) == said


def test_it_says_what_it_is_made_of(faces):
    scenario = Scenario(n_components=5, left_out=True)
    soon = preview_of(prepare(scenario, faces))
    shown = Comparison(scenario, soon, {"EPCA": fit(soon, scenario, "EPCA")}, is_preview=True)
    assert preview.text(shown) == (
        ":blue-background[**Preview**] PCA and EPCA, left-out within 240 of the images' "
        "1,024 dimensions. The exact fits replace it when they are ready."
    )
