"""MP2 and coupled cluster beside NWChem, Psi4 and what is exact for two electrons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .psi4_correlated import CorrelatedJob

KIND = "correlation"
BESIDE = "Psi4, run beside"
NWCHEM = "NWChem (TCE), quoted in QCDB's tests/nwchem_tests"
SAME = "thresholds of both programs"
LACKING = "what the extrapolation lacks"
KOLOS = "exact: W. Kołos, L. Wolniewicz, J. Chem. Phys. 49, 404 (1968)"
PEKERIS = "exact: C. L. Pekeris, Phys. Rev. 115, 1216 (1959)"

WATER = s.read(
    "O 0 0 -0.065638538099\nH 0 -0.757480611647 0.520865616174\nH 0 0.757480611647 0.520865616174"
)
HYDROGEN = s.pair("H", "H", 1.4 * BOHR)
METHYL = s.METHYL.model_copy(update={"multiplicity": 2})

Ours = Callable[[At, ConceptualAtoms], float]
Theirs = Callable[[Mapping[str, Any]], float]


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    every = {"all_electrons": True}
    for method, quantity, value in (
        ("MP2", "correlation energy", -0.204016996303923),
        ("CCSD", "correlation energy", -0.213341272556805),
        ("CCSD(T)", "energy", -76.243161551636248),
    ):
        yield Entry(
            KIND,
            "H2O",
            quantity,
            "Eh",
            Level(method, "cc-pVDZ", every),
            lambda at, quantity=quantity: _part(at, WATER, quantity),
            value,
            1e-6,
            SAME,
            NWCHEM,
        )
    for molecule, atoms in (("H2CO", s.FORMALDEHYDE), ("CH3", METHYL)):
        for method in ("MP2", "CCSD", "CCSD(T)"):
            yield _beside(
                molecule,
                atoms,
                Level(method, "6-31G**"),
                CorrelatedJob(atoms, method.lower(), "6-31g**"),
            )
        yield _beside(
            molecule,
            atoms,
            Level("DF-MP2", "cc-pVDZ"),
            CorrelatedJob(atoms, "mp2", "cc-pvdz", fitted="cc-pvdz-ri"),
        )
    for molecule, atoms, value, source in (
        ("H2 at 1.4 bohr", HYDROGEN, -1.174475, KOLOS),
        ("He", s.single("He"), -2.903724, PEKERIS),
    ):
        for basis, allowed in (("cc-pV[TQ]Z", 1e-3), ("def2-[TZVPP,QZVPP]", 2e-3)):
            yield Entry(
                KIND,
                molecule,
                "energy",
                "Eh",
                Level("CCSD(T)", basis),
                lambda at, atoms=atoms: at.correlated(atoms).energy,
                value,
                allowed,
                LACKING,
                source,
            )


def _part(at: At, atoms: ConceptualAtoms, quantity: str) -> float:
    found = at.correlated(atoms)
    return found.energy if quantity == "energy" else found.correlation_energy


def _beside(molecule: str, atoms: ConceptualAtoms, level: Level, job: CorrelatedJob) -> Entry:
    return Entry(
        KIND,
        molecule,
        "energy",
        "Eh",
        level,
        lambda at: at.correlated(atoms).energy,
        lambda: float(job.run()["energy"]),
        1e-6,
        SAME,
        BESIDE,
    )
