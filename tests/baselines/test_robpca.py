"""ROBPCA: the univariate MCD by brute force, its cut-offs, and what it leaves out."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, norm

from epca import METHODS
from epca.baselines.robpca import cut_off, univariate_mcd
from epca.linalg import reduce_to_span
from tests.drawn import angle, cloud, planted_samples

ROBPCA = METHODS["ROBPCA"]


def mcd_by_brute_force(values, h):
    """Over all subsets of h numbers, with the factors of chi-squared distributions."""
    best = min(combinations(values, h), key=np.var)
    share = h / len(values)
    factor = share / chi2.cdf(chi2.ppf(share, 1), 3) if share < 1 else 1
    reach = np.sqrt(chi2.ppf(0.975, 1) * factor * np.var(best))
    near = values[np.abs(values - np.mean(best)) <= reach]
    factor = 0.975 / chi2.cdf(chi2.ppf(0.975, 1), 3)
    return near.mean(), np.sqrt(factor * near.var())


numbers = st.lists(st.floats(-100, 100), min_size=4, max_size=9, unique_by=lambda x: round(x, 3))


@given(numbers.map(np.array), st.data())
def test_the_univariate_mcd_is_that_of_all_subsets(values, data):
    h = data.draw(st.integers(len(values) // 2 + 1, len(values)))
    centre, scale = univariate_mcd(np.column_stack([values, -2 * values + 3]), h)
    expected, expected_scale = mcd_by_brute_force(values, h)
    np.testing.assert_allclose(centre, [expected, 3 - 2 * expected], rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(scale, [expected_scale, 2 * expected_scale], rtol=1e-9, atol=1e-6)


def test_the_univariate_mcd_is_consistent_and_robust(generator):
    values = generator.standard_normal((20_000, 1)) * 3 + 5
    for h in (10_001, 15_000, 20_000):
        centre, scale = univariate_mcd(values, h)
        assert (centre.item(), scale.item()) == pytest.approx((5, 3), rel=0.03)
    values[:8000] = 1e9
    centre, scale = univariate_mcd(values, 10_001)
    assert centre.item() == pytest.approx(5, abs=0.1)
    assert scale.item() == pytest.approx(3, rel=0.35)  # h is now most of the rest


def test_equal_numbers_have_no_scale():
    centre, scale = univariate_mcd(np.array([[0.1], [0.1], [0.1], [0.7]]), 3)
    assert centre.item() == pytest.approx(0.1)
    assert scale.item() == pytest.approx(0, abs=1e-12)


def test_the_cut_off_lets_most_regular_distances_pass(generator):
    distances = np.sqrt(generator.chisquare(50, 10_000))
    assert np.mean(distances <= cut_off(distances, 7500)) == pytest.approx(0.975, abs=0.005)
    by_hand = univariate_mcd(distances[:, None] ** (2 / 3), 7500)
    expected = (by_hand[0] + norm.ppf(0.975) * by_hand[1]) ** 1.5
    np.testing.assert_allclose(cut_off(distances, 7500), expected)


def test_wrong_samples_do_not_count():
    X, basis = planted_samples()
    model = ROBPCA(4).fit(X)
    assert angle(METHODS["PCA"](4).fit(X), basis) > 80
    assert angle(model, basis) < 3
    assert np.all(model.sample_weight_[:24] == 0)
    assert model.flag_[:24].all()
    assert model.flag_[24:].mean() < 0.15
    outside = np.eye(60) - basis @ basis.T
    assert np.linalg.norm(outside @ model.mean_) < 0.3
    assert np.linalg.norm(outside @ X.mean(axis=0)) > 10


def test_how_far_wrong_samples_are_does_not_matter():
    X = cloud()
    far, farther = (X + np.outer(np.arange(60) < 6, size * np.ones(12)) for size in (1e3, 1e5))
    model, other = ROBPCA(3).fit(far), ROBPCA(3).fit(farther)
    np.testing.assert_array_equal(model.sample_weight_, other.sample_weight_)
    assert angle(model, other) < 1e-4


def test_all_samples_trusted_give_pca(generator):
    """Where no sample lies beyond the cut-off, as among points at equal distances."""
    circle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    X = np.column_stack([10 * generator.standard_normal((40, 2)), np.cos(circle), np.sin(circle)])
    model = ROBPCA(2, share=1.0).fit(X)
    np.testing.assert_allclose(model.sample_weight_, 1 / 40)
    assert angle(model, METHODS["PCA"](2).fit(X)) < 1e-6


def test_it_is_the_pca_of_the_samples_with_weight():
    X = cloud()
    model = ROBPCA(3).fit(X)
    kept = X[model.sample_weight_ > 0]
    assert 30 < len(kept) < 60
    assert np.all(model.sample_weight_[:6] == 0)
    pca = METHODS["PCA"](3).fit(kept)
    np.testing.assert_allclose(model.components_, pca.components_, atol=1e-9)
    np.testing.assert_allclose(model.mean_, pca.mean_, atol=1e-9)
    np.testing.assert_allclose(model.orthogonal_distance_, model.residuals(X), atol=1e-9)
    scores = model.transform(X)
    within = scores[model.sample_weight_ > 0]
    expected = np.sqrt(np.square(scores / within.std(axis=0, ddof=1)).sum(axis=1))
    np.testing.assert_allclose(model.score_distance_, expected, rtol=1e-9)
    far = cut_off(model.orthogonal_distance_, 45)
    is_far = (model.orthogonal_distance_ > far) | (expected > np.sqrt(chi2.ppf(0.975, 3)))
    np.testing.assert_array_equal(model.flag_, is_far)


def test_directions_are_drawn_by_the_seed_and_differ():
    X, _ = planted_samples()
    few = {"n_directions": 2, "share": 0.5}
    first, again, other = (ROBPCA(4, random_state=seed, **few).fit(X) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.components_, again.components_)
    assert not np.allclose(first.components_, other.components_)
    pairs = np.column_stack(ROBPCA(4)._pairs(120))
    assert len(np.unique(np.sort(pairs, axis=1), axis=0)) > 200
    assert np.all(pairs[:, 0] != pairs[:, 1])


def test_where_pairs_are_few_all_are_used_and_the_order_does_not_matter(generator):
    X = cloud(n=20)
    order = generator.permutation(20)
    plain, permuted = ROBPCA(3).fit(X), ROBPCA(3).fit(X[order])
    np.testing.assert_allclose(permuted.components_, plain.components_, atol=1e-9)
    np.testing.assert_array_equal(permuted.flag_, plain.flag_[order])


def test_shift_and_scale():
    X = cloud()
    plain, changed = ROBPCA(3).fit(X), ROBPCA(3).fit(20 * X + 5)
    np.testing.assert_allclose(changed.components_, plain.components_, atol=1e-9)
    np.testing.assert_array_equal(changed.sample_weight_, plain.sample_weight_)


@pytest.mark.parametrize("factor", [1e-98, 1e-80, 1e77, 1e98])
def test_any_scale(factor):
    """The sums of squares of projections are fourth powers of it."""
    X = cloud()
    plain, changed = ROBPCA(3).fit(X), ROBPCA(3).fit(factor * X)
    np.testing.assert_array_equal(changed.sample_weight_, plain.sample_weight_)
    np.testing.assert_array_equal(changed.flag_, plain.flag_)
    np.testing.assert_allclose(changed.components_, plain.components_, atol=1e-9)


def test_its_distances_are_its_own(generator):
    """Also on data that it fits exactly, where they are those of classical PCA."""
    X = generator.standard_normal((30, 2)) @ generator.standard_normal((2, 8))
    reduction = reduce_to_span(X)
    model = ROBPCA(2).fit_reduced(reduction)
    assert not np.shares_memory(model.orthogonal_distance_, reduction.classical(2)[1])


def test_it_can_be_cancelled_while_it_looks_along_directions():
    class Cancelled(Exception):
        pass

    def cancel(iteration, *_):
        raise Cancelled(iteration)

    with pytest.raises(Cancelled, match="1"):
        ROBPCA(3).fit_reduced(reduce_to_span(cloud()), cancel)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"share": 0.4}, "share=0.4 must be a number between 0.5 and 1"),
        ({"share": 1.1}, "share=1.1 must be"),
        ({"n_directions": 0}, "n_directions=0 must be an integer >= 1"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        ROBPCA(2, **parameters).fit(cloud())
