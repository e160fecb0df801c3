"""What the page Watch shows: a fit's history, replayed."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from epca import history
from epca.experiment import Prepared
from epca.images import montage
from epca.palette import BLUE, GREY, VERMILION
from epca.ui import settings, store, work
from epca.ui.experiment import iterations, number
from epca.ui.replay import replay

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
PARTS = (  # label and colour, in the order of history.Terms
    ("losses of the inactive", GREY),
    ("losses of the activated", BLUE),
    ("added by the weights", VERMILION),
)
N_COMPONENTS = 4  # shown
MOST_NAMED = 12  # images that join or leave
MOST_RANKS = 400  # dots
MOST_PIXELS = 64  # a side of a picture; larger ones are thinned


class View(NamedTuple):
    """Texts, pictures and steps of EPCA's fit to the experiment's occluded images."""

    setup: settings.Setup
    prepared: Prepared
    history: history.History

    @property
    def images(self):
        return self.prepared.images

    @property
    def sentence(self):
        model = self.history.model
        end = "came to rest" if model.converged_ else "reached its limit of iterations"
        exact = (
            "Every image is fitted exactly: c reaches the rank of the data. "
            if model.is_exact_
            else ""
        )
        return (
            f"EPCA {end} after **{iterations(model.n_iter_)}**, k = {model.n_activated_} of {len(model.alpha_)} images activated. "
            f"{exact}A step is half an iteration: first m and W for fixed weights, then the weights for fixed m and W. "
            "The objective J falls in both."
        )

    @property
    def memory(self):
        kept, total = len(self.history.states), len(self.history.iterations)
        halves = "" if kept == total else " Iterations whose predecessor is not kept are one step."
        return (
            f"Recorded: {kept} of {total} states, {self.history.n_bytes / 2**20:.1f} MB; at most {history.MOST} states and "
            f"{history.BUDGET // 2**20} MB (but {history.FEWEST} states) are kept, early ones and the last before others.{halves} "
            "The paper prints the update of v before those of m and W; then J could rise."
        )

    @property
    def occluded(self):
        """Who is occluded (n,); nobody where it is not known."""
        return self.prepared.occluded.mask.any(axis=1) & (not self.images.is_occluded)

    @property
    def first_face(self):
        return int(np.argmax(self.occluded))

    def pictures(self, face):
        """Images of every state kept (s, 2 + components, h·w): mean, components in grey, the face's reconstruction."""
        reduction, states = self.prepared.reduction, self.history.states
        model = self.history.model
        n_shown = min(N_COMPONENTS, model.n_components_)
        columns = []
        for state in states:
            offset = reduction.coordinates[face] - state.mean
            back = state.mean + state.components @ (state.components.T @ offset)
            columns += [state.mean, *state.components.T[:n_shown], back]
        lifted = reduction.lift(np.array(columns, dtype=float).T).T.reshape(
            len(states), n_shown + 2, -1
        )
        lifted[:, [0, -1]] += reduction.mean
        shown = lifted[:, 1:-1]
        shown *= np.where(np.einsum("skd,kd->sk", shown, model.components_[:n_shown]) < 0, -1, 1)[
            ..., np.newaxis
        ]
        lifted[:, 1:-1] = 127.5 + 127.5 * shown / np.abs(shown).max(axis=(0, 2), keepdims=True)
        return lifted

    def sheet(self, face, pictures):
        """The sprite sheet, a row a state and one for the face as it is; its images' shape; the cells that show it."""
        n_states, n_columns, _ = pictures.shape
        still = np.full((1, *pictures.shape[1:]), np.nan)
        still[0, :2] = self.prepared.occluded.X[face], self.prepared.clean[face]
        thin = -(-max(self.images.image_shape) // MOST_PIXELS)
        images = np.concatenate([pictures, still]).reshape(-1, n_columns, *self.images.image_shape)[
            ..., ::thin, ::thin
        ]
        names = [
            "mean m",
            *(f"component {i}" for i in range(1, n_columns - 1)),
            f"image {face}, reconstructed",
        ]
        cells = [{"caption": name, "column": i} for i, name in enumerate(names)]
        cells.insert(-1, {"caption": f"image {face}, as given", "column": 0, "row": n_states})
        if self.occluded[face]:
            cells.append({"caption": f"image {face}, clean", "column": 1, "row": n_states})
        return montage(images, gap=0, zoom=1), images.shape[2:], cells

    def remarks(self, face, pictures):
        """How far the reconstruction is from the clean face, for every state."""
        if not self.occluded[face]:
            why = (
                "which images are occluded is not known"
                if self.images.is_occluded
                else f"image {face} is not occluded"
            )
            return [f"Distance to the clean image: – ({why})."] * len(pictures)
        clean = self.prepared.clean[face]
        apart = np.sqrt(
            np.mean(
                (np.vstack([pictures[:, -1], self.prepared.occluded.X[face]]) - clean) ** 2, axis=1
            )
        )
        return [
            f"From the clean image it is {a:.1f} grey levels away (rms); the occluded one {apart[-1]:.1f}."
            for a in apart[:-1]
        ]

    def replay_data(self, face):
        """What the player gets besides its sprite sheet, and that sheet with its images' shape and columns."""
        pictures = self.pictures(face)
        sprite, shape, cells = self.sheet(face, pictures)
        found = steps(self.history, self.occluded, self.remarks(face, pictures))
        levels, top, floor = heights([step["objective"] for step in found])
        data = {
            "label": "The fit, step by step",
            "code": [
                {"phase": phase, "text": text.strip(), "equation": eq, "inner": text[0] == " "}
                for phase, text, eq in CODE
            ],
            "cells": cells,
            "steps": [step | {"height": level} for step, level in zip(found, levels, strict=True)],
            "highest": f"{number(top, 2)} above its end, log scale",
            "lowest": f"{number(floor, 2)} and less",
            "largest": max(max(step["alpha"]) for step in found),
            "ranks": n_drawn(self.history),
        }
        return data, sprite, shape, pictures.shape[1]


def record(setup, name):
    """The history of EPCA's fit, kept; where the user cancels it, the page ends."""
    prepared, task = (
        store.prepare(setup.scenario, setup.images),
        (setup.images.digest, setup.scenario, "history"),
    )
    found = work.run(
        task, f"Recording the {name}", _kept_history, setup.images, setup.scenario, prepared
    )
    if found is None:
        st.stop()
    return found


def load(setup):
    return View(setup, store.prepare(setup.scenario, setup.images), record(setup, "first run"))


def play(view):
    """The control of the face, and the player."""
    n_images = len(view.prepared.clean)
    face = st.number_input(
        "Face to watch", 0, n_images - 1, None, key="watch", bind="query-params", placeholder=f"{view.first_face}",
        help="Its number. Left empty: the first occluded one.", width=220,
    )  # fmt: skip
    data, sprite, shape, columns = view.replay_data(view.first_face if face is None else face)
    replay(sprite, data, shape=shape, columns=columns, key="player")


def _record(digest, scenario, _prepared, _progress, _images):
    with _progress.turn():
        return history.record(scenario.model("EPCA"), _prepared.reduction, _progress.tick)


_kept_history = store.cached(_record, shared=12, private=4)


def steps(found, occluded, remarks):
    """The steps of a History as the player shows them: the start, then two per iteration, or one where the state before it is
    not kept. occluded (n,) marks images; remarks has one text per state."""
    shown, before, n_iter, most = [], None, len(found.iterations) - 1, n_drawn(found)
    for row, (state, remark) in enumerate(zip(found.states, remarks, strict=True)):
        i, numbers = state.iteration, found.iterations[state.iteration]
        common = {"row": row, "remark": remark, "smallest": _smallest(numbers)}
        name, phases = f"Iteration {i} of {n_iter}: new m, W and weights", ["model", "weights"]
        if before is None:
            name, phases = "Start: classical PCA, all images alike", ["start"]
        elif before.iteration == i - 1:
            half = {
                "title": f"Iteration {i} of {n_iter}, first half: new m and W",
                "phases": ["model"],
                "moves": ["α as before."],
            }
            shown.append(_step(numbers.half, before.alpha, occluded, most) | half | common)
            name, phases = f"Iteration {i} of {n_iter}, second half: new weights", ["weights"]
        if i == n_iter:
            name, phases = f"{name}; the end", [*phases, "end"]
        full = {"title": name, "phases": phases, "moves": moves(before, state, occluded)}
        shown.append(_step(numbers.terms, state.alpha, occluded, most) | full | common)
        before = state
    return shown


def _smallest(numbers):
    collapse = ": collapsed, some images are fitted exactly" if numbers.is_collapsed else ""
    return f"Smallest residual: {numbers.smallest_residual:.2%} of the median{collapse}."


def heights(objectives):
    """How high each objective lies above the last, from 0 to 1 on a log scale; and the values at its top and its floor."""
    above = np.array(objectives) - objectives[-1]
    above[above <= 1e-12 * objectives[-1]] = 0
    if not above.any():
        return [0.0] * len(above), 0.0, 0.0
    top, floor = above.max(), above[above > 0].min() / 2
    return (np.log(np.maximum(above, floor) / floor) / np.log(top / floor)).tolist(), top, floor


def n_drawn(found):
    """How many weights are drawn: all that are not 0 after the start, where all are."""
    return min(max(item.n_activated for item in found.iterations[1:]), MOST_RANKS)


def _step(terms, alpha, occluded, most):
    """Numbers and texts of one step: the parts of the objective, the largest weights in order."""
    k = np.count_nonzero(alpha)
    order = np.argsort(-alpha, kind="stable")[: min(k, most)]
    drawn = f" The {most} largest are drawn." if k > most else ""
    total = terms.objective
    return {
        "objective": total,
        "text": f"Objective J = {number(total, 6)}",
        "terms": [
            (label, part / total, f"{number(part)} ({part / total:.2%})", colour)
            for part, (label, colour) in zip(terms, PARTS, strict=True)
        ],
        "alpha": alpha[order].tolist(),
        "occluded": np.flatnonzero(occluded[order]).tolist(),
        "weights": f"{activated(alpha, occluded)} The largest α is {alpha.max():.4g}.{drawn}",
    }


def activated(alpha, occluded):
    hit = f", {np.count_nonzero(alpha[occluded])} of them occluded (◆)" if occluded.any() else ""
    return f"{np.count_nonzero(alpha)} of {len(alpha)} images activated{hit}."


def moves(before, state, occluded):
    """Who is activated, who joined and who left since the state before, in words."""
    active, lines = state.alpha > 0, [activated(state.alpha, occluded)]
    if before is not None:
        was = before.alpha > 0
        lines += [
            f"{verb}: {_names(np.flatnonzero(who), occluded)}"
            for verb, who in (("join", active & ~was), ("leave", was & ~active))
        ]
    return lines


def _names(ids, occluded):
    named = ", ".join(f"{i}{' ◆' if occluded[i] else ''}" for i in ids[:MOST_NAMED]) or "none"
    return named + (f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else "")
