"""Singlet–triplet gaps: the lowest excited singlets and triplets of molecules, compared."""

from __future__ import annotations

from ogm import GraphModel, Link

from .atoms import ConceptualAtoms
from .excitations import ExcitedStates, ResponseName
from .level import Level
from .units import ElectronVolt, Number


class MoleculeSet(GraphModel):
    """Molecules that are asked about together.

    Attributes:
        names: what the person called them.
        molecules: their structures as given, in the same order.
    """

    names: tuple[str, ...]
    molecules: tuple[ConceptualAtoms, ...]


class SingletTripletGap(GraphModel):
    """The lowest excited singlet and triplet of a molecule at one geometry: vertical energies.

    Attributes:
        name: what the person called the molecule.
        atoms: the geometry.
        level: the level of theory.
        singlet_energy: of S1.
        singlet_strength: oscillator strength of S1.
        triplet_energy: of T1; None where it has none.
        singlet_triplet_gap: S1 less T1.
        singlet_character: of S1; empty where it is not known.
        triplet_character: of T1.
        paired_triplet: number of the lowest triplet of the character of S1; None if not found.
        paired_gap: S1 less that triplet.
        bright_state: number of the lowest singlet of which light is absorbed; None if not found.
        bright_energy: of that singlet.
        bright_strength: its oscillator strength.
        singlets: where the singlets stand.
        triplets: where the triplets stand.
        remarks: what a reader must know.
    """

    name: str
    atoms: ConceptualAtoms
    level: Level
    singlet_energy: ElectronVolt
    singlet_strength: Number
    triplet_energy: ElectronVolt | None = None
    singlet_triplet_gap: ElectronVolt | None = None
    singlet_character: str = ""
    triplet_character: str = ""
    paired_triplet: int | None = None
    paired_gap: ElectronVolt | None = None
    bright_state: int | None = None
    bright_energy: ElectronVolt | None = None
    bright_strength: Number | None = None
    singlets: Link[ExcitedStates]
    triplets: Link[ExcitedStates] | None = None
    remarks: tuple[str, ...] = ()


class SingletTripletGaps(GraphModel):
    """Singlet–triplet gaps of several molecules.

    Attributes:
        molecule_set: which molecules.
        response: how the states were found.
        gaps: in the order that was asked for.
        relaxed: whether each is at its relaxed ground-state geometry.
        minima: whether frequencies have shown these to be minima.
        failures: molecules of which something is missing, each with the reason.
    """

    molecule_set: MoleculeSet
    response: ResponseName
    gaps: tuple[SingletTripletGap, ...]
    relaxed: bool = True
    minima: bool = False
    failures: tuple[str, ...] = ()
