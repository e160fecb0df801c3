"""Data: the images by class, the occlusion live, what is known of the set, and uploading one's own."""

import streamlit as st

from epca.data import ACCEPTED, LIMITS
from epca.images import montage, png
from epca.ui import dataset, experiment, router

view = dataset.View(router.enter())

st.title(view.title)
st.markdown(view.facts)
for notice in view.images.notices:
    st.info(notice)

st.header("Occlusion")
st.markdown(view.occlusion_text)
experiment.show_rows(view.occlusion_rows, view.shown)

st.header("Images")
if view.n_pages > 1:
    view.page = st.pagination(view.n_pages, key="gallery")
st.image(png(montage(view.gallery, zoom=2)), alt=view.gallery_text)
st.caption(view.gallery_text)

st.header("Your own images")
st.markdown(ACCEPTED)
st.caption(f"{LIMITS} {dataset.OWN_LIMIT}")
occluded = st.checkbox(
    "They are occluded as they come",
    key="upload_occluded",
    help="Then nothing compares with a clean truth.",
)
file = st.file_uploader(
    "A file of images", key="upload", help="It stays in your session: nobody else sees it."
)
if file is not None:
    dataset.receive(file, occluded)

with st.expander("Other data sets and how to get them"):
    st.table(dataset.elsewhere())
    dataset.offer_downloads()
