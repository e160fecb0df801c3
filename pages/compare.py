"""Compare: methods side by side on the same occluded images, their faces beside their numbers."""

import streamlit as st

from epca.ui.frame import presets, router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.heading import head
from epca.ui.frame.rules import Among
from epca.ui.parts import (
    charts,
    downloads,
    further,
    matrix,
    methods,
    parameters,
    pinned,
    previews,
    results,
    selection,
)
from epca.views import compare, measures, pictures, reported, scripts, seeds, shows
from epca.views.comparison import Comparison

SENTENCE = "The same images and rank for all. ★ marks the best of a column, unless it is a tie."

shared = router.enter()


def choose_pictures():
    """What the matrix shows of which images, and the ids of the selected ones."""
    row = st.container(key="looking", horizontal=True, vertical_alignment="center")
    offered = shows.shows_for(setup.images, labels)
    rule = Among(offered, label=shows.SHOWS.__getitem__)
    show = draw(CONTROLS["pictures"], rule=rule, place=row, required=True)
    is_robust = draw(CONTROLS["robust"], place=row)
    with row.container(key="picked"):
        selected = selection.select(setup.images)
    ids = compare.shown_ids(Comparison(setup.scenario, prepared, {}), selected)
    return matrix.Choice(labels, ids, show, is_robust), selected


def show_numbers(numbers, averaged, missing):
    """What is missing or went wrong, the numbers as a table, what they mean, means over seeds."""
    for text in filter(None, [missing, *numbers.texts]):
        st.caption(text)
    with st.expander("The numbers as a table, and what they mean"):
        st.table(numbers.shown)
        st.markdown(compare.meanings())
    if averaged is not None:
        with st.container(key="over_seeds"):
            st.header("Over several seeds")
            st.table(measures.readable(*seeds.averages(averaged)).drop(columns="note"))


def show_images(view, ids, selected):
    """Errors of the images shown, method against method, an outlier map, curves of all images."""
    st.header("Image by image")
    what = view.what
    st.table(results.remember(view.result, ("errors", what, *ids), lambda: view.errors(ids)))
    rules = methods.axes(list(view.models))
    across, up, outliers = (
        draw(CONTROLS[key], rule=rules[key], place=column)
        for key, column in zip(("across", "up", "map_of"), st.columns(3), strict=True)
    )
    place = charts.wide_row("methods", least="20rem")

    def make():
        return {
            "pair": view.pair_figure(across, up, selected),
            "method_outliers": view.outlier_figure(outliers, selected),
        }

    dots = (what, across, up, outliers, *selected)
    figures = selection.show_dots(view.result, dots, make, place)
    curves = charts.remember(view.result, what, lambda: {"sorted": view.sorted_figure()})
    charts.show(curves["sorted"], "sorted", place=place)
    return [*figures.values(), *curves.values()]


@fragment
def show_comparison():
    """All that the chosen methods make of the images; choosing images runs it again alone."""
    choice, selected = choose_pictures()
    place, found = matrix.fit_all(setup, choice)
    view = matrix.view_of(setup, labels, found)
    left, right = st.container(key="more_numbers").columns(2)
    with left:
        accuracies, runs = further.cluster(setup, () if found.is_preview else labels, found.fits)
    numbers = matrix.numbers_of(choice, view, found, accuracies)
    with place:
        matrix.show(setup, choice, view, numbers)
    with right:
        averaged, n_seeds = further.over_seeds(setup, labels)
    missing = shows.missing_text(view.models, choice.show, is_robust=choice.is_robust)
    show_numbers(numbers, averaged, missing)
    faces = {}
    figures = []
    if view.models and found.has_all(labels):
        with st.container(key="image_by_image"):
            figures = show_images(view, choice.ids, selected)
        with st.container(key="components_part"):
            matrix.show_components(view)
        faces = {
            "Faces": lambda: pictures.as_one(view.stages(choice.ids, choice.show), choice.ids),
            "Components": lambda: pictures.as_one(view.components(), view.component_numbers),
        }
    body, values = scripts.compare(labels, choice.ids, runs, n_seeds, choice.is_robust)
    code = downloads.script("Compare", body, setup, **values)
    shown = (view, sentence, (choice.ids, choice.show), numbers.rows, averaged, figures)
    parts = {"table": compare.table(numbers.rows, averaged), "pictures": faces}
    downloads.offer("compare", code, **parts, report=lambda: reported.of_compare(*shown))


regime = presets.regime(st.session_state, shared.images)
sentence = f"**{regime.label.capitalize()}.** {regime.shows}" if regime else SENTENCE
top = head("Compare", sentence)
with st.container(key="choice", horizontal=True, vertical_alignment="center"):
    labels = methods.choose(methods.witness(shared.images, regime))
    setup = parameters.ask(shared, labels)
prepared = results.prepare(setup)
if labels:
    show_comparison()
    downloads.show_menu(top.export)
else:
    st.info("No method is chosen. Choose at least one above.")
if shared.pinned and previews.are_exact(setup, labels):
    pinned.show(shared)
