"""Figures as pure functions: arrays in, plotly Figure out."""
