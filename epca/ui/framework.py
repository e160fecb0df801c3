"""What the page Framework shows: lines learned from a cloud one edits, the weights behind them, losses of one's own."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from sklearn.linear_model import LinearRegression

from epca import metrics
from epca.activation import Activation, activate
from epca.data.clouds import (
    DIRECTION,
    FEWEST,
    LIMITS,
    MOST,
    PRESETS,
    check_cloud,
    decode_cloud,
    draw_cloud,
    encode_cloud,
)
from epca.linalg import reduce_to_span, smoothing_length
from epca.losses import SigmaLoss
from epca.plots.framework import bars_figure, line_look, waterfill_figure
from epca.registry import METHODS
from epca.regression import CoRobustRegressor
from epca.ui import charts, downloads, memory
from epca.ui.cloud import cloud
from epca.ui.settings import KEPT, sigma_text

LEARNERS = {
    "subspace": ("PCA", "PCA-OM", "PCA-AN", "EPCA"),
    "regression": ("least squares", "co-robust regression"),
}
SIGMAS = range(-6, 7)  # exponents of 2; the cloud's points are some units apart
SIGMA, SEEDS = -3, 9999
WATER = r"""
$\sqrt\lambda=\dfrac{S_k}{k-1}$ with $S_k=\sum_{j\le k}\sqrt{f_j}$, losses in rising order

$\alpha_i=\max\!\left(0,\ 1-\dfrac{\sqrt{f_i}}{\sqrt\lambda}\right)$ (Eq. 11)

$\sqrt{f_k}<\dfrac{S_k}{k-1}\le\sqrt{f_{k+1}}$ (Eq. 12): one integer $k$
"""
WHY = """
**Why k is nearly always 2 or 3 here.** A line has two degrees of freedom, so it can pass through two points, and the best ones
nearly do. Those two √f are close to 0; the level is hardly higher than their sum, and a third or fourth root already reaches it.
What is activated is then what the line passes through. In many dimensions residuals differ less and k is larger: try losses of
your own below.
"""
HOW = (
    "Dot size: α; filled: activated, open: inactive. Click on empty ground adds a point, dragging moves it, Shift and click "
    "removes it. On the keyboard: Tab to the points, Page Up and Down choose one, arrows move it (with Shift ten times as far), "
    "Delete removes it."
)
LABEL = (
    f"Cloud of points, x within ±{LIMITS[0]:g}, y within ±{LIMITS[1]:g}; {FEWEST} to {MOST} points"
)
HELP = {
    "learner": "What is learned: a line through the cloud (PCA), or y from x (least squares).",
    "cloud": "A preset to start from; it takes the place of your changes.",
    "add": "Adds a point at the x and y above.",
    "move": "Moves the point of this number to the x and y above.",
    "remove": "Removes the point of this number.",
    "draw": "Another number draws another cloud of this kind.",
    "sigma": "Of the σ-loss, in the units of the plane. Smaller: more robust. Larger: closer to squared residuals.",
    "gamma": "1 activates few points (sparse), above 1 all of them, ever more evenly (dense). For γ < 1 see the end of the page.",
}
SCRIPT = {
    "subspace": """
from epca import METHODS

VALUES
for label in ("PCA", "PCA-OM", "PCA-AN", "EPCA"):
    options = {"sigma": sigma, "gamma": gamma} if label == "EPCA" else {}
    model = METHODS[label](1, **options).fit(points)
    print(label, "through", model.mean_.round(4), "along", model.components_[0].round(4))
""",
    "regression": """from sklearn.linear_model import LinearRegression

from epca.regression import CoRobustRegressor

VALUES
x, y = points[:, :1], points[:, 1]
model = CoRobustRegressor(sigma=sigma, gamma=gamma).fit(x, y)
for label, line in (("least squares", LinearRegression().fit(x, y)), ("co-robust regression", model)):
    print(label, "slope", line.coef_.round(4), "intercept", round(float(line.intercept_), 4))
""",
}


class Learned(NamedTuple):
    """The lines of a learner's methods, and what the co-robust one, the last, made of the points."""

    lines: dict  # label → (a point of the line (2,), its direction (2,))
    residuals: np.ndarray  # (n,)
    losses: np.ndarray  # (n,) h of the smoothed residuals
    activation: Activation
    has_converged: bool
    is_exact: bool  # whether the line passes through every point


def learn(points, learner, sigma, gamma):
    """Fit every method of the learner to points (n, 2)."""
    if learner == "subspace":
        reduction = reduce_to_span(points)
        options = {"EPCA": {"sigma": sigma, "gamma": gamma}}
        models = {
            label: METHODS[label](1, **options.get(label, {})).fit_reduced(reduction)
            for label in LEARNERS[learner]
        }
        lines = {label: (model.mean_, model.components_[0]) for label, model in models.items()}
        model, smoothing = models["EPCA"], reduction.smoothing
        residuals = model.residuals(points)
    else:
        x, y = points[:, :1], points[:, 1]
        model = CoRobustRegressor(sigma=sigma, gamma=gamma).fit(x, y)
        fits = zip(LEARNERS[learner], (LinearRegression().fit(x, y), model), strict=True)
        lines = {label: _graph(fit.coef_[0], fit.intercept_) for label, fit in fits}
        smoothing = smoothing_length(y.std(), abs(y.mean()))
        residuals = np.abs(model.predict(x) - y)
    losses = SigmaLoss(sigma).value(np.hypot(residuals, smoothing))
    is_exact = bool(residuals.max() <= 2 * smoothing)
    return Learned(lines, residuals, losses, activate(losses, gamma), model.converged_, is_exact)


def _graph(slope, intercept):
    return np.array([0.0, intercept]), np.array([1.0, slope]) / np.hypot(1.0, slope)


def describe(line, learner):
    """A line in words: its angle and how far that is off the cloud's, or its equation."""
    (_, intercept), (dx, dy) = line
    if learner == "regression":
        return f"y = {dy / dx:.2f} x {'−' if intercept < 0 else '+'} {abs(intercept):.2f}"
    off = np.degrees(np.arccos(min(abs(DIRECTION @ line[1]), 1.0)))
    return f"{np.degrees(np.arctan2(dy, dx)) if dx >= 0 else np.degrees(np.arctan2(-dy, -dx)):.1f}°, {off:.1f}° off the cloud's"


def sentence(learned):
    """How many are activated, how strongly, and what that is of the objective."""
    activation = learned.activation
    if learned.is_exact:
        return f"The line passes through every point: all {len(learned.losses)} are activated alike, and nothing is left to learn."
    share = metrics.weights_share(activation.objective, learned.losses)
    return (
        f"{activation.n_activated} of {len(learned.losses)} points activated; the largest direct weight is "
        f"{activation.direct_weights.max():.3g}; the weights make {100 * share:.2g}% of the objective."
    )


def point_table(points, learned):
    """One row per point: place, residual, loss, α, direct weight."""
    activation = learned.activation
    return pd.DataFrame(
        {
            "point": np.arange(1, len(points) + 1),
            "x": points[:, 0],
            "y": points[:, 1],
            "residual": learned.residuals,
            "loss": learned.losses,
            "alpha": activation.weights,
            "direct_weight": activation.direct_weights,
        }
    )


def script(points, learner, sigma, gamma):
    """Python that learns the same lines."""
    values = f"points = np.array({points.tolist()})\nsigma, gamma = {sigma!r}, {gamma!r}"
    title = f"The lines of the page Framework ({learner}), as EPCA Lab showed them. Needs the package epca."
    return f'"""{title}"""\n\nimport numpy as np\n' + SCRIPT[learner].replace("VALUES", values)


def current_points():
    """The points of this visitor or of the link, else None; a link that cannot be read is said to be so."""
    if "_points" not in st.session_state:
        st.session_state["_points"] = None
        text = st.query_params.get("points", "")
        if text:
            try:
                st.session_state["_points"] = decode_cloud(text)
            except ValueError as error:
                st.warning(
                    f"The link's points cannot be shown: {error} Showing the preset instead."
                )
    return st.session_state["_points"]


def change(values):
    """Take these points, or say why not; for callbacks."""
    try:
        st.session_state["_points"] = check_cloud(values)
    except ValueError as error:
        st.session_state["_refusal"] = str(error)


def _heard():
    """The component's points, with the serial number that tells it we know of them."""
    news = st.session_state["plane"].points
    if isinstance(news, dict):
        st.session_state["_serial"] = int(news["serial"])
        change(news["points"])


def _forget():
    st.session_state["_points"] = None


def _typed(action, points):
    """Add x, y as a point, or move the point of that number there, or remove it."""
    place = [st.session_state["point_x"], st.session_state["point_y"]]
    number, values = st.session_state["point"], points.tolist()
    if action == "add":
        change([*values, place])
    elif number > len(values):
        st.session_state["_refusal"] = (
            f"There is no point {number}; they are numbered from 1 to {len(values)}."
        )
    else:
        change(values[: number - 1] + ([place] if action == "move" else []) + values[number:])


@memory.fragment
def show_cloud():
    """The cloud with its controls, the lines, and the weights behind them."""
    row = charts.wide_row("plane", least="21rem", first=4)
    plane, controls = row.container(), row.container()
    with controls:
        learner, sigma, gamma, points = _settings()
    learned = learn(points, learner, sigma, gamma)
    with plane:
        _plane(points, learned, learner)
    st.markdown(
        f"**{sentence(learned)}**"
        + ("" if learned.has_converged else " It did not come to rest within its iterations.")
    )
    _show_weights(learned, gamma)
    table = point_table(points, learned)
    with st.expander("The points in numbers"):
        st.table(table.astype(object).map(lambda value: f"{value:.4g}").set_index("point"))
    downloads.offer("framework", script(points, learner, sigma, gamma), table=table)


def _settings():
    learner = st.segmented_control(
        "Learner",
        list(LEARNERS),
        default="subspace",
        required=True,
        key="learner",
        help=HELP["learner"],
        **KEPT,
    )
    row = st.columns([3, 2], vertical_alignment="bottom")
    preset = row[0].selectbox(
        "Cloud", PRESETS, index=1, key="cloud", on_change=_forget, help=HELP["cloud"], **KEPT
    )
    seed = row[1].number_input(
        "Draw", 0, SEEDS, 0, key="cloud_seed", on_change=_forget, help=HELP["draw"], **KEPT
    )
    sigma = st.select_slider(
        "σ", SIGMAS, SIGMA, format_func=sigma_text, key="sigma_2d", help=HELP["sigma"], **KEPT
    )
    gamma = st.slider(
        "γ of the weights", 1.0, 5.0, 1.0, 0.5, key="gamma", help=HELP["gamma"], **KEPT
    )
    edited = current_points()
    points = draw_cloud(preset, seed) if edited is None else edited
    if edited is None:
        st.query_params.pop("points", None)
    else:
        st.query_params["points"] = encode_cloud(points)
    row = st.columns(3)
    row[0].number_input(
        "x", -LIMITS[0], LIMITS[0], -3.0, 0.1, key="point_x", help="Of the point to add or move."
    )
    row[1].number_input(
        "y", -LIMITS[1], LIMITS[1], 3.0, 0.1, key="point_y", help="Of the point to add or move."
    )
    row[2].number_input(
        "Point",
        1,
        MOST,
        1,
        key="point",
        help="Its number: the table of points has it, and hovering shows it.",
    )
    row = st.container(horizontal=True)
    for label, action in (
        ("Add x, y", "add"),
        ("Move point to x, y", "move"),
        ("Remove point", "remove"),
    ):
        row.button(label, on_click=_typed, args=(action, points), help=HELP[action])
    row.button(
        "Undo all changes",
        on_click=_forget,
        disabled=edited is None,
        help="The cloud's own points again.",
    )
    if refusal := st.session_state.pop("_refusal", None):
        st.error(refusal)
    return learner, 2.0**sigma, gamma, points


def _plane(points, learned, learner):
    weights = learned.activation.weights
    dots = [
        {
            "radius": 5 + 14 * float(weight) ** 0.5,
            "activated": weight > 0,
            "text": f", α {weight:.3f}, {'activated' if weight else 'inactive'}",
        }
        for weight in map(float, weights)
    ]
    lines = [
        {
            "name": label,
            "text": describe(line, learner),
            **line_look(label)._asdict(),
            "mean": line[0].tolist(),
            "direction": line[1].tolist(),
        }
        for label, line in learned.lines.items()
    ]
    serial = st.session_state.get("_serial", 0)
    cloud(
        points,
        dots,
        lines,
        limits=LIMITS,
        label=LABEL,
        serial=serial,
        key="plane",
        on_change=_heard,
    )
    st.caption(HOW)


def _show_weights(learned, gamma):
    losses, weights, direct = (
        learned.losses,
        learned.activation.weights,
        learned.activation.direct_weights,
    )
    row = charts.wide_row("weights")
    charts.show(
        bars_figure(losses, weights, "Loss of each point", "loss h"), "cloud_losses", place=row
    )
    figure = bars_figure(
        direct, weights, "Direct weight of each point", "1/(1 − α^γ)", is_log=direct.max() > 20
    )
    charts.show(figure, "cloud_weights", place=row)
    if gamma > 1:
        st.info(
            "With γ > 1 every point is activated: there is no level to fill up to. Set γ = 1 for the water-filling picture."
        )
        return
    row = charts.wide_row("water")
    charts.show(
        waterfill_figure(losses, weights, learned.activation.multiplier**0.5),
        "cloud_water",
        place=row,
    )
    row.container().markdown(WATER + WHY)
