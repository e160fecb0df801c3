"""What pages show, without Streamlit: texts, tables, pictures, the inputs of figures."""
