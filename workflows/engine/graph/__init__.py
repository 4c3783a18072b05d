"""Typed graphs, the plans through them, who chooses the steps, and runs."""
