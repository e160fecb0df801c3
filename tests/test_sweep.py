"""Sweeps over σ and c: their points equal single fits, are kept, tell their progress, and can be cancelled."""

import threading
import time
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epca import EPCA
from epca.corruption import occlude
from epca.experiment import Scenario
from epca.experiment import sweep as plain_sweep
from epca.ui import sweep, tune, work
from epca.ui.settings import Setup

MEASURED = [name for name in sweep.COLUMNS if name != "failure"]


def setup_of(faces, **changes):
    return Setup(Scenario(**({"n_components": 5} | changes)), faces)


def test_points_equal_single_fits(faces):
    setup = setup_of(faces, seed=2)
    points = sweep.run(setup, "test", (-3, 9, 0.25), (5,))
    X = occlude(faces.X, random_state=2).X
    plain = plain_sweep(setup.scenario, sigma=[2.0**-3, 2.0**9, 2.0**0.25]).table
    pd.testing.assert_frame_equal(points.table[MEASURED], plain[MEASURED], check_exact=True)
    for i, exponent in enumerate((-3, 9, 0.25)):
        model = EPCA(5, sigma=2.0**exponent).fit(X)
        np.testing.assert_array_equal(points.alpha[:, i], model.alpha_.astype(np.float32))
        np.testing.assert_allclose(points.residuals[:, i], model.residuals(X), rtol=1e-6)


def test_several_ranks_keep_rows_only(faces):
    points = sweep.run(setup_of(faces, seed=2), "test", (0, 4), (2, 3))
    assert points.choices == [[0, 2], [0, 3], [4, 2], [4, 3]]
    assert points.alpha is points.residuals is None


def test_what_is_kept_is_not_computed_again(faces, solves):
    setup = setup_of(faces, seed=11)
    assert sweep.peek(setup, (0, 1), (4,)) is None
    assert solves == []
    first = sweep.run(setup, "test", (0, 1), (4,))
    assert len(solves) == 2
    elsewhere = setup._replace(
        scenario=Scenario(seed=11, n_components=9, sigma=8.0)
    )  # the same occlusion, another place
    assert sweep.peek(elsewhere, (0, 1), (4,)) is first
    assert sweep.run(elsewhere, "test", (0, 1), (4,)) is first
    assert len(solves) == 2


def test_cancelling_keeps_nothing_and_leaves_no_thread(faces, solves):
    class Cancelled(BaseException):
        """As Streamlit raises it out of the progress bar."""

    def cancel(done, total, text):
        if text.startswith("fit 4 of"):
            raise Cancelled

    cancel.turn = lambda *_: nullcontext()
    setup, exponents = setup_of(faces, seed=12), tuple(range(6))
    threads = threading.active_count()
    with pytest.raises(Cancelled):
        sweep._kept(*sweep._arguments(setup, exponents, (5,)), cancel)
    begun = len(solves)
    assert begun == 3
    time.sleep(0.3)
    assert (len(solves), threading.active_count()) == (begun, threads)
    assert sweep.peek(setup, exponents, (5,)) is None
    assert len(sweep.run(setup, "test", exponents, (5,)).table) == 6
    assert len(solves) == begun + 6


def test_a_look_at_what_is_being_computed_does_not_wait_for_it(faces):
    setup = setup_of(faces, seed=14)
    arguments = sweep._arguments(setup, (0, 1), (5,))
    begun, go_on = threading.Event(), threading.Event()

    def progress(*_):
        begun.set()
        go_on.wait(30)

    progress.turn = lambda *_: nullcontext()
    mark = work.mark(sweep._task(arguments), setup.images)
    work.UNDER_WAY[mark] = progress
    thread = threading.Thread(target=lambda: sweep._kept(*arguments, progress))
    thread.start()
    begun.wait(30)
    assert sweep.peek(setup, (0, 1), (5,)) is None
    assert thread.is_alive()
    go_on.set()
    thread.join()
    del work.UNDER_WAY[mark]
    assert len(sweep.peek(setup, (0, 1), (5,)).table) == 2


def test_progress_tells_which_fit(faces):
    seen = []

    def progress(done, total, text):
        seen.append((done / total, text))

    progress.turn = lambda *_: nullcontext()
    sweep._kept(*sweep._arguments(setup_of(faces, seed=13), (0, 1), (5,)), progress)
    shares = [share for share, _ in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 0.5)
    assert {text for _, text in seen} == {
        "fit 1 of 2, σ = 2^0, c = 5",
        "fit 2 of 2, σ = 2^1, c = 5",
    }


def test_the_sweep_takes_less_than_five_seconds_of_work(faces):
    start = time.thread_time()
    assert (
        len(
            sweep.run(
                setup_of(faces, seed=14, n_components=30), "test", tuple(tune.EXPONENTS), (30,)
            ).table
        )
        == 41
    )
    assert time.thread_time() - start < 5


def test_fits_that_fail_or_do_not_rest_say_why(faces):
    setup = setup_of(faces, seed=15, parameters=(("EPCA", "max_iter", 1),))
    points = sweep.run(setup, "test", (0,), (5, 400))
    failed, late = points.notes
    assert failed.startswith(
        "1 of 2 fits failed (σ = 2^0, c = 400): n_components=400 must be an integer between 1 and"
    )
    assert (
        late
        == "1 of 2 fits did not come to rest within 1 iterations (σ = 2^0, c = 5): their numbers could still change."
    )
    assert points.states == ["not converged", ""]
    assert points.best == 0
    fine = sweep.run(setup_of(faces, seed=15), "test", (0,), (5,))
    assert (list(fine.notes), fine.states) == ([], [""])


rows = st.lists(
    st.tuples(st.booleans(), st.sampled_from(["", "why"]), st.floats(0, 1)), min_size=1, max_size=41
)


@given(rows, st.floats(1e-9, 1e9))
def test_the_proposal_looks_at_no_clean_image(rows, residual):
    sigmas = 2.0 ** np.arange(-20, -20 + len(rows))
    table = pd.DataFrame(rows, columns=["collapsed", "failure", "error"]).assign(
        sigma=sigmas, converged=True
    )
    at = sweep.Points(table).proposal(residual)
    assert at == sweep.Points(table.assign(error=np.nan)).proposal(residual)
    usable = [i for i, (collapsed, failure, _) in enumerate(rows) if not collapsed and not failure]
    low = min(round(np.log2(residual)), -21 + len(rows)) + 20
    assert at == next((i for i in usable if i >= low), None)
