"""Five lessons as data: a step sets the experiment, opens a page, says what to look at, asks, and knows the answer.

Numbers in answers are named facts; the tests compute each of them, and each claim, from the library at the step's settings.
"""

from epca.lessons import choosing, collapse, loss, occlusion, weights

LESSONS = tuple(module.LESSON for module in (occlusion, loss, weights, collapse, choosing))
