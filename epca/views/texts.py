"""Numbers and facts as users read them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from epca.base import nan_error
from epca.data import ImageSet
from epca.estimator import LeftOutEPCA
from epca.experiment import Prepared
from epca.parallel import reason
from epca.registry import TAKES_NAN

LEFT_OUT = LeftOutEPCA.label
MINUS = "−"
RAISED = str.maketrans("-.0123456789", "⁻·⁰¹²³⁴⁵⁶⁷⁸⁹")
UNKNOWN = "–"  # stands where a number does not apply or the truth is not known
EXACT = "Every image is fitted exactly: c reaches the rank of the data."


def sigma_text(exponent: float) -> str:
    """σ as a number and as a power of 2.

    >>> sigma_text(0), sigma_text(-3), sigma_text(0.25), sigma_text(20)
    ('1 (2⁰)', '0.125 (2⁻³)', '1.19 (2⁰·²⁵)', '1,050,000 (2²⁰)')
    """
    return f"{written_out(2.0**exponent)} ({power_text(exponent)})"


def power_text(exponent: float) -> str:
    """A power of 2, its exponent raised."""
    return "2" + f"{exponent:g}".translate(RAISED)


def sigma_code(exponent: float) -> str:
    """σ by its exponent of 2, as links have it."""
    return f"2^{exponent:g}"


def written_out(value: float) -> str:
    """A number to three significant digits without an exponent, thousands apart.

    >>> written_out(2.0**-20), written_out(1590.4)
    ('0.000000954', '1,590')
    """
    rounded = float(f"{value:.3g}")
    if abs(rounded) >= 1000:
        return f"{rounded:,.0f}"
    return np.format_float_positional(rounded, trim="-")


def iterations(count: int) -> str:
    return "1 iteration" if count == 1 else f"{count} iterations"


def stop(row: dict[str, Any]) -> str:
    """How many iterations a fit took, and whether it was the limit that stopped it."""
    limit = "" if row["converged"] else ", the limit: the fit could still change"
    return f"{iterations(round(row['iterations']))}{limit}."


def number(value: float, digits: int = 4) -> str:
    """A value to this many significant digits, written out: 516,100 rather than 5.161e+05."""
    rounded = float(f"{value:.{digits}g}")
    if abs(rounded) >= 1:
        return f"{rounded:,.15g}"
    return np.format_float_positional(rounded, trim="-")


def change(share: float) -> str:
    """A relative change with its sign; no change is plus, and a dash stands where none is known."""
    if not np.isfinite(share):
        return UNKNOWN
    return f"{share:+.1%}".replace("-0.0%", "+0.0%").replace("-", MINUS)


NEEDS_KNOWN = (
    f"This page needs PCA and EPCA, which take no unknown pixels. {TAKES_NAN} does: Compare shows "
    "what it makes of these images."
)
WHO_TAKES_UNKNOWN = f"{TAKES_NAN} alone takes them; no measure counts them."
TAKES_NONE = "takes no unknown pixels"


def clean_activated(row: dict[str, Any], prepared: Prepared) -> str:
    """The clean among the activated; a dash where nobody could tell them (`no_parts`)."""
    if not prepared.is_mixed:
        return UNKNOWN
    k = int(row["n_activated"])
    return f"{round(row['clean_among_activated'] * k)} of {k}"


def no_parts(prepared: Prepared) -> str:
    """Why there are no clean images to tell from occluded ones; empty where there are."""
    if prepared.is_mixed:
        return ""
    if prepared.images.is_occluded:
        return "which are occluded is not known"
    return "every image is occluded" if len(prepared.occluded.samples) else "none is occluded"


def weights_share(row: dict[str, Any]) -> str:
    """What the weights add to the objective; a dash where the objective is 0."""
    share = row["weights_share"]
    return f"{share:.2%}" if np.isfinite(share) else UNKNOWN


def unknown(images: ImageSet) -> str:
    """How many pixels are unknown, and how they are drawn; empty where none is."""
    if images.unknown is None:
        return ""
    return f"{images.unknown.mean():.1%} of the pixels are unknown: pictures show them transparent."


def fails_by_unknown(row: Mapping[str, Any]) -> bool:
    """Whether this row's method has no fit because pixels are unknown."""
    return row.get("failure") in (TAKES_NONE, reason(nan_error(row.get("method"))))


def failure(label: str, row: dict[str, Any]) -> str:
    """Why a method has no fit, and what to do."""
    return f"{label} could not be fitted: {row['failure']} Change the occlusion, c or the data."


def epca_name(is_left_out: bool) -> str:
    """What EPCA is called: with left-out residuals it is not the paper's method."""
    return LEFT_OUT if is_left_out else "EPCA"


def can_be_guarded(row: dict[str, Any]) -> bool:
    """Whether left-out residuals may cure a fit: it collapsed without them, and is not exact."""
    return bool(row["collapsed"] and np.isfinite(row["weights_share"]) and not row["left_out"])


def lower_rank(row: dict[str, Any]) -> int:
    """Half of a fit's rank, which may cure a collapse; 0 where there is none below it."""
    return int(row["n_components"]) // 2


def collapse(row: dict[str, Any]) -> str:
    """The warning that a fit calls for, with the cures that it leaves; empty without one."""
    if not np.isfinite(row["weights_share"]):  # the objective is 0
        return f"{EXACT} Lower c." if lower_rank(row) else EXACT
    if not row["collapsed"]:
        return ""
    found = "Some images are fitted exactly. α now marks what is interpolated, not what is clean. "
    if row["left_out"]:
        return (
            f"{found}Left-out residuals are on: are there duplicates among the images? Exact "
            "copies vouch for each other."
        )
    return f"{found}Use left-out residuals{', or lower c' if lower_rank(row) else ''}."
