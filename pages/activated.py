"""Activated samples: which images EPCA trusts, in four linked views."""

import streamlit as st
from epca.ui.parts.pictures import show_rows

from epca.images import IN_A_ROW
from epca.plots.samples import HEIGHT
from epca.ui.frame import router
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.fragments import fragment
from epca.ui.frame.rules import Among
from epca.ui.parts import charts, downloads, newface, pinned, results, selection
from epca.ui.parts.gallery import gallery
from epca.ui.parts.notices import warn_of_collapse
from epca.views import activated, pictures, scripts

setup = router.enter()
view = activated.View(results.compare(setup))


@fragment
def show_linked():
    """The four views, the inspector and the downloads; choosing anywhere chooses everywhere."""
    selected = selection.select(view.images)
    st.caption(activated.counts(view.table, selected))
    place = charts.wide_row("views", least="max(26rem, 40%)")  # two by two, or below each other
    selection.show_dots(view.figures(selected), place)
    with place.container(height=HEIGHT):
        show_gallery(selected)
    inspected = selected[:IN_A_ROW]
    rows = view.stages(inspected) if selected else view.result.stages
    if selected:
        st.header("Selected images")
        show_rows(rows, inspected)
        st.table(activated.readable(view.table.iloc[inspected]))
        if len(selected) > IN_A_ROW:
            st.caption(f"The first {IN_A_ROW} of {len(selected)}; the table (CSV) has all.")
    chosen = list(selected)
    code = downloads.script("Activated samples", scripts.ACTIVATED, setup, selected=chosen)
    downloads.offer("activated", code, table=view.table, pictures={"Faces": pictures.as_one(rows)})


def show_gallery(selected):
    """The images as buttons, sorted and filtered."""
    left, right = st.columns(2)
    sort = draw(CONTROLS["sort"], place=left)
    allowed = Among(view.filters, label=activated.FILTERS.__getitem__)  # equal from run to run
    show = draw(CONTROLS["show"], rule=allowed, place=right)
    ids = activated.arrange(view.table, sort, show, selected)
    if not ids:
        st.info("No image to show: choose another filter.")
        return
    gallery(
        view.sheet(ids),
        view.cells(ids, selected),
        label="Images of the fit",
        shape=view.images.image_shape,
        columns=activated.COLUMNS,
        key="faces",
        on_click=toggle_clicked,
    )
    st.caption("● activated, ○ not activated, ✕ occluded. A click selects, another takes it back.")


def toggle_clicked():
    clicked = st.session_state["faces"].clicked
    if clicked is not None:
        selection.toggle([int(clicked)])


st.title("Activated samples")
st.markdown(f"**{view.sentence}**")
warn_of_collapse(view.result.rows["EPCA"])
show_linked()
newface.show(setup, view)
pinned.show(setup, view.result)
