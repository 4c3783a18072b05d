"""Multipoles and charges."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.factors import DEBYE

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .sources import GRID, SCF, psi4


def _axis(at: At, atoms: s.ConceptualAtoms) -> float:
    return abs(float(at.point(atoms).dipole[2]))


def _traceless(xx: float, yy: float, zz: float) -> float:
    """Return Buckingham's xx from the second moments, in D·Å."""
    return 1.5 * xx - 0.5 * (xx + yy + zz)


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    water = s.bent("O", "H", 0.98944, 100.047)
    yield Entry(
        "multipoles and charges",
        "H2O",
        "dipole",
        "D",
        Level("HF", "STO-3G"),
        lambda at: _axis(at, water),
        0.672391714 * DEBYE,
        1e-5,
        SCF,
        "energies in fields, " + psi4("props1"),
    )
    for method, more, dipole, moments, why in (
        ("HF", {}, 0.572697798348, (-7.664066833060, -6.097755074075, -7.074596012050), SCF),
        (
            "B3LYP",
            {"grid_level": 5},
            0.641741521158,
            (-7.616483183211, -6.005896804551, -7.021817489904),
            GRID,
        ),
    ):
        level = Level(method, "6-31G**", {"cartesian": True, **more})
        yield Entry(
            "multipoles and charges",
            "CH2, triplet",
            "dipole",
            "D",
            level,
            lambda at: _axis(at, s.METHYLENE),
            dipole,
            1e-4,
            why,
            psi4("scf-property"),
        )
        yield Entry(
            "multipoles and charges",
            "CH2, triplet",
            "quadrupole across the plane",
            "D·Å",
            level,
            lambda at: float(at.analysis(s.METHYLENE).quadrupole[0, 0]),
            _traceless(*moments),
            3e-4,
            why + "; centre of mass of one isotope each",
            psi4("scf-property"),
        )
    cyanide = s.read("C 0 0 0\nH 0 0 1.0640\nN 0 0 -1.1560")
    for atom, value in enumerate((-0.007844869262523702, 0.21755558427361243, -0.2097107150110915)):
        yield Entry(
            "multipoles and charges",
            "HCN",
            f"IAO charge of {cyanide.symbols[atom]}",
            "e",
            Level("HF", "cc-pVTZ"),
            lambda at, atom=atom: float((_some(at.analysis(cyanide).iao_charges))[atom]),
            value,
            2e-4,
            "the reference fits densities",
            "Forte2's tests of IAO charges of HCN",
        )
    odd = s.read(
        "C 0 0 0.489758\nH 0 0 1.576776\nH 0 0 -1.018930\nO 0 1.047477 -0.218525\n"
        "O 0 -1.047477 -0.218525"
    )
    for atom, value in enumerate((0.270923, 0.093901)):
        yield Entry(
            "multipoles and charges",
            "CH2O2, one proton between the oxygens",
            f"Hirshfeld charge of {odd.symbols[atom]}",
            "e",
            Level("HF", "def2-TZVPPD", {"density_fitting": True}),
            lambda at, atom=atom: float(at.analysis(odd).hirshfeld_charges[atom]),
            value,
            2e-3,
            "grids of both programs, and fitted densities",
            "Q-Chem 6.0.2, quoted at talk.q-chem.com/t/1541",
        )


def _some(charges: np.ndarray | None) -> np.ndarray:
    assert charges is not None
    return charges
