"""Lesson: choosing σ and c honestly."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "Choosing σ and c honestly",
    "What you may tune when you do not have the clean images.",
    (
        Step(
            page="tune",
            settings={"sweep": True},
            look="The curve of the error is marked as an oracle.",
            question="Why can nobody use it on real data?",
            hint="What is the error measured against?",
            answer="It needs the clean images, and whoever has those need not reconstruct "
            "anything. The paper tunes σ by this curve. Here the best σ is 2^{best}, but below 2^0 "
            "the error changes by only {flat}: you lose nothing by not knowing the best σ.",
            facts={"best": "−20", "flat": "0.0%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-AN", "PCA"]},
            look="By default PCA-AN trusts 80% of the images.",
            question="Does EPCA win?",
            hint="The star marks the best.",
            answer="No: against PCA's error, PCA-AN's is {an} and EPCA's is {epca}. But 80% is "
            "exactly the share of clean images here. Who would tell you that share on real data?",
            facts={"an": "−27.4%", "epca": "−14.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-AN", "PCA"], "samples": 50, "pixels": 60},
            look="Now half of the images are occluded, so 80% is wrong.",
            question="Does PCA-AN lose its lead?",
            hint="Read the column “against PCA”.",
            answer="No: against PCA's error, PCA-AN's is {an} and EPCA's is {epca}. The wrong "
            "guess did no harm here. Measure before you believe.",
            facts={"an": "−37.3%", "epca": "−19.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-OM"], "repeat": True, "seeds": 5},
            look="The occlusion is drawn five times instead of once.",
            question="Is the difference between EPCA and PCA-OM larger than the spread?",
            hint="Compare the means with the numbers after ±.",
            answer="No: the mean errors differ by {difference} million, and their spread over the "
            "seeds is {spread} million. One seed proves nothing.",
            facts={"difference": "0.1", "spread": "2.1"},
        ),
        Step(
            page="tune",
            settings={"csweep": True},
            look="The curves show the error and k over the rank c.",
            question="Which c has the smallest error, and what happens to k there?",
            hint="The error is an oracle here too; k is not.",
            answer="The error is smallest at c = {best}, where k is {k}: whoever tunes by the "
            "error picks a collapsed fit. From c = {collapse} on, k stays at 2, and you can see "
            "that without clean images.",
            facts={"best": "55", "k": "2", "collapse": "55"},
        ),
    ),
)
