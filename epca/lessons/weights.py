"""Lesson: weights and activation."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "Weights and activation",
    "Which samples a method trusts, and how much that does.",
    (
        Step(
            page="activated",
            settings={},
            look="The dots on the left: few images have a weight α above zero.",
            question="How many are activated, and is an occluded one among them?",
            hint="The sentence at the top reads the picture.",
            answer="{k} of 400, and {clean} are clean. EPCA never knew who was occluded.",
            facts={"k": "13", "clean": "13 of 13"},
        ),
        Step(
            page="activated",
            settings={"c": 10},
            look="A smaller subspace.",
            question="Are more or fewer images activated? Why?",
            hint="Residuals are more alike when none is fitted closely.",
            answer="More: {k} of 400. In Eq. 12 a sample joins as long as √f is below the level √λ; the more alike the "
            "losses, the more do.",
            facts={"k": "32"},
        ),
        Step(
            page="framework",
            settings={"losses": "1, 4, 9, 16, 25"},
            look="The water-filling panel: bars of √f and the level √λ.",
            question="Of the losses 1, 4, 9, 16, 25, how many are activated?",
            hint="√f is 1, 2, 3, 4, 5. The level for k samples is their sum divided by k − 1; the last one must be below it.",
            answer="{k}: the level is (1 + 2)/1 = 3, and the third, √9 = 3, is not below it. The weights are {first} and {second}.",
            facts={"k": "2", "first": "0.667", "second": "0.333"},
        ),
        Step(
            page="activated",
            settings={"show": "activated"},
            look="Choose the image with the largest α and read its direct weight 1/(1 − α).",
            question="How much more does it count than an inactive image with the same residual?",
            hint="An inactive image has direct weight 1.",
            answer="{weight} times as much. Inactive images still count: the robust loss tames them, α does not silence them.",
            facts={"weight": "1.28"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-OM"]},
            look="PCA-OM is the limit of EPCA without the weights α, at small σ.",
            question="How much do the weights change the result?",
            hint="Compare the errors, then the weights' share of the objective on the page Activated samples.",
            answer="Hardly at all: the weights make {share} of the objective, and the errors differ by {difference}. The "
            "robust loss does the work; α tells whom the fit trusts.",
            facts={"share": "0.13%", "difference": "0.1%"},
        ),
    ),
)
