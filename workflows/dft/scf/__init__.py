"""Self-consistent fields: built, converged, followed to a minimum, derived from."""
