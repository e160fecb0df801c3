"""The methods EPCA is compared with: one file each; `epca.registry` finds them by their `label`."""
