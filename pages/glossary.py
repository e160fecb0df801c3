"""The glossary's old address: the router leads to the page Learn, whose part it is now."""

from epca.ui.frame import router

router.enter()
