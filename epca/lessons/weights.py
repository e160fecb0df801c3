"""Lesson: weights and activation."""

from epca.lessons.step import PAPER, Lesson, Step

LESSON = Lesson(
    "Weights and activation",
    "See which images EPCA trusts, and how much that matters.",
    (
        Step(
            page="activated",
            settings=PAPER,
            look="The strip shows the activated images, largest α first. All others have α = 0.",
            question="How many images are activated, and is any of them occluded?",
            hint="The sentence beside the title says it.",
            answer="{k} of 400 images are activated, and {clean} are clean. EPCA was never told "
            "which images are occluded.",
            facts={"k": "13", "clean": "13 of 13"},
            choices=(
                "{k}, and none is occluded",
                "{k}, and about a fifth are occluded",
                "320, all that are clean",
            ),
            right=0,
            target="strip",
        ),
        Step(
            page="activated",
            settings=PAPER | {"c": 10},
            look="The subspace is smaller now: the rank c is 10 instead of 30.",
            question="Are more or fewer images activated? Why?",
            hint="The losses differ less when no image is fitted closely.",
            answer="More: {k} of 400. By Eq. 12 an image is activated if its √f is below the level "
            "√λ. The more alike the losses are, the more of them are below it.",
            facts={"k": "32"},
            choices=(
                "Fewer, for the subspace is smaller",
                "As many as before, for α does not depend on c",
                "More, for the losses are more alike",
            ),
            right=2,
            target="strip",
        ),
        Step(
            page="framework",
            settings=PAPER | {"losses": "1, 4, 9, 16, 25"},
            look="The bars have the heights √f, and the line is the level √λ.",
            question="How many of the losses 1, 4, 9, 16, 25 are activated?",
            hint="√f is 1, 2, 3, 4, 5. The level of the first k is their sum divided by k − 1, and "
            "the last of them must be below it.",
            answer="{k}: their level is (1 + 2)/1 = 3, and the third, √9 = 3, is not below it. The "
            "weights are {first} and {second}.",
            facts={"k": "2", "first": "0.667", "second": "0.333"},
            choices=("1", "2", "3", "5"),
            right=1,
            target="own_losses",
        ),
        Step(
            page="activated",
            settings=PAPER | {"sel": [329]},
            look="The image with the largest α is selected. Read its direct weight 1/(1 − α).",
            question="How much more does it count than an image that is not activated, if both "
            "have the same residual?",
            hint="An image that is not activated has direct weight 1.",
            answer="It counts {weight} times as much. Images that are not activated still count: "
            "the σ-loss tames them, and α does not silence them.",
            facts={"weight": "1.28"},
            choices=("As much as the other", "{weight} times as much", "About ten times as much"),
            right=1,
            target="inspector",
        ),
        Step(
            page="compare",
            settings=PAPER | {"methods": ["EPCA", "PCA-OM"]},
            look="At a small σ, PCA-OM is EPCA without the weights α.",
            question="How much do the weights change the result?",
            hint="Compare the errors. The sentence on the page Activated gives the weights' share "
            "of the objective.",
            answer="Hardly at all: the weights make up {share} of the objective, and the errors "
            "differ by {difference}. The σ-loss does the work; α tells which images the fit "
            "trusts.",
            facts={"share": "0.13%", "difference": "0.1%"},
            choices=("Hardly at all", "They halve the error", "They add a tenth to the error"),
            right=0,
        ),
    ),
)
