"""How the library gives every number of the lessons' answers."""

import numpy as np

from epca.activation import activate
from epca.views.texts import power_text
from tests.lessons import regimes, untold
from tests.lessons.checks import sign
from tests.lessons.measured import STEPS, Measured


def of_components(it):
    """The three of PCA's components that lie most on the occluded pixels; the others' largest."""
    shares = it.on_occluded_pixels("PCA")
    first, second, third = np.argsort(-shares)[:3]
    return {
        "first": str(first + 1),
        "most": f"{shares[first]:.0%}",
        "share": f"{it.pixels.mean():.0%}",
        "second": str(second + 1),
        "next": f"{shares[second]:.0%}",
        "third": str(third + 1),
        "faint": f"{shares[third]:.0%}",
        "epca": f"{it.on_occluded_pixels('EPCA').max():.0%}",
        "an": f"{it.on_occluded_pixels('PCA-AN').max():.0%}",
    }


def of_heavy_occlusion(it):
    lengths = np.sqrt(it.distances().sum(axis=1))
    times = lengths[it.is_occluded].mean() / lengths[~it.is_occluded].mean()
    return {"change": sign(it.change()), "clean": it.clean, "times": f"{times:.1f}"}


def of_the_median(it):
    median = np.median(it.residuals)
    return {"median": f"{median:.0f}", "ratio": f"{it.loss.value(median) / (2 * median):.3f}"}


def of_losses(_):
    weights = activate(np.array([1.0, 4, 9, 16, 25])).weights
    return {
        "k": str(np.sum(weights > 0)),
        "first": f"{weights[0]:.3f}",
        "second": f"{weights[1]:.3f}",
    }


def of_the_cure(it):
    plain = Measured(STEPS[4, 2], it.faces).rows.loc["EPCA", "error"]
    fall = 1 - it.rows.loc["EPCA", "error"] / plain
    return {"k": str(it.k), "clean": it.clean, "change": f"{fall:.1%}"}


def of_copies(it):
    source = np.setdiff1d(it.activated, it.occluded.samples)[0]
    is_copy = (it.occluded.X[it.occluded.samples] == it.prepared.clean[source]).all(axis=1)
    return {
        "clean": it.clean,
        "source": str(source),
        "copies": str(is_copy.sum()),
        "occluded": str(len(it.occluded.samples)),
        "different": str(len(np.unique(it.occluded.X[it.occluded.samples], axis=0))),
    }


def flat(it):
    """By how much the error changes from σ = 2^-20 to 2^0."""
    return f"{np.ptp(it.by_sigma.loc[:0, 'error']) / it.by_sigma.loc[0, 'error']:.1%}"


def of_ranks(it):
    best = it.by_rank["error"].idxmin()
    counts = it.by_rank["n_activated"]
    stays = next(c for c in counts.index if (counts.loc[c:] == 2).all())
    return {
        "best": str(best),
        "k": f"{counts.loc[best]:.0f}",
        "estimated": str(it.by_rank["estimated_error"].idxmin()),
        "collapse": str(stays),
    }


def against_pca(it):
    return {"an": sign(it.change("PCA-AN")), "epca": sign(it.change())}


FACTS = {
    (1, 1): lambda it: {"change": sign(it.change())},
    (1, 2): lambda it: {
        "occluded": str(len(it.occluded.samples)),
        "n": str(len(it.faces.images)),
        "pixels": str(it.occluded.mask[it.occluded.samples[0]].sum()),
    },
    (1, 3): lambda it: {"change": sign(it.change())},
    (1, 4): of_components,
    (1, 5): of_heavy_occlusion,
    (2, 1): of_the_median,
    (2, 2): lambda it: {"ratio": f"{it.loss.value(t := np.median(it.residuals)) / t**2:.3f}"},
    (2, 3): lambda it: {"change": sign(it.change())},
    (2, 4): lambda it: {
        "ratio": f"{it.loss.weight(it.residuals.max()) / it.loss.weight(it.residuals.min()):.0%}"
    },
    (2, 5): lambda it: {
        "flat": flat(it),
        "rise": f"{it.by_sigma.loc[20, 'error'] / it.by_sigma.loc[0, 'error'] - 1:.1%}",
    },
    (3, 1): lambda it: {"k": str(it.k), "clean": it.clean},
    (3, 2): lambda it: {"k": str(it.k)},
    (3, 3): of_losses,
    (3, 4): lambda it: {"weight": f"{it.model.direct_weight_.max():.2f}"},
    (3, 5): lambda it: {
        "share": f"{it.rows.loc['EPCA', 'weights_share']:.2%}",
        "difference": f"{abs(it.rows['error']['EPCA'] / it.rows['error']['PCA-OM'] - 1):.1%}",
    },
    (4, 1): lambda it: {"ratio": f"{it.smallest:.0%}"},
    (4, 2): lambda it: {"k": str(it.k), "clean": it.clean},
    (4, 3): lambda it: {"first": str(it.history.collapse), "last": str(it.model.n_iter_)},
    (4, 4): lambda it: {"change": sign(it.change())},
    (4, 5): lambda it: {"clean": it.clean, "change": sign(it.change())},
    (4, 6): of_the_cure,
    (4, 7): of_copies,
    (4, 8): lambda it: {"clean": it.clean},
    (5, 1): lambda it: {"best": power_text(it.by_sigma["error"].idxmin()), "flat": flat(it)},
    (5, 2): lambda it: against_pca(it) | {"found": str(it.n_found)},
    (5, 3): against_pca,
    (5, 4): lambda it: {
        "difference": f"{np.ceil(abs(np.diff(it.by_seed['mean'])[0]) / 1e5) / 10:.1f}",
        "spread": f"{it.by_seed['std'].max() / 1e6:.1f}",
    },
    (5, 5): of_ranks,
    **untold.FACTS,
    **regimes.FACTS,
}
