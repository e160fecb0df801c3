"""Colours that all eyes can tell apart: Okabe and Ito's palette, and a grey that is seen on light and dark."""

BLUE, SKY, GREEN, ORANGE, VERMILION, PURPLE = (
    "#0072B2",
    "#56B4E9",
    "#009E73",
    "#E69F00",
    "#D55E00",
    "#CC79A7",
)
GREY = "#808080"
WATER = "rgba(86, 180, 233, 0.45)"  # SKY to look through
