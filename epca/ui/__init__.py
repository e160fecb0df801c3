"""The rooms that import streamlit."""
