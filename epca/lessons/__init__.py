"""Seven lessons as data.

A step sets the experiment, opens a page, says what to look at, asks a question and knows the
answer. The numbers in answers are named facts; the tests compute each fact and each claim from the
library at the step's settings.
"""

from epca.lessons import choosing, collapse, loss, occlusion, regimes, untold, weights

MODULES = (occlusion, loss, weights, collapse, choosing, untold, regimes)
LESSONS = tuple(module.LESSON for module in MODULES)
