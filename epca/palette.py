"""Colours that all eyes can tell apart, on light and dark pages.

The first six are those of Okabe and Ito without black and yellow. The others keep away from them
and from each other in CIELAB as red-blind and green-blind eyes see them, too.
"""

BLUE = "#0072B2"
SKY = "#56B4E9"
GREEN = "#009E73"
ORANGE = "#E69F00"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
VIOLET = "#5511FF"
BROWN = "#884422"
LEAF = "#66CC77"
GREY = "#808080"
WATER = "rgba(86, 180, 233, 0.45)"  # SKY to look through
