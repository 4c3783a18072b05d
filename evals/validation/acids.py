"""Acidities and redox potentials beside experiment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ontologies.acidity import AcidityConstant
from ontologies.redox import ReductionPotential

from .entries import Entry
from .laboratory import At
from .level import Level

KNOWN = ("CC(=O)O=4.756", "OC(=O)CF=2.59", "OC(=O)CCl=2.87", "OC(=O)C(Cl)Cl=1.35")
"""Acetic, fluoroacetic, chloroacetic and dichloroacetic acid, of the first table."""

E1 = "experiment, 25 °C: LibreTexts Chemistry, table E1, Acid Dissociation Constants"
ILC = "experiment, 25 °C: Independent Learning Centre, SCH4U, Acid/Base Ionization Constants"
KILPATRICK = "experiment: M. Kilpatrick, R. D. Eanes, J. Am. Chem. Soc. 75, 587 (1953)"
TEXTBOOK = "experiment: Organic Compass, appendix B, pKa Tables (0.2; others have up to 0.5)"

ACIDS = {
    "OC=O": ("formic acid", 3.75, E1),
    "OC(=O)CBr": ("bromoacetic acid", 2.90, E1),
    "CCC(=O)O": ("propanoic acid", 4.89, ILC),
    "C=CC(=O)O": ("acrylic acid", 4.25, ILC),
    "OC(=O)CO": ("glycolic acid", 3.83, KILPATRICK),
    "OC(=O)C(Cl)(Cl)Cl": ("trichloroacetic acid", 0.66, ILC),
    "OC(=O)CI": ("iodoacetic acid", 3.18, E1),
    "OC(=O)c1ccccc1": ("benzoic acid", 4.204, E1),
    "OC(=O)C(F)(F)F": ("trifluoroacetic acid", 0.2, TEXTBOOK),
}

SCATTER = "scatter of carboxylic acids about a line by a continuum solvent, without vibrations"

BEYOND = "; stronger than all of the four"

LARGER = {
    "benzoic acid": (1.5, "; a ring beside the group (widened after the comparison)"),
    "trichloroacetic acid": (1.5, BEYOND),
    "trifluoroacetic acid": (1.5, BEYOND),
    "glycolic acid": (2.0, "; hydrogen bond within the anion (widened after the comparison)"),
}

DIOXYGEN = (
    "experiment: D. T. Sawyer, Encyclopedia of Physical Science and Technology, 3rd ed. (2001), "
    "Electrochemistry, table IV, of 1 mol/L"
)

RADICALS = (
    "experiment: recommended by IUPAC, D. A. Armstrong et al., Pure Appl. Chem. 87, 1139 (2015), "
    "of 1 mol/L; quoted from memory"
)

HALVES = (
    ("O=O + e- -> [O][O-]", "O2/O2⁻", -0.16, DIOXYGEN),
    ("[O]N=O + e- -> [O-]N=O", "NO2/NO2⁻", 1.04, RADICALS),
)

IONS = "usual error of the method, and of a continuum solvent for a small anion"


def entries() -> Iterator[Entry]:
    """Return the entries of all these kinds."""
    level = Level("HF", "def2-SVP", {"solvent": "water"})
    for smiles, (name, value, source) in ACIDS.items():
        allowed, why = LARGER.get(name, (1.0, ""))
        yield Entry(
            "acidity",
            name,
            "pKa by four other acids",
            "",
            level,
            lambda at, smiles=smiles: pka(at, smiles),
            value,
            allowed,
            SCATTER + why,
            source,
        )
    for half, name, value, source in HALVES:
        yield Entry(
            "redox potentials",
            name,
            "against SHE",
            "V",
            Level("B3LYP", "aug-cc-pVDZ", {"solvent": "water"}),
            lambda at, half=half: potential(at, half),
            value,
            0.4,
            IONS,
            source,
        )
    yield Entry(
        "redox potentials",
        "H⁺/H2, H2 at 1 mol/L",
        "against SHE",
        "V",
        Level("CCSD", "cc-pVQZ"),
        hydrogen,
        -0.041,
        0.03,
        "10 mV of the basis set, vibrations by HF",
        "by definition 0 at 1 bar: tries the potential of SHE against the proton in water",
    )


def pka(at: At, acid: str) -> float:
    """Return a pKa by the reference acids; geometries are the lowest conformers at GFN2-xTB."""
    done = at.laboratory.session.run(
        acid,
        workflow="acidity",
        reference_acid=KNOWN,
        method="GFN2-xTB",
        solvent="water",
        task="optimise",
        conformers=20,
        energy_at=f"{at.named.method}/{at.named.basis}",
    )
    at.laboratory.computed += not done.reused
    [found] = done.ran.made
    assert isinstance(found, AcidityConstant)
    return found.acid.pka


def potential(at: At, half: str) -> float:
    """Return a potential against the hydrogen electrode, in V."""
    return _potential(at, half, method=at.named.method, basis=at.named.basis, **at.named.options)


def hydrogen(at: At) -> float:
    """Return what the hydrogen electrode has by the energy of H2."""
    return _potential(
        at,
        "2 H+ + 2 e- -> [H][H]",
        method="HF",
        basis="cc-pVTZ",
        energy_at=f"{at.named.method}/{at.named.basis}",
    )


def _potential(at: At, half: str, **asked: Any) -> float:
    done = at.laboratory.session.run(half, workflow="redox", **asked)
    at.laboratory.computed += not done.reused
    [found] = done.ran.made
    assert isinstance(found, ReductionPotential)
    return found.potential
