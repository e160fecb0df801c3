"""What all methods share: validation, the reduction, transform and inverse, fitted attributes."""

import warnings
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from epca.activation import LARGEST_GAMMA
from epca.cells import Cells, cell_scale, cell_weights, find_unknown, nearest_scores
from epca.linalg import project, reduce_to_span, residual_lengths, signs
from epca.solver import robust_scores

PAPER = "the paper"  # the group of the methods that the paper compares
BEYOND = "beyond the paper"
AUTO = "auto"  # the σ that the data themselves suggest
TYPICAL = 32  # samples that the typical residual of a pixel is taken from


def is_integer(value):
    return isinstance(value, Integral) and not isinstance(value, bool)


def require(is_valid, name, value, rule):
    """Raise a ValueError that gives the parameter's value and the rule it breaks."""
    if not is_valid:
        raise ValueError(f"{name}={value!r} must be {rule}.")


def check_loop(max_iter, tol):
    """Check the two parameters of every iterative method."""
    require(is_integer(max_iter) and max_iter >= 1, "max_iter", max_iter, "an integer >= 1")
    require(isinstance(tol, Real) and 0 <= tol < np.inf, "tol", tol, "a finite number >= 0")


def nan_error(label):
    """The error for NaN in the data of a method that does not take it."""
    return ValueError(
        f"X contains NaN, which {label} does not take. Replace NaN by numbers, or use one of "
        "METHODS with takes_nan, for which it is an unknown pixel."
    )


def count_active(name, value, n_samples):
    """How many of the samples a parameter means: a fraction below 1, or a count."""
    if isinstance(value, Real) and 0 < value < 1:
        return min(max(round(value * n_samples), 1), n_samples - 1)
    is_count = is_integer(value) and 1 <= value < n_samples
    most = n_samples - 1
    rule = f"a fraction between 0 and 1 or an integer between 1 and n_samples - 1={most}"
    require(is_count, name, value, rule)
    return int(value)


def warn_unless_converged(estimator):
    """Called by `fit`, so that the warning points at the user's line."""
    if not estimator.converged_:
        warnings.warn(
            f"{type(estimator).__name__} did not come to rest within "
            f"max_iter={estimator.max_iter}. Raise max_iter, or raise tol.",
            ConvergenceWarning,
            stacklevel=3,
        )


def check_co_robust(estimator, *, may_be_auto=False):
    """Check the parameters of every estimator built on the co-robust framework."""
    sigma = estimator.sigma
    is_auto = may_be_auto and isinstance(sigma, str) and sigma == AUTO
    rule = f"a number > 0 (inf is allowed){f' or “{AUTO}”' if may_be_auto else ''}"
    require(is_auto or (isinstance(sigma, Real) and sigma > 0), "sigma", sigma, rule)
    left_out = estimator.left_out
    require(isinstance(left_out, bool | np.bool_), "left_out", left_out, "True or False")
    gamma = estimator.gamma
    is_valid = isinstance(gamma, Real) and 1 <= gamma <= LARGEST_GAMMA
    require(is_valid, "gamma", gamma, f"a number between 1 and {LARGEST_GAMMA:g}")
    check_loop(estimator.max_iter, estimator.tol)


class Parameter(NamedTuple):
    """A method's own parameter as users meet it: what it does, and its choices, or its bounds."""

    text: str
    choices: tuple = ()
    low: float | None = None
    high: float | None = None
    step: float | None = None  # a handy one


class BasePCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """An affine subspace m + span(W) of rank c learned from samples in rows.

    A method's `_solve` finds m and W in the coordinates of a `Reduction` and returns a `Solution`
    whose model is a `Subspace`; it may set attributes of its own. Everything else is here.

    Attributes
    ----------
    components_ : (c, d) Wᵀ, orthonormal rows by falling weighted variance, signs fixed
    mean_ : (d,) m
    sample_weight_ : (n,) the weights that the final residuals call for, ≥ 0, with sum 1; at
        convergence they are those of the fit
    explained_variance_ratio_ : (c,) falling: the weighted variance of each component's scores over
        the total weighted variance of X, both under sample_weight_ and about the weighted mean; 0
        where the total is 0
    scores_, residuals_ : (n, c) and (n,) transform(X) and residuals(X) of the training samples,
        which the fit knows
    objective_history_ : (n_iter_ + 1,) the method's objective at the start and after each iteration
    converged_ : whether the method came to rest within max_iter
    is_exact_ : whether every training sample is fitted exactly, as where c reaches the data's rank
    cell_scale_ : κ, the residual of one pixel from which on a robust reconstruction trusts it less
        than half: 3 · 1.4826 · the median of the pixels' absolute residuals
    cell_weight_ : (n, d) of cellwise methods: how far each pixel is trusted, from 0 to 1
    n_iter_, n_components_, n_features_in_, feature_names_in_ : as in scikit-learn

    The median of κ is over 32 evenly spaced samples, unless the method is cellwise. On faces it is
    within 5% of that over all samples, which would take as long as a short fit, for what few need.
    """

    label: str  # the method's name as users see it
    year: int  # of its publication: the order in which methods are listed
    reference: str
    objective: str  # in LaTeX
    parameters: dict = {}  # the method's own parameters: name → Parameter
    group = BEYOND  # or PAPER
    is_cellwise = False  # judges single pixels and not whole samples; then reconstructs robustly
    takes_nan = False  # NaN is an unknown pixel; else an error
    is_rotation_invariant = True  # works on the reduction's coordinates; else on its centred data
    has_preview = True  # comes near on a few leading axes (`epca.preview`)

    def fit(self, X, y=None):
        """Learn the subspace from X (n, d); y is ignored."""
        X = self._validate(X, ensure_min_samples=2)
        self._fit(reduce_to_span(X), None)
        warn_unless_converged(self)
        return self

    def fit_reduced(self, reduction, callback=None):
        """Learn the subspace from `epca.linalg.reduce_to_span(X)`, which many fits can share.

        callback(iteration, objective, weights) is called after every iteration; an exception from
        it ends the fit. Unlike `fit`, this gives no ConvergenceWarning: look at converged_.
        """
        vars(self).pop("feature_names_in_", None)  # of an earlier fit
        return self._fit(reduction, callback)

    def _fit(self, reduction, callback):
        if reduction.unknown is not None and not self.takes_nan:
            raise nan_error(self.label)
        n_features = len(reduction.mean)
        limit = min(len(reduction.data) - 1, n_features)
        require(
            is_integer(self.n_components) and 1 <= self.n_components <= limit,
            "n_components",
            self.n_components,
            f"an integer between 1 and min(n_samples - 1, n_features)={limit}",
        )
        solution = self._solve(reduction, callback)
        self.sample_weight_ = solution.weights / solution.weights.sum()
        if self.is_rotation_invariant:
            mean, components = reduction.in_features(solution.model)
            scores, residuals = reduction.project(solution.model)
        else:
            mean, components = solution.model
            scores, residuals = project(reduction.centred, mean, components)
        order = self._measure_variances(reduction, scores)
        self.components_ = components.T[order]
        flips = signs(self.components_)
        self.components_ *= flips[:, None]
        self.scores_ = scores[:, order] * flips
        self.residuals_ = residuals.copy()  # classical PCA's are shared
        self.mean_ = reduction.mean + mean
        self.objective_history_ = solution.objective_history
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged
        self._keep_cells(solution.cells or self._measure_cells(reduction))
        self.is_exact_ = bool(solution.residuals.max() <= 2 * reduction.smoothing)
        self.n_components_ = int(self.n_components)
        self.n_features_in_ = n_features
        if reduction.unknown is not None:  # what was filled in does not count
            X = np.where(reduction.unknown, np.nan, reduction.data)
            self.scores_ = nearest_scores(X, self.mean_, self.components_.T)
            self.residuals_ = self._residuals(X)
        return self

    def _keep_cells(self, cells):
        """Set cell_scale_, and cell_weight_ unless the method has it as a property, or none."""
        weights, self.cell_scale_ = cells
        if weights is not None:
            self.cell_weight_ = weights

    def _measure_cells(self, reduction):
        """The Cells of a method that judges whole samples: κ alone."""
        n_samples = len(reduction.data)
        rows = np.linspace(0, n_samples - 1, min(TYPICAL, n_samples)).astype(int)
        some = reduction.data[rows] - self.mean_
        some -= some @ self.components_.T @ self.components_
        return Cells(None, cell_scale(some, reduction.smoothing))

    def _measure_variances(self, reduction, scores):
        """Set explained_variance_ratio_; return the order (c,) of falling variance."""
        centred = scores - self.sample_weight_ @ scores
        variances = np.einsum("i,ij,ij->j", self.sample_weight_, centred, centred)
        total = reduction.total_variance(self.sample_weight_)
        order = np.argsort(-variances, kind="stable")
        rounding = 1e-14 * (reduction.spread + np.linalg.norm(reduction.mean))
        is_constant = np.sqrt(total) <= rounding  # under these weights, up to the data's rounding
        ratios = np.zeros_like(variances) if is_constant else variances / total
        self.explained_variance_ratio_ = ratios[order]
        return order

    def transform(self, X):
        """Coordinates (n, c) of samples X (n, d) in the subspace: V = (X − m) W (Eq. 31).

        Where pixels are unknown, they are those of the point nearest to the others.
        """
        return nearest_scores(self._check(X), self.mean_, self.components_.T)

    def inverse_transform(self, X):
        """Points (n, d) of the data space with coordinates X (n, c): m + V Wᵀ."""
        check_is_fitted(self)
        X = check_array(X, dtype=np.float64)
        if X.shape[1] != self.n_components_:
            raise ValueError(
                f"X must have shape (n_samples, n_components={self.n_components_}); got {X.shape}."
            )
        return X @ self.components_ + self.mean_

    def reconstruct(self, X, robust=None):
        """Points (n, d) of the subspace for samples X (n, d).

        robust=False gives the nearest ones, inverse_transform(transform(X)). robust=True ignores
        bad pixels (`epca.solver.robust_scores`), which a projection smears over the whole image;
        `pixel_weights` tells which. None means True for cellwise methods, False for all others, as
        in the paper.
        """
        if not (self.is_cellwise if robust is None else robust):
            return self.inverse_transform(self.transform(X))
        X = self._check(X)
        scores = robust_scores(X, self.mean_, self.components_.T, self.cell_scale_)
        return self.inverse_transform(scores)

    def pixel_weights(self, X):
        """How far a robust reconstruction trusts each pixel of samples X (n, d): (n, d) in [0, 1].

        It is 1 where the pixel fits exactly, below ½ where it is off by more than cell_scale_, and
        0 where it is unknown.
        """
        return cell_weights(self._check(X) - self.reconstruct(X, robust=True), self.cell_scale_)

    def residuals(self, X):
        """Residual length (n,) of samples X (n, d): the distance to the subspace.

        The larger it is, the worse the sample is fitted. Where pixels are unknown, it is that of
        the others, times √(d/their number).
        """
        return self._residuals(self._check(X))

    def _residuals(self, X):
        subspace = (self.mean_, self.components_.T)
        lengths = residual_lengths(X, *subspace)
        partly = np.isnan(lengths)
        if partly.any():
            nearest = self.inverse_transform(nearest_scores(X[partly], *subspace))
            squares = np.nanmean(np.square(X[partly] - nearest), axis=1)
            lengths[partly] = np.sqrt(self.n_features_in_ * squares)
        return lengths

    def _check(self, X):
        check_is_fitted(self)
        return self._validate(X, reset=False)

    def _validate(self, X, **options):
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", **options)
        if not self.takes_nan and np.isnan(X).any():
            raise nan_error(self.label)
        find_unknown(X)  # every sample must have known pixels
        return X

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.takes_nan
        return tags

    @property
    def _n_features_out(self):
        return self.n_components_
