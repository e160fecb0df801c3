"""Activated: which images EPCA trusts, in linked views on one screen."""

import streamlit as st

from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.heading import head
from epca.ui.frame.rules import Among
from epca.ui.parts import (
    charts,
    downloads,
    gallery,
    inspector,
    newface,
    pinned,
    previews,
    selection,
    strips,
)
from epca.ui.parts.notices import end_where_unknown, warn_of_collapse
from epca.views import activated, pictures, reported, scripts

HEIGHT = 400  # of the charts; the style makes it follow the window's

setup = router.enter()
top = head("Which images are activated?")
end_where_unknown(setup.images)
view = activated.View(previews.compare(setup))
top.sentence.markdown(f"**{view.sentence}**")


@fragment
def show_linked():
    """The strip, the charts or the gallery, the inspector; choosing anywhere chooses everywhere."""
    selected = selection.read(view.images)
    with st.container(key="strip", gap=None):
        strips.show_activated(view, selected, on_click=strips.toggle)
    row = st.container(key="views", horizontal=True)
    with row.container(key="main_picture"):
        show_views(selected)
    with row.container(key="inspector", gap="xsmall"):
        selection.select(view.images)
        apart = inspector.show(setup, view, selected)
    offer(selected, apart)


def show_views(selected):
    """Two charts beside each other; all images to sort and filter are one click away."""
    if draw(CONTROLS["tab"], required=True, label_visibility="collapsed") == "all":
        show_gallery(selected)
    else:
        place = st.container(key="dots", horizontal=True, height=HEIGHT, border=False)
        selection.show_dots(
            view.result, tuple(selected), lambda: view.figures(selected), place, fills=True
        )
    charts.legend(view.looks)


def show_gallery(selected):
    """The images as buttons, sorted and filtered, page by page."""
    left, right = st.columns(2)
    sort = draw(CONTROLS["sort"], place=left)
    allowed = Among(view.filters, label=activated.FILTERS.__getitem__)  # equal from run to run
    show = draw(CONTROLS["show"], rule=allowed, place=right)
    found = activated.arrange(view.table, sort, show, selected)
    if not found:
        st.info("No image to show: choose another filter.")
        return
    pages = activated.pages(found)
    number = st.pagination(len(pages), key="gallery_page") if len(pages) > 1 else 1
    ids = pages[number - 1]
    with st.container(height=330, border=False):
        data = gallery.lay_out(
            view.sheet(ids),
            view.cells(ids, selected),
            label="Images of the fit",
            shape=view.images.image_shape,
            columns=activated.COLUMNS,
        )
        gallery.show(data, "faces", on_click=lambda: strips.toggle("faces"))
    st.caption(f"{len(found)} images. A click selects, another takes it back.")


def offer(selected, apart):
    """What is selected in numbers, and what the menu offers."""
    st.caption(activated.counts(view.table, selected))
    if len(selected) > activated.INSPECTED:
        with st.expander(f"All {len(selected)} selected images in numbers"):
            st.table(activated.readable(view.table.iloc[selected]))
    judge = apart.judge and apart.judge.label
    body, values = scripts.activated(selected, apart.ids, apart.is_robust, judge)
    code = downloads.script("Activated", body, setup, **values)
    faces = {"Faces": lambda: pictures.as_one(apart.rows, apart.heads)}
    parts = {"table": view.table, "pictures": faces}
    parts["report"] = lambda: reported.of_activated(apart, selected)
    downloads.offer("activated", code, **parts)


with st.container(key="notice"):
    warn_of_collapse(view.result.rows["EPCA"])
show_linked()
downloads.show_menu(top.export)
newface.show(setup, view)
pinned.show(setup, view.result)
