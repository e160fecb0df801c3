"""Lesson: what PCA does to occluded faces."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "What PCA does to occluded faces",
    "See where occlusion goes when every image counts alike.",
    (
        Step(
            page="home",
            settings={"samples": 0},
            look="Nobody is occluded. Compare the rows PCA and EPCA.",
            question="Does it matter which of the two you take?",
            hint="Read the first number: EPCA's error against PCA's.",
            answer="Hardly: EPCA's error is {change} against PCA's. PCA minimises just this error, so on clean data nobody"
            " beats it.",
            facts={"change": "+0.5%"},
        ),
        Step(
            page="data",
            settings={},
            look="Now a fifth of the images is occluded. Look at the rows Before, After and Mask.",
            question="How many images are occluded, and is it the same pixels in each?",
            hint="The text above the rows counts them; compare the masks.",
            answer="{occluded} of {n} images, and the same {pixels} pixels in each: this is how the paper occludes them.",
            facts={"occluded": "80", "n": "400", "pixels": "205"},
        ),
        Step(
            page="home",
            settings={},
            look="Look at the row PCA: the dots are still there.",
            question="By how much is EPCA's error smaller than PCA's?",
            hint="It is the first number.",
            answer="EPCA's error is {change} against PCA's. Both see the same occluded images; EPCA lets the badly fitting "
            "ones count less.",
            facts={"change": "-14.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["PCA", "EPCA", "PCA-AN"]},
            look="Go down to the components. One of PCA's shows the pattern of the occlusion.",
            question="Which one? And do the other methods have it?",
            hint="A direction that lies on the occluded pixels looks dotted. They are a fifth of all pixels.",
            answer="PCA's component number {dotted}: {pca} of its squared length lies on the occluded pixels, which are "
            "{share} of all. EPCA's has {epca} there, PCA-AN's {an}. PCA spends one of its directions on the "
            "occlusion.",
            facts={"dotted": "4", "pca": "39%", "share": "20%", "epca": "28%", "an": "22%"},
        ),
        Step(
            page="home",
            settings={"samples": 50, "pixels": 60},
            look="Half of the images lose more than half of their pixels.",
            question="Does the robust method still help?",
            hint="Look at the first number, then at the faces. Numbers and faces need not agree.",
            answer="EPCA's error is {change} against PCA's, and {clean} of the activated images are clean. The faces "
            "it gives back are still poor: an image that lost most of its pixels cannot be projected well by "
            "anyone.",
            facts={"change": "-19.2%", "clean": "22 of 22"},
        ),
    ),
)
