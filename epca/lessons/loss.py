"""Lesson: the σ-loss."""

from epca.lessons.step import PAPER, Lesson, Step

LESSON = Lesson(
    "The σ-loss",
    "See when EPCA counts a residual by its length, and when by its square.",
    (
        Step(
            page="tune",
            settings=PAPER,
            look="The σ-loss h(t) lies between ℓ2,1, the length t, and squared Frobenius, t². The "
            "histogram shows the residuals of these images.",
            question="At σ = 1 (2⁰), which of the two does h follow among these residuals?",
            hint="The residuals are hundreds of times as large as σ.",
            answer="It follows the length: at the median residual, t = {median}, h is {ratio} "
            "times (1 + σ)t. Far above σ the loss is a straight line.",
            facts={"median": "535", "ratio": "0.998"},
            choices=("ℓ2,1, the length", "squared Frobenius, the square"),
            right=0,
            target="loss_part",
        ),
        Step(
            page="tune",
            settings=PAPER | {"sigma": 20},
            look="Now σ = 1,050,000 (2²⁰) is far above all residuals.",
            question="Which of the two does h follow now, and what becomes of EPCA?",
            hint="Divide h by t².",
            answer="It follows the square: at the median residual h is {ratio} times t². EPCA is "
            "then nearly PCA.",
            facts={"ratio": "0.999"},
            choices=("The length, and EPCA is more robust", "The square, and EPCA is nearly PCA"),
            right=1,
            target="loss_part",
        ),
        Step(
            page="home",
            settings=PAPER | {"sigma": 20},
            look="These are the faces at the same σ. Compare the rows PCA and EPCA.",
            question="What has become of EPCA's lead over PCA?",
            hint="Read “EPCA's error against PCA's”.",
            answer="It is gone: EPCA's error against PCA's is {change}.",
            facts={"change": "−0.1%"},
            choices=("It has doubled", "About half of it is left", "It is gone"),
            right=2,
        ),
        Step(
            page="tune",
            settings=PAPER | {"sigma": 9},
            look="σ = 512 (2⁹) lies among the residuals.",
            question="Does a badly fitted image have a smaller weight d(t) than a well fitted one?",
            hint="d(t) is the slope of h at t, divided by 2t. Compare both ends of the histogram.",
            answer="Yes: the weight of the image with the largest residual is {ratio} of the "
            "weight of the image with the smallest. At σ = 1,050,000 (2²⁰) all weights are nearly "
            "equal.",
            facts={"ratio": "35%"},
            choices=("Yes, about a third of it", "No, both have the same", "No, a larger one"),
            right=0,
            target="loss_part",
        ),
        Step(
            page="tune",
            settings=PAPER | {"sweep": True},
            look="The sweep fits EPCA at every σ of the paper's grid.",
            question="Where does the error change, and where does it stay the same?",
            hint="The orange line under the slider σ shows where most residuals lie.",
            answer="It changes only where σ is about the size of the residuals. From 2⁻²⁰ to 2⁰ "
            "it changes by {flat}. From 2⁰ to 2²⁰ it grows by {rise}.",
            facts={"flat": "0.0%", "rise": "16.5%"},
            choices=(
                "It changes everywhere, about evenly",
                "It changes where σ is about the size of the residuals",
                "It changes where σ is smallest",
            ),
            right=1,
            target="sweeps_part",
        ),
    ),
)
