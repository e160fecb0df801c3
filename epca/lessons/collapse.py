"""Lesson: masking and collapse."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "Masking and collapse",
    "When “activated” no longer means “clean”.",
    (
        Step(
            page="activated",
            settings={},
            look="The outlier map at c = 30: occluded images lie high above the cut-off.",
            question="How close is the best-fitted image to being fitted exactly?",
            hint="Compare the smallest residual with a typical one.",
            answer="Not close: the smallest residual is {ratio} of the median one. A healthy fit.",
            facts={"ratio": "43%"},
        ),
        Step(
            page="activated",
            settings={"c": 100},
            look="c = 100 for 400 images, and a notice.",
            question="How many are activated now, and how many of them are clean?",
            hint="Read the sentence.",
            answer="{k}, and {clean} of them are clean. A subspace of c dimensions passes through any c + 1 points; "
            "here it passes through occluded ones, and the objective rewards it.",
            facts={"k": "2", "clean": "0 of 2"},
        ),
        Step(
            page="watch",
            settings={"c": 60},
            look="c = 60. Step through the iterations and watch the smallest residual.",
            question="Does the collapse come early or late?",
            hint="Look where the smallest residual falls below 1% of the median.",
            answer="Late: in iteration {first} of {last}. A looser tolerance would have stopped before it.",
            facts={"first": "10", "last": "16"},
        ),
        Step(
            page="home",
            settings={"c": 100},
            look="The same setting on Home.",
            question="Would the reconstruction error have told you?",
            hint="Look at its sign.",
            answer="No: EPCA's error is still {change} against PCA's. Only the residuals and α show it.",
            facts={"change": "-6.9%"},
        ),
        Step(
            page="activated",
            settings={"c": 100, "sigma": 20},
            look="The same rank with a large σ.",
            question="Is it cured, and at what price?",
            hint="Look at the notice, then at Home.",
            answer="The notice is gone and {clean} are clean, but the error is {change} against PCA's: with so large a"
            " σ EPCA is nearly PCA.",
            facts={"clean": "11 of 11", "change": "-0.1%"},
        ),
        Step(
            page="activated",
            settings={"kind": "other-class"},
            look="Another occlusion: a fifth of the images is replaced by the same image of somebody else, at c = 30.",
            question="Whom does EPCA trust now?",
            hint="Images that repeat are fitted well by anyone.",
            answer="The wrong ones: {clean} of the activated are clean. Outliers that agree with each other mask "
            "themselves; a small residual is not a proof.",
            facts={"clean": "1 of 4"},
        ),
    ),
)
