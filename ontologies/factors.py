"""Factors between units of energy, for people to read.

Source: CODATA 2022; the Avogadro number, the thermochemical calorie, h, c and e are exact.
"""

HARTREE = {
    "Eh": 1.0,
    "eV": 27.211386245981,
    "kJ/mol": 2625.499639480,
    "kcal/mol": 627.5094740631,
    "cm⁻¹": 219474.63136314,
}
"""One hartree in other units."""

EV_NM = 1239.841984332
"""Energy in eV times wavelength in nm."""
