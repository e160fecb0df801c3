"""Claims and facts of the lesson on tuning without the truth."""

import numpy as np

from epca.choosing import estimated_error
from epca.choosing.suggestion import AT_THE_END, NO_OPTIMUM
from epca.registry import METHODS
from epca.views.suggestion import Looks
from tests.lessons.checks import ADVICE, FACT, READ, is_near, is_replaced_by_another, sign


def is_collapsed_at_the_estimate(it):
    return it.by_rank.loc[it.by_rank["estimated_error"].idxmin(), "collapsed"]


def replaces_what_does_not_fit(it):
    """Only in images that look occluded, and there what is occluded rather than what is not."""
    is_replaced = it.estimate.images != it.occluded.X
    looks = it.estimate.is_occluded
    mask = it.occluded.mask
    return (
        not is_replaced[~looks].any()
        and is_replaced[mask].mean() > 0.5 > 10 * is_replaced[~mask].mean()
    )


def shows_six_that_look_occluded(it):
    looks = Looks(it.prepared, it.estimate)
    return len(looks.ids) == 6 and it.estimate.is_occluded[looks.ids].all()


def judges_by_the_distance(it):
    """Every row of the suggestion is ‖estimate − reconstruction‖²."""
    row = it.suggestion.curves.iloc[3]
    model = METHODS["EPCA"](row["n_components"], sigma=it.scenario.sigma).fit(it.occluded.X)
    distance = np.square(it.estimate.images - model.reconstruct(it.occluded.X)).sum()
    return is_near(distance / row["estimated_error"], 1, 1e-9)


def needs_no_truth(it):
    """The estimated errors know the occluded images alone."""
    best = it.by_rank["estimated_error"].idxmin()
    model = METHODS["EPCA"](best, sigma=it.scenario.sigma).fit(it.occluded.X)
    error = estimated_error(it.estimate, model.reconstruct(it.occluded.X))
    return is_near(error / it.by_rank.loc[best, "estimated_error"], 1, 1e-9)


def falls_with_every_rank(it):
    falls = np.all(np.diff(it.suggestion.curves["estimated_error"]) < 0)
    return falls and it.suggestion.n_components == it.suggestion.curves["n_components"].max()


def is_warned(it):
    return NO_OPTIMUM in it.suggestion.warnings and AT_THE_END not in it.suggestion.warnings


def of_the_rank_curves(it):
    best = it.by_rank["error"].idxmin()
    estimated = it.by_rank["estimated_error"]
    return {
        "best": str(best),
        "estimated": f"{estimated.min() / 1e6:.1f}",
        "error": f"{it.by_rank['error'].min() / 1e6:.1f}",
        "k": f"{it.by_rank.loc[best, 'n_activated']:.0f}",
    }


def of_the_regret(it):
    errors = it.by_rank["error"]
    chosen = it.by_rank["estimated_error"].idxmin()
    return {
        "chosen": str(chosen),
        "best": str(errors.idxmin()),
        "regret": f"{errors[chosen] / errors.min() - 1:.1%}",
        "fixed": f"{errors[30] / errors.min() - 1:.1%}",
    }


def of_the_method(it):
    k = it.suggestion.parameters["n_active"]
    return {
        "k": str(k),
        "told": sign(it.change_with("PCA-AN", n_active=k)),
        "default": sign(it.change_with("PCA-AN")),
    }


def of_small_occlusion(it):
    errors = it.by_rank["error"]
    chosen = it.suggestion.n_components
    return {
        "found": str(it.n_found),
        "occluded": str(it.is_occluded.sum()),
        "chosen": str(chosen),
        "regret": f"{errors[chosen] / errors.min() - 1:.0%}",
    }


FACTS = {
    (6, 1): lambda it: {"found": str(it.n_found), "best": str(it.suggestion.n_components)},
    (6, 2): of_the_rank_curves,
    (6, 3): of_the_regret,
    (6, 4): of_the_method,
    (6, 5): of_small_occlusion,
    (6, 6): lambda it: {
        "found": str(it.n_found),
        "hits": str(np.sum(it.estimate.is_occluded & it.is_occluded)),
        "occluded": str(it.is_occluded.sum()),
    },
}
CLAIMS = {
    (6, 1): {
        "Above": lambda it: it.suggestion.n_components is not None,
        "Outlined": shows_six_that_look_occluded,
        "Read": READ,
        "By an": ADVICE,
        "{found} of": replaces_what_does_not_fit,
        "A fit": judges_by_the_distance,
        "Of the": FACT,
    },
    (6, 2): {
        "The dashed": READ,
        "The solid": needs_no_truth,
        "Two": READ,
        "Yes": lambda it: it.by_rank["error"].idxmin() == it.by_rank["estimated_error"].idxmin(),
        "The levels": FACT,
        "So": ADVICE,
        "And": FACT,
        "A fit": is_collapsed_at_the_estimate,
    },
    (6, 3): {
        "Now half": lambda it: (
            is_near(it.is_occluded.mean(), 0.5)
            and is_near(it.occluded.mask[it.occluded.samples].mean(), 0.6)
        ),
        "The sentence": READ,
        "It is": FACT,
        "At c = {chosen}": FACT,
        "At c = 30": FACT,
    },
    (6, 4): {
        "With the": lambda it: it.scenario.n_components == 30,
        "Its k": READ,
        "From the": lambda it: (
            it.suggestion.method == "PCA-AN"
            and it.suggestion.parameters["n_active"] == np.sum(~it.estimate.is_occluded)
        ),
        "Against": lambda it: it.change_with("PCA-AN", n_active=200) < it.change_with("PCA-AN"),
        "With 80%": lambda it: METHODS["PCA-AN"](1).n_active == 0.8,
    },
    (6, 5): {
        "A fifth": lambda it: (
            is_near(it.is_occluded.mean(), 0.2)
            and is_near(it.occluded.mask[it.occluded.samples].mean(), 0.05)
        ),
        "Read": is_warned,
        "No.": ADVICE,
        "Only": lambda it: it.estimate.is_occluded[it.is_occluded].mean() < 0.25,
        "The estimated": falls_with_every_rank,
        "There": FACT,
    },
    (6, 6): {
        "Now a fifth": is_replaced_by_another,
        "Is there": "a question",
        "No.": is_warned,
        "Each": FACT,
        "What looks": ADVICE,
    },
}
