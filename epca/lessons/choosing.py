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
            answer="It needs the clean images; who has them need not reconstruct anything. The paper tunes σ by it. The best σ is "
            "2^{best} here, but down from 2^0 the error moves by {flat} only: nothing is lost by not knowing it.",
            facts={"best": "-20", "flat": "0.0%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-AN", "PCA"]},
            look="PCA-AN with its default of 80% trusted samples.",
            question="Does EPCA win?",
            hint="The star marks the best.",
            answer="No: PCA-AN's error is {an} against PCA's, EPCA's {epca}. But 80% is exactly the share of clean "
            "images here; who tells you that?",
            facts={"an": "-27.4%", "epca": "-14.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-AN", "PCA"], "samples": 50, "pixels": 60},
            look="The same with half of the images occluded, so that 80% is wrong.",
            question="Does PCA-AN lose its lead?",
            hint="Compare the column against PCA.",
            answer="No: it is {an} against PCA's error, EPCA {epca}. A wrong guess did not hurt here; measure before you believe.",
            facts={"an": "-37.3%", "epca": "-19.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["EPCA", "PCA-OM"], "repeat": True, "seeds": 5},
            look="Five draws of the occlusion instead of one.",
            question="Is the difference between EPCA and PCA-OM larger than the spread?",
            hint="Compare the means with the ± behind them.",
            answer="No: the mean errors differ by {difference} million, the spread over seeds is {spread} million. One "
            "seed proves nothing.",
            facts={"difference": "0.1", "spread": "2.1"},
        ),
        Step(
            page="tune",
            settings={"csweep": True},
            look="Error and k over the rank c.",
            question="Which c has the smallest error, and what happens to k there?",
            hint="The error is an oracle here too; k is not.",
            answer="The error is smallest at c = {best}, and k is {k} there: who tunes by the error picks a collapsed fit. From "
            "c = {collapse} on k stays 2; that one sees without clean images.",
            facts={"best": "55", "k": "2", "collapse": "55"},
        ),
    ),
)
