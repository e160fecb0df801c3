"""Two recorded runs of EPCA beside each other: what became of each."""

import math

import pandas as pd
import plotly.graph_objects as go

from epca import metrics
from epca.estimator import EPCA
from epca.history import History
from epca.plots.watch import runs_figure
from epca.views.texts import EXACT, UNKNOWN, iterations, sigma_text


def tol_text(tol: float) -> str:
    return f"{tol:.0e}".replace("e-0", "e-")


TOL = tol_text(EPCA(1).tol)  # of the first run
LEFT_OUT_OBJECTIVE = (
    "J of a run with left-out residuals has these in place of the residuals, so compare how k and "
    "the smallest residual end, not J. The smallest residual is the plain one in both runs."
)


def by_name(*histories: History) -> dict[str, History]:
    """The first and the second run by their names; one with left-out residuals says so."""
    names = ("first run", "second run")
    found = {}
    for name, history in zip(names, histories, strict=True):
        ending = ", left-out" if history.model.left_out else ""
        found[f"{name}{ending}"] = history
    return found


def values(histories: dict[str, History]) -> list[tuple[str, float, float, bool]]:
    """What a script needs of each run: its name, σ, tol, and whether its residuals are left-out."""
    models = {name: found.model for name, found in histories.items()}
    return [(name, model.sigma, model.tol, model.left_out) for name, model in models.items()]


def sentence(history: History) -> str:
    """What became of a run, as measured."""
    model = history.model
    end = "came to rest" if model.converged_ else "was stopped by the limit"
    sigma = sigma_text(math.log2(model.sigma))
    text = (
        f"σ = {sigma}, tol = {tol_text(model.tol)}: {end} after {iterations(model.n_iter_)} "
        f"with k = {model.n_activated_}. "
    )
    if model.is_exact_:
        return text + EXACT
    if history.collapse is None:
        least = min(item.smallest_residual for item in history.iterations)
        return (
            f"{text}No collapse: the smallest residual never falls below {least:.0%} of the median."
        )
    text += (
        f"**Collapse at iteration {history.collapse}**: there the smallest residual falls "
        f"below {metrics.COLLAPSED:.0%} of the median."
    )
    if model.left_out:  # its objective need not fall
        return text
    return f"{text} {_fallen(history):.1%} of the objective's whole fall came before that."


def _fallen(history: History) -> float:
    """The share of the objective's whole fall that lies before the collapse."""
    objective = history.model.objective_history_
    before = objective[max(history.collapse - 1, 0)]
    whole = (objective[0] - objective[-1]) or 1.0
    return (objective[0] - before) / whole


def summary(histories: dict[str, History]) -> pd.DataFrame:
    """The same in a row per run."""
    rows = {}
    for name, found in histories.items():
        model = found.model
        rows[name] = {
            "σ": sigma_text(math.log2(model.sigma)),
            "tol": f"{model.tol:g}",
            "iterations": str(model.n_iter_),
            "came to rest": "yes" if model.converged_ else "no",
            "activated images k": str(model.n_activated_),
            "collapse at iteration": UNKNOWN if found.collapse is None else str(found.collapse),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("run")


def figures(histories: dict[str, History]) -> dict[str, go.Figure]:
    """Key → chart of both runs: objective, activated images, smallest residual."""
    relative = {}
    activated = {}
    smallest = {}
    for name, found in histories.items():
        objective = found.model.objective_history_
        relative[name] = objective / objective[0]
        activated[name] = [item.n_activated for item in found.iterations]
        smallest[name] = [item.smallest_residual for item in found.iterations]
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


def table(histories: dict[str, History]) -> pd.DataFrame:
    """One row per run and iteration, the start first."""
    rows = []
    for name, found in histories.items():
        for i, item in enumerate(found.iterations):
            rows.append(
                {
                    "run": name,
                    "iteration": i,
                    "objective": found.model.objective_history_[i],
                    **item.terms._asdict(),
                    "objective_after_first_half": item.half.objective,
                    "n_activated": item.n_activated,
                    "smallest_residual": item.smallest_residual,
                    "is_collapsed": item.is_collapsed,
                }
            )
    return pd.DataFrame(rows)
