"""Claims and facts of the lesson on samples and pixels."""

import numpy as np

from epca import METHODS
from epca.experiment import run
from tests.lessons.checks import ADVICE, FACT, READ, is_near, sign
from tests.lessons.measured import STEPS, Measured


def ignored(it, label="Cauchy PCA"):
    """The pixels (n, d) that the fit trusts less than half."""
    return it.models[label].cell_weight_ < 0.5


def against_pca(it):
    return {
        "epca": sign(it.change()),
        "an": sign(it.change("PCA-AN")),
        "cauchy": sign(it.change("Cauchy PCA")),
    }


def of_the_noise_images(it):
    share = ignored(it)[it.occluded.samples].mean()
    return against_pca(it) | {"ignored": f"{share:.0%}"}


def is_off(it):
    """The occluded pixels (n, d) that are off by more than κ."""
    kappa = it.models["Cauchy PCA"].cell_scale_
    return np.abs(it.occluded.X - it.prepared.clean) > kappa


def of_the_ignored(it):
    mask = it.occluded.mask
    return {
        "hit": f"{ignored(it)[mask].mean():.0%}",
        "false": f"{ignored(it)[~mask].mean():.1%}",
        "kappa": f"{it.models['Cauchy PCA'].cell_scale_:.0f}",
        "far": f"{ignored(it)[is_off(it)].mean():.0%}",
    }


def robust_error(it, label):
    made = it.models[label].reconstruct(it.occluded.X, robust=True)
    return np.square(made - it.prepared.clean).sum()


def gain(it, label="EPCA"):
    return f"{1 - robust_error(it, label) / it.rows.loc[label, 'error']:.0%}"


def of_robust_reconstructions(it):
    left = 1 - robust_error(it, "Cauchy PCA") / robust_error(it, "EPCA")
    return {"gain": gain(it), "left": f"{left:.0%}"}


def of_the_squares(it):
    clean = run(it.scenario.at(samples=0.0), ["PCA"]).table["error"][0]
    return against_pca(it) | {"times": f"{it.rows.loc['PCA-AN', 'error'] / clean:.1f}"}


def judge_images_and_pixels(it):
    return METHODS["Cauchy PCA"].is_cellwise and not any(
        METHODS[label].is_cellwise for label in ("PCA", "EPCA", "PCA-AN")
    )


def is_hit_in_a_tenth(it):
    return np.allclose(it.occluded.mask.mean(axis=1), 0.1, atol=0.001)


def judging_images_wins(it):
    errors = it.rows["error"]
    return errors[["EPCA", "PCA-AN"]].max() < errors["PCA"] < errors["Cauchy PCA"]


def trusts_all_images_alike(it):
    """No weight is twice another, and the best error is no better than PCA's."""
    weights = it.models["EPCA"].sample_weight_
    return weights.max() < 2 * weights.min() and abs(it.change()) < 0.005


def leaves_a_fifth_out(it):
    return np.mean(it.models["PCA-AN"].sample_weight_ == 0) == 0.2 and it.change("PCA-AN") > 0


def is_noise_near_the_truth(it):
    """Nearly half of the occluded pixels are off by less than κ."""
    return is_off(it)[it.occluded.mask].mean() < 0.6


def is_the_experiment_before(it):
    return Measured(STEPS[7, 3], it.faces).scenario == it.scenario


def learns_from_trusted_pixels(it):
    """What is ignored counts little in Cauchy PCA's fit; EPCA has one weight for a whole image."""
    weights = it.models["Cauchy PCA"].cell_weight_
    return weights[ignored(it)].mean() < 0.3 and not hasattr(it.model, "cell_weight_")


def nobody_wins(it):
    """Two are like PCA; the best leaves three times what PCA does without occlusion."""
    small = max(abs(it.change()), abs(it.change("Cauchy PCA")))
    return small < 0.02 and it.rows["error"].idxmin() == "PCA-AN"


def gives_back_black(it):
    mask = it.occluded.mask
    for model in it.models.values():
        made = model.reconstruct(it.occluded.X)[mask]
        to_face = np.abs(made - it.prepared.clean[mask]).mean()
        if to_face <= np.abs(made - it.occluded.X[mask]).mean():
            return False
    return np.all(it.occluded.X[mask] == 0)


FACTS = {
    (7, 1): of_the_noise_images,
    (7, 2): lambda it: {
        "n": str(it.is_occluded.sum()),
        "share": f"{1 - it.occluded.mask.mean():.0%}",
    },
    (7, 3): against_pca,
    (7, 4): of_the_ignored,
    (7, 5): of_robust_reconstructions,
    (7, 6): of_the_squares,
}
CLAIMS = {
    (7, 1): {
        "A fifth": lambda it: (
            is_near(it.is_occluded.mean(), 0.2) and it.occluded.mask[it.occluded.samples].all()
        ),
        "EPCA and": judge_images_and_pixels,
        "Read": READ,
        "Judging": judging_images_wins,
        "Against": FACT,
        "Cauchy PCA's": FACT,
    },
    (7, 2): {
        "Now every": lambda it: it.is_occluded.all() and it.occluded.mask.any(axis=0).all(),
        "The page": READ,
        "Compare": READ,
        "None": FACT,
        "But": is_hit_in_a_tenth,
    },
    (7, 3): {
        "The same": is_hit_in_a_tenth,
        "The methods": READ,
        "Read": READ,
        "For nothing": lambda it: it.change("PCA-AN") > 0,
        "EPCA's": trusts_all_images_alike,
        "PCA-AN's": leaves_a_fifth_out,
        "Cauchy PCA": judge_images_and_pixels,
    },
    (7, 4): {
        "White in the": READ,
        "White in a": READ,
        "Compare": READ,
        "Noise may": is_noise_near_the_truth,
        "Those": ADVICE,
        "It ignores": FACT,
        "Many": is_noise_near_the_truth,
        "EPCA judges": lambda it: not it.model.is_cellwise,
    },
    (7, 5): {
        "Now every": READ,
        "The subspaces": is_the_experiment_before,
        "Compare": READ,
        "No.": ADVICE,
        "Its error": lambda it: gain(it) == gain(it, "PCA"),
        "Cauchy PCA's": learns_from_trusted_pixels,
    },
    (7, 6): {
        "A fifth": lambda it: is_near(it.is_occluded.mean(), 0.2),
        "Read": READ,
        "Nobody": nobody_wins,
        "EPCA's": FACT,
        "PCA-AN": lambda it: it.rows["error"].idxmin() == "PCA-AN",
        "All four": gives_back_black,
    },
}
