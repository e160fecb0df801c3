"""Framework: the idea on points one can move, and on losses one types in."""

import streamlit as st

from epca.data.clouds import draw_cloud
from epca.literal import literal
from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import chosen, draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.heading import head
from epca.ui.parts import charts, cloud, downloads
from epca.views import framework, reported, waterfill

router.enter()


def choose():
    """The controls beside the plane: the points, and how to learn from them."""
    learner = draw(CONTROLS["learner"], required=True)
    row = st.columns([3, 2], vertical_alignment="bottom")
    preset = draw(CONTROLS["cloud"], place=row[0], on_change=cloud.forget)
    seed = draw(CONTROLS["cloud_seed"], place=row[1], on_change=cloud.forget)
    exponent = draw(CONTROLS["sigma_2d"])
    gamma = draw(CONTROLS["gamma"])
    points = cloud.current(draw_cloud(preset, seed))
    cloud.show_controls(points)
    return points, learner, framework.SIGMAS[exponent], gamma


@fragment
def show_cloud():
    """The cloud with its controls, the lines learned from it, and the weights behind them."""
    row = charts.wide_row("plane", least="21rem", first=4)
    plane = row.container()
    controls = row.container()
    with controls:
        points, learner, sigma, gamma = choose()
    learned = framework.learn(points, learner, sigma, gamma)
    with plane:
        cloud.show_plane(points, framework.dots(learned), framework.lines(learned, learner))
    st.markdown(framework.summary(learned))
    show_weights(learned, gamma)
    table = framework.point_table(points, learned)
    with st.expander("The points in numbers"):
        st.table(framework.as_texts(table))
    code = framework.script(points, learner, sigma, gamma)
    where = () if cloud.is_edited() else ("cloud", "cloud_seed")  # moved points are no preset's
    keys = ("learner", *where, "sigma_2d", "gamma")
    parts = {"table": table, "settings": chosen(*(CONTROLS[key] for key in keys))}
    parts["report"] = lambda: reported.of_framework(points, learned, gamma)
    downloads.offer("framework", code, **parts)


def show_weights(learned, gamma):
    """Losses and direct weights; at γ = 1 also the level that decides which are activated."""
    row = charts.wide_row("weights")
    charts.show(framework.loss_figure(learned), "cloud_losses", place=row)
    charts.show(framework.direct_weight_figure(learned), "cloud_weights", place=row)
    if gamma > 1:
        st.info(
            "With γ > 1 every point is activated: there is no level to fill up to. "
            "Set γ = 1 for the water-filling picture."
        )
        return
    row = charts.wide_row("water")
    charts.show(framework.water_figure(learned), "cloud_water", place=row)
    row.container().markdown(framework.WATER + framework.WHY)


@fragment
def show_losses():
    """Losses and γ to set, the weights they get, and the picture that γ allows."""
    left, right = st.columns([3, 2])
    text = draw(CONTROLS["losses"], place=left)
    gamma = draw(CONTROLS["gamma_losses"], place=right)
    try:
        losses = waterfill.parse(text)
    except ValueError as error:
        st.error(literal(error))
        return
    activation, minima = waterfill.minimise(losses, gamma)
    st.markdown(waterfill.explain(losses, gamma, activation, minima))
    row = charts.wide_row("losses")
    for key, figure in waterfill.figures(losses, gamma, activation, minima).items():
        charts.show(figure, key, place=row)
    st.markdown(waterfill.PROBLEM)


top = head(
    "Framework",
    "Any learner with a loss per sample becomes robust in two ways: a σ-loss tames what fits "
    "badly, and weights α activate what fits best. Add an outlier and watch the lines. This page "
    "has its own points and ignores the experiment.",
)
show_cloud()
downloads.show_menu(top.export)

with st.container(key="own_losses"):
    st.header("Losses of your own")
    show_losses()
