"""Sweeps' tables as the page Tune reads them."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from epca.views.points import Points
from epca.views.texts import sigma_text


def test_a_note_names_the_first_fits_alone():
    table = pd.DataFrame(
        {
            "sigma": 2.0 ** np.arange(7),
            "n_components": 3,
            "failure": "it broke.",
            "converged": False,
            "collapsed": False,
        }
    )
    (note,) = Points(table).notes
    named = "; ".join(f"σ = {sigma_text(exponent)}, c = 3" for exponent in range(5))
    assert note == f"7 of 7 fits failed ({named}; …): it broke."


rows = st.lists(
    st.tuples(st.booleans(), st.sampled_from(["", "why"]), st.floats(0, 1)), min_size=1, max_size=41
)


@given(rows, st.floats(1e-9, 1e9))
def test_the_proposal_looks_at_no_clean_image(rows, residual):
    sigmas = 2.0 ** np.arange(-20, -20 + len(rows))
    table = pd.DataFrame(rows, columns=["collapsed", "failure", "error"])
    table = table.assign(sigma=sigmas, converged=True)
    at = Points(table).proposal(residual)
    assert at == Points(table.assign(error=np.nan)).proposal(residual)
    usable = [i for i, (collapsed, failure, _) in enumerate(rows) if not collapsed and not failure]
    low = min(round(np.log2(residual)), -21 + len(rows)) + 20
    assert at == next((i for i in usable if i >= low), None)
