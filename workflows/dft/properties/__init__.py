"""Calculations that start from a converged SCF, and what is read from them."""
