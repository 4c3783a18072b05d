"""Factors between units: the one place where they are written.

Calculations that were stored with the constants of their program (PySCF, ASE, QCElemental) keep
these, so that their numbers stay what they are.

Source: CODATA 2022; the Avogadro number, the thermochemical calorie, h, c and e are exact.
"""

BOHR = 0.529177210544
"""Å in a bohr."""

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

EV_WAVENUMBER = 8065.543937349
"""1/cm in an eV."""

DEBYE = 2.541746471473
"""D in an e·bohr."""

GAS_CONSTANT = 8.31446261815324
"""J/(mol K)."""
