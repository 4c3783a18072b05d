"""S1, T1 and what they are, as `grafico excite` tells them, beside the best estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.gaps import SingletTripletGap

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .sources import QUEST

# Ground states by CC3(full)/aug-cc-pVTZ, as QUEST has them
FORMALDEHYDE = s.read(
    """
    C 0 0 -1.13947666
    O 0 0 1.14402883
    H 0 1.76627623 -2.23398653
    H 0 -1.76627623 -2.23398653
    """,
    BOHR,
)
THIOFORMALDEHYDE = s.read(
    """
    C 0 0 -1.10427230
    S 0 0 0.51463095
    H 0 0.91895699 -1.67756257
    H 0 -0.91895699 -1.67756257
    """
)
ETHYLENE = s.read(
    """
    C 0 0.66690369 0
    C 0 -0.66690369 0
    H 0 1.22952147 0.92229027
    H 0 -1.22952147 0.92229027
    H 0 1.22952147 -0.92229027
    H 0 -1.22952147 -0.92229027
    """
)
METHANIMINE = s.read(
    """
    C 0.05660419 0 0.58786871
    N 0.05696068 0 -0.68622478
    H -0.84213732 0 1.20280160
    H 1.00795074 0 1.10806479
    H -0.89936904 0 -1.03833778
    """
)
NITROXYL = s.read(
    """
    O 0.11165473 0 1.14017778
    N -0.23694886 0 -0.01899355
    H 0.62529393 0 -0.62118442
    """
)
GLYOXAL = s.read(
    """
    C 0.64221070 0.40132897 0
    C -0.64221070 -0.40132897 0
    O 1.72290193 -0.13998418 0
    O -1.72290193 0.13998418 0
    H 0.50872577 1.49166129 0
    H -0.50872577 -1.49166129 0
    """
)

# S1 and T1 in eV; ethylene's S1 is a Rydberg state, for which the basis set has no functions
MOLECULES: tuple[tuple[str, ConceptualAtoms, float | None, float, str], ...] = (
    ("formaldehyde", FORMALDEHYDE, 3.966, 3.572, "n → π*"),
    ("thioformaldehyde", THIOFORMALDEHYDE, 2.207, 1.930, "n → π*"),
    ("methanimine", METHANIMINE, 5.193, 4.612, "n → π*"),
    ("nitroxyl", NITROXYL, 1.743, 0.881, "n → π*"),
    ("glyoxal", GLYOXAL, 2.877, 2.490, "n → π*"),
    ("ethylene", ETHYLENE, None, 4.545, "π → π*"),
)

Value: TypeAlias = "Callable[[SingletTripletGap], float | None]"

THIEL = "M. R. Silva-Junior et al., J. Chem. Phys. 129, 104103 (2008)"
LEVEL = Level("B3LYP", "def2-SVP")
OF_SINGLETS = f"1.5 times the mean error of B3LYP, 0.27 eV over 104 singlets ({THIEL})"
OF_TRIPLETS = f"1.5 times the mean error of B3LYP, 0.44 eV over 63 triplets ({THIEL})"


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    for name, atoms, singlet, triplet, kind in MOLECULES:
        rows: list[tuple[str, Value, float, float, str]] = [
            ("T1", lambda gap: gap.triplet_energy, triplet, 0.66, OF_TRIPLETS)
        ]
        if singlet is not None:
            rows.insert(0, ("S1", lambda gap: gap.singlet_energy, singlet, 0.4, OF_SINGLETS))
        for what, value, reference, allowed, why in rows:

            def ours(at: At, atoms: ConceptualAtoms = atoms, value: Value = value) -> float:
                found = value(at.gap(atoms))
                assert found is not None  # there are triplets
                return found

            yield Entry(
                "S1 and T1", name, f"{what}, TDA", "eV", LEVEL, ours, reference, allowed, why, QUEST
            )

        def character(at: At, atoms: ConceptualAtoms = atoms) -> str:
            return at.gap(atoms).triplet_character

        yield Entry(
            "S1 and T1", name, "what T1 is", "", LEVEL, character, kind, 0, "a label", QUEST
        )
