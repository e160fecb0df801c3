"""Lesson: tuning without the truth."""

from epca.lessons.step import PAPER, Lesson, Step

HEAVY = PAPER | {"samples": 50, "pixels": 60}

LESSON = Lesson(
    "Tuning without the truth",
    "Learn how c, σ and the method can be chosen from the occluded images alone, and when not.",
    (
        Step(
            page="tune",
            settings=PAPER | {"suggest": "rank"},
            look="Above, a c is suggested without a clean image. Outlined are six of the images "
            "that look occluded, as given and as estimated.",
            question="How can a fit be judged without the clean images?",
            hint="Read how many images look occluded, and look at what became of them.",
            answer="By an estimate of them. {found} of 400 images look occluded, and the pixels "
            "that do not fit are replaced. A fit is judged by its distance from the images so "
            "estimated. Of the ranks tried, c = {best} comes closest.",
            facts={"found": "80", "best": "50"},
            choices=(
                "By its own residuals",
                "By its distance from an estimate of the clean images",
                "Not at all",
            ),
            right=1,
            target="looks",
        ),
        Step(
            page="tune",
            settings=PAPER | {"csweep": True},
            look="The dashed curve is the error, which needs clean images. The solid curve is the "
            "estimated error, which needs none.",
            question="Do both have their lowest point at the same c?",
            hint="Two vertical lines mark the lowest points.",
            answer="Yes, at c = {best}. The levels differ: {estimated} million and {error} "
            "million. So compare estimated errors with each other only. And look at k: it is {k} "
            "there. A fit can have the smallest error and be collapsed.",
            facts={"best": "55", "estimated": "122.3", "error": "119.3", "k": "2"},
            choices=(
                "Yes, at c = {best}",
                "No, the solid curve has it at a smaller c",
                "No, the solid curve has it at a larger c",
            ),
            right=0,
            target="sweeps_part",
        ),
        Step(
            page="tune",
            settings=HEAVY | {"csweep": True},
            look="Now half of the images are occluded, on 60% of their pixels.",
            question="What does it cost to trust the solid curve?",
            hint="The sentence below the curves compares the two errors.",
            answer="It is lowest at c = {chosen}, the error at c = {best}. At c = {chosen} the "
            "error is {regret} above the lowest. At c = 30 it would be {fixed} above it.",
            facts={"chosen": "10", "best": "20", "regret": "2.6%", "fixed": "7.7%"},
            choices=(
                "Nothing: both curves are lowest at the same c",
                "More than to stay at c = 30",
                "{regret} more error than the lowest",
            ),
            right=2,
            target="sweeps_part",
        ),
        Step(
            page="tune",
            settings=HEAVY | {"suggest": "method"},
            look="With the same occlusion, a method is suggested for c = 30.",
            question="How does PCA-AN know how many images to trust?",
            hint="Its k stands behind its name.",
            answer="From the estimate: {k} images look clean, so k = {k}. Against PCA's error, "
            "PCA-AN's is {told} then. With 80% of the images, its default, it is {default}.",
            facts={"k": "200", "told": "−48.0%", "default": "−37.3%"},
            choices=(
                "It always trusts 80% of them",
                "It trusts as many as look clean",
                "It trusts all of them",
            ),
            right=1,
            target="sweeps_part",
        ),
        Step(
            page="tune",
            settings=PAPER | {"kind": "salt-and-pepper", "pixels": 5, "suggest": "rank"},
            look="A fifth of the images are occluded again, by salt and pepper on 5% of their "
            "pixels.",
            question="Should you follow this suggestion?",
            hint="Read the warning, and how many images look occluded.",
            answer="No. Only {found} of 400 images look occluded, though {occluded} are: so small "
            "an occlusion is seldom noticed. The estimated error then falls with every c, and "
            "c = {chosen} is merely the largest one tried. There the error is {regret} above the "
            "lowest.",
            facts={"found": "14", "occluded": "80", "chosen": "100", "regret": "27%"},
            choices=(
                "No, it is merely the largest c tried",
                "Yes, the occluded images were all noticed",
                "Yes, the error there is within 5% of the lowest",
            ),
            right=0,
            target="sweeps_part",
        ),
        Step(
            page="tune",
            settings=PAPER | {"kind": "other-class", "suggest": "rank"},
            look="Now a fifth of the images are replaced, each by a clean image of somebody else.",
            question="Can any estimate notice that?",
            hint="Is there anything wrong with a single one of these images?",
            answer="No. Each of them is a clean image: {found} of 400 look occluded, and only "
            "{hits} of these are among the {occluded} replaced ones. What looks right and stands "
            "in the wrong place cannot be seen without the truth.",
            facts={"found": "6", "hits": "2", "occluded": "80"},
            choices=(
                "Yes, most of the replaced images look occluded",
                "No, each of them is a clean image",
            ),
            right=1,
            target="sweeps_part",
        ),
    ),
)
