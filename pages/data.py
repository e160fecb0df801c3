"""Data: your own images, the images by class, the occlusion live, what is known of the set."""

import streamlit as st

from epca.images import montage, png
from epca.literal import literal
from epca.ui.frame import images, router
from epca.ui.frame.heading import head
from epca.ui.parts import results, uploads
from epca.ui.parts.faces import show_faces
from epca.views import dataset

setup = router.enter()
view = dataset.View(results.prepare(setup), images.known(setup.images))

head(literal(view.title), view.facts)
uploads.show(view.title, view.images.notices)

with st.container(key="main_picture"):
    st.markdown(view.occlusion_text)
    show_faces(view.occlusion_rows, view.shown, key="data_faces", spare=24, largest=9)
st.caption(literal(view.source))

st.header("Images")
if view.n_pages > 1:
    view.page = st.pagination(view.n_pages, key="gallery")
st.image(png(montage(view.gallery, zoom=2)), alt=view.gallery_text)
st.caption(literal(view.gallery_text))

with st.expander("Other data sets"):
    st.table(dataset.elsewhere())
    uploads.offer_downloads()
