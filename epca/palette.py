"""Colours that all eyes can tell apart (Okabe and Ito), and a grey that shows on light and dark."""

BLUE = "#0072B2"
SKY = "#56B4E9"
GREEN = "#009E73"
ORANGE = "#E69F00"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#808080"
WATER = "rgba(86, 180, 233, 0.45)"  # SKY to look through
