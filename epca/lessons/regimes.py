"""Lesson: samples or pixels."""

from epca.lessons.step import PAPER, Lesson, Step

FIFTH = PAPER | {"kind": "noise-images"}
EVERY = PAPER | {"kind": "own-pixels", "samples": 100, "pixels": 10}
SQUARES = PAPER | {"kind": "block-black"}
FOUR = {"methods": ["PCA", "EPCA", "PCA-AN", "Cauchy PCA"]}

LESSON = Lesson(
    "Samples or pixels?",
    "Learn which occlusion a method can cope with: of whole images, of single pixels, or neither.",
    (
        Step(
            page="compare",
            settings=FIFTH | FOUR,
            look="A fifth of the images are noise, the others are clean. EPCA and PCA-AN judge "
            "whole images, Cauchy PCA judges single pixels.",
            question="Which kind of judging wins?",
            hint="Read “against PCA”.",
            answer="Judging images. Against PCA's error, EPCA's is {epca} and PCA-AN's {an}. "
            "Cauchy PCA's is {cauchy}: of the pixels of the noise images it ignores {ignored}, and "
            "it learns from the others.",
            facts={"epca": "−36.0%", "an": "−42.9%", "cauchy": "+9.6%", "ignored": "37%"},
            choices=("Judging images", "Judging pixels", "Neither: PCA is best"),
            right=0,
        ),
        Step(
            page="data",
            settings=EVERY,
            look="Now every image is occluded, each in pixels of its own.",
            question="How many clean images are left to learn from? How much of an image is clean?",
            hint="The page counts images and pixels in words. Compare the masks.",
            answer="None of {n} images is clean: whoever looks for clean images looks in vain. But "
            "{share} of the pixels of every image are clean.",
            facts={"n": "400", "share": "90%"},
            choices=(
                "320 images; they are clean as a whole",
                "None, and a tenth of every image",
                "None, but {share} of every image",
            ),
            right=2,
        ),
        Step(
            page="compare",
            settings=EVERY | FOUR,
            look="The same occlusion: a tenth of the pixels of every image. The methods are those "
            "of the first step.",
            question="What is judging images good for now?",
            hint="Read “against PCA”.",
            answer="For nothing. EPCA's error against PCA's is {epca}: no image deserves much more "
            "trust than another. PCA-AN's is {an}: it leaves a fifth of the images out all the "
            "same. Cauchy PCA judges pixels, and its error is {cauchy}.",
            facts={"epca": "−0.2%", "an": "+21.8%", "cauchy": "−26.2%"},
            choices=("It wins again", "For nothing", "It is as good as judging pixels"),
            right=1,
        ),
        Step(
            page="compare",
            settings=EVERY | {"methods": ["EPCA", "PCP", "Cauchy PCA"], "pictures": "ignored"},
            look="White in the row Mask is occluded. White in a method's row is what it takes for "
            "occlusion.",
            question="Does Cauchy PCA find the occluded pixels?",
            hint="Compare its row with the row Mask. Noise may hit the true grey level by chance.",
            answer="Those that matter. It ignores {hit} of the occluded pixels and {false} of the "
            "clean ones. Many occluded pixels are nearly right by chance; of those that are off by "
            "more than κ = {kappa} grey levels it ignores {far}. EPCA judges no pixels at all.",
            facts={"hit": "49%", "false": "0.3%", "kappa": "62", "far": "86%"},
            choices=(
                "Most of those that are far off",
                "Every one of them",
                "No, it ignores clean pixels as often",
            ),
            right=0,
        ),
        Step(
            page="compare",
            settings=EVERY | {"methods": ["PCA", "EPCA", "Cauchy PCA"], "robust": True},
            look="Now every method reconstructs from the pixels that fit. The subspaces are those "
            "of the steps before.",
            question="Is that all that EPCA lacked?",
            hint="Compare the errors with each other: PCA is helped as well.",
            answer="No. Its error falls by {gain}, and so does PCA's. Cauchy PCA's is still "
            "{left} below it: Cauchy PCA has learned its subspace from the pixels that it trusts, "
            "EPCA from all pixels.",
            facts={"gain": "11%", "left": "17%"},
            choices=(
                "Yes, it is as good as Cauchy PCA now",
                "No, it gains nothing by it",
                "No, Cauchy PCA's error is still smaller",
            ),
            right=2,
        ),
        Step(
            page="compare",
            settings=SQUARES | FOUR,
            look="A fifth of the images have a black square, the others are clean.",
            question="Who wins?",
            hint="Read “against PCA”, then look for the squares in the faces.",
            answer="Nobody. EPCA's error against PCA's is {epca}, Cauchy PCA's is {cauchy}. "
            "PCA-AN is best with {an}, which is still {times} times PCA's error without occlusion. "
            "All four reconstruct the squares nearer to black than to the face.",
            facts={"epca": "−1.6%", "cauchy": "−0.8%", "an": "−21.5%", "times": "3.0"},
            choices=("EPCA", "Cauchy PCA", "Nobody: the squares stay in all four"),
            right=2,
        ),
    ),
)
