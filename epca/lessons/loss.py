"""Lesson: the σ-loss."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "The σ-loss",
    "Between the length of a residual and its square.",
    (
        Step(
            page="tune",
            settings={},
            look="The σ-loss h(t) lies between t and t². The histogram shows where the residuals "
            "of these images lie.",
            question="At σ = 2^0, which of the two does h follow among these residuals?",
            hint="The residuals are in the hundreds, and σ is one.",
            answer="It follows the length: at the median residual, t = {median}, h is {ratio} "
            "times (1 + σ)t. Far above σ the loss is linear.",
            facts={"median": "535", "ratio": "0.998"},
        ),
        Step(
            page="tune",
            settings={"sigma": 20},
            look="Now σ is far above all residuals.",
            question="Which of the two does h follow now, and what becomes of EPCA?",
            hint="Divide h by t².",
            answer="It follows the square: at the median residual h is {ratio} times t². EPCA is "
            "then nearly PCA.",
            facts={"ratio": "0.999"},
        ),
        Step(
            page="home",
            settings={"sigma": 20},
            look="These are the faces at the same σ.",
            question="What has become of EPCA's lead over PCA?",
            hint="Read the first number again.",
            answer="It is gone: EPCA's error against PCA's is {change}.",
            facts={"change": "−0.1%"},
        ),
        Step(
            page="tune",
            settings={"sigma": 9},
            look="σ = 2^9 lies among the residuals.",
            question="Does a badly fitted image have a smaller weight d(t) than a well fitted one?",
            hint="Compare d at both ends of the histogram.",
            answer="Yes: the weight of the image with the largest residual is {ratio} of the "
            "weight of the image with the smallest. At σ = 2^20 all weights are nearly equal.",
            facts={"ratio": "35%"},
        ),
        Step(
            page="tune",
            settings={"sweep": True},
            look="The sweep covers every σ of the paper's grid.",
            question="Where does the error change, and where does it stay the same?",
            hint="Find the size of the residuals on the axis.",
            answer="It changes only where σ is about the size of the residuals. From 2^−20 to 2^0 "
            "the error changes by {flat}; from 2^0 to 2^20 it grows by {rise}.",
            facts={"flat": "0.0%", "rise": "16.5%"},
        ),
    ),
)
