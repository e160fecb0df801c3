"""The controls of single pages, one row each."""

from functools import cache
from typing import Any

from epca.data.clouds import PRESETS as CLOUDS
from epca.data.imageset import MASKS, NAN, NONE, TRANSPARENT
from epca.data.masks import RULE
from epca.registry import METHODS, PAPER_METHODS
from epca.ui.frame.rules import Among, Decimal, Several, Switch, Whole, Words
from epca.ui.frame.selected import JUDGE, SELECTED
from epca.ui.frame.settings import EXPONENTS, SETTINGS, Setting
from epca.views import waterfill
from epca.views.activated import FILTERS, SHOWN, SORTS
from epca.views.framework import LEARNERS, SIGMAS
from epca.views.grids import MOST_RANKS
from epca.views.paper import SOURCES, TABS
from epca.views.runs import TOL
from epca.views.shows import RECONSTRUCTIONS, SHOWS
from epca.views.suggestion import QUESTIONS
from epca.views.texts import WHO_TAKES_UNKNOWN, sigma_code, sigma_text
from epca.views.tune import MAP_VALUES, PARTS

PAPERS_OWN = "orl-cai"  # compared one to one
WHICH_SET = f"A set that this server has. Only {PAPERS_OWN} is the paper's own crop of ORL."


def labelled(labels: dict[str, str]) -> Among:
    """A choice among codes, each shown by its label."""
    return Among(tuple(labels), label=labels.__getitem__)


def _switch(key: str, label: str, text: str) -> Setting:
    return Setting(key, label, False, text, Switch())


SAME = "same"  # σ of the second run of Watch: that of the first
TOLERANCES = ("1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-8")
ANY_METHOD = Among(tuple(METHODS))


def _second_sigma(value: int | str) -> str:
    return "as in the sidebar" if value == SAME else sigma_text(value)


def _second_code(value: int | str) -> str:
    return SAME if value == SAME else sigma_code(value)


CONTROLS = {
    row.key: row
    for row in (
        SELECTED,
        JUDGE,
        # Data
        Setting(
            "upload_size",
            "Pixels of the longer side",
            32,
            "Larger pictures and arrays are resized to it, smaller ones stay as they are. Larger "
            "images take longer to fit.",
            Among((32, 48, 64)),
            control="segmented_control",
        ),
        _switch(
            "upload_occluded",
            "They are occluded as they come",
            "Then which ones are occluded is not known, nothing compares with a clean truth, and "
            "the sidebar's occlusion is set to 0.",
        ),
        Setting(
            "upload_unknown",
            "Unknown pixels",
            NONE,
            "NaN in a .npy or .npz, pixels of pictures that are more than half transparent, or "
            f"what masks hide. {RULE} {WHO_TAKES_UNKNOWN}",
            labelled({NONE: "none", NAN: "NaN", TRANSPARENT: "transparent", MASKS: "mask images"}),
        ),
        # Activated
        Setting(
            "tab",
            "Show",
            "dots",
            "Charts of one dot per image, or all images to sort and filter.",
            labelled({"dots": "Subspace and outliers", "all": "All images"}),
            control="segmented_control",
        ),
        Setting("sort", "Sort by", "alpha", "The order of the gallery.", labelled(SORTS)),
        Setting("show", "Show", "all", f"Which images, {SHOWN} on a page.", labelled(FILTERS)),
        _switch("try", "Try a new face", "Sends a face through a model that never saw it."),
        Setting(
            "face",
            "Which face?",
            "left-out",
            "One of the data set, the model being fitted to all others; "
            "or a picture of yours through the model of this page.",
            labelled({"left-out": "one left out of the fit", "own": "one of yours"}),
            control="radio",
        ),
        Setting("out", "Image left out", 0, "The others are fitted anew.", Whole(0, 10**6)),
        # Activated and Compare
        _switch(
            "robust",
            "Robust reconstruction",
            "Reconstructs from the pixels that fit: bad ones are ignored. The paper projects: "
            "there a bad pixel is smeared over the whole image. Subspace, weights and residual "
            "lengths stay the same.",
        ),
        # Compare
        _switch(
            "cluster", "Clustering accuracy", "k-means on the coordinates, matched to classes."
        ),
        Setting("runs", "Runs of k-means", 20, "The paper takes 100.", Whole(1, 100)),
        _switch(
            "repeat", "Several seeds", "Mean ± standard deviation over seeds of the occlusion."
        ),
        Setting("seeds", "Seeds", 5, "Counted from the sidebar's on.", Whole(2, 20)),
        Setting(
            "pictures",
            "Pictures",
            RECONSTRUCTIONS,
            "What each method makes of an image, what it leaves over (occluded − reconstruction), "
            "how far it is from the truth (clean − reconstruction), one scale for all; which "
            "pixels it takes for occlusion, beside the mask; or its low-rank and sparse parts.",
            labelled(SHOWS),
            control="segmented_control",
        ),
        Setting("across", "Across", "PCA", "The method on the horizontal axis.", ANY_METHOD),
        Setting("up", "Up", "EPCA", "The method on the vertical axis.", ANY_METHOD),
        Setting("map_of", "Outlier map of", "EPCA", "The method of the middle chart.", ANY_METHOD),
        # Tune
        _switch("sweep", "Compute the σ sweep", f"{len(EXPONENTS)} fits at the present c."),
        _switch("fine", "Fine search around the lowest error (oracle)", "In quarter exponents."),
        _switch("csweep", "Compute the c sweep", f"Up to {MOST_RANKS} fits at the present σ."),
        _switch("map", "Compute the map", "It takes a while, and can be cancelled."),
        Setting(
            "part",
            "Suggest or sweep",
            None,  # what the switches ask for
            "Suggestions, or what changes from fit to fit. A click on a point sets σ and c.",
            labelled(PARTS),
            control="segmented_control",
        ),
        Setting(
            "map_value",
            "Colour",
            "error",
            "What the map shows. The error needs the clean images; the others do not.",
            labelled({code: value.label for code, value in MAP_VALUES.items()}),
            control="segmented_control",
        ),
        Setting(
            "suggest",
            "Suggest without clean images",
            None,
            "From the occluded images alone; all else stays as the sidebar has it. "
            "Click again to take it back.",
            labelled({name: question.label for name, question in QUESTIONS.items()}),
            control="segmented_control",
        ),
        _switch("loglog", "Log-log", "Logarithmic axes, and the weight d(t)."),
        # Watch
        Setting(
            "watch", "Face to watch", None, "Left empty: the first occluded one.", Whole(0, 10**6)
        ),
        Setting(
            "sigma2",
            "σ of the second run",
            SAME,
            "Another σ leads the same start elsewhere.",
            Among((SAME, *EXPONENTS), label=_second_sigma, code=_second_code),
        ),
        Setting(
            "tol2",
            "tol of the second run",
            "1e-3",
            f"A looser one stops earlier. The first run's is {TOL}.",
            Among(TOLERANCES),
        ),
        _switch(
            "left_out2",
            "Left-out residuals in the second run",
            "Judges every image by its residual in a fit without it: the guard against collapse. "
            "The sidebar has the same switch for the first run.",
        ),
        # Framework
        Setting(
            "learner",
            "Learner",
            "subspace",
            "What is learned: a line through the cloud (PCA), or y from x (least squares).",
            labelled({code: value.label for code, value in LEARNERS.items()}),
            control="segmented_control",
        ),
        Setting(
            "cloud",
            "Cloud",
            "one far outlier",
            "A preset to start from. It replaces your changes.",
            labelled(CLOUDS),
        ),
        Setting(
            "cloud_seed", "Draw", 0, "Another number draws another such cloud.", Whole(0, 9999)
        ),
        Setting(
            "sigma_2d",
            "σ",
            -3,
            "σ of the σ-loss, in the units of the plane. "
            "Smaller: more robust. Larger: closer to squared residuals.",
            Among(tuple(SIGMAS), label=sigma_text, code=sigma_code),
            control="select_slider",
        ),
        Setting(
            "gamma",
            "γ of the weights",
            1.0,
            "1 activates few points (sparse). Above 1 all points are activated, and a larger γ "
            "activates them more evenly (dense). For γ < 1 see the end of the page.",
            Decimal(1.0, 5.0, 0.5),
            control="slider",
        ),
        Setting(
            "losses",
            "Losses f",
            waterfill.EXAMPLE,
            f"{waterfill.FEWEST} to {waterfill.MOST} numbers above 0.",
            Words(waterfill.LONGEST),
        ),
        Setting(
            "gamma_losses",
            "γ of these weights",
            1.0,
            "1: sparse and unique. Above 1: all activated. Below 1: sparse, with several minima.",
            Decimal(0.2, 5.0, 0.1),
            control="slider",
        ),
        # Paper
        Setting(
            "source",
            "Figures from",
            "shipped",
            "A finished run over the paper's five data sets comes along; `epca reproduce` makes "
            "such runs.",
            labelled(SOURCES),
            control="segmented_control",
        ),
        Setting("paper_tab", "Show", "Table I", "A part of the run.", labelled(TABS)),
        Setting("paper_set", "Data set", PAPERS_OWN, WHICH_SET, Among((PAPERS_OWN,))),
        Setting("paper_seeds", "Seeds", 2, "Each draws its own occlusion.", Whole(1, 10)),
        Setting(
            "paper_runs",
            "Runs of k-means",
            0,
            "For Table III; the paper says 100. 0 leaves it out.",
            Whole(0, 20),
        ),
        Setting(
            "paper_ranks", "Ranks c", [10, 30], "The paper's; 50 is slow.", Several((10, 30, 50))
        ),
        Setting(
            "paper_methods",
            "Methods",
            list(PAPER_METHODS),
            "EPCA has three rows: one for each rule of choosing σ.",
            Several(PAPER_METHODS),
        ),
        # Learn
        _switch("teacher", "Teacher's page", "All links and answers, to print or hand out."),
    )
}


POINTS = "points"  # the key of Framework's points, a text that the address carries


@cache
def parameter_setting(label: str, name: str) -> Setting:
    """A method's own parameter."""
    parameter = METHODS[label].parameters[name]
    rule = Decimal(parameter.low, parameter.high, parameter.step)
    if parameter.choices:
        rule = Among(parameter.choices)
    default = METHODS[label](1).get_params()[name]
    return Setting(f"{label}_{name}", f"{label}: {name}", default, parameter.text, rule)


def own_parameters(label: str) -> list[str]:
    """The names of a method's parameters that the sidebar does not set."""
    shared = {row.field for row in SETTINGS.values()}
    return [name for name in METHODS[label].parameters if name not in shared]


def defaults() -> dict[str, Any]:
    """The default of every control of a page, by key."""
    own = [parameter_setting(label, name) for label in METHODS for name in own_parameters(label)]
    return {row.key: row.default for row in (*CONTROLS.values(), *own)} | {POINTS: ""}
