"""Co-robust least squares: Eq. 1 around another learner, the paper's own example after Eq. 2."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from epca.base import check_co_robust, warn_unless_converged
from epca.linalg import require_scale, smoothing_length
from epca.losses import SigmaLoss
from epca.solver import co_robust, left_out_lengths


class CoRobustRegressor(RegressorMixin, BaseEstimator):
    """Linear regression with the σ-loss and learned sample weights α.

    min over θ, b, α:  Σ_i h(|θᵀx_i + b − y_i|) / (1 − α_i),   Σα_i = 1, 0 ≤ α_i < 1   (1, 16, 17)

    From least squares and α = 1/n, repeat: weighted least squares for fixed weights, then weights
    for fixed residuals. The loop is that of `EPCA`. The loss tames samples far off in y; it does
    not tame samples far off in x (leverage).

    Parameters
    ----------
    sigma : σ > 0 in units of y; smaller → more robust (least absolute deviations), larger → closer
        to least squares
    gamma : γ ≥ 1 of the weights 1/(1 − α^γ) (Eq. 14)
    fit_intercept : whether to learn b
    left_out : judge every sample by the residual it would have in a fit without it, which here is
        exact; one far off in x is then not activated, though it may still pull. The objective may
        rise, where the loop ends.
    max_iter, tol : as in `EPCA`

    Attributes
    ----------
    coef_ : (d,) θ
    intercept_ : b
    alpha_, n_activated_, direct_weight_, sample_weight_ : as in `EPCA`
    objective_history_, n_iter_, converged_ : as in `EPCA`

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(10.0)
    >>> y = 2 * x + 1
    >>> y[[3, 7]] = 40, -30
    >>> model = CoRobustRegressor(sigma=0.1).fit(x[:, None], y)
    >>> model.coef_.round(1).tolist(), round(model.intercept_, 1)
    ([2.0], 1.0)
    """

    def __init__(
        self,
        *,
        sigma=1.0,
        gamma=1.0,
        fit_intercept=True,
        left_out=False,
        max_iter=100,
        tol=1e-6,
    ):
        self.sigma = sigma
        self.gamma = gamma
        self.fit_intercept = fit_intercept
        self.left_out = left_out
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y):
        """Learn θ and b from X (n, d) and y (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        check_co_robust(self)
        y = y.astype(float)
        require_scale("y varies by", np.abs(y - y.mean() * self.fit_intercept).max())
        scales = np.abs(X - X.mean(axis=0) * self.fit_intercept).max(axis=0)
        scales[scales == 0] = 1
        smoothing = smoothing_length(y.std(), abs(y.mean()))

        def learn(weights):
            weights = weights / weights.sum()
            x_mean = np.zeros(X.shape[1])
            y_mean = 0.0
            if self.fit_intercept:
                x_mean = weights @ X
                y_mean = weights @ y
            design = (X - x_mean) / scales
            target = y - y_mean
            slopes, residuals = weighted_least_squares(design, target, weights)
            if self.left_out and residuals.max() > smoothing:
                residuals = left_out_lengths(residuals, design, weights, self.fit_intercept)
            coefficients = slopes / scales
            model = coefficients, y_mean - x_mean @ coefficients
            return model, np.hypot(residuals, smoothing)

        _, residuals = learn(np.ones(len(X)))
        loop = {"max_iter": self.max_iter, "tol": self.tol, "left_out": self.left_out}
        loss = SigmaLoss(self.sigma)
        solution, activation = co_robust(learn, residuals, loss, self.gamma, **loop)
        self.coef_ = solution.model[0]
        self.intercept_ = float(solution.model[1])
        self.alpha_ = activation.weights
        self.n_activated_ = activation.n_activated
        self.direct_weight_ = activation.direct_weights
        self.sample_weight_ = solution.weights / solution.weights.sum()
        self.objective_history_ = solution.objective_history
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged
        warn_unless_converged(self)
        return self

    def predict(self, X):
        """Predicted y (n,) for X (n, d)."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_ + self.intercept_


def weighted_least_squares(design, target, weights):
    """θ that minimises Σηr², and the residual lengths r (n,), for weights η (n,)."""
    roots = np.sqrt(weights)
    slopes = np.linalg.lstsq(design * roots[:, None], target * roots)[0]
    return slopes, np.abs(design @ slopes - target)
