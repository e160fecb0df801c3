"""Data: the images by class, the occlusion live, what is known of the set, and uploading."""

import streamlit as st
from epca.ui.parts.pictures import show_rows

from epca.data import ACCEPTED, LIMITS
from epca.images import montage, png
from epca.ui.frame import router
from epca.ui.parts import results, uploads
from epca.views import dataset

view = dataset.View(results.prepare(router.enter()))

st.title(view.title)
st.markdown(view.facts)
for notice in view.images.notices:
    st.info(notice)

st.header("Occlusion")
st.markdown(view.occlusion_text)
show_rows(view.occlusion_rows, view.shown)

st.header("Images")
if view.n_pages > 1:
    view.page = st.pagination(view.n_pages, key="gallery")
st.image(png(montage(view.gallery, zoom=2)), alt=view.gallery_text)
st.caption(view.gallery_text)

st.header("Your own images")
st.markdown(ACCEPTED)
st.caption(f"{LIMITS} {uploads.OWN_LIMIT}")
is_occluded = st.checkbox(
    "They are occluded as they come",
    key="upload_occluded",
    help="Then nothing compares with a clean truth.",
)
text = "It stays in your session: nobody else sees it."
file = st.file_uploader("A file of images", key="upload", help=text)
if file is not None:
    uploads.receive(file, is_occluded)

with st.expander("Other data sets and how to get them"):
    st.table(dataset.elsewhere())
    uploads.offer_downloads()
