"""A second run of the page Watch: the same start, another σ or tol."""

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from epca import metrics
from epca.plots.watch import runs_figure
from epca.ui import charts, downloads, settings
from epca.ui.experiment import iterations
from epca.ui.watch import record

SAME = "as in the sidebar"
TOLERANCES = ("1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-8")
LOOSER = "1e-3"
COLLAPSE = {"c": 60}  # on ORL: late enough to be seen coming, quick enough to wait for
SCRIPT = """
from epca.history import record

for name, sigma, tol in runs:
    model = scenario.model("EPCA").set_params(sigma=sigma, tol=tol)
    history = record(model, prepared.reduction)
    print(f"{name}: {model.n_iter_} iterations, k = {model.n_activated_}, collapse at iteration {history.collapse}")
    for i, item in enumerate(history.iterations):
        print(i, f"{model.objective_history_[i]:.8g}", item.n_activated, f"{item.smallest_residual:.4g}")
"""


def show(view):
    """The controls of the second run, what became of both, three charts, the downloads."""
    st.header("The same start, another σ or tol")
    second = view.setup._replace(scenario=_scenario(view.setup.scenario))
    histories = {"first run": view.history, "second run": record(second, "second run")}
    for name, history in histories.items():
        st.markdown(f"**{name.capitalize()}**, {sentence(history)}")
    place = charts.wide_row("runs", least="17rem")  # three beside each other at 1280 pixels
    for key, figure in figures(histories).items():
        charts.show(figure, key, place=place)
    values = [(name, history.model.sigma, history.model.tol) for name, history in histories.items()]
    downloads.offer(
        "watch", downloads.script("Watch", SCRIPT, view.setup, runs=values), table=table(histories)
    )


def _scenario(scenario):
    """The sidebar's, with the σ and the tol chosen here."""
    texts = (SAME, *map(settings.sigma_text, settings.EXPONENTS))
    row = st.container(horizontal=True, vertical_alignment="bottom")
    sigma = _select(
        row,
        "σ of the second run",
        texts,
        SAME,
        "sigma2",
        "Another σ leads the same start elsewhere.",
    )
    tol = _select(
        row,
        "tol of the second run",
        TOLERANCES,
        LOOSER,
        "tol2",
        "A looser one stops earlier. The first run's is 1e-6.",
    )
    row.button(
        "See a collapse",
        on_click=_see_collapse,
        help=f"Sets c = {COLLAPSE['c']} and the second run's tol to {LOOSER}.",
    )
    chosen = scenario.sigma if sigma == SAME else 2.0 ** settings.EXPONENTS[texts.index(sigma) - 1]
    return replace(
        scenario, sigma=chosen, parameters=(*scenario.parameters, ("EPCA", "tol", float(tol)))
    )


def _select(place, label, options, default, key, text):
    return place.selectbox(
        label, options, options.index(default), key=key, bind="query-params", help=text, width=220
    )


def _see_collapse():
    settings.apply(COLLAPSE)
    st.session_state.update(sigma2=SAME, tol2=LOOSER)


def sentence(history):
    """What became of a run, as measured."""
    model, at = history.model, history.collapse
    stop = "came to rest" if model.converged_ else "was stopped by the limit"
    tol = f"{model.tol:.0e}".replace("e-0", "e-")
    sigma = settings.sigma_text(math.log2(model.sigma))
    start = f"σ = {sigma}, tol = {tol}: {stop} after {iterations(model.n_iter_)} with k = {model.n_activated_}. "
    if model.is_exact_:
        return f"{start}Every image is fitted exactly: c reaches the rank of the data."
    if at is None:
        least = min(item.smallest_residual for item in history.iterations)
        return f"{start}No collapse: the smallest residual never falls below {least:.0%} of the median."
    objective = model.objective_history_
    fallen = (objective[0] - objective[max(at - 1, 0)]) / ((objective[0] - objective[-1]) or 1.0)
    return (
        f"{start}**Collapse at iteration {at}**: there the smallest residual falls below {metrics.COLLAPSED:.0%} of the median. "
        f"Before it the objective had made {fallen:.1%} of its whole fall."
    )


def figures(histories):
    """Key → chart of both runs: objective, activated images, smallest residual."""
    objectives = {name: found.model.objective_history_ for name, found in histories.items()}
    relative = {name: values / values[0] for name, values in objectives.items()}
    activated = {
        name: [item.n_activated for item in found.iterations] for name, found in histories.items()
    }
    smallest = {
        name: [item.smallest_residual for item in found.iterations]
        for name, found in histories.items()
    }
    return {
        "run_objective": runs_figure(relative, "Objective", "J relative to its start"),
        "run_activated": runs_figure(activated, "Activated images", "k", is_log=True),
        "run_residual": runs_figure(
            smallest,
            "Smallest residual",
            "relative to the median",
            is_log=True,
            threshold=metrics.COLLAPSED,
        ),
    }


def table(histories):
    """One row per run and iteration, the start first."""
    rows = []
    for name, found in histories.items():
        for i, item in enumerate(found.iterations):
            numbers = {
                "run": name,
                "iteration": i,
                "objective": found.model.objective_history_[i],
                **item.terms._asdict(),
            }
            numbers |= {
                "objective_after_first_half": item.half.objective,
                "n_activated": item.n_activated,
            }
            rows.append(
                numbers
                | {"smallest_residual": item.smallest_residual, "is_collapsed": item.is_collapsed}
            )
    return pd.DataFrame(rows)
