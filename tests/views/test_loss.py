"""The σ-loss over the residuals: exact curves, every residual counted, axes that stand still."""

from dataclasses import replace

import numpy as np
import pytest

from epca import METHODS
from epca.experiment import Scenario, prepare
from epca.losses import L21, SigmaLoss, Squared
from epca.views.loss import on_scale
from epca.views.tune import View


@pytest.fixture(scope="module")
def view(faces):
    scenario = Scenario(n_components=5, sigma=2.0**3)
    return View(scenario, prepare(scenario, faces), pca_error=100.0)


def at(view, exponent):
    scenario = view.scenario.at(sigma=2.0**exponent)
    return View(scenario, view.prepared, view.pca_error)


def axes(figure):
    """Everything that says where an axis begins and ends."""
    layout = figure.to_plotly_json()["layout"]
    return {
        name: (axis["range"], axis.get("tickvals"), axis.get("type"))
        for name, axis in layout.items()
        if name.startswith(("xaxis", "yaxis"))
    }


@pytest.mark.parametrize("is_log", [False, True])
def test_sigma_moves_the_curve_and_not_the_axes(view, is_log):
    """Nor the limits; a curve of a larger σ is lower below M and higher above it."""
    residuals = view.prepared.reduction.classical(5)[1]
    small, large = (at(view, exponent).loss_figure(residuals, is_log) for exponent in (-20, 12))
    assert axes(small) == axes(large)
    assert len(axes(small)) == (6 if is_log else 4)
    for limit in (1, 2):
        assert small.data[limit].y == large.data[limit].y
    difference = np.array(large.data[0].y) - small.data[0].y
    t = np.array(small.data[0].x)
    unit = np.log2(view.loss.unit) if is_log else view.loss.unit
    assert (difference[t > 1.01 * unit] > 0).all()
    assert (difference[(t > t[0]) & (t < 0.99 * unit)] < 0).all()


@pytest.mark.parametrize("is_log", [False, True])
def test_curves_are_the_losses_relative_to_their_values_at_the_median_residual(view, is_log):
    residuals = METHODS["PCA"](5).fit(view.prepared.occluded.X).residuals(view.prepared.occluded.X)
    median = np.median(residuals)
    assert view.loss.unit == pytest.approx(median)
    traces = at(view, 9).loss_figure(residuals, is_log).data
    losses = {"σ-loss": SigmaLoss(2.0**9), "ℓ2,1": L21(), "squared Frobenius": Squared()}
    for trace, (name, loss) in zip(traces, losses.items(), strict=False):
        assert trace.name == name
        t = np.array(trace.x)
        t = 2.0**t if is_log else t
        np.testing.assert_allclose(trace.y, loss.value(t) / loss.value(median), rtol=1e-9)
        in_its_unit = SigmaLoss(2.0**9 / median).value(t / median)
        if name == "σ-loss":  # the paper's figure with the median as the unit of length
            np.testing.assert_allclose(trace.y, in_its_unit, rtol=1e-9)
    if is_log:
        for trace, loss in zip(traces[3:], losses.values(), strict=False):
            weight = loss.weight(2.0 ** np.array(trace.x)) / loss.weight(median)
            np.testing.assert_allclose(trace.y, weight, rtol=1e-9)


@pytest.mark.parametrize("is_log", [False, True])
def test_the_histogram_counts_every_residual_on_the_axis_of_the_curves(view, is_log):
    residuals = 1.003 * view.prepared.reduction.classical(5)[1]  # none lies on an edge
    residuals[:2] = 0.0, 1e9  # beyond both ends
    figure = view.loss_figure(residuals, is_log)
    bars = {trace.name: trace for trace in figure.data if trace.type == "bar"}
    counts = {name: sum(trace.y) for name, trace in bars.items()}
    n_occluded = int(view.prepared.truth.sum())
    assert counts == {"residuals, clean": 400 - n_occluded, "residuals, occluded": n_occluded}
    assert figure.layout.barmode == "stack"
    total = np.sum([trace.y for trace in bars.values()], axis=0)
    trace = bars["residuals, clean"]
    lengths = np.log2(np.maximum(residuals, 1e-300)) if is_log else residuals
    for x, count in zip(trace.x[1:-1], total[1:-1], strict=True):
        assert count == np.sum(np.abs(lengths - x) < trace.width / 2)
    assert total[-1] >= 1
    axis = figure.layout[f"xaxis{3 if is_log else 2}"]
    assert axis.matches is None or axis.matches == "x"
    assert axis.range == figure.layout.xaxis.range
    assert axis.title.text == "EPCA's residual lengths t, in the unit of σ"  # but M is PCA's
    images = replace(view.images, is_occluded=True)
    unknown = View(view.scenario, view.prepared._replace(images=images), np.nan)
    (bar,) = [trace for trace in unknown.loss_figure(residuals, is_log).data if trace.type == "bar"]
    assert sum(bar.y) == 400


def test_a_sigma_beyond_the_axis_is_said(view):
    residuals = view.prepared.reduction.classical(5)[1]
    beyond = at(view, 20).loss_figure(residuals)
    assert [note.text for note in beyond.layout.annotations] == [
        "M of PCA",
        "σ = 1,050,000 (2²⁰) →",
    ]
    within = at(view, 9).loss_figure(residuals)
    assert [note.text for note in within.layout.annotations] == ["M of PCA", "σ"]
    assert within.layout.shapes[-1].x0 == 2.0**9


def test_exact_fits_keep_the_unit_of_the_data(faces):
    """Where PCA leaves nothing over, there is no median residual to compare with."""
    few = replace(faces, images=faces.images[:6], labels=None, class_names=())
    scenario = Scenario(n_components=5, sigma=1.0).at(samples=0.0)
    found = View(scenario, prepare(scenario, few), 1.0)
    assert found.loss.unit == 1.0
    figure = found.loss_figure(np.zeros(6))
    assert sum(figure.data[-1].y) == 6
    assert np.isfinite(figure.layout.yaxis.range).all()


@pytest.mark.parametrize(
    ("ends", "text", "places"),
    [
        ((2.0, 8.0), "2¹ to 2³", (52.5, 57.5)),
        ((0.0, 2.0**30), "2⁻²⁰ to 2³⁰", (0, 100)),
    ],
)
def test_residuals_have_a_place_on_the_scale_of_sigma(ends, text, places):
    found = on_scale(np.array(ends), range(-20, 21))
    assert found == (f"Most of PCA's residuals lie from {text}", *places)
