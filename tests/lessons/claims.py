"""Why every sentence of the lessons holds: what computes it, or why nothing does."""

import numpy as np

from epca.activation import activate
from epca.losses import SigmaLoss
from epca.metrics import COLLAPSED, is_collapsed
from epca.registry import METHODS, PAPER_METHODS
from epca.ui.frame.settings import EXPONENTS
from epca.views import texts
from tests.lessons import regimes, untold
from tests.lessons.checks import (
    ADVICE,
    CITED,
    FACT,
    READ,
    activates_as_before,
    are_far_off_once_left_out,
    badly_fitted_count_less,
    changes_near_residuals_only,
    dots_remain,
    interpolates,
    is_activated_below_the_level,
    is_linear,
    is_near,
    is_nearly_pca,
    is_replaced_by_another,
    is_slope,
    levels_are_sums,
    lies_between,
    losses_are_more_alike,
    objective_rewards,
    occurs_most_often,
    others_differ_by_weights_alone,
    passes_through_occluded,
    pca_minimises,
    shows_one_picture,
    stops_before,
    stops_too_late,
)
from tests.lessons.measured import STEPS, Measured

CLAIMS = {  # step → beginning of each sentence → why it holds
    (1, 1): {
        "Read": READ,
        "No image is occluded": lambda it: len(it.occluded.samples) == 0,
        "Compare": READ,
        "Hardly": lambda it: 0 < it.change() < 0.01,
        "PCA minimises": pca_minimises,
    },
    (1, 2): {
        "The page": READ,
        "Compare the masks": READ,
        "Now a fifth": lambda it: is_near(it.is_occluded.mean(), 0.2),
        "The rows": READ,
        "{occluded} of": lambda it: (
            len(np.unique(it.occluded.mask[it.occluded.samples], axis=0)) == 1
        ),
        "The paper": CITED,
    },
    (1, 3): {
        "Read": READ,
        "Look at": dots_remain,
        "EPCA's error": lambda it: it.change() < 0,
        "Both": badly_fitted_count_less,
    },
    (1, 4): {
        "The occluded": lambda it: is_near(it.pixels.mean(), 0.2),
        "These are": READ,
        "A component": READ,
        "Number {first}": lambda it: it.on_occluded_pixels("PCA").max() > 2 * it.pixels.mean(),
        "Number {second}": lambda it: np.sum(it.on_occluded_pixels("PCA") > it.pixels.mean()) >= 3,
        "In EPCA": lambda it: (
            it.on_occluded_pixels("PCA").max() > 1.5 * it.on_occluded_pixels("EPCA").max()
        ),
        "PCA spends": ADVICE,
    },
    (1, 5): {
        "Read": READ,
        "They need": ADVICE,
        "Half": lambda it: (
            is_near(it.is_occluded.mean(), 0.5)
            and it.occluded.mask[it.occluded.samples].mean() > 0.5
        ),
        "By the error": lambda it: it.change() < 0 and it.n_clean == it.k,
        "Still": FACT,
    },
    (2, 1): {
        "The residuals": lambda it: it.residuals.min() > 200 * it.scenario.sigma,
        "The σ-loss": lies_between,
        "The histogram": READ,
        "It follows": FACT,
        "Far above": is_linear,
    },
    (2, 2): {
        "Divide": READ,
        "Now σ": lambda it: it.residuals.max() < it.scenario.sigma / 100,
        "It follows": FACT,
        "EPCA is": is_nearly_pca,
    },
    (2, 3): {
        "Read": READ,
        "These are": lambda it: it.scenario.sigma == 2**20,
        "Compare": READ,
        "It is gone": is_nearly_pca,
    },
    (2, 4): {
        "d(t)": is_slope,
        "Compare": READ,
        "σ = 512": lambda it: it.residuals.min() < it.scenario.sigma == 512 < it.residuals.max(),
        "Yes": badly_fitted_count_less,
        "At σ": lambda it: np.ptp(SigmaLoss(2.0**20).weight(it.residuals)) < 0.01,
    },
    (2, 5): {
        "The orange": READ,
        "The sweep": lambda it: tuple(range(-20, 21)) == EXPONENTS,
        "It changes": changes_near_residuals_only,
        "From 2⁻²⁰": FACT,
        "From 2⁰": FACT,
    },
    (3, 1): {
        "The sentence": READ,
        "The strip": READ,
        "All others": lambda it: np.sum(it.model.alpha_ == 0) == 400 - it.k,
        "{k} of": lambda it: it.n_clean == it.k,
        "EPCA was": lambda it: np.allclose(
            it.model.alpha_, METHODS["EPCA"](30, sigma=1.0).fit(it.occluded.X).alpha_
        ),
    },
    (3, 2): {
        "The losses": losses_are_more_alike,
        "The subspace": lambda it: it.scenario.n_components == 10,
        "More": lambda it: it.k > Measured(STEPS[3, 1], it.faces).k,
        "By Eq": is_activated_below_the_level,
        "The more": losses_are_more_alike,
    },
    (3, 3): {
        "√f is": lambda _: np.array_equal(np.sqrt([1, 4, 9, 16, 25]), [1, 2, 3, 4, 5]),
        "The level": levels_are_sums,
        "The bars": READ,
        "{k}": lambda _: activate(np.array([1.0, 4])).multiplier ** 0.5 == 3,
        "The weights": FACT,
    },
    (3, 4): {
        "An image": lambda it: np.all(it.model.direct_weight_[it.model.alpha_ == 0] == 1),
        "The image": lambda it: STEPS[3, 4].settings["sel"] == [it.model.alpha_.argmax()],
        "Read": READ,
        "It counts": FACT,
        "Images that": lambda it: (
            np.all(it.model.direct_weight_[it.model.alpha_ == 0] == 1)
            and it.model.sample_weight_.min() > 0
        ),
    },
    (3, 5): {
        "Compare": READ,
        "The sentence": READ,
        "At a small": others_differ_by_weights_alone,
        "Hardly": lambda it: it.rows.loc["EPCA", "weights_share"] < 0.01,
        "The σ-loss": lambda it: it.change("PCA-OM") < 0.95 * it.change() < 0,
    },
    (4, 1): {
        "Compare": READ,
        "In the outlier": lambda it: it.residuals.min() > 0.1 * it.residuals.max(),
        "The height": READ,
        "Not close": lambda it: it.smallest > 0.1,
        "This fit": lambda it: not is_collapsed(it.residuals),
    },
    (4, 2): {
        "The sentence": READ,
        "With c": lambda it: is_collapsed(it.residuals),
        "{k} are": lambda it: it.n_clean == 0,
        "A subspace": interpolates,
        "Here": passes_through_occluded,
        "Their": lambda it: are_far_off_once_left_out(it) and objective_rewards(it),
    },
    (4, 3): {
        "Find": lambda _: COLLAPSED == 0.01,
        "At c": READ,
        "Late": lambda it: it.history.collapse > it.model.n_iter_ / 2,
        "With a looser": stops_before,
        "That is": stops_too_late,
    },
    (4, 4): {
        "Look": READ,
        "These are": lambda it: it.scenario.n_components == 100,
        "No:": lambda it: it.change() < 0,
        "Only": lambda it: is_collapsed(it.residuals) and it.k == 2,
    },
    (4, 5): {
        "Look": READ,
        "The rank": lambda it: it.scenario.sigma == 2**20 and it.scenario.n_components == 100,
        "The notice": lambda it: not is_collapsed(it.residuals) and it.n_clean == it.k,
        "But": is_nearly_pca,
    },
    (4, 6): {
        "The sentence": READ,
        "Look": READ,
        "The rank": lambda it: (
            it.scenario.sigma == 1 and it.scenario.n_components == 100 and it.model.left_out
        ),
        "{k} images": lambda it: it.n_clean == it.k,
        "The notice": lambda it: not is_collapsed(it.residuals),
        "The error": FACT,
        "But": lambda _: METHODS["EPCA, left-out"].label not in PAPER_METHODS,
    },
    (4, 7): {
        "Look": READ,
        "This is": is_replaced_by_another,
        "The wrong": lambda it: it.n_clean < it.k / 2,
        "They all": shows_one_picture,
        "The {occluded}": occurs_most_often,
        "Images that": lambda it: np.all(
            it.residuals[it.activated] < 0.01 * np.median(it.residuals)
        ),
    },
    (4, 8): {
        "Compare": READ,
        "The same": lambda it: it.model.left_out and is_replaced_by_another(it),
        "No:": activates_as_before,
        "An image": shows_one_picture,
        "The notice": lambda it: "duplicates" in texts.collapse(it.rows.loc["EPCA"].to_dict()),
    },
    (5, 1): {
        "What": "a question",
        "The curve": READ,
        "It needs": lambda it: it.by_sigma["error"].notna().all(),
        "The paper": CITED,
        "Here": lambda it: it.by_sigma["error"].max() > 1.1 * it.by_sigma["error"].min(),
        "But": FACT,
        "The solid": lambda it: not it.estimate.refused,
    },
    (5, 2): {
        "A star": READ,
        "By default": lambda it: is_near(
            it.models["PCA-AN"].sample_weight_.astype(bool).mean(), 0.8
        ),
        "No:": lambda it: it.rows["error"].idxmin() == "PCA-AN",
        "But 80%": lambda it: is_near(it.is_occluded.mean(), 0.2),
        "How": "a question",
        "The page": lambda it: np.array_equal(it.estimate.is_occluded, it.is_occluded),
    },
    (5, 3): {
        "Compare": READ,
        "Now half": lambda it: is_near(it.is_occluded.mean(), 0.5),
        "No:": lambda it: it.change("PCA-AN") < it.change() < 0,
        "The wrong": lambda it: it.rows["error"].idxmin() == "PCA-AN",
        "Measure": ADVICE,
    },
    (5, 4): {
        "Compare": READ,
        "The occlusion": lambda it: STEPS[5, 4].settings["seeds"] == 5,
        "No:": lambda it: abs(np.diff(it.by_seed["mean"])[0]) < it.by_seed["std"].min(),
        "One": ADVICE,
    },
    (5, 5): {
        "The error is an": READ,
        "The curves": READ,
        "The error is smallest": lambda it: it.by_rank.loc[
            it.by_rank["error"].idxmin(), "collapsed"
        ],
        "The estimated": lambda it: untold.is_collapsed_at_the_estimate(it),
        "From c": lambda it: it.by_rank.loc[55:, "collapsed"].all(),
    },
    **untold.CLAIMS,
    **regimes.CLAIMS,
}
