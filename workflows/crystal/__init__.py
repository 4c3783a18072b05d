"""Crystals at a level of theory: energy, forces and stress of any program, and relaxing by them."""
