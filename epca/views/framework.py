"""The framework on points in the plane: the lines learned from them, and their weights."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from sklearn.linear_model import LinearRegression

from epca import metrics
from epca.activation import Activation, activate
from epca.data.clouds import DIRECTION, LIMITS
from epca.estimator import EPCA
from epca.linalg import reduce_to_span, smoothing_length
from epca.losses import SigmaLoss
from epca.plots.framework import bars_figure, line_look, plane_figure, waterfill_figure
from epca.registry import METHODS
from epca.regression import CoRobustRegressor


class Learner(NamedTuple):
    """What is learned from the points, and the methods; the last one is co-robust."""

    label: str
    methods: tuple[str, ...]


LEARNERS = {  # code → learner
    "subspace": Learner("subspace", ("PCA", "PCA-OM", "PCA-AN", "EPCA")),
    "regression": Learner("regression", ("least squares", "co-robust regression")),
}
SIGMAS = {exponent: 2.0**exponent for exponent in range(-6, 7)}  # the points are some units apart
LARGEST_LINEAR = 20  # larger direct weights are drawn on a log axis
WATER = r"""
$\sqrt\lambda=\dfrac{S_k}{k-1}$ with $S_k=\sum_{j\le k}\sqrt{f_j}$, losses in rising order

$\alpha_i=\max\!\left(0,\ 1-\dfrac{\sqrt{f_i}}{\sqrt\lambda}\right)$ (Eq. 11)

$\sqrt{f_k}<\dfrac{S_k}{k-1}\le\sqrt{f_{k+1}}$ (Eq. 12): one integer $k$
"""
WHY = """
**Why k is nearly always 2 or 3 here.** A line has two degrees of freedom, so it can pass through
two points, and the best lines nearly do. The √f of these two points are close to 0. The level is
hardly higher than their sum, so a third or fourth root already reaches it. The activated points
are then those that the line passes through. In many dimensions the residuals differ less and k is
larger: try losses of your own below.
"""
SCRIPT = {
    "subspace": """
from epca import METHODS

# The points.
VALUES

# The line of every method.
for label in ("PCA", "PCA-OM", "PCA-AN", "EPCA"):
    options = {"sigma": sigma, "gamma": gamma} if label == "EPCA" else {}
    model = METHODS[label](1, **options).fit(points)
    print(label, "through", model.mean_.round(4), "along", model.components_[0].round(4))
""",
    "regression": """from sklearn.linear_model import LinearRegression

from epca.regression import CoRobustRegressor

# The points.
VALUES

# The line of every method.
x, y = points[:, :1], points[:, 1]
models = {
    "least squares": LinearRegression().fit(x, y),
    "co-robust regression": CoRobustRegressor(sigma=sigma, gamma=gamma).fit(x, y),
}
for label, model in models.items():
    print(label, "slope", model.coef_.round(4), "intercept", round(float(model.intercept_), 4))
""",
}

Line = tuple[np.ndarray, np.ndarray]  # a point of the line (2,), its direction (2,) of length 1


class Learned(NamedTuple):
    """The lines of a learner's methods, and what the co-robust one made of the points."""

    lines: dict[str, Line]  # by the method's label
    residuals: np.ndarray  # (n,)
    losses: np.ndarray  # (n,) h of the smoothed residuals
    activation: Activation
    has_converged: bool
    is_exact: bool  # whether the line passes through every point


def learn(points: np.ndarray, learner: str, sigma: float, gamma: float) -> Learned:
    """Fit every method of the learner to points (n, 2)."""
    if learner == "subspace":
        return _learn_subspace(points, sigma, gamma)
    return _learn_regression(points, sigma, gamma)


def _learn_subspace(points, sigma, gamma):
    reduction = reduce_to_span(points)
    *classical, robust = LEARNERS["subspace"].methods
    models = {label: METHODS[label](1).fit_reduced(reduction) for label in classical}
    epca = EPCA(1, sigma=sigma, gamma=gamma).fit_reduced(reduction)
    models[robust] = epca
    lines = {label: (model.mean_, model.components_[0]) for label, model in models.items()}
    return _explain(epca, lines, epca.residuals(points), reduction.smoothing)


def _learn_regression(points, sigma, gamma):
    x, y = points[:, :1], points[:, 1]
    plain = LinearRegression().fit(x, y)
    robust = CoRobustRegressor(sigma=sigma, gamma=gamma).fit(x, y)
    fits = zip(LEARNERS["regression"].methods, (plain, robust), strict=True)
    lines = {label: _graph(model.coef_[0], model.intercept_) for label, model in fits}
    residuals = np.abs(robust.predict(x) - y)
    return _explain(robust, lines, residuals, smoothing_length(y.std(), abs(y.mean())))


def _graph(slope, intercept):
    return np.array([0.0, intercept]), np.array([1.0, slope]) / np.hypot(1.0, slope)


def _explain(model, lines, residuals, smoothing):
    """Derive the co-robust model's losses and weights from its residuals (n,)."""
    losses = SigmaLoss(model.sigma).value(np.hypot(residuals, smoothing))
    return Learned(
        lines,
        residuals,
        losses,
        activate(losses, model.gamma),
        has_converged=model.converged_,
        is_exact=bool(residuals.max() <= 2 * smoothing),
    )


def describe(line: Line, learner: str) -> str:
    """Put a line into words: its equation, or its angle and how far that is off the cloud's."""
    (_, intercept), (dx, dy) = line
    if learner == "regression":
        sign = "−" if intercept < 0 else "+"
        return f"y = {_signed(dy / dx, 2)} x {sign} {abs(intercept):.2f}"
    if dx < 0:
        dx, dy = -dx, -dy
    angle = np.degrees(np.arctan2(dy, dx))
    off = np.degrees(np.arccos(min(abs(DIRECTION @ line[1]), 1.0)))
    return f"{_signed(angle, 1)}°, {off:.1f}° off the cloud's"


def _signed(value, digits):
    return f"{value:.{digits}f}".replace("-", "−")


def sentence(learned: Learned) -> str:
    """Say how many points are activated, how strongly, and what that is of the objective."""
    activation = learned.activation
    n = len(learned.losses)
    if learned.is_exact:
        return (
            f"The line passes through every point: all {n} are activated alike, "
            "and nothing is left to learn."
        )
    share = metrics.weights_share(activation.objective, learned.losses)
    return (
        f"{activation.n_activated} of {n} points activated; "
        f"the largest direct weight is {activation.direct_weights.max():.3g}; "
        f"the weights make up {100 * share:.2g}% of the objective."
    )


def summary(learned: Learned) -> str:
    """Return the sentence in bold, and a warning where the fit has not converged."""
    text = f"**{sentence(learned)}**"
    if learned.has_converged:
        return text
    return f"{text} The fit did not come to rest within its iterations."


def dots(learned: Learned) -> list[dict[str, Any]]:
    """Return the look and the text of every point, for the plane."""
    return [_dot(float(weight)) for weight in learned.activation.weights]


def _dot(weight):
    state = "activated" if weight > 0 else "not activated"
    return {
        "radius": 5 + 14 * weight**0.5,
        "activated": weight > 0,
        "text": f", α {weight:.3f}, {state}",
    }


def lines(learned: Learned, learner: str) -> list[dict[str, Any]]:
    """Return the look, the text and the place of every line, for the plane."""
    return [
        {
            "name": label,
            "text": describe((mean, direction), learner),
            **line_look(label)._asdict(),
            "mean": mean.tolist(),
            "direction": direction.tolist(),
        }
        for label, (mean, direction) in learned.lines.items()
    ]


def loss_figure(learned: Learned) -> go.Figure:
    """Draw the loss of each point."""
    weights = learned.activation.weights
    return bars_figure(learned.losses, weights, "Loss of each point", "loss h")


def direct_weight_figure(learned: Learned) -> go.Figure:
    """Draw the direct weight of each point."""
    direct = learned.activation.direct_weights
    return bars_figure(
        direct,
        learned.activation.weights,
        "Direct weight of each point",
        "1/(1 − α^γ)",
        is_log=direct.max() > LARGEST_LINEAR,
    )


def water_figure(learned: Learned) -> go.Figure:
    """Draw how the level √λ decides which points are activated; for γ = 1."""
    activation = learned.activation
    return waterfill_figure(learned.losses, activation.weights, activation.multiplier**0.5)


def figures(points: np.ndarray, learned: Learned, gamma: float) -> list[go.Figure]:
    """Draw the plane and what the page shows below it, for a reader without the page."""
    plane = plane_figure(points, learned.activation.weights, learned.lines, LIMITS)
    below = [loss_figure(learned), direct_weight_figure(learned)]
    return [plane, *below, *([water_figure(learned)] if gamma == 1 else [])]


def point_table(points: np.ndarray, learned: Learned) -> pd.DataFrame:
    """Return one row per point: place, residual, loss, α, direct weight."""
    return pd.DataFrame(
        {
            "point": np.arange(1, len(points) + 1),
            "x": points[:, 0],
            "y": points[:, 1],
            "residual": learned.residuals,
            "loss": learned.losses,
            "alpha": learned.activation.weights,
            "direct_weight": learned.activation.direct_weights,
        }
    )


def as_texts(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of points with its numbers as people read them."""
    texts = table.astype(object).map(lambda value: f"{value:.4g}".replace("-", "−"))
    return texts.set_index("point")


def script(points: np.ndarray, learner: str, sigma: float, gamma: float) -> str:
    """Return Python that learns the same lines."""
    values = f"points = np.array({points.tolist()})\nsigma, gamma = {sigma!r}, {gamma!r}"
    title = f"The lines of the page Framework ({LEARNERS[learner].label}), as EPCA Lab showed them."
    head = f'"""{title} Needs the package epca."""\n\nimport numpy as np\n'
    return head + SCRIPT[learner].replace("VALUES", values)
