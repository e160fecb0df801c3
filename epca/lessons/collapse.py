"""Lesson: masking and collapse."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "Masking and collapse",
    "When “activated” no longer means “clean”.",
    (
        Step(
            page="activated",
            settings={},
            look="In the outlier map at c = 30, occluded images lie far above the cut-off.",
            question="How close does any image come to being fitted exactly?",
            hint="Compare the smallest residual with a typical one.",
            answer="Not close: the smallest residual is {ratio} of the median. This fit is "
            "healthy.",
            facts={"ratio": "43%"},
        ),
        Step(
            page="activated",
            settings={"c": 100},
            look="With c = 100 for 400 images, a notice appears.",
            question="How many images are activated now, and how many of them are clean?",
            hint="Read the sentence at the top.",
            answer="{k} are activated, and {clean} are clean. A subspace of c dimensions can pass "
            "through any c + 1 points. Here it passes through occluded images, and the objective "
            "rewards that.",
            facts={"k": "2", "clean": "0 of 2"},
        ),
        Step(
            page="watch",
            settings={"c": 60},
            look="At c = 60, step through the iterations and watch the smallest residual.",
            question="Does the collapse come early or late?",
            hint="Find the iteration in which the smallest residual falls below 1% of the median.",
            answer="Late: in iteration {first} of {last}. With a looser tolerance the fit would "
            "have stopped before it.",
            facts={"first": "10", "last": "16"},
        ),
        Step(
            page="home",
            settings={"c": 100},
            look="This is c = 100 again, on Home.",
            question="Would the reconstruction error have told you about the collapse?",
            hint="Look at its sign.",
            answer="No: EPCA's error against PCA's is still {change}. Only the residuals and α "
            "show the collapse.",
            facts={"change": "−6.9%"},
        ),
        Step(
            page="activated",
            settings={"c": 100, "sigma": 20},
            look="The rank is the same, and σ is large.",
            question="Does this cure the collapse, and at what price?",
            hint="Look for the notice here, then read the first number on Home.",
            answer="The notice is gone and {clean} activated images are clean. But EPCA's error "
            "against PCA's is {change}: with so large a σ, EPCA is nearly PCA.",
            facts={"clean": "11 of 11", "change": "−0.1%"},
        ),
        Step(
            page="activated",
            settings={"kind": "other-class"},
            look="This is another occlusion, at c = 30: a fifth of the images are replaced, each "
            "by an image of somebody else.",
            question="Which images does EPCA trust now?",
            hint="Look at the activated images side by side.",
            answer="The wrong ones: {clean} activated images are clean. All of them show the same "
            "face. Outliers that agree with each other mask themselves; a small residual proves "
            "nothing.",
            facts={"clean": "1 of 4"},
        ),
    ),
)
