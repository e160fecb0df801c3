"""Lesson: choosing σ and c honestly."""

from epca.lessons.step import PAPER, Lesson, Step

LESSON = Lesson(
    "Choosing σ and c honestly",
    "Learn what you may tune by when you do not have the clean images.",
    (
        Step(
            page="tune",
            settings=PAPER | {"sweep": True},
            look="The curve of the error is marked as an oracle.",
            question="Why can nobody use it on real data?",
            hint="What is the error measured against?",
            answer="It needs the clean images, and whoever has those need not reconstruct "
            "anything. The paper tunes σ by this curve. Here the best σ is {best}. But up to 2⁰ "
            "the error changes by only {flat}: you lose nothing by not knowing the best σ. The "
            "solid curve beside it, the estimated error, needs no clean image.",
            facts={"best": "2⁻²⁰", "flat": "0.0%"},
            choices=("It is the same at every σ", "It needs the clean images"),
            right=1,
            target="sweeps_part",
        ),
        Step(
            page="compare",
            settings=PAPER | {"methods": ["EPCA", "PCA-AN", "PCA"]},
            look="By default PCA-AN trusts 80% of the images.",
            question="Does EPCA have the smallest error?",
            hint="A star marks the best of a column.",
            answer="No: against PCA's error, PCA-AN's is {an} and EPCA's is {epca}. But 80% is "
            "exactly the share of clean images here. How would you know that share on real data? "
            "The page Tune estimates it without clean images: {found} of 400 images look occluded.",
            facts={"an": "−27.4%", "epca": "−14.2%", "found": "80"},
            choices=("Yes", "No, PCA-AN has", "No, PCA has"),
            right=1,
        ),
        Step(
            page="compare",
            settings=PAPER | {"methods": ["EPCA", "PCA-AN", "PCA"], "samples": 50, "pixels": 60},
            look="Now half of the images are occluded, so 80% is wrong.",
            question="Does PCA-AN lose its lead?",
            hint="Compare the errors against PCA's.",
            answer="No: against PCA's error, PCA-AN's is {an} and EPCA's is {epca}. The wrong "
            "guess did no harm here. Measure before you believe.",
            facts={"an": "−37.3%", "epca": "−19.2%"},
            choices=("Yes, EPCA leads now", "Yes, PCA leads now", "No, it still leads"),
            right=2,
        ),
        Step(
            page="compare",
            settings=PAPER | {"methods": ["EPCA", "PCA-OM"], "repeat": True, "seeds": 5},
            look="The occlusion is drawn with five seeds instead of one.",
            question="Is the difference between EPCA and PCA-OM larger than the spread?",
            hint="Compare the means with the numbers after ±.",
            answer="No: the mean errors differ by less than {difference} million, and their spread "
            "over the seeds is {spread} million. One seed proves nothing.",
            facts={"difference": "0.1", "spread": "2.1"},
            choices=("Yes, by far", "Both are about the same", "No, the spread is far larger"),
            right=2,
            target="over_seeds",
        ),
        Step(
            page="tune",
            settings=PAPER | {"csweep": True},
            look="The curves show the error and k, the number of activated images, over the "
            "rank c.",
            question="Which c has the smallest error, and what happens to k there?",
            hint="The error is an oracle here too; k is not.",
            answer="The error is smallest at c = {best}, where k is {k}: whoever tunes by the "
            "error picks a collapsed fit. The estimated error, which needs no clean image, is "
            "smallest at c = {estimated}. From c = {collapse} on, k stays at 2, and you can see "
            "that without clean images, too.",
            facts={"best": "55", "k": "2", "estimated": "55", "collapse": "55"},
            choices=(
                "c = {best}, and k is only {k} there",
                "c = 30, and k is 13 there",
                "c = 100, and k is largest there",
            ),
            right=0,
            target="sweeps_part",
        ),
    ),
)
