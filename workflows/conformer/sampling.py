"""Which program makes the geometries from which conformers are relaxed."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerCandidates
from workflows.engine import Call
from workflows.programs.xtb import XTB, Method

from .candidates import candidates
from .crest import CREST, Search, crest
from .metadynamics import metadynamics

Sampler: TypeAlias = Literal["auto", "embedding", "CREST", "metadynamics"]


def chosen_sampler(smiles: str) -> Sampler:
    """Return what looks for conformers where nobody says: the most thorough that is installed.

    Embedding knows little of how molecules lie beside each other, so these take metadynamics.

    Args:
        smiles: bonds of the molecule; separate molecules have a dot between them.
    """
    if CREST.version() is not None:
        return "CREST"
    if "." in smiles and XTB.version() is not None:
        return "metadynamics"
    return "embedding"


def sampling(
    atoms: ConceptualAtoms,
    smiles: str,
    sampler: Sampler,
    *,
    method: Method,
    search: Search | None = None,
    solvent: str,
    starts: int,
    seed: int,
    window: float,
    picoseconds: float,
) -> Call[ConformerCandidates]:
    """Return the calculation that makes geometries of a molecule.

    Args:
        atoms: the molecule.
        smiles: its bonds.
        sampler: which program, as chosen.
        method: of CREST's search.
        search: its kind; None for the one that suits the bonds.
        solvent: around it; embedding has none.
        starts: how many geometries are embedded.
        seed: of the random numbers, but for CREST, which takes none.
        window: kcal/mol above the lowest by the sampler, within which geometries are kept.
        picoseconds: of metadynamics, which takes GFN-FF.

    Raises:
        ComponentError: the program is not installed.
    """
    asked = f"conformers of {atoms.formula} by {sampler} were asked for"
    match sampler:
        case "CREST":
            kind = search or ("nci" if "." in smiles else "imtd-gc")
            return crest.bind(atoms, CREST.required(asked), kind, method, solvent, window)
        case "metadynamics":
            version = XTB.required(asked)
            return metadynamics.bind(
                atoms, version, picoseconds, seed=seed, solvent=solvent, window=window
            )
        case _:
            return candidates.bind(atoms, smiles, starts, seed, window)
