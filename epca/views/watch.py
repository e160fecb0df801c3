"""What the page Watch shows: the history of a fit as steps that a player replays."""

from typing import Any, NamedTuple

import numpy as np

from epca import history
from epca.data import ImageSet
from epca.experiment import Prepared
from epca.images import montage
from epca.palette import BLUE, GREY, VERMILION
from epca.views.texts import EXACT, epca_name, iterations, number, written_out

CODE = (  # phase, text, equation; indented where it is inside the loop
    ("start", "start: m, W by classical PCA; αᵢ = 1/n", ""),
    ("", "repeat", ""),
    ("model", "  dᵢ = h′(tᵢ)/(2tᵢ), ηᵢ = dᵢ/(1 − αᵢ)", "(28)"),
    ("model", "  m = Σηᵢxᵢ / Σηᵢ", "(34)"),
    ("model", "  W = first c eigenvectors of Q = Σηᵢ(xᵢ − m)(xᵢ − m)ᵀ", "(38, 39)"),
    ("weights", "  vᵢ = Wᵀ(xᵢ − m), tᵢ = ‖xᵢ − m − Wvᵢ‖, gᵢ = h(tᵢ)", "(31, 16)"),
    ("weights", "  k: the smallest √g that stay below their sum/(k − 1)", "(41)"),
    ("weights", "  αᵢ = max(0, 1 − (k − 1)√gᵢ / sum of the k smallest √g)", "(40)"),
    ("end", "until J changes by at most tol·J", "(27)"),
)
LEFT_OUT_CODE = (  # the same with left-out residuals
    ("start", "start: m, W by classical PCA, ηᵢ = 1/n; tᵢ, αᵢ as below", ""),
    *CODE[1:5],
    ("weights", "  vᵢ = Wᵀ(xᵢ − m), λⱼ = Σηᵢvᵢⱼ²/Σηᵢ", ""),
    ("weights", "  leverage lᵢ = ηᵢ/Σηᵢ·(1 + Σⱼvᵢⱼ²/λⱼ)", ""),
    ("weights", "  tᵢ = ‖xᵢ − m − Wvᵢ‖/(1 − lᵢ), gᵢ = h(tᵢ)", ""),
    *CODE[6:8],
    ("end", "until J changes by at most tol·J, or rises", ""),
)
PARTS = (  # label and colour, in the order of history.Terms
    ("losses of those not activated", GREY),
    ("losses of the activated", BLUE),
    ("added by the weights", VERMILION),
)
STEP = (
    "A step is half an iteration: first m and W for fixed weights, then the weights for fixed m "
    "and W. The objective J falls in both."
)
LEFT_OUT_STEP = (
    "A step is half an iteration: first m and W for fixed weights, then the weights for fixed m "
    "and W. J has left-out residuals in place of the paper's. No theorem says that it falls; where "
    "it rises after the first iteration, the fit ends with what it had before."
)
N_COMPONENTS = 4  # shown
MOST_NAMED = 12  # images that join or leave
MOST_RANKS = 400  # dots
MOST_PIXELS = 64  # of a picture's longer side; of larger ones every second, third, … is shown


class View(NamedTuple):
    """Texts, pictures and steps of EPCA's fit to the experiment's occluded images."""

    prepared: Prepared
    history: history.History

    @property
    def images(self) -> ImageSet:
        return self.prepared.images

    @property
    def sentence(self) -> str:
        model = self.history.model
        end = "came to rest" if model.converged_ else "reached its limit of iterations"
        comma = "," if model.left_out else ""
        text = (
            f"{epca_name(model.left_out)}{comma} {end} after **{iterations(model.n_iter_)}**, "
            f"k = {model.n_activated_} of {len(model.alpha_)} images activated. "
        )
        return f"{text}{EXACT}" if model.is_exact_ else text.strip()

    @property
    def step_text(self) -> str:
        """What a step is, and what the objective does in it."""
        return LEFT_OUT_STEP if self.history.model.left_out else STEP

    @property
    def memory(self) -> str:
        recorded = len(self.history.states)
        total = len(self.history.iterations)
        text = (
            f"Recorded: {recorded} of {total} states, {self.history.n_bytes / 2**20:.1f} MB. "
            f"Up to {history.MOST} states are recorded: as many as fit in "
            f"{history.BUDGET // 2**20} MB, and at least {history.FEWEST}. Where there are "
            "more, some of the later ones are left out, but never the last."
        )
        if recorded < total:
            text += " An iteration after one that is not recorded is a single step."
        if self.history.model.left_out:
            return text
        return (
            f"{text} The paper prints the update of v before those of m and W; then J could rise."
        )

    @property
    def occluded(self) -> np.ndarray:
        """Which images are occluded (n,); none where it is not known."""
        truth = self.prepared.truth
        return np.zeros(len(self.prepared.clean), bool) if truth is None else truth

    @property
    def first_face(self) -> int:
        return int(np.argmax(self.occluded))

    def pictures(self, face: int) -> np.ndarray:
        """Images of every recorded state (s, 2 + components, h·w).

        They are the mean, the components in grey and the face's reconstruction.
        """
        reduction = self.prepared.reduction
        model = self.history.model
        n_shown = min(N_COMPONENTS, model.n_components_)
        columns = []
        for state in self.history.states:
            offset = reduction.coordinates[face] - state.mean
            back = state.mean + state.components @ (state.components.T @ offset)
            columns += [state.mean, *state.components.T[:n_shown], back]
        lifted = reduction.lift(np.array(columns, dtype=float).T).T
        lifted = lifted.reshape(len(self.history.states), n_shown + 2, -1)
        lifted[:, [0, -1]] += reduction.mean
        shown = lifted[:, 1:-1]
        agreement = np.einsum("skd,kd->sk", shown, model.components_[:n_shown])
        shown *= np.where(agreement < 0, -1, 1)[..., np.newaxis]
        lifted[:, 1:-1] = 127.5 + 127.5 * shown / np.abs(shown).max(axis=(0, 2), keepdims=True)
        return lifted

    def sheet(self, face: int, pictures: np.ndarray) -> tuple[np.ndarray, tuple, list[dict]]:
        """The sprite sheet, its images' shape, and the cells that show it.

        The sheet has a row per state, and one for the face as it is.
        """
        n_states, n_columns, _ = pictures.shape
        still = np.full((1, *pictures.shape[1:]), np.nan)
        still[0, 0] = self.prepared.occluded.X[face]
        still[0, 1] = self.prepared.clean[face]
        thin = -(-max(self.images.image_shape) // MOST_PIXELS)
        images = np.concatenate([pictures, still])
        images = images.reshape(-1, n_columns, *self.images.image_shape)[..., ::thin, ::thin]
        names = ["mean m", *(f"component {i}" for i in range(1, n_columns - 1))]
        names.append(f"image {face}, reconstructed")
        cells = [{"caption": name, "column": i} for i, name in enumerate(names)]
        cells.insert(-1, {"caption": f"image {face}, as given", "column": 0, "row": n_states})
        if self.occluded[face]:
            cells.append({"caption": f"image {face}, clean", "column": 1, "row": n_states})
        return montage(images, gap=0, zoom=1), images.shape[2:], cells

    def remarks(self, face: int, pictures: np.ndarray) -> list[str]:
        """How far the reconstruction is from the clean face, for every state."""
        if not self.occluded[face]:
            why = f"image {face} is not occluded"
            if self.images.is_occluded:
                why = "which images are occluded is not known"
            return [f"Distance to the clean image: – ({why})."] * len(pictures)
        images = np.vstack([pictures[:, -1], self.prepared.occluded.X[face]])
        *apart, before = np.sqrt(np.mean((images - self.prepared.clean[face]) ** 2, axis=1))
        return [
            f"It is {distance:.1f} grey levels (rms) away from the clean image; "
            f"the occluded one is {before:.1f}."
            for distance in apart
        ]

    @property
    def code(self) -> tuple[tuple[str, str, str], ...]:
        """The lines of the algorithm: phase, text, equation."""
        return LEFT_OUT_CODE if self.history.model.left_out else CODE

    def replay_data(self, face: int) -> tuple[dict[str, Any], np.ndarray, tuple, int]:
        """What the player gets: its data, the sprite sheet, its images' shape and columns."""
        pictures = self.pictures(face)
        sprite, shape, cells = self.sheet(face, pictures)
        found = steps(self.history, self.occluded, self.remarks(face, pictures))
        levels, top, floor = heights([step["objective"] for step in found])
        data = {
            "label": "The fit, step by step",
            "method": "Algorithm 3, left-out" if self.history.model.left_out else "Algorithm 3",
            "code": [_code_line(*line) for line in self.code],
            "cells": cells,
            "steps": [step | {"height": h} for step, h in zip(found, levels, strict=True)],
            "highest": f"{written_out(top)} above the last J, log scale",
            "lowest": f"{written_out(floor)} or less",
            "largest": max(max(step["alpha"]) for step in found),
            "ranks": n_drawn(self.history),
        }
        return data, sprite, shape, pictures.shape[1]


def _code_line(phase: str, text: str, equation: str) -> dict[str, Any]:
    is_inner = text.startswith(" ")
    return {"phase": phase, "text": text.strip(), "equation": equation, "inner": is_inner}


def steps(found: history.History, occluded: np.ndarray, remarks: list[str]) -> list[dict]:
    """The steps of a History as the player shows them: the start, then two per iteration.

    An iteration is one step where the state before it is not recorded.

    occluded : (n,) which images are occluded
    remarks : one text per state
    """
    shown = []
    before = None
    n_iter = len(found.iterations) - 1
    most = n_drawn(found)
    for row, (state, remark) in enumerate(zip(found.states, remarks, strict=True)):
        numbers = found.iterations[state.iteration]
        common = {"row": row, "remark": remark, "smallest": _smallest(numbers)}
        name = f"Iteration {state.iteration} of {n_iter}"
        title = f"{name}: new m, W and weights"
        phases = ["model", "weights"]
        if before is None:
            alike = "" if found.model.left_out else ", all images alike"
            title = f"Start: classical PCA{alike}"
            phases = ["start"]
        elif before.iteration == state.iteration - 1:
            half = {"title": f"{name}, first half: new m and W", "phases": ["model"]}
            half |= common | {"moves": ["α as before."]}
            shown.append(_step(numbers.half, before.alpha, occluded, most) | half)
            title = f"{name}, second half: new weights"
            phases = ["weights"]
        if state.iteration == n_iter:
            title += "; the end"
            phases.append("end")
        full = {"title": title, "phases": phases, "moves": moves(before, state, occluded)}
        shown.append(_step(numbers.terms, state.alpha, occluded, most) | full | common)
        before = state
    return shown


def _smallest(numbers: history.Iteration) -> str:
    collapse = ": collapsed, some images are fitted exactly" if numbers.is_collapsed else ""
    return f"Smallest residual: {numbers.smallest_residual:.2%} of the median{collapse}."


def heights(objectives: list[float]) -> tuple[list[float], float, float]:
    """How high each objective lies above the last, from 0 to 1 on a log scale.

    Then the values at which this scale is 1 and 0.
    """
    above = np.array(objectives) - objectives[-1]
    above[above <= 1e-12 * objectives[-1]] = 0
    if not above.any():
        return [0.0] * len(above), 0.0, 0.0
    top = above.max()
    floor = above[above > 0].min() / 2
    levels = np.log(np.maximum(above, floor) / floor) / np.log(top / floor)
    return levels.tolist(), top, floor


def n_drawn(found: history.History) -> int:
    """How many weights are drawn: as many as are ever activated after the start."""
    return min(max(item.n_activated for item in found.iterations[1:]), MOST_RANKS)


def _step(terms: history.Terms, alpha: np.ndarray, occluded: np.ndarray, most: int) -> dict:
    """Numbers and texts of one step: the parts of the objective, the largest weights in order."""
    k = np.count_nonzero(alpha)
    order = np.argsort(-alpha, kind="stable")[: min(k, most)]
    total = terms.objective
    weights = f"{activated(alpha, occluded)} The largest α is {alpha.max():.4g}."
    if k > most:
        weights += f" The {most} largest are drawn."
    return {
        "objective": total,
        "text": f"Objective J = {number(total, 6)}",
        "terms": [
            (label, part / total, f"{number(part)} ({part / total:.2%})", colour)
            for part, (label, colour) in zip(terms, PARTS, strict=True)
        ],
        "alpha": alpha[order].tolist(),
        "occluded": np.flatnonzero(occluded[order]).tolist(),
        "weights": weights,
    }


def activated(alpha: np.ndarray, occluded: np.ndarray) -> str:
    text = f"{np.count_nonzero(alpha)} of {len(alpha)} images activated"
    if occluded.any():
        text += f", {np.count_nonzero(alpha[occluded])} of them occluded (◆)"
    return f"{text}."


def moves(before: history.State | None, state: history.State, occluded: np.ndarray) -> list[str]:
    """Which images are activated, which joined and which left since the state before."""
    lines = [activated(state.alpha, occluded)]
    if before is not None:
        is_active = state.alpha > 0
        was_active = before.alpha > 0
        lines.append(f"join: {_names(np.flatnonzero(is_active & ~was_active), occluded)}")
        lines.append(f"leave: {_names(np.flatnonzero(was_active & ~is_active), occluded)}")
    return lines


def _names(ids: np.ndarray, occluded: np.ndarray) -> str:
    names = [f"{i} ◆" if occluded[i] else str(i) for i in ids[:MOST_NAMED]]
    text = ", ".join(names) or "none"
    hidden = len(ids) - MOST_NAMED
    return f"{text} and {hidden} more" if hidden > 0 else text
