"""The measures of fitted methods: their columns, their numbers as text, the best of each column."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from epca.experiment import Fit, Prepared
from epca.metrics import against
from epca.views import texts

BEST = "★\N{NO-BREAK SPACE}"
FAULTS = {
    "preview": "the exact fit may differ a little",
    "not converged": "it could still change",
    "collapsed": "some images are fitted exactly",
}
LARGEST_READ = 999.95  # from here on a decimal reads as 1,000.0
SCALES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # changes that half of a bar may stand for


class Measure(NamedTuple):
    """A column of numbers: its heading, what it means, how a number is written, which is best."""

    heading: str
    help: str
    text: Callable[[float], str] | None = None  # None: an error, in the table's unit
    best: Callable | None = None  # min or max; None where neither is better
    short: str = ""  # heading beside faces, where the other one is too long
    width: float = 3.6  # of the column beside faces, in units of the type
    is_minor: bool = False  # left out beside faces where the window is narrow


MEASURES = {  # name in a fit's row, as `epca.metrics.MEASURES` has it → its column
    "error": Measure(
        "error",
        "‖clean − reconstruction‖² over all images, Eq. 57; smaller is better.",
        best=min,
    ),
    "against_pca": Measure(
        "against PCA",
        "The error relative to PCA's. Bars to the left are better than PCA.",
        texts.change,
        min,
        width=4.2,
    ),
    "error_clean": Measure("on clean", "The error on the images that are clean.", best=min),
    "error_occluded": Measure(
        "on occluded",
        "The error on the occluded images, against what they were before.",
        best=min,
        width=4.4,
    ),
    "auc": Measure(
        "AUC",
        "How well the residual tells occluded images from clean ones: 0.5 is chance, 1 perfect.",
        "{:.3f}".format,
        max,
        width=3.3,
    ),
    "clean_among_top": Measure(
        "clean among the top-weighted",
        "Where n images are clean: the share of clean ones among the n of largest weight. "
        "Methods that weigh all alike have none.",
        "{:.1%}".format,
        max,
        short="clean on top",
        width=3.8,
        is_minor=True,
    ),
    "accuracy": Measure(
        "clustering accuracy",
        "k-means on the coordinates, matched to the classes.",
        "{:.1%}".format,
        max,
        width=6.6,
    ),
    "iterations": Measure(
        "iterations", "Until the fit came to rest.", "{:.0f}".format, width=3.7, is_minor=True
    ),
    "seconds": Measure(
        "seconds",
        "The time that the fit took. It may reuse what an earlier fit found: PCP splits the images "
        "once, for all c.",
        "{:.2f}".format,
        width=3,
        is_minor=True,
    ),
}
ERRORS = [name for name, measure in MEASURES.items() if measure.text is None]


class Cell(NamedTuple):
    """A number as users read it."""

    text: str
    best: bool = False
    share: float | None = None  # of a bar, from −1 to 1


class Unit(NamedTuple):
    """The power of ten in which all errors of a table are written, and to how many decimals."""

    exponent: int
    decimals: int = 1

    def text(self, value: float) -> str:
        return f"{value / 10.0**self.exponent:,.{self.decimals}f}"

    def heading(self, measure: Measure) -> str:
        if measure.text is not None or self.exponent == 0:
            return measure.heading
        return f"{measure.heading} (10{str(self.exponent).translate(texts.RAISED)})"


def unit_of(rows: pd.DataFrame) -> Unit:
    """The thousands, millions, … in which the largest error reads as less than 1,000.

    Where it has one digit only before the point, errors have three behind it, to tell them apart.
    """
    found = rows[[name for name in ERRORS if name in rows]].to_numpy(float)
    largest = np.max(found, initial=0.0, where=np.isfinite(found))
    if largest < LARGEST_READ:
        return Unit(0)
    exponent = 3 * int(np.log10(1000 / LARGEST_READ * largest) // 3)
    return Unit(exponent, 3 if largest < 10.0 ** (exponent + 1) else 1)


def with_pca(labels: Sequence[str]) -> tuple[str, ...]:
    """The methods to fit: the chosen ones, after PCA, with which they are compared."""
    return tuple(dict.fromkeys(["PCA", *labels]))


def measures(
    labels: Sequence[str],
    fits: Mapping[str, Fit],
    prepared: Prepared,
    accuracies: Mapping[str, tuple[float, float]] | None = None,
) -> pd.DataFrame:
    """One row of measures per chosen method that is fitted, with its error against PCA's.

    accuracies : label → (mean, standard deviation) of the clustering accuracy
    """
    found = [_row(fits[label]) for label in labels if label in fits]
    rows = pd.DataFrame(found) if found else pd.DataFrame({"method": []})
    if "error" in rows and "error" in fits["PCA"].row:
        squared_length = prepared.images.squared_length
        rows["against_pca"] = against(rows["error"], fits["PCA"].row["error"], squared_length)
    if accuracies:
        unknown = (np.nan, np.nan)
        pairs = [accuracies.get(label, unknown) for label in rows["method"]]
        rows["accuracy"] = [mean for mean, _ in pairs]
        rows["accuracy_sd"] = [sd for _, sd in pairs]
    return rows


def robust(row: Mapping[str, Any], lengths: np.ndarray, prepared: Prepared) -> dict[str, Any]:
    """A fit's row with the errors of its robust reconstructions, which lie so far off (n,)."""
    occluded = np.isin(np.arange(len(lengths)), prepared.occluded.samples)
    parts = {"error": np.full_like(occluded, True)}
    parts |= {"error_clean": ~occluded, "error_occluded": occluded}
    errors = dict.fromkeys(parts, np.nan)
    if not prepared.images.is_occluded:
        squares = np.square(lengths)
        errors |= {name: squares[part].sum() for name, part in parts.items() if part.any()}
    return {**row, **errors, "robust_reconstruction": True}


def as_preview(fit: Fit) -> Fit:
    """The fit with a row that says that it is a preview."""
    return fit._replace(row=fit.row | {"preview": True})


def _row(fit: Fit) -> dict[str, Any]:
    """The fit's row in the words of users: the library's are for those who write X."""
    if texts.fails_by_unknown(fit.row):
        return fit.row | {"failure": texts.TAKES_NONE}
    return fit.row


def columns(rows: pd.DataFrame) -> dict[str, Measure]:
    """The measures that these rows have, by name."""
    return {name: measure for name, measure in MEASURES.items() if name in rows}


def _is_close(measure: Measure, values: np.ndarray, spread: np.ndarray) -> bool:
    """Whether another row is nearer to the best than the larger of their spreads: no best then."""
    is_known = np.isfinite(values)
    if measure.best is None or is_known.sum() < 2:
        return False
    values = values[is_known]
    spread = np.nan_to_num(spread[is_known])
    best = np.flatnonzero(values == measure.best(values))[0]
    is_near = np.abs(values - values[best]) < np.maximum(spread, spread[best])
    return bool(np.delete(is_near, best).any())


def cells(rows: pd.DataFrame, spread: pd.DataFrame | None = None) -> dict[str, list[Cell]]:
    """Method → its numbers in the order of `columns`.

    A column's best is marked unless another row reads the same, or is nearer than the spread, or
    one is a preview; a dash stands for what does not apply.

    spread : rows of standard deviations, shown behind a ±; by default the accuracy's, if any
    """
    if spread is None and "accuracy_sd" in rows:
        spread = pd.DataFrame({"accuracy": rows["accuracy_sd"]})
    found = {label: [] for label in rows["method"]}
    unit = unit_of(rows)
    for name, measure in columns(rows).items():
        text = measure.text or unit.text
        values = rows[name].to_numpy(float)
        around = None if spread is None or name not in spread else spread[name].to_numpy(float)
        best = None if "preview" in rows else _best_text(measure, text, values)
        if around is not None and _is_close(measure, values, around):
            best = None
        scale = bar_scale(values)
        for i, label in enumerate(rows["method"]):
            if not np.isfinite(values[i]):
                found[label].append(Cell(texts.UNKNOWN))
                continue
            written = text(values[i])
            is_best = written == best
            if around is not None:
                written += f" ± {text(around[i]).lstrip('+')}"
            share = values[i] / scale if name == "against_pca" else None
            found[label].append(Cell(written, is_best, share))
    return found


def _best_text(measure: Measure, text: Callable[[float], str], values: np.ndarray) -> str | None:
    """The text of the best of several known values; None where two read the same."""
    known = values[np.isfinite(values)]
    if measure.best is None or len(known) < 2:
        return None
    best = text(measure.best(known))
    return best if [text(value) for value in known].count(best) == 1 else None


def bar_scale(changes: np.ndarray) -> float:
    """The change that half of a bar stands for: a round one that all changes (n,) keep within."""
    largest = np.max(np.abs(changes), initial=0.0, where=np.isfinite(changes))
    return next((scale for scale in SCALES if largest <= scale), SCALES[-1])


def readable(rows: pd.DataFrame, spread: pd.DataFrame | None = None) -> pd.DataFrame:
    """The rows for reading, as text, with a note on what went wrong. Options as in `cells`."""
    unit = unit_of(rows)
    headings = [unit.heading(measure) for measure in columns(rows).values()]
    found = cells(rows, spread)
    lines = {}
    for values in rows.to_dict("records"):
        line = [
            f"{BEST}{cell.text}" if cell.best else cell.text for cell in found[values["method"]]
        ]
        lines[values["method"]] = dict(zip(headings, line, strict=True)) | {"note": note(values)}
    names = [*headings, "note"]
    return pd.DataFrame.from_dict(lines, orient="index", columns=names).rename_axis("method")


def note(values: Mapping[str, Any]) -> str:
    """What is wrong with the fit of this row; empty where nothing is."""
    if values.get("failure"):
        return values["failure"]
    return "; ".join(f"{name}: {meaning}" for name, meaning in faults(values).items())


def faults(values: Mapping[str, Any]) -> dict[str, str]:
    """What to know of the fit of this row before it is trusted: in a word or two, and in full."""
    found = {
        "preview": values.get("preview") is True,  # NaN in the rows of others
        "not converged": not values.get("converged", True),
        "collapsed": bool(values.get("collapsed")),
    }
    return {name: FAULTS[name] for name, is_so in found.items() if is_so}
