"""What all charts share: title, margins, a legend below."""

MARGIN = {"l": 60, "r": 10, "t": 40, "b": 50}
LEGEND = {"orientation": "h", "y": -0.25, "font": {"size": 12}}


def framed(figure, title, height, **layout):
    """The figure with its title and the shared layout; `layout` adds to it or overrides it."""
    return figure.update_layout(
        **{"title": title, "height": height, "margin": MARGIN, "legend": LEGEND} | layout
    )
