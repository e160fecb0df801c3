"""Lesson: choosing σ and c honestly."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "Choosing σ and c honestly",
    "What may be tuned without the clean images at hand.",
    (
        Step(
            page="tune",
            settings={"sweep": True},
            look="The curve of the error is marked as an oracle.",
            question="Why may nobody use it on real data?",
            hint="What does the error compare with?",
            answer="It needs the clean images, which one would then not have to reconstruct. The paper tunes σ by it. The "
            "best σ here is 2^{best}.",
            facts={"best": "?"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-AN", "PCA"]},
            look="PCA-AN with its default of 80 % trusted samples.",
            question="Does EPCA win?",
            hint="The star marks the best.",
            answer="No: PCA-AN's error is {an} against PCA's, EPCA's {epca}. But 80 % is exactly the share of undamaged "
            "images here; who tells you that?",
            facts={"an": "-27.4%", "epca": "-14.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-AN", "PCA"], "samples": 50, "pixels": 60},
            look="The same with half of the images damaged, so that 80 % is wrong.",
            question="Does PCA-AN lose its lead?",
            hint="Compare the column against PCA.",
            answer="No: it is {an} against PCA's error, EPCA {epca}. A wrong guess did not hurt here; measure before you believe.",
            facts={"an": "-37.4%", "epca": "-19.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-OM"], "repeat": True, "seeds": 5},
            look="Five draws of the damage instead of one.",
            question="Is the difference between EPCA and PCA-OM larger than the spread?",
            hint="Compare the means with the ± behind them.",
            answer="No: the mean errors differ by {difference} million, the spread over seeds is {spread} million. One "
            "seed proves nothing.",
            facts={"difference": "?", "spread": "?"},
        ),
        Step(
            page="tune",
            settings={"csweep": True},
            look="Error and k over the rank c.",
            question="Which c has the smallest error, and what happens to k there?",
            hint="The error is an oracle here too; k is not.",
            answer="The error is smallest at c = {best} of the ranks shown, where k is {k}. From c = {collapse} on k is 2:"
            " EPCA has collapsed, and that one can see without clean images.",
            facts={"best": "?", "k": "?", "collapse": "?"},
        ),
    ),
)
