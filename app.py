"""The dashboard's entry point: `streamlit run app.py`."""

from epca.ui import router

router.run()
