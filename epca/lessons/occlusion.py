"""Lesson: what PCA does to occluded faces."""

from epca.lessons.step import PAPER, Lesson, Step

LESSON = Lesson(
    "What PCA does to occluded faces",
    "See where the occlusion goes when every image counts the same.",
    (
        Step(
            page="home",
            settings=PAPER | {"samples": 0},
            look="No image is occluded. Compare the rows PCA and EPCA.",
            question="Does it matter which of the two you use?",
            hint="Read “EPCA's error against PCA's”.",
            answer="Hardly: EPCA's error against PCA's is {change}. PCA minimises exactly this "
            "error, so no subspace of the same rank beats it on clean images.",
            facts={"change": "+0.5%"},
            choices=("Yes, PCA is far better", "Hardly", "Yes, EPCA is far better"),
            right=1,
        ),
        Step(
            page="data",
            settings=PAPER,
            look="Now a fifth of the images are occluded. The rows show faces before and after "
            "the occlusion, and the mask of their occluded pixels.",
            question="How many images are occluded, and are the same pixels occluded in each?",
            hint="The page counts the images in words. Compare the masks.",
            answer="{occluded} of {n} images are occluded, each in the same {pixels} pixels. The "
            "paper occludes images in this way.",
            facts={"occluded": "80", "n": "400", "pixels": "205"},
            choices=(
                "{occluded}, all in the same pixels",
                "{occluded}, each in pixels of its own",
                "All {n}, in the same pixels",
            ),
            right=0,
        ),
        Step(
            page="home",
            settings=PAPER,
            look="Look at the row PCA: the dots of the occlusion are still there.",
            question="How much smaller is EPCA's error than PCA's?",
            hint="Read “EPCA's error against PCA's”.",
            answer="EPCA's error against PCA's is {change}. Both methods get the same occluded "
            "images, but in EPCA badly fitted images count less.",
            facts={"change": "−14.2%"},
            choices=("By less than 1%", "By about half", "By 10 to 20%"),
            right=2,
        ),
        Step(
            page="compare",
            settings=PAPER | {"methods": ["PCA", "EPCA", "PCA-AN"]},
            look="These are the first ten components of each method. A component that lies on the "
            "occluded pixels looks dotted.",
            question="Which components of PCA are dotted? What about the other methods?",
            hint="The occluded pixels are the same in all images, a fifth of all pixels.",
            answer="Number {first} of PCA most of all: {most} of its squared length lies on the "
            "occluded pixels, which are {share} of all pixels. Number {second} follows with "
            "{next}, and number {third} is faint with {faint}. In EPCA no component has more than "
            "{epca} there, in PCA-AN none more than {an}. PCA spends directions on the occlusion.",
            facts={
                "first": "9",
                "most": "50%",
                "share": "20%",
                "second": "4",
                "next": "39%",
                "third": "7",
                "faint": "23%",
                "epca": "28%",
                "an": "22%",
            },
            choices=(
                "The first one, and so it is in the other methods",
                "Numbers {first} and {second}; hardly any in the other methods",
                "None; those of EPCA are",
            ),
            right=1,
            target="components",
        ),
        Step(
            page="home",
            settings=PAPER | {"samples": 50, "pixels": 60},
            look="Half of the images lose more than half of their pixels.",
            question="Does EPCA still help?",
            hint="Read “EPCA's error against PCA's”, then look at the faces. They need not agree.",
            answer="By the error, yes: against PCA's it is {change}, and {clean} activated images "
            "are clean. Still, the faces in the row EPCA are poor: the reconstruction of an "
            "occluded image is {times} times as far from the clean image as that of an image that "
            "was not occluded.",
            facts={"change": "−19.2%", "clean": "22 of 22", "times": "2.5"},
            choices=(
                "No, its error is larger than PCA's",
                "Yes, and its faces are as good as if all were clean",
                "Yes by the error, but its faces are poor",
            ),
            right=2,
        ),
    ),
)
