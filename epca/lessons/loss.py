"""Lesson: The σ-loss."""

from epca.lessons.step import Lesson, Step

LESSON = Lesson(
    "The σ-loss",
    "Between the length of a residual and its square.",
    (
        Step(
            page="tune",
            settings={},
            look="The σ-loss h(t) lies between t and t²; the histogram shows where this data's residuals are.",
            question="At σ = 2^0, which of the two does h follow where the residuals lie?",
            hint="Residuals are hundreds; σ is one.",
            answer="The length: at the median residual {median} h is {ratio} times t up to the factor 1 + σ. Far above σ "
            "the loss is linear.",
            facts={"median": "535", "ratio": "0.998"},
        ),
        Step(
            page="tune",
            settings={"sigma": 20},
            look="σ is now far above all residuals.",
            question="Which does h follow now, and what does that make of EPCA?",
            hint="Divide h by t².",
            answer="The square: at the median residual h is {ratio} t². What remains of EPCA is nearly PCA.",
            facts={"ratio": "0.999"},
        ),
        Step(
            page="home",
            settings={"sigma": 20},
            look="The same σ on the faces.",
            question="What became of the gain over PCA?",
            hint="The first number again.",
            answer="It is gone: the error is {change} against PCA's.",
            facts={"change": "-0.1%"},
        ),
        Step(
            page="tune",
            settings={"sigma": 9},
            look="σ = 2^9 lies among the residuals.",
            question="Is the weight d(t) of a badly fitted image smaller than that of a well fitted one?",
            hint="Compare d at the ends of the histogram.",
            answer="Yes: the image with the largest residual weighs {ratio} of what the one with the smallest does. At σ ="
            " 2^20 all weigh alike.",
            facts={"ratio": "35%"},
        ),
        Step(
            page="tune",
            settings={"sweep": True},
            look="The sweep over all σ of the paper's grid.",
            question="Where does the error change, and where does it not?",
            hint="Look for the residuals' scale on the axis.",
            answer="Only around the residuals' own size. From 2^-20 to 2^0 the error differs by {flat}; from 2^0 to 2^20 "
            "it grows by {rise}.",
            facts={"flat": "0.0%", "rise": "16.5%"},
        ),
    ),
)
