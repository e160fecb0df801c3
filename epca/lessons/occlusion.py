"""Lesson: what PCA does to occluded faces."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "What PCA does to occluded faces",
    "See where the occlusion goes when every image counts the same.",
    (
        Step(
            page="home",
            settings={"samples": 0},
            look="No image is occluded. Compare the rows PCA and EPCA.",
            question="Does it matter which of the two you use?",
            hint="Read the first number, EPCA's error against PCA's.",
            answer="Hardly: EPCA's error against PCA's is {change}. PCA minimises exactly this "
            "error, so no method beats it on clean images.",
            facts={"change": "+0.5%"},
        ),
        Step(
            page="data",
            settings={},
            look="Now a fifth of the images are occluded. Look at the rows Before, After and Mask.",
            question="How many images are occluded, and are the same pixels occluded in each?",
            hint="The text above the rows counts the images. Compare the masks.",
            answer="{occluded} of {n} images are occluded, in the same {pixels} pixels each. The "
            "paper occludes them in this way.",
            facts={"occluded": "80", "n": "400", "pixels": "205"},
        ),
        Step(
            page="home",
            settings={},
            look="Look at the row PCA: the dots are still there.",
            question="How much smaller is EPCA's error than PCA's?",
            hint="It is the first number.",
            answer="EPCA's error against PCA's is {change}. Both methods see the same occluded "
            "images, but in EPCA badly fitted images count less.",
            facts={"change": "−14.2%"},
        ),
        Step(
            page="compare",
            settings={"methods": ["PCA", "EPCA", "PCA-AN"]},
            look="Scroll down to the components. One of PCA's shows the pattern of the occlusion.",
            question="Which one is it? Do the other methods have it too?",
            hint="A component that lies on the occluded pixels looks dotted. These pixels are a "
            "fifth of all.",
            answer="It is PCA's component number {dotted}: {pca} of its squared length lies on the "
            "occluded pixels, which are {share} of all pixels. EPCA's component has {epca} there, "
            "PCA-AN's has {an}. PCA spends one of its directions on the occlusion.",
            facts={"dotted": "4", "pca": "39%", "share": "20%", "epca": "28%", "an": "22%"},
        ),
        Step(
            page="home",
            settings={"samples": 50, "pixels": 60},
            look="Half of the images lose more than half of their pixels.",
            question="Does the robust method still help?",
            hint="Look at the first number, then at the faces. They need not agree.",
            answer="EPCA's error against PCA's is {change}, and {clean} activated images are "
            "clean. Still, the reconstructed faces are poor: no method can project an image well "
            "that has lost most of its pixels.",
            facts={"change": "−19.2%", "clean": "22 of 22"},
        ),
    ),
)
