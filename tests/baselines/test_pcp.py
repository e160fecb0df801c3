"""PCP: exact recovery, optimality by its dual, limits, and one pursuit for every rank."""

import pickle

import numpy as np
import pytest

from epca import METHODS
from epca.baselines import pcp
from epca.baselines.pcp import pursue
from epca.linalg import reduce_to_span
from epca.ui.jobs.cache import size_of
from tests.drawn import angle, cloud, planted, planted_cells

PCP = METHODS["PCP"]


def low_rank_and_sparse(share, n=200, rank=10):
    """L₀ of this rank, and S₀ with signs ±1 in a share of the cells."""
    generator = np.random.default_rng(0)
    low_rank = generator.standard_normal((n, rank)) @ generator.standard_normal((rank, n)) / n
    signs = generator.choice([-1.0, 1.0], (n, n))
    return low_rank, np.where(generator.random((n, n)) < share, signs, 0)


def solve(X, penalty=None, tol=1e-7):
    return pursue(X, penalty or 1 / np.sqrt(max(X.shape)), max_iter=500, tol=tol)


@pytest.mark.parametrize("share", [0.05, 0.1])
def test_both_parts_are_recovered(share):
    low_rank, sparse = low_rank_and_sparse(share)
    found = solve(low_rank + sparse)
    assert found.converged
    assert found.rank == 10
    assert len(found.history) <= 50
    np.testing.assert_array_equal(found.sparse != 0, sparse != 0)
    error = np.linalg.norm(found.sparse - sparse) / np.linalg.norm(low_rank)
    assert error < 1e-5


@pytest.mark.parametrize("tol", [1e-3, 1e-6])
@pytest.mark.parametrize("X", [cloud(), cloud().T, planted_cells()[0]], ids=["tall", "wide", "120"])
def test_the_dual_proves_the_optimum(X, tol):
    """‖Y‖₂ ≤ 1 and |Y| ≤ λ make ⟨X, Y⟩ a lower bound of the objective, which it nearly reaches."""
    penalty = 1 / np.sqrt(max(X.shape))
    found = solve(X, tol=tol)
    assert found.converged
    assert np.linalg.norm(found.dual, 2) <= 1 + 1e-9
    assert np.abs(found.dual).max() <= penalty * (1 + 1e-9)
    objective = np.linalg.norm(X - found.sparse, "nuc") + penalty * np.abs(found.sparse).sum()
    assert objective <= found.history[-1] * (1 + 1e-9)
    bound = np.sum(X * found.dual)
    assert bound * (1 - 1e-9) <= objective <= bound * (1 + tol)
    assert found.history[0] == pytest.approx(np.linalg.norm(X, "nuc"))


def test_no_other_decomposition_costs_less(generator):
    X = cloud()
    found = solve(X, tol=1e-6)

    def cost(sparse):
        return np.linalg.norm(X - sparse, "nuc") + np.abs(sparse).sum() / np.sqrt(60)

    for size in (1e-3, 0.1, 1.0):
        moved = found.sparse + size * generator.standard_normal(X.shape)
        assert cost(found.sparse) <= cost(moved) * (1 + 1e-6)
    for change in (0.9, 1.1):
        assert cost(found.sparse) <= cost(change * found.sparse) * (1 + 1e-6)


def test_limits_of_the_penalty():
    X, _ = planted()
    model = PCP(4, penalty=10.0).fit(X)
    np.testing.assert_array_equal(model.sparse_, 0)
    np.testing.assert_array_equal(model.low_rank_, X)
    assert angle(model, METHODS["PCA"](4).fit(X)) < 1e-6
    none = PCP(4, penalty=1e-4).fit(X)
    assert none.rank_ == 0
    np.testing.assert_allclose(none.sparse_, X, atol=1e-2)
    low_rank, _ = low_rank_and_sparse(0.1)
    found = solve(low_rank, penalty=10.0)
    np.testing.assert_array_equal(found.sparse, 0)
    assert found.rank == 10


def test_soft_and_singular_value_shrinkage(generator):
    np.testing.assert_allclose(pcp.soft(np.array([-3.0, -0.5, 0, 0.5, 3.0]), 1.0), [-2, 0, 0, 0, 2])
    for shape in ((5, 9), (9, 5)):
        matrix = generator.standard_normal(shape)
        left, singular, right = np.linalg.svd(matrix, full_matrices=False)
        shrunk, kept = pcp.shrink_singular_values(matrix, singular[2])
        lowered = np.maximum(singular - singular[2], 0)
        np.testing.assert_allclose(shrunk, left * lowered @ right, atol=1e-9)
        np.testing.assert_allclose(np.sort(kept)[::-1][:2], lowered[:2], atol=1e-9)


def test_bad_pixels_go_to_the_sparse_part():
    X, basis, is_bad = planted_cells()
    model = PCP(4).fit(X)
    np.testing.assert_allclose(model.low_rank_ + model.sparse_, X, rtol=1e-12)
    assert angle(model, basis) < 10 < angle(METHODS["PCA"](4).fit(X), basis)
    assert np.abs(model.sparse_[is_bad]).min() > 3
    assert np.quantile(np.abs(model.sparse_[~is_bad]), 0.99) < 1
    is_distrusted = np.abs(model.sparse_) > model.cell_scale_
    np.testing.assert_array_equal(model.cell_weight_ < 0.5, is_distrusted)
    assert np.all(model.cell_weight_[model.sparse_ == 0] == 1)
    means = model.cell_weight_.mean(axis=1)
    np.testing.assert_allclose(model.sample_weight_, means / means.sum())


def test_the_subspace_is_that_of_the_low_rank_part():
    X, _, _ = planted_cells()
    model = PCP(3).fit(X)
    pca = METHODS["PCA"](3).fit(model.low_rank_)
    assert angle(model, pca) < 1e-6
    np.testing.assert_allclose(model.mean_, model.low_rank_.mean(axis=0))
    rest = X - pca.reconstruct(model.low_rank_)
    assert model.cell_scale_ == pytest.approx(3 * 1.4826 * np.median(np.abs(rest)))


def test_one_pursuit_serves_every_rank(monkeypatch):
    pursuits = []

    def count(*arguments, **options):
        pursuits.append(options)
        return pursue(*arguments, **options)

    monkeypatch.setattr(pcp, "pursue", count)
    X = planted_cells()[0]
    reduction = reduce_to_span(X)
    first, second = PCP(2).fit_reduced(reduction), PCP(5).fit_reduced(reduction)
    assert len(pursuits) == 1
    alone = PCP(5).fit(X)
    assert len(pursuits) == 2
    for name, value in vars(alone).items():  # no trace of what was fitted before
        np.testing.assert_array_equal(vars(second)[name], value)
    assert first.sparse_ is second.sparse_
    with pytest.raises(ValueError, match="read-only"):
        first.sparse_[:] = 0
    PCP(5, penalty=0.3).fit_reduced(reduction)
    assert len(pursuits) == 3
    assert len(reduction.pursuits) == 1  # data sets can be large


@pytest.mark.parametrize("are_grey_levels", [True, False])
def test_a_fit_holds_the_sparse_part_and_no_other_array_of_its_size(are_grey_levels, generator):
    """Beyond the samples: those of grey levels are held as bytes, also where they came pickled."""
    X = generator.uniform(0, 255, (200, 300)).round()
    X = X if are_grey_levels else X / 7
    reduction = reduce_to_span(X)
    model = PCP(3, max_iter=5).fit_reduced(reduction)
    model = pickle.loads(pickle.dumps(model)) if are_grey_levels else model
    shared = 0 if are_grey_levels else X.nbytes
    assert size_of([model, *([] if are_grey_levels else [X])]) - shared < 1.25 * X.nbytes
    assert model.sparse_.any()
    np.testing.assert_array_equal(model.low_rank_, X - model.sparse_)


@pytest.mark.parametrize("wrong", [-1, 256, 0.5])
def test_only_whole_grey_levels_are_held_as_bytes(wrong):
    X = np.full((2, 3), 7.0)
    assert pcp.narrowed(X).dtype == np.uint8
    X[1, 2] = wrong
    assert pcp.narrowed(X) is X


def test_a_cancelled_pursuit_leaves_nothing():
    class Cancelled(Exception):
        pass

    def cancel(iteration, *_):
        if iteration == 3:
            raise Cancelled

    reduction = reduce_to_span(cloud())
    with pytest.raises(Cancelled):
        PCP(2).fit_reduced(reduction, cancel)
    assert reduction.pursuits == {}


def test_order_and_scale(generator):
    X = planted_cells()[0]
    rows, columns = generator.permutation(120), generator.permutation(60)
    plain, changed = PCP(3).fit(X), PCP(3).fit(20 * X[rows][:, columns])
    np.testing.assert_allclose(changed.sparse_, 20 * plain.sparse_[rows][:, columns], atol=1e-2)
    assert changed.cell_scale_ == pytest.approx(20 * plain.cell_scale_, rel=1e-3)
    np.testing.assert_allclose(changed.components_, plain.components_[:, columns], atol=1e-3)


@pytest.mark.parametrize("penalty", [0, -1, np.inf, "1"])
def test_bad_penalty(penalty):
    with pytest.raises(ValueError, match=r"penalty=.* must be None or a number > 0"):
        PCP(2, penalty=penalty).fit(cloud())
