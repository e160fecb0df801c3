"""A fit of EPCA iteration by iteration: the parts of its objective, and its states.

The memory that the states take is bounded.
"""

from typing import Any, NamedTuple

import numpy as np

from epca import metrics
from epca.activation import activate
from epca.estimator import lengths_for, sigma_for
from epca.losses import SigmaLoss

BUDGET = 8 * 2**20  # bytes of all states together
MOST = 60  # states
FEWEST = 4  # states, even where they exceed the budget: start, first, one between, last


class Terms(NamedTuple):
    """The parts of the objective Σ h_i/(1 − α_i) (Eq. 27); they add up to it."""

    not_activated: float  # Σ h_i over α_i = 0, whose direct weight is 1
    activated: float  # Σ h_i over α_i > 0
    added: float  # what the direct weights of the activated add to their losses

    @property
    def objective(self):
        return sum(self)


class Iteration(NamedTuple):
    """The numbers of one iteration; 0 is the start."""

    half: Terms  # with the new m and W, and the weights from before
    terms: Terms  # with the new weights, too
    n_activated: int  # k
    smallest_residual: float  # relative to the median
    is_collapsed: bool


class State(NamedTuple):
    """Everything after one iteration. m and W have single precision: they are for pictures."""

    iteration: int
    alpha: np.ndarray  # (n,)
    losses: np.ndarray  # (n,) h_i
    weights: np.ndarray  # (n,) η_i
    mean: np.ndarray  # (r,) m in the coordinates of the reduction
    components: np.ndarray  # (r, c) W, by falling variance under the weights it was learned with

    @property
    def n_bytes(self):
        return sum(array.nbytes for array in self[1:])


class History(NamedTuple):
    """A fitted model, the numbers of all its iterations (the start first), and the states."""

    model: Any
    iterations: list
    states: list  # of some iterations, see `record`

    @property
    def n_bytes(self):
        return sum(state.n_bytes for state in self.states)

    @property
    def collapse(self):
        """The first iteration in which some samples are fitted exactly; None without one."""
        return next((i for i, item in enumerate(self.iterations) if item.is_collapsed), None)


def record(model, reduction, callback=None):
    """Fit an EPCA as model.fit_reduced(reduction, callback) does and return its History.

    There are at most MOST states, and fewer where they would take more than BUDGET. The first half
    of them are those of the first iterations; the others are evenly spaced, and the last is always
    there.
    """
    recorder = _Recorder(model, reduction)

    def note(*state):
        recorder.note()
        if callback is not None:
            callback(*state)

    model.fit_reduced(recorder, note)
    return History(model, recorder.iterations, recorder.states)


class _Recorder:
    """Stands in for the reduction of one fit and notes the weighted PCA of each iteration.

    So the fit itself need not know that it is recorded. What it rejects, it does not call back for,
    and that is not noted.
    """

    def __init__(self, model, reduction):
        self._model = model
        self._reduction = reduction
        self._found = None  # by the last weighted PCA
        self._stride = 1
        self.iterations = []
        self.states = []

    def __getattr__(self, name):
        return getattr(self._reduction, name)

    def classical(self, n_components):
        subspace, residuals = self._reduction.classical(n_components)
        if not self.iterations:  # "auto" asks for it again
            self._found = subspace, residuals, np.ones_like(residuals)
            self.note(is_start=True)
        return subspace, residuals

    def weighted_pca(self, weights, n_components, near=None):
        subspace, residuals = self._reduction.weighted_pca(weights, n_components, near)
        self._found = subspace, residuals, weights
        return subspace, residuals

    def note(self, is_start=False):
        """Note the last weighted PCA, with the α that its residuals call for."""
        subspace, residuals, used = self._found
        model = self._model
        lengths = lengths_for(model, self._reduction, subspace, residuals, used)
        loss = SigmaLoss(sigma_for(model, self._reduction))
        losses = loss.value(lengths)
        alpha, _, direct_weights, *_ = activate(losses, model.gamma)
        if is_start and not model.left_out:  # Algorithm 3 starts with equal ones
            alpha = np.full(len(losses), 1 / len(losses))
            direct_weights = 1 / (1 - alpha**model.gamma)
        weights = loss.weight(lengths) * direct_weights
        terms = _terms(losses, alpha, direct_weights)
        half = _terms(losses, *self._before) if self.iterations else terms
        self._before = (alpha, direct_weights)
        k = int(np.count_nonzero(alpha))
        smoothed = self._reduction.smooth(residuals)
        smallest = float(smoothed.min() / np.median(smoothed))
        collapsed = metrics.is_collapsed(residuals)
        self.iterations.append(Iteration(half, terms, k, smallest, collapsed))
        mean, components = (array.astype(np.float32) for array in subspace)
        self._add(State(len(self.iterations) - 1, alpha, losses, weights, mean, components))

    def _add(self, state):
        """Add a state; where there are too many, drop every second of the later ones."""
        most = int(np.clip(BUDGET // state.n_bytes, FEWEST, MOST))

        def stays(old):
            return old.iteration < most // 2 or old.iteration % self._stride == 0

        while len(staying := [old for old in self.states if stays(old)]) >= most:
            self._stride *= 2
        self.states = [*staying, state]


def _terms(losses, alpha, direct_weights):
    is_activated = alpha > 0
    added = losses[is_activated] @ (direct_weights[is_activated] - 1)
    return Terms(
        float(losses[~is_activated].sum()), float(losses[is_activated].sum()), float(added)
    )
