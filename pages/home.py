"""Home: the same damaged faces as clean, occluded, PCA, EPCA."""

import streamlit as st

from epca.images import montage, png
from epca.ui import experiment, router

router.guard()
result = experiment.compare(experiment.sidebar())
epca, measures = result.models["EPCA"], result.rows["EPCA"]

st.title("See which faces a robust PCA trusts")
st.markdown(
    f"{result.n_damaged} of these {len(epca.alpha_)} faces are damaged. **PCA** learns a subspace from all of them alike. "
    "**EPCA** tames badly fitting faces by a robust loss and *activates* the best-fitting ones by weights α that it learns."
)

error, activated, clean = st.columns(3)
error.metric("EPCA's error against PCA's", f"{result.error_change:+.1%}", help="‖clean − reconstruction‖², Eq. 57.")
activated.metric("Activated faces", f"{epca.n_activated_} of {len(epca.alpha_)}", help="Faces with α > 0.")
clean.metric(
    "Undamaged among the activated",
    f"{result.n_clean_activated} of {epca.n_activated_}" if result.n_damaged else "–",
    help="EPCA does not know which faces are damaged; we do. “–” when none is.",
)
if measures["collapsed"]:
    st.warning(
        "Some faces are fitted exactly. α now marks what is interpolated, not what is clean. Lower c or raise σ.",
        icon=":material/warning:",
    )

for label, faces in result.stages.items():
    name, picture = st.columns([1, 9], vertical_alignment="center")
    name.markdown(f"**{label}**")
    picture.image(png(montage(faces)), width="stretch", alt=f"{label}: faces {', '.join(map(str, result.shown))}")

stop = "" if measures["converged"] else ", the limit: the fit could still change"
st.caption(f"Faces: {result.prepared.images.source}. EPCA took {epca.n_iter_} iterations{stop}.")
