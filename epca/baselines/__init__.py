"""The methods that EPCA is compared with, one file each; `epca.registry` finds them."""
