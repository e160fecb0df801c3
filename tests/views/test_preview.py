"""What is said of a preview."""

import numpy as np
import pytest

from epca.experiment import Scenario, prepare
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
        ((3.0, 5.0), (0.0, 5.0), "Exact. The preview's error of EPCA was 3 instead of 0."),
    ],
)
def test_the_difference_is_said_in_words(soon, exact, said):
    rows = [dict(zip(("error", "objective"), values, strict=True)) for values in (soon, exact)]
    assert preview.difference(*[{"EPCA": row} for row in rows]) == said


@pytest.mark.parametrize(
    ("soon", "said"),
    [
        ((0.97, 1.01), "Exact. The preview's errors were off by 3.00% at most: PCA's was lower."),
        ((1.0, 1.01), "Exact. The preview's errors were off by 1.00% at most: EPCA's was higher."),
        ((1.0, 1.00001), "Exact. The preview's errors were the same to four digits."),
        (
            (np.nan, 0.9),
            "Exact. The preview's errors were off by 10.00% at most: EPCA's was lower.",
        ),
        ((0.9, np.nan), "Exact. The preview's errors were off by 10.00% at most: PCA's was lower."),
    ],
)
def test_of_several_methods_the_largest_difference_is_said(soon, said):
    rows = [
        {label: {"error": error} for label, error in zip(("PCA", "EPCA"), errors, strict=True)}
        for errors in (soon, (1.0, 1.0))
    ]
    assert preview.difference(*rows) == said


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (["EPCA"], "EPCA, left-out"),
        (["PCA", "EPCA"], "PCA and EPCA, left-out"),
        (["PCA", "EPCA", "PCA-OM"], "3 methods"),
    ],
)
def test_it_says_what_it_is_made_of(labels, named, faces):
    scenario = Scenario(n_components=5, left_out=True)
    soon = preview_of(prepare(scenario, faces))
    shown = Comparison(scenario, soon, dict.fromkeys(labels), is_preview=True)
    assert preview.text(shown) == (
        f":blue-background[**Preview**] {named} within 240 of the images' "
        "1,024 dimensions. The exact fits replace it when they are ready."
    )
