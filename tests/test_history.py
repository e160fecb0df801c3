"""The recorded history is the fit's own, and bounded."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epca import EPCA, history
from epca.history import record
from epca.linalg import reduce_to_span, signs
from epca.losses import SigmaLoss
from epca.metrics import is_collapsed


@pytest.fixture(scope="module")
def found(occluded):
    return record(EPCA(30), reduce_to_span(occluded.X))


def test_the_recorded_fit_is_the_fit_to_the_digit(found, occluded):
    plain = EPCA(30).fit(occluded.X)
    for name in (
        "alpha_",
        "components_",
        "mean_",
        "objective_history_",
        "direct_weight_",
        "sample_weight_",
    ):
        np.testing.assert_array_equal(getattr(found.model, name), getattr(plain, name))
    assert len(found.iterations) == plain.n_iter_ + 1
    assert found.collapse is None


def test_the_terms_of_the_faces_add_up_to_the_objective(found):
    objectives = [item.terms.objective for item in found.iterations]
    np.testing.assert_allclose(objectives, found.model.objective_history_, rtol=1e-10)


def test_the_last_state_is_the_final_model(found, occluded):
    last = found.states[-1]
    model = found.model
    np.testing.assert_array_equal(last.alpha, model.alpha_)
    np.testing.assert_array_equal(last.weights / last.weights.sum(), model.sample_weight_)
    reduction = reduce_to_span(occluded.X)
    lifted = reduction.lift(np.column_stack([last.components, last.mean]).astype(float))
    np.testing.assert_allclose(reduction.mean + lifted[:, -1], model.mean_, atol=1e-3)
    components = lifted[:, :-1].T
    fixed = components * signs(components)[:, None]
    np.testing.assert_allclose(fixed[:4], model.components_[:4], atol=1e-5)


def test_every_state_is_that_of_a_fit_stopped_there(found, occluded):
    reduction = reduce_to_span(occluded.X)
    for state in found.states[1:6]:
        stopped = EPCA(30, max_iter=state.iteration).fit_reduced(reduction)
        np.testing.assert_array_equal(state.alpha, stopped.alpha_)
        smooth = np.hypot(stopped.residuals(occluded.X), reduction.smoothing)
        np.testing.assert_allclose(state.losses, SigmaLoss(1.0).value(smooth), rtol=1e-9)
        assert found.iterations[state.iteration].n_activated == stopped.n_activated_


@pytest.mark.slow
@given(
    arrays(float, (12, 5), elements=st.integers(-20, 20).map(float)),
    st.integers(1, 3),
    st.sampled_from([2.0**-10, 1.0, 8.0, 2.0**10, np.inf]),
    st.sampled_from([1.0, 2.0]),
)
def test_terms_add_up_to_the_objective_which_falls_in_both_halves(X, c, sigma, gamma):
    made = record(EPCA(c, sigma=sigma, gamma=gamma), reduce_to_span(X))
    objectives = made.model.objective_history_
    scale = objectives[0]
    np.testing.assert_allclose(
        [item.terms.objective for item in made.iterations],
        objectives,
        rtol=1e-10,
        atol=1e-12 * scale,
    )
    for before, item in zip(objectives[:-1], made.iterations[1:], strict=True):
        slack = 1e-9 * before + 1e-12 * scale
        assert item.half.objective <= before + slack
        assert item.terms.objective <= item.half.objective + slack
        assert min(item.terms) >= 0


@pytest.mark.parametrize("most", [4, 7, 10])
@pytest.mark.parametrize("n_iter", [1, 5, 9, 10, 11, 57])
def test_memory_is_bounded_and_first_and_last_stay(monkeypatch, generator, most, n_iter):
    X = generator.standard_normal((30, 6))
    monkeypatch.setattr(history, "MOST", most)
    made = record(EPCA(2, tol=0, max_iter=n_iter), reduce_to_span(X))
    recorded = [state.iteration for state in made.states]
    assert len(made.iterations) == made.model.n_iter_ + 1
    assert len(recorded) <= most
    assert recorded[: most // 2] == list(range(min(most // 2, len(made.iterations))))
    assert recorded[-1] == made.model.n_iter_
    assert len(set(np.diff(recorded[most // 2 : -1]))) <= 1  # later ones evenly
    assert n_iter < 57 or len(made.iterations) > 2 * most
    np.testing.assert_array_equal(made.states[-1].alpha, made.model.alpha_)


def test_bytes_are_bounded(monkeypatch, found, occluded):
    assert (
        found.n_bytes
        == sum(array.nbytes for state in found.states for array in state[1:])
        <= history.BUDGET
    )
    budget = 8 * found.states[0].n_bytes
    monkeypatch.setattr(history, "BUDGET", budget)
    made = record(EPCA(30), reduce_to_span(occluded.X))
    assert 4 <= len(made.states) <= 8
    assert made.n_bytes <= budget
    monkeypatch.setattr(history, "BUDGET", 1)
    assert len(record(EPCA(30), reduce_to_span(occluded.X)).states) == history.FEWEST


def test_the_collapse_is_found_where_it_happens(occluded):
    reduction = reduce_to_span(occluded.X)
    made = record(EPCA(60), reduction)
    at = made.collapse
    assert 1 < at <= made.model.n_iter_
    for i, expected in ((at - 1, False), (at, True)):
        stopped = EPCA(60, max_iter=i).fit_reduced(reduction)
        assert is_collapsed(stopped.residuals(occluded.X)) == expected
    looser = record(EPCA(60, tol=1e-3), reduction)
    assert looser.collapse is None
    assert looser.model.n_iter_ < at


def test_the_callback_is_that_of_any_fit(occluded):
    reduction = reduce_to_span(occluded.X)
    seen = []
    plain = []
    record(EPCA(10), reduction, lambda *told: seen.append(told))
    EPCA(10).fit_reduced(reduction, lambda *told: plain.append(told))
    assert [told[:2] for told in seen] == [told[:2] for told in plain]
    with pytest.raises(KeyError):
        record(EPCA(10), reduction, lambda *told: {}["cancel"])
