"""The dashboard's entry point: `streamlit run app.py`."""

from epca.ui.frame import router

if __name__ == "__main__":  # a process that a pool starts imports this file
    router.run()
