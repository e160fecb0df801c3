"""Lesson: masking and collapse."""

from epca.lessons.step import PAPER, Lesson, Step

LESSON = Lesson(
    "Masking and collapse",
    "Learn when *activated* no longer means *clean*, and what cures it.",
    (
        Step(
            page="activated",
            settings=PAPER,
            look="In the outlier map at c = 30, no image lies near the bottom. The height is the "
            "residual.",
            question="How close does any image come to being fitted exactly?",
            hint="Compare the smallest residual with a typical one.",
            answer="Not close: the smallest residual is {ratio} of the median. This fit is "
            "healthy.",
            facts={"ratio": "43%"},
            choices=(
                "Some images are fitted exactly",
                "All images are fitted about equally well",
                "Not close: no residual is below a third of the median",
            ),
            right=2,
            target="outlier_map",
        ),
        Step(
            page="activated",
            settings=PAPER | {"c": 100},
            look="With c = 100 for 400 images, a notice appears.",
            question="How many images are activated now, and how many of them are clean?",
            hint="The sentence beside the title says it.",
            answer="{k} are activated, and {clean} are clean. A subspace of c dimensions can pass "
            "through any c + 1 points. Here it passes through occluded images. Their residuals are "
            "small only because the fit used them, and that earns them more weight still.",
            facts={"k": "2", "clean": "0 of 2"},
            choices=(
                "{k}, and none of them is clean",
                "{k}, and both are clean",
                "101, and most of them are clean",
            ),
            right=0,
            target="notice",
        ),
        Step(
            page="watch",
            settings=PAPER | {"c": 60},
            look="At c = 60, step through the iterations and watch the smallest residual.",
            question="Does the collapse come early or late?",
            hint="Find the iteration in which the smallest residual falls below 1% of the median.",
            answer="Late: in iteration {first} of {last}. With a looser tolerance the fit would "
            "have stopped before it. That is no cure: at c = 100 a fit with the second run's "
            "tolerance collapses, too.",
            facts={"first": "10", "last": "16"},
            choices=(
                "Early, in the first iteration",
                "Late, in iteration {first} of {last}",
                "It does not come",
            ),
            right=1,
        ),
        Step(
            page="home",
            settings=PAPER | {"c": 100},
            look="These are the numbers of c = 100.",
            question="Would the error have told you about the collapse?",
            hint="Look at the sign of “EPCA's error against PCA's”.",
            answer="No: EPCA's error against PCA's is still {change}. Only the residuals and α "
            "show the collapse.",
            facts={"change": "−6.9%"},
            choices=("No, EPCA's error is still below PCA's", "Yes, EPCA's error is above PCA's"),
            right=0,
            target="numbers",
        ),
        Step(
            page="activated",
            settings=PAPER | {"c": 100, "sigma": 20},
            look="The rank c is the same, and σ is 1,050,000 (2²⁰).",
            question="Does a large σ cure the collapse, and at what price?",
            hint="Look for the notice here, then read “EPCA's error against PCA's” on Home.",
            answer="The notice is gone, and {clean} activated images are clean. But EPCA's error "
            "against PCA's is {change}: with so large a σ, EPCA is nearly PCA.",
            facts={"clean": "11 of 11", "change": "−0.1%"},
            choices=(
                "It does not: the notice stays",
                "It does, and EPCA keeps its lead over PCA",
                "It does, but EPCA is then nearly PCA",
            ),
            right=2,
            target="head",
        ),
        Step(
            page="activated",
            settings=PAPER | {"c": 100, "left_out": True},
            look="The rank is the same, σ is 1 again, and left-out residuals are on: every image "
            "is judged by its residual in a fit without it.",
            question="Which images are activated now?",
            hint="The sentence beside the title says it. Look for the notice, too.",
            answer="{k} images, and {clean} are clean. The notice is gone, for no image can earn "
            "trust by being fitted exactly. The error is {change} below that of plain EPCA. But "
            "this is no longer the paper's method, and no theorem says that its objective falls.",
            facts={"k": "19", "clean": "19 of 19", "change": "13.5%"},
            choices=("Occluded ones only", "{k} images, all of them clean", "None at all"),
            right=1,
            target="strip",
        ),
        Step(
            page="activated",
            settings=PAPER | {"kind": "other-class"},
            look="This is another occlusion, at c = 30: a fifth of the images are replaced, each "
            "by an image of somebody else.",
            question="Which images does EPCA trust now?",
            hint="Look at the activated images side by side.",
            answer="The wrong ones: {clean} activated images is clean. They all show the same "
            "picture: image {source}, and {copies} images that it replaced. The {occluded} "
            "replaced images show {different} different pictures, and no picture occurs more "
            "often than this one. Images that agree with each other mask themselves: a small "
            "residual proves nothing.",
            facts={
                "clean": "1 of 4",
                "source": "58",
                "copies": "3",
                "occluded": "80",
                "different": "74",
            },
            choices=(
                "Clean images only",
                "Images of several people",
                "Copies of one picture, most of them in a wrong place",
            ),
            right=2,
            target="strip",
        ),
        Step(
            page="activated",
            settings=PAPER | {"kind": "other-class", "left_out": True},
            look="The same images, and left-out residuals are on.",
            question="Do left-out residuals help against copies?",
            hint="Compare the activated images with those of the step before.",
            answer="No: {clean} activated images is clean, and they are the same ones. An image "
            "that is left out still has its copies in the fit, and they vouch for it. The notice "
            "therefore asks for duplicates.",
            facts={"clean": "1 of 4"},
            choices=(
                "No, the same images are activated",
                "Yes, all activated images are clean now",
                "Partly, half of them are clean now",
            ),
            right=0,
            target="strip",
        ),
    ),
)
