"""What every page shares: the router, the settings, links, lessons, pinning, styles."""
