"""What sets each baseline apart: its own theorem, its limits, an answer by hand, its figures in the paper."""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import subspace_angles
from scipy.optimize import minimize

from epca import METHODS, load_dataset, registry
from epca.baselines.pca_an import adaptive_weights
from epca.baselines.rspca import k_hard, k_soft, l1_ball
from epca.corruption import occlude
from epca.linalg import reduce_to_span
from epca.metrics import reconstruction_error

GREEDY = ["L1PCA", "LpPCA"]
MAXIMISE = ["L1PCA", "LpPCA", "L1PCA-NG", "RSPCA"]
MINIMISE = ["EPCA", "R1PCA", "PCA-OM"]


def cloud(seed=0, n=60, d=12):
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((n, d)) * np.geomspace(5, 0.5, d)
    X[: n // 10] += 15 * generator.standard_normal((n // 10, d))
    return X


# Answers by hand

CROSS = np.array([[3.0, 0], [-3, 0], [1, 1], [-1, -1]])
LINE = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0], [1.5, 1]])  # four points on a line, one off it


@pytest.mark.parametrize(
    ("label", "parameters", "direction"),
    [
        ("PCA", {}, np.linalg.eigh([[10, 1], [1, 1]])[1][:, 1]),
        ("L1PCA", {}, np.array([4, 1]) / np.sqrt(17)),  # Σ±x for the signs that w = (4, 1) has itself
        ("L1PCA-NG", {}, np.array([4, 1]) / np.sqrt(17)),
        ("LpPCA", {"p": 1.0}, np.array([4, 1]) / np.sqrt(17)),
        ("RSPCA", {"n_nonzero": 1}, np.array([1, 0])),
    ],
)
def test_direction_by_hand(label, parameters, direction):
    component = METHODS[label](1, **parameters).fit(CROSS).components_[0]
    np.testing.assert_allclose(np.abs(component), np.abs(direction), atol=1e-9)


def test_lp_direction_by_hand():
    """At the optimum w is parallel to Σ sign(a)|a|^(p−1) x."""
    w = METHODS["LpPCA"](1, p=1.2, tol=1e-12).fit(CROSS).components_[0]
    a = CROSS @ w
    gradient = (np.sign(a) * np.abs(a) ** 0.2) @ CROSS
    np.testing.assert_allclose(gradient / np.linalg.norm(gradient), w, atol=1e-9)
    assert np.sum(np.abs(a) ** 1.2) > np.sum(np.abs(CROSS @ [1.0, 0.0]) ** 1.2)


@pytest.mark.parametrize(("label", "parameters"), [("PCA-OM", {}), ("PCA-AN", {"n_active": 4}), ("EPCA", {"sigma": 2.0**-20})])
def test_line_by_hand(label, parameters):
    """The line through four of five points; PCA's runs beside it, at the mean height 0.2."""
    model = METHODS[label](1, **parameters).fit(LINE)
    np.testing.assert_allclose(np.abs(model.components_), [[1, 0]], atol=1e-6)
    np.testing.assert_allclose(model.score_samples(LINE), [0, 0, 0, 0, 1], atol=1e-3)
    np.testing.assert_allclose(METHODS["PCA"](1).fit(LINE).score_samples(LINE), [0.2] * 4 + [0.8])


def test_r1pca_by_hand():
    """τ = 0.2, the median residual; four samples count 0.2², the fifth 2·0.2·0.8 − 0.2²."""
    model = METHODS["R1PCA"](1).fit(LINE)
    np.testing.assert_allclose(np.abs(model.components_), [[1, 0]], atol=1e-9)
    assert model.objective_history_[-1] == pytest.approx(4 * 0.04 + 0.28)
    np.testing.assert_allclose(model.sample_weight_, np.array([1, 1, 1, 1, 0.25]) / 4.25)


def test_l1pca_leaves_a_fixed_point_that_hides_samples():
    """From the principal axis (1, 0) two samples project to exactly 0; nudged, it finds (2, 1)/√5 with F = √20, not 4."""
    X = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])
    model = METHODS["L1PCA"](1).fit(X)
    np.testing.assert_allclose(np.abs(model.components_[0]), np.array([2, 1]) / np.sqrt(5), atol=1e-9)
    assert model.objective_history_[-1] == pytest.approx(np.sqrt(20))


# Monotone where theory proves it


@given(st.integers(0, 2**32 - 1), st.sampled_from(MAXIMISE))
def test_maximised_objectives_never_decrease(seed, label):
    history = METHODS[label](4).fit(cloud(seed)).objective_history_
    assert np.all(np.diff(history) >= -1e-9 * history[-1])


@given(st.integers(0, 2**32 - 1), st.sampled_from(MINIMISE))
def test_minimised_objectives_never_increase(seed, label):
    history = METHODS[label](4, max_iter=1000).fit(cloud(seed)).objective_history_
    assert np.all(np.diff(history) <= 1e-9 * history[0])


@given(st.integers(0, 2**32 - 1), st.sampled_from([k_hard, l1_ball]), st.integers(1, 12))
def test_two_thresholds_never_decrease_the_dispersion(seed, threshold, k):
    """k-hard and ℓ1-ball maximise vᵀw under their constraint, so Σ|wᵀx| cannot fall; k-soft does not and can."""
    X, w = cloud(seed), np.random.default_rng(seed).standard_normal(12)
    w = threshold(w, k) / np.linalg.norm(threshold(w, k))
    for _ in range(10):
        moved = threshold(np.where(X @ w >= 0, 1.0, -1.0) @ X, k)
        moved /= np.linalg.norm(moved)
        assert np.abs(X @ moved).sum() >= np.abs(X @ w).sum() * (1 - 1e-9)
        w = moved


def test_k_soft_can_decrease_the_dispersion():
    falls = 0
    for seed in range(50):
        X, w = cloud(seed), np.eye(12)[seed % 12]
        for _ in range(10):
            moved = k_soft(np.where(X @ w >= 0, 1.0, -1.0) @ X, 4)
            moved /= np.linalg.norm(moved)
            falls += np.abs(X @ moved).sum() < np.abs(X @ w).sum() * (1 - 1e-9)
            w = moved
    assert falls > 0


# Limits and relatives


@pytest.mark.parametrize(("label", "parameters"), [("LpPCA", {"p": 2.0}), ("R1PCA", {"tau": np.inf})])
def test_limits_are_pca(label, parameters):
    X = cloud()
    model, pca = METHODS[label](4, **parameters).fit(X), METHODS["PCA"](4).fit(X)
    assert subspace_angles(model.components_.T, pca.components_.T).max() < 1e-6


def test_relatives_agree():
    X = cloud()
    l1 = METHODS["L1PCA"](4).fit(X)
    np.testing.assert_allclose(METHODS["LpPCA"](4, p=1.0, tol=1e-12).fit(X).components_, l1.components_, atol=1e-9)
    sparse = METHODS["RSPCA"](4, n_nonzero=12, threshold="k-hard", tol=1e-12).fit(X)
    np.testing.assert_allclose(sparse.components_, l1.components_, atol=1e-9)
    np.testing.assert_allclose(METHODS["L1PCA-NG"](1, tol=0).fit(X).components_, METHODS["L1PCA"](1).fit(X).components_, atol=1e-9)


@pytest.mark.parametrize("label", GREEDY)
def test_greedy_ranks_are_nested(label):
    X = cloud()
    small, large = METHODS[label](3).fit(X), METHODS[label](7).fit(X)
    outside = small.components_ - small.components_ @ large.components_.T @ large.components_
    assert np.abs(outside).max() < 1e-9


def test_l1pca_ng_random_start():
    X = cloud()
    first, again, other = (METHODS["L1PCA-NG"](3, init="random", random_state=seed).fit(X) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.components_, again.components_)
    assert not np.allclose(first.components_, other.components_)
    assert METHODS["L1PCA-NG"](3).fit(X).objective_history_[0] >= first.objective_history_[0]


@pytest.mark.parametrize("label", [label for label in METHODS if label != "RSPCA"])
def test_rotation_equivariant(label):
    """Under the paper's own definition L1PCA, L1PCA-NG and LpPCA are, too; it claims that they are not."""
    X = cloud(n=30)
    rotation = np.linalg.qr(np.random.default_rng(1).standard_normal((12, 12)))[0]
    plain, rotated = METHODS[label](3).fit(X), METHODS[label](3).fit(X @ rotation)
    np.testing.assert_allclose(np.abs(rotated.transform(X @ rotation)), np.abs(plain.transform(X)), atol=1e-4)


def test_rspca_is_not_rotation_equivariant():
    X = cloud(n=30)
    rotation = np.linalg.qr(np.random.default_rng(1).standard_normal((12, 12)))[0]
    plain, rotated = METHODS["RSPCA"](3).fit(X), METHODS["RSPCA"](3).fit(X @ rotation)
    assert not np.allclose(rotated.score_samples(X @ rotation), plain.score_samples(X), atol=0.1)


# RSPCA's thresholds


@pytest.mark.parametrize("threshold", ["k-soft", "k-hard"])
@pytest.mark.parametrize("shape", [(60, 12), (10, 30)])
def test_exactly_k_non_zeros(threshold, shape):
    X = cloud(n=shape[0], d=shape[1])
    model = METHODS["RSPCA"](4, n_nonzero=5, threshold=threshold).fit(X)
    assert np.count_nonzero(model.loadings_, axis=1).tolist() == [5] * 4
    np.testing.assert_allclose(np.linalg.norm(model.loadings_, axis=1), 1)
    outside = model.loadings_ - model.loadings_ @ model.components_.T @ model.components_
    assert np.abs(outside).max() < 1e-9  # components_ span the loadings
    assert np.count_nonzero(METHODS["RSPCA"](1).fit(X).loadings_) == shape[1] // 2


@given(st.integers(0, 2**32 - 1), st.sampled_from(["k-soft", "k-hard", "l1-ball"]), st.integers(1, 10))
def test_every_loading_is_sparse(seed, threshold, k):
    """The start of a direction, too, keeps to k entries: it is returned where no step improves on it."""
    X = np.random.default_rng(seed).standard_normal((40, 10))
    loadings = METHODS["RSPCA"](6, n_nonzero=k, threshold=threshold).fit(X).loadings_
    if threshold == "l1-ball":
        assert np.all(np.abs(loadings).sum(axis=1) <= np.sqrt(k) * (1 + 1e-9))
    else:
        assert np.count_nonzero(loadings, axis=1).tolist() == [k] * 6


def test_every_loading_is_sparse_on_faces(faces):
    assert np.count_nonzero(METHODS["RSPCA"](10).fit(faces.X).loadings_, axis=1).tolist() == [512] * 10


def test_rspca_passes_a_constant_column():
    A = np.random.default_rng(0).integers(-3, 4, (6, 3)).astype(float)
    X = np.hstack([np.zeros((12, 1)), np.vstack([A, -A])])
    model = METHODS["RSPCA"](2, n_nonzero=1).fit(X)
    assert np.all(model.loadings_[:, 0] == 0)
    assert np.count_nonzero(model.loadings_, axis=1).tolist() == [1, 1]
    np.testing.assert_allclose(l1_ball(np.ones(6), 3), [1, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("label", [label for label in METHODS if label != "RSPCA"])
def test_repeated_rows_and_full_rank(label):
    """Five points three times over in six dimensions: rank 4 reaches them all."""
    X = np.repeat(np.random.default_rng(0).standard_normal((5, 6)), 3, axis=0)
    np.testing.assert_allclose(METHODS[label](4).fit(X).score_samples(X), 0, atol=1e-8)


@pytest.mark.parametrize("label", METHODS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_most_symmetric_data(label):
    for n in (12, 24, 30):
        for c in (5, 9, n // 2, n - 1):
            components = METHODS[label](c).fit(np.eye(n)).components_
            np.testing.assert_allclose(components @ components.T, np.eye(c), atol=1e-9)


@pytest.mark.parametrize("p", [1.2, 2.0, 10.0, 100.0])
@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e90])
def test_lppca_on_any_scale(p, scale):
    X = cloud()
    model, scaled = METHODS["LpPCA"](2, p=p).fit(X), METHODS["LpPCA"](2, p=p).fit(scale * X)
    assert np.all(np.isfinite(scaled.objective_history_))
    np.testing.assert_allclose(np.abs(scaled.components_), np.abs(model.components_), atol=1e-6)


def test_r1pca_columns_are_uncorrelated():
    X = cloud()
    model = METHODS["R1PCA"](4).fit(X)
    V = (X - X.mean(axis=0)) @ model.components_.T
    scatter = V.T @ (model.sample_weight_[:, None] * V)
    np.testing.assert_allclose(scatter - np.diag(np.diag(scatter)), 0, atol=1e-9 * scatter.max())


def test_thresholds_by_hand():
    v = np.array([4.0, -1.0, 3.0, -5.0])
    np.testing.assert_allclose(k_hard(v, 2), [4, 0, 0, -5])
    np.testing.assert_allclose(k_soft(v, 2), [1, 0, 0, -2])
    np.testing.assert_allclose(k_soft(np.array([1.0, 1, 1]), 2), [1, 1, 0])  # ties go by index
    np.testing.assert_allclose(k_soft(v, 4), v)
    np.testing.assert_allclose(l1_ball(v, 4), v)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_l1_ball_is_met(seed, k):
    w = l1_ball(np.random.default_rng(seed).standard_normal(9), k)
    assert np.abs(w).sum() <= np.sqrt(k) * np.linalg.norm(w) * (1 + 1e-9)


# PCA-AN's weights

losses = st.lists(st.floats(0.01, 100), min_size=3, max_size=20, unique=True).map(np.array)


@given(losses, st.data())
def test_adaptive_weights_are_the_projection_on_the_simplex(f, data):
    k = data.draw(st.integers(1, len(f) - 1))
    weights, penalty = adaptive_weights(f, k)
    edge = np.sort(f)[k]
    assert weights.sum() == pytest.approx(1)
    assert np.count_nonzero(weights) == k
    assert weights @ f + penalty * weights @ weights == pytest.approx(edge - penalty * weights @ weights)
    np.testing.assert_allclose(weights, simplex_projection(-f / (2 * penalty)), atol=1e-7)


def simplex_projection(v):
    """Euclidean projection on the simplex by sorting."""
    u = np.sort(v)[::-1]
    k = np.flatnonzero(u - (np.cumsum(u) - 1) / np.arange(1, len(v) + 1) > 0)[-1] + 1
    return np.maximum(v - (u[:k].sum() - 1) / k, 0)


def test_adaptive_weights_by_hand():
    weights, penalty = adaptive_weights(np.array([1.0, 2, 3, 10]), 2)
    np.testing.assert_allclose(weights, [2 / 3, 1 / 3, 0, 0])
    assert (penalty, weights @ [1, 2, 3, 10] + penalty * weights @ weights) == pytest.approx((1.5, 13 / 6))
    np.testing.assert_allclose(adaptive_weights(np.ones(4), 3)[0], [1 / 3, 1 / 3, 1 / 3, 0])


def test_adaptive_weights_minimise():
    f = np.array([1.0, 2, 3, 10])
    weights, penalty = adaptive_weights(f, 2)
    constraint = {"type": "eq", "fun": lambda q: q.sum() - 1}
    found = minimize(lambda q: q @ f + penalty * q @ q, np.full(4, 0.25), bounds=[(0, 1)] * 4, constraints=constraint)
    np.testing.assert_allclose(found.x, weights, atol=1e-4)


def test_pca_an_learns_from_exactly_its_active_samples():
    X = cloud()
    for n_active, expected in [(0.8, 48), (0.5, 30), (25, 25)]:
        model = METHODS["PCA-AN"](4, n_active=n_active, max_iter=1000).fit(X)
        assert np.count_nonzero(model.sample_weight_) == expected
    assert np.all(METHODS["PCA-AN"](4, max_iter=1000).fit(X).sample_weight_[:6] == 0)  # the outliers


def test_pca_an_model_step_never_increases_the_weighted_loss():
    reduction = reduce_to_span(cloud())
    _, residuals = reduction.classical(4)
    for _ in range(10):
        weights, _ = adaptive_weights(residuals**2, 48)
        _, moved = reduction.weighted_pca(weights, 4)
        assert weights @ moved**2 <= weights @ residuals**2 * (1 + 1e-12)
        residuals = moved


# Parameters


@pytest.mark.parametrize(
    ("label", "parameters", "message"),
    [
        ("LpPCA", {"p": 0.5}, "p=0.5 must be a finite number >= 1"),
        ("LpPCA", {"p": "1"}, "p='1' must be"),
        ("R1PCA", {"tau": 0}, "tau=0 must be None or a number > 0"),
        ("RSPCA", {"n_nonzero": 13}, "n_nonzero=13 must be None or an integer between 1 and n_features=12"),
        ("RSPCA", {"n_nonzero": 0}, "n_nonzero=0 must be"),
        ("RSPCA", {"threshold": "hard"}, "threshold='hard' must be one of k-soft, k-hard, l1-ball"),
        (
            "PCA-AN",
            {"n_active": 60},
            "n_active=60 must be a fraction between 0 and 1 or an integer between 1 and n_samples - 1=59",
        ),
        ("PCA-AN", {"n_active": 1.5}, "n_active=1.5 must be"),
        ("PCA-AN", {"n_active": 0.0}, "n_active=0.0 must be"),
        ("L1PCA-NG", {"init": "zeros"}, "init='zeros' must be"),
        ("L1PCA", {"max_iter": 0}, "max_iter=0 must be"),
        ("PCA-OM", {"tol": -1}, "tol=-1 must be"),
    ],
)
def test_bad_parameters(label, parameters, message):
    with pytest.raises(ValueError, match=message):
        METHODS[label](2, **parameters).fit(cloud())


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_introduces_itself(method):
    assert method.label
    assert method.objective
    assert str(method.year) in method.reference or method.label == "EPCA"
    own = set(inspect.signature(method).parameters) - {"n_components", "max_iter", "tol", "random_state"}
    assert set(method.parameters) == own


def test_a_file_dropped_in_is_a_method(tmp_path, monkeypatch):
    (tmp_path / "tenth.py").write_text(
        "from epca.baselines.pca import PCA\n\n\nclass Tenth(PCA):\n    label, year = 'Tenth', 2030\n", encoding="utf-8"
    )
    monkeypatch.setattr(registry.baselines, "__path__", [*registry.baselines.__path__, str(tmp_path)])
    assert list(registry.find_methods())[-1] == "Tenth"
    assert set(registry.find_methods()) == {*METHODS, "Tenth"}


# The paper's Table I as measured before with the same protocol, mean of 5 seeds (method: error at c = 10 and 30, in 1e7)

EXPECTED = {
    "yale": {
        "PCA": (16.3, 10.8),
        "L1PCA": (16.7, 10.9),
        "L1PCA-NG": (17.1, 11.7),
        "R1PCA": (16.2, 9.9),
        "RSPCA": (19.3, 13.5),
        "LpPCA": (16.5, 10.7),
        "PCA-OM": (16.2, 9.7),
        "PCA-AN": (14.5, 7.6),
        "EPCA": (16.2, 9.7),
    },
    "orl-cai": {
        "PCA": (18.3, 13.6),
        "L1PCA": (18.6, 13.1),
        "L1PCA-NG": (18.9, 14.1),
        "R1PCA": (17.4, 11.4),
        "RSPCA": (21.0, 15.6),
        "LpPCA": (18.5, 12.9),
        "PCA-OM": (16.7, 10.9),
        "PCA-AN": (16.5, 9.3),
        "EPCA": (16.7, 10.9),
    },
}


@pytest.fixture(scope="module", params=EXPECTED)
def damaged_sets(request):
    try:
        clean = load_dataset(request.param).X
    except ValueError:
        pytest.skip(f"{request.param}.npz is in no folder of EPCA_DATASETS, and may not be redistributed")
    damages = [occlude(clean, random_state=seed).X for seed in range(5)]
    return request.param, clean, [(X, reduce_to_span(X)) for X in damages]


@pytest.mark.parametrize("label", EXPECTED["yale"])
def test_reconstruction_errors(label, damaged_sets):
    name, clean, sets = damaged_sets
    for c, expected in zip((10, 30), EXPECTED[name][label], strict=True):
        errors = []
        for seed, (X, reduction) in enumerate(sets):
            options = {"init": "random", "random_state": seed} if label == "L1PCA-NG" else {}
            model = METHODS[label](c, **options).fit_reduced(reduction)
            reconstructed = model.reconstruct(X)
            if label == "RSPCA":  # the product with the raw loadings, as the published figures have it
                reconstructed = model.mean_ + (X - model.mean_) @ model.loadings_.T @ model.loadings_
            errors.append(reconstruction_error(clean, reconstructed))
        assert np.mean(errors) / 1e7 == pytest.approx(expected, rel=0.05)
