"""A bare Streamlit page with the widgets our pages use: what it breaks, ours may break too."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

st.set_page_config(page_title="Bare", layout="wide")
pages = [st.Page(lambda: None, title=title, url_path=title) for title in ("Bare", "Other")]
st.navigation(pages, position="top").run()
st.sidebar.header("Header")
st.sidebar.selectbox("One of many", ["a", "b"], help="help")
st.sidebar.selectbox("One or none", ["a", "b"], index=None, placeholder="none")
st.sidebar.slider("Slider", 0, 10, 5, help="help")
st.sidebar.select_slider("Select slider", range(5), 2)
st.sidebar.number_input("Number", 0, 10, 5)
st.sidebar.multiselect("Many", ["a", "b"], default=["a"])
st.sidebar.toggle("Toggle", help="help")
st.sidebar.caption("caption")
st.title("Title")
st.caption("caption")
st.header("Heading")
st.subheader("Subheading")
st.markdown("Text and **bold**.")
st.metric("Metric", "1", help="help")
st.warning("warning")
st.info("info")
st.error("error")
st.button("Button", shortcut="Esc")
st.download_button("Download", "x", "x.txt")
st.file_uploader("File")
st.radio("Radio", ["a", "b"], horizontal=True)
st.checkbox("Check")
st.pagination(5)
st.table(pd.DataFrame({"a": ["x"], "b": ["y"]}))
st.table(
    pd.DataFrame(
        {f"column number {i}": ["$\\alpha_i$", "a longer text"] for i in range(30)}
    ).rename_axis("name")
)  # too wide
st.dataframe(pd.DataFrame({"a": ["x"], "b": ["y"]}), hide_index=True)
st.plotly_chart(go.Figure(go.Scatter(x=[1, 2], y=[1, 2])), on_select="rerun", alt="A chart")
with st.expander("Expander"):
    st.markdown("inside")
st.code("code = 1")
st.page_link("https://127.0.0.1", label="Link")
