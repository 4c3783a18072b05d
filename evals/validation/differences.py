"""Differences of energies: ionisation, interaction, dispersion, conformers, reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ontologies.factors import BOHR, HARTREE

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .sources import CODATA, GRID, METHOD, ORCA_DFT, QCHEM_DFT, S22, psi4

KCAL, KJ, EV = (HARTREE[unit] for unit in ("kcal/mol", "kJ/mol", "eV"))

IONISATIONS = {
    "BLYP": 0.452062348,
    "PBE": 0.4552076767,
    "B3LYP": 0.4572870674,
    "B3LYP5": 0.4535575461,
    "PBE0": 0.4530422829,
    "CAM-B3LYP": 0.4568003604,
    "LRC-wPBE": 0.4580992958,
    "wB97X": 0.4564711283,
    "wB97X-D3": 0.4570744381,
    "TPSS": 0.4510368445,
    "M06-L": 0.4568710032,
    "M06-2X": 0.4584074697,
    "SCAN": 0.4517181611,
}
INTERACTIONS = {
    "PBE": -0.0154580371,
    "B3LYP": -0.0145306919,
    "PBE0": -0.0149591069,
    "M06-2X": -0.0149081161,
    "wB97X-D3": -0.0148666307,
    "B97-D3(0)": -0.0144570179,
}
ORCAS = {
    "wB97X-D3(BJ)": -0.01295664452,
    "B97M-D3(BJ)": -0.01242543212,
    "wB97M-D3(BJ)": -0.01351626999,
}


def entries() -> Iterator[Entry]:
    """Return the entries of all these kinds."""
    yield from _ionisation()
    yield from _interaction()
    yield from _dispersion()
    yield from _conformers()
    yield from _reactions()


def _ionisation() -> Iterator[Entry]:
    for method, value in IONISATIONS.items():
        # SCAN moves by 0.8 mEh from the usual grid to this one
        options = {"grid_level": 7} if method == "SCAN" else {}
        yield Entry(
            "ionisation",
            "H2O",
            "vertical energy",
            "Eh",
            Level(method, "6-31G", options),
            lambda at: at.energy(s.WATER_CATION) - at.energy(s.WATER_OF_DIMER),
            value,
            1e-4,
            GRID,
            QCHEM_DFT,
        )
    yield Entry(
        "ionisation",
        "H2O",
        "vertical energy",
        "eV",
        Level("B3LYP", "aug-cc-pVDZ"),
        lambda at: (at.energy(s.WATER_CATION) - at.energy(s.WATER_OF_DIMER)) * EV,
        12.62,
        0.4,
        METHOD,
        "experiment: K. Kimura et al., Handbook of He I Photoelectron Spectra (1981)",
    )
    yield Entry(
        "ionisation",
        "He",
        "energy",
        "eV",
        Level("B3LYP", "cc-pVQZ"),
        lambda at: (at.energy(s.single("He", charge=1)) - at.energy(s.single("He"))) * EV,
        24.587,
        0.5,
        METHOD,
        "experiment: NIST Atomic Spectra Database",
    )


def _bound(dimer: s.ConceptualAtoms, first: int) -> Callable[[At], float]:
    parts = s.part(dimer, 0, first), s.part(dimer, first, len(dimer.numbers))
    return lambda at: at.energy(dimer) - sum(at.energy(part) for part in parts)


def _interaction() -> Iterator[Entry]:
    water = _bound(s.WATER_DIMER, 3)
    for basis, values, source in (
        ("6-31G", INTERACTIONS, QCHEM_DFT),
        ("cc-pVDZ", ORCAS, ORCA_DFT),
    ):
        for method, value in values.items():
            yield Entry(
                "interaction",
                "(H2O)2",
                "energy",
                "Eh",
                Level(method, basis),
                water,
                value,
                1e-4,
                GRID,
                source,
            )
    fitted = Level("B3LYP-D3(BJ)", "def2-TZVPPD", {"density_fitting": True})
    for name, dimer, first, value in (
        ("(NH3)2", s.AMMONIA_DIMER, 4, -3.133),
        ("(H2O)2", s.WATER_DIMER, 3, -4.989),
        ("(CH4)2", s.METHANE_DIMER, 5, -0.527),
        ("C2H4·C2H2", s.ETHENE_ETHYNE, 6, -1.496),
    ):
        bound = _bound(dimer, first)
        yield Entry(
            "interaction",
            name,
            "energy",
            "kcal/mol",
            fitted,
            lambda at, bound=bound: bound(at) * KCAL,
            value,
            0.8,
            METHOD + ", and superposition of basis sets",
            S22,
        )


def _dispersion() -> Iterator[Entry]:
    ethyne = s.part(s.ETHENE_ETHYNE, 6, 10)
    rough = {"grid_level": 0}
    for method, values in (
        ("B3LYP-D3(BJ)", (-0.00784595, -0.00226683)),
        ("B3LYP-D3(0)", (-0.00285088, -0.00031923)),
        ("PBE-D3(BJ)", (-0.00475937, -0.00131239)),
        ("PBE-D3(0)", (-0.00175474, -0.00016839)),
    ):
        for name, atoms, value in zip(
            ("C2H4·C2H2", "C2H2"), (s.ETHENE_ETHYNE, ethyne), values, strict=True
        ):
            yield Entry(
                "dispersion",
                name,
                "correction",
                "Eh",
                Level(method, "STO-3G", rough),
                lambda at, atoms=atoms: at.point(atoms).dispersion_energy or 0.0,
                value,
                2e-7,
                "digits of the reference",
                "Grimme's dftd3, quoted in " + psi4("dftd3/energy"),
            )
    apart = s.pair("H", "H", 3 * BOHR)
    yield Entry(
        "dispersion",
        "H2 at 3 bohr",
        "correction",
        "Eh",
        Level("PBE-D4", "STO-3G", rough),
        lambda at: at.point(apart).dispersion_energy or 0.0,
        -0.00018238733798327627,
        1e-9,
        "rounding",
        "dftd4 4.3.1, quoted in pyscf-dispersion's tests",
    )


def _conformers() -> Iterator[Entry]:
    source = "ACONF (W1h-val): D. Gruzman, A. Karton, J. M. L. Martin, J. Phys. Chem. A 113, 11974 (2009)"  # noqa: E501
    for method in ("B3LYP-D3(BJ)", "PBE0-D4"):
        yield Entry(
            "conformers",
            "butane",
            "gauche less trans",
            "kcal/mol",
            Level(method, "def2-TZVP", {"density_fitting": True}),
            lambda at: (at.energy(s.BUTANE_GAUCHE) - at.energy(s.BUTANE_TRANS)) * KCAL,
            0.598,
            0.3,
            METHOD + " (half of the value at most)",
            source,
        )


def _reactions() -> Iterator[Entry]:
    triple = "def2-TZVP"
    waters = (
        (1, s.CARBON_DIOXIDE),
        (1, s.pair("H", "H", 0.75)),
        (-1, s.pair("C", "O", 1.13)),
        (-1, s.WATER),
    )
    haber = (2, s.AMMONIA), (-1, s.pair("N", "N", 1.1)), (-3, s.pair("H", "H", 0.75))
    diffuse = METHOD + ", and 15 kJ/mol for want of diffuse functions"
    for name, terms, value, allowed, why in (
        ("CO + H2O → CO2 + H2", waters, -393.51 + 110.53 + 241.826, 40.0, diffuse),
        ("N2 + 3 H2 → 2 NH3", haber, 2 * -45.90, 25.0, METHOD),
    ):
        yield Entry(
            "reactions",
            name,
            "enthalpy at 298.15 K",
            "kJ/mol",
            Level("B3LYP", triple),
            lambda at, terms=terms: sum(n * at.heat(atoms).enthalpy for n, atoms in terms) * KJ,
            value,
            allowed,
            why,
            CODATA,
        )
    line = s.read("H 0 0 0\nH 0 0 0.929474\nH 0 0 -0.929474")
    yield Entry(
        "reactions",
        "H + H2 → H2 + H",
        "barrier",
        "kcal/mol",
        Level("M06-2X", triple),
        lambda at: (
            (at.energy(line) - at.energy(s.single("H")) - at.energy(s.pair("H", "H", 0.74187646)))
            * KCAL
        ),
        9.6,
        3.0,
        METHOD,
        "HTBH38/04: Y. Zhao, B. J. Lynch, D. G. Truhlar, Phys. Chem. Chem. Phys. 7, 43 (2005)",
    )

    def gap(at: At) -> float:
        singlet = at.vibrations_of(s.bent("C", "H", 1.11, 102.0))
        triplet = at.vibrations_of(s.bent("C", "H", 1.08, 134.0, multiplicity=3))
        quanta = singlet.wavenumbers.sum() - triplet.wavenumbers.sum()
        half = float(quanta) / 2 / HARTREE["cm⁻¹"]
        return (singlet.energy - triplet.energy + half) * KCAL

    yield Entry(
        "reactions",
        "CH2",
        "singlet less triplet at 0 K",
        "kcal/mol",
        Level("B3LYP", triple),
        gap,
        9.00,
        4.0,
        METHOD + ": one determinant for the singlet",
        "experiment: P. Jensen, P. R. Bunker, J. Chem. Phys. 89, 1327 (1988)",
    )
