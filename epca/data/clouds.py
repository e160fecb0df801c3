"""Clouds of points in the plane, to learn a line from."""

import numpy as np

LIMITS = (6.0, 4.0)  # of |x| and of |y|
FEWEST = 3  # points of a cloud
MOST = 60  # points of a cloud
DIRECTION = np.array([2.0, 1.0]) / np.sqrt(5)  # of the line that every preset is drawn along
ACROSS = np.array([-1.0, 2.0]) / np.sqrt(5)
PRESETS = {  # code → label
    "clean": "clean",
    "one far outlier": "one far outlier",
    "a cluster of outliers": "a cluster of outliers",
    "heavy tails": "heavy tails",
}


def draw_cloud(preset, seed=0):
    """Points (n, 2) of a preset, in two decimals: twenty along a line, and its outliers.

    >>> [len(draw_cloud(preset)) for preset in PRESETS]
    [20, 21, 25, 20]
    """
    if preset not in PRESETS:
        raise ValueError(f"preset={preset!r} must be one of {', '.join(PRESETS)}.")
    generator = np.random.default_rng(seed)
    along = generator.uniform(-4.0, 4.0, 20)
    across = generator.normal(0, 0.25, 20)
    if preset == "heavy tails":
        across = 0.4 * generator.standard_t(1.2, 20)
    outliers = {
        "one far outlier": np.array([[-5.0, 3.8]]),
        "a cluster of outliers": generator.normal([-4.0, 3.0], 0.3, (5, 2)),
    }.get(preset, np.empty((0, 2)))
    points = np.vstack([np.outer(along, DIRECTION) + np.outer(across, ACROSS), outliers])
    return np.clip(points, np.negative(LIMITS), LIMITS).round(2)


def check_cloud(values):
    """The values as points (n, 2) in two decimals; a ValueError says what is wrong with them."""
    try:
        points = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError("Points must be pairs of numbers x, y.")
    if not FEWEST <= len(points) <= MOST:
        raise ValueError(
            f"A cloud of {len(points)} points was asked for; it must have {FEWEST} to {MOST}."
        )
    wrong = np.flatnonzero(~(np.abs(points) <= LIMITS).all(axis=1))
    if len(wrong):
        x, y = points[wrong[0]]
        raise ValueError(
            f"Point {wrong[0] + 1} is at {x:g}, {y:g}; "
            f"x must be within ±{LIMITS[0]:g} and y within ±{LIMITS[1]:g}."
        )
    return points.round(2) + 0.0  # no −0


def encode_cloud(points):
    """Points (n, 2) as a short text for a link: hundredths, as in 120.-35_7.0.

    >>> encode_cloud(np.array([[1.2, -0.35], [0.07, 0.0]]))
    '120.-35_7.0'
    """
    return "_".join(f"{x:.0f}.{y:.0f}" for x, y in 100 * points + 0.0)


def decode_cloud(text):
    """The points (n, 2) of such a text; a ValueError says what is wrong with it."""
    pairs = text[: 12 * MOST].split("_")
    try:
        values = [[int(number) / 100 for number in pair.split(".")] for pair in pairs]
    except (ValueError, OverflowError):
        raise ValueError(f"{text[:40]!r} is not a list of points such as 120.-35_7.0.") from None
    return check_cloud(values)
